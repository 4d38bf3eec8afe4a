"""The two doors to a callback, blocking and not: both admit, run, wait, and then settle or abandon; neither drifts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any

from .containment import Outcome, unstartable
from .contract import Dispatch, Event, Fault, Refusal
from .delivery import Delivery, Subscriber
from .hook_time import HookTime, measuring
from .reporter import Reporter
from .workers import Job, Waiter, Workers, resolve


class Doors:
    """Calls one callback and returns its outcome; ``keep`` takes an interrupt that nobody waits for."""

    def __init__(self, workers: Workers, waiter: Waiter, keep: Callable[[BaseException], None]) -> None:
        self._workers = workers
        self._waiter = waiter
        self._keep = keep

    def call(self, subscriber: Subscriber, payload: Mapping[str, Any]) -> Outcome:
        """Call it on a worker, or on this thread, and block until it answers or its deadline."""
        delivery = subscriber.prepare(payload)
        if isinstance(delivery, Outcome):
            return delivery
        if subscriber.inline:
            return _inline(delivery)
        done = _taken_lock()
        delivery.call.wake = done.release
        try:
            if not self._hand_over(delivery) or self._waiter.wait(done, subscriber.timeout_s):
                return delivery.outcome
        except BaseException:  # the caller is interrupted
            subscriber.lane.abandon(delivery.call, quiet=False)
            raise
        return subscriber.lane.abandon(delivery.call)

    async def acall(self, subscriber: Subscriber, payload: Mapping[str, Any]) -> Outcome:
        """Await it on this loop, or call it on a worker, and go on when it answers or at its deadline."""
        delivery = subscriber.prepare(payload)
        if isinstance(delivery, Outcome):
            return delivery
        if subscriber.inline and not subscriber.is_async:
            return _inline(delivery)
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        try:
            if self._begin(delivery, done) or await self._waiter.await_(done, subscriber.deadline_s):
                return delivery.outcome
        except BaseException:  # the caller is cancelled
            subscriber.lane.abandon(delivery.call, quiet=False)
            raise
        return subscriber.lane.abandon(delivery.call)

    def _begin(self, delivery: Delivery, done: asyncio.Future[bool]) -> bool:
        """Start the call; True: it has ended already.

        To be woken by a thread costs a loop more than most observers take, so one is given a moment first.
        """
        call = delivery.call
        if delivery.subscriber.is_async:
            call.wake = partial(resolve, done, True)
            delivery.begin_task(partial(self._end, delivery))
            return False
        ended = _taken_lock()
        call.wake = ended.release
        if not self._hand_over(delivery) or self._waiter.wait_a_moment(ended):
            return True
        call.wake = partial(_wake, done)
        return call.outcome is not None  # it ended before it knew whom to wake

    def _hand_over(self, delivery: Delivery) -> bool:
        try:
            self._workers.submit(Job(delivery.run, partial(self._end, delivery)))
        except (RuntimeError, MemoryError) as error:  # D6: no thread, no call, and no slot that is never freed
            delivery.settle(unstartable(error, delivery.subscriber.text_chars))
            return False
        return True

    def _end(self, delivery: Delivery, outcome: Outcome) -> None:
        if not delivery.settle(outcome) and outcome.interrupt is not None:
            self._keep(outcome.interrupt)


class Tally:
    """Gathers the outcomes of one firing, for both doors; while it is open, hook time runs (D13)."""

    __slots__ = ("_event", "_faults", "_refusals", "_reporter", "_time", "_values")

    def __init__(self, event: Event, reporter: Reporter) -> None:
        self._event = event
        self._reporter = reporter
        self._values: list[Any] = []
        self._faults: list[Fault] = []
        self._refusals: list[Refusal] = []
        self._time: HookTime | None = measuring()

    def __enter__(self) -> Tally:
        if self._time is not None:
            self._time.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._time is not None:
            self._time.end()

    def add(self, subscriber: Subscriber, outcome: Outcome) -> None:
        """Raises what must not be contained (D11)."""
        if outcome.interrupt is not None:
            raise outcome.interrupt
        fault = self._reporter.fault(subscriber, outcome)
        if fault is not None:
            self._faults.append(fault)
        if not self._event.policy:
            if outcome.value is not None:
                self._values.append(outcome.value)
        elif fault is not None:
            message = f"refused, for {subscriber.hook!r} failed: {fault.detail}"
            self._refusals.append(Refusal(subscriber.hook, message, fault))
        elif outcome.value is not None:
            self._refusals.append(Refusal(subscriber.hook, outcome.value))

    def dispatch(self) -> Dispatch:
        return Dispatch(self._event.name, tuple(self._values), tuple(self._faults), tuple(self._refusals))


def _inline(delivery: Delivery) -> Outcome:
    outcome = delivery.run()
    delivery.settle(outcome)
    return outcome


def _taken_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def _wake(done: asyncio.Future[bool]) -> None:
    with suppress(RuntimeError):  # where the caller's loop is closed, it waits no more
        done.get_loop().call_soon_threadsafe(resolve, done, True)

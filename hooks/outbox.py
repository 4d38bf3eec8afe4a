"""Off-path delivery (D12): one queue and one daemon thread per subscriber, and an emitter that never waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import Context, copy_context
from typing import Any, NamedTuple

from .containment import Containment, Outcome, unstartable
from .contract import Limits
from .delivery import Delivery, Subscriber
from .payload import identity_of, own_fields, weight
from .signature import narrow
from .workers import Waiter


class Item(NamedTuple):
    """What was posted to one callback: its own copies, and the context variables of the emitter (D8)."""

    subscriber: Subscriber
    identity: str
    fields: dict[str, Any]
    context: Context


class Told(NamedTuple):
    """Whom an outbox tells: how a delivery ended, and (``lost``) what was not delivered and why."""

    ended: Callable[[Subscriber, Outcome, Context], object]
    lost: Callable[[Subscriber, str], object]


class Outbox:
    """The queue of one subscriber: a function, or an object whose methods then hear their events in order."""

    def __init__(self, limits: Limits, clock: Callable[[], float], told: Told) -> None:
        self._limits = limits
        self._clock = clock
        self._told = told
        self._changed = threading.Condition()
        self._queue: deque[Item] = deque()
        self._thread: threading.Thread | None = None
        self._current: tuple[Delivery, float] | None = None
        self._closed = False
        self._drained = threading.Lock()
        self._drained.acquire()

    def post(self, subscriber: Subscriber, payload: Mapping[str, Any]) -> bool:
        """Queue a payload; False: it was not taken."""
        context = copy_context()
        most = self._limits.queue_item_bytes
        with Containment(subscriber.text_chars) as held:
            narrowed = narrow(payload, subscriber.names)
            if weight(narrowed, most) > most:
                self._told.lost(subscriber, "oversized")
                return False
            fields = own_fields(narrowed, None, subscriber.event, subscriber.hook)
            item = Item(subscriber, identity_of(payload, subscriber.event), fields, context)
        if held.outcome.interrupt is not None:
            raise held.outcome.interrupt
        if held.outcome.kind:
            self._told.ended(subscriber, held.outcome, context)
            return False
        self._give_up_overdue()
        return self._put(item)

    def stop(self) -> None:
        """Take nothing more; what is queued is still delivered."""
        with self._changed:
            self._closed = True
            if self._thread is None or self._thread is threading.current_thread():
                self._release()
            self._changed.notify_all()

    def close(self, waiter: Waiter, seconds: float) -> None:
        """Wait so long for what is queued, then give up what runs and count what is left."""
        self.stop()
        if waiter.wait(self._drained, seconds):
            self._release()
        with self._changed:
            left = list(self._queue)
            self._queue.clear()
            current, self._current = self._current, None
        for item in left:
            self._told.lost(item.subscriber, "dropped")
        if current is not None:
            self._give_up(current[0])

    def _put(self, item: Item) -> bool:
        with self._changed:
            if self._closed:
                self._told.lost(item.subscriber, "dropped")
                return False
            if len(self._queue) >= self._limits.queue_size:
                self._told.lost(self._queue.popleft().subscriber, "dropped")
            self._queue.append(item)
            failure = self._start_thread()
            if failure is None:
                self._changed.notify_all()
                return True
            self._queue.pop()
        self._told.ended(item.subscriber, unstartable(failure, self._limits.text_chars), item.context)
        return False

    def _start_thread(self) -> BaseException | None:
        """See that a thread delivers; the reason why none could be started (D6)."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._drain, name="windtunnel-hook-outbox", daemon=True)
            try:
                self._thread.start()
            except (RuntimeError, MemoryError) as error:
                self._thread = None
                return error
        return None

    def _give_up_overdue(self) -> None:
        """Abandon a delivery that is past its deadline: nobody waits for it, so whoever posts next looks (D1)."""
        with self._changed:
            if self._current is None:
                return
            delivery, since = self._current
            deadline = delivery.subscriber.deadline_s
            if deadline is None or self._clock() - since < deadline:
                return
            self._current = None
        self._give_up(delivery)

    def _give_up(self, delivery: Delivery) -> None:
        outcome = delivery.subscriber.lane.abandon(delivery.call)
        if delivery.call.abandoned:
            with self._changed:
                self._thread = None
            self._told.ended(delivery.subscriber, outcome, delivery.context)

    def _drain(self) -> None:
        while (item := self._take()) is not None:
            if not self._deliver(item):
                return  # abandoned: another thread has taken over
            del item
        self._release()

    def _take(self) -> Item | None:
        with self._changed:
            while not self._queue:
                if self._closed:
                    return None
                self._changed.wait()
            return self._queue.popleft()

    def _deliver(self, item: Item) -> bool:
        call = item.subscriber.lane.admit(item.identity)
        if isinstance(call, Outcome):
            self._told.ended(item.subscriber, call, item.context)
            return True
        delivery = Delivery(item.subscriber, call, item.fields, item.context)
        with self._changed:
            self._current = (delivery, self._clock())
        outcome = delivery.run()
        heard = delivery.settle(outcome)
        with self._changed:
            if self._current is not None and self._current[0] is delivery:
                self._current = None
        if heard or outcome.interrupt is not None:
            self._told.ended(item.subscriber, outcome, item.context)
        return heard

    def _release(self) -> None:
        with suppress(RuntimeError):  # where it is released already
            self._drained.release()

"""One callback and one call of it: the same steps, whichever door it was reached by."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable, Mapping
from functools import partial
from types import MethodType
from typing import Any, cast

from .containment import Containment, Outcome, type_name
from .contract import Event, Limits, Refuse
from .lane import Call, Lane
from .payload import identity_of, own_fields
from .signature import code_name, declared_fields, is_async


class Subscriber:
    """A callback registered for an event. Raises HookConfigError where the event cannot fill its parameters."""

    def __init__(
        self, event: Event, fn: Callable[..., Any], hook: str, limits: Limits, clock: Callable[[], float]
    ) -> None:
        self.event = event
        self.fn = fn
        self.owner: object = fn.__self__ if isinstance(fn, MethodType) else fn
        self.hook = hook
        self.names = declared_fields(fn, event, hook)
        self.code = code_name(fn)
        self.is_async = is_async(fn)
        self.timeout_s = limits.timeout_s if event.timeout_s is None else event.timeout_s
        self.inline = not event.bounded or self.timeout_s == 0
        self.text_chars = limits.text_chars
        self.lane = Lane(limits, clock)

    @property
    def deadline_s(self) -> float | None:
        """Seconds that a call has, None where it has no deadline."""
        return None if self.inline else self.timeout_s

    def prepare(self, payload: Mapping[str, Any]) -> Delivery | Outcome:
        """Admit a call and give it fields and context variables of its own, or tell why it is not called."""
        call = self.lane.admit(identity_of(payload, self.event))
        if isinstance(call, Outcome):
            return call
        with Containment(self.text_chars) as held:
            fields = own_fields(payload, self.names, self.event, self.hook)
            return Delivery(self, call, fields, contextvars.copy_context())
        self.lane.settle(call, held.outcome)
        return held.outcome

    def judge(self, value: Any) -> Outcome:
        """What an answer counts as. A guard's is looked at while it is still contained: a Refuse may be foreign too."""
        if not self.event.policy:
            return Outcome(value=value)
        if value is None:
            return Outcome()
        if issubclass(type(value), Refuse) and isinstance(value.reason, str):
            return Outcome(value=str.__str__(value.reason))
        return Outcome(kind="malformed", detail=f"TypeError: answered {type_name(value)}, not None or Refuse(reason)")


class Delivery:
    """An admitted call with the fields and the context variables (D8) that its callback gets."""

    __slots__ = ("began", "call", "context", "fields", "subscriber")

    def __init__(
        self, subscriber: Subscriber, call: Call, fields: dict[str, Any], context: contextvars.Context
    ) -> None:
        self.subscriber = subscriber
        self.call = call
        self.fields = fields
        self.context = context
        self.began = False

    def run(self) -> Outcome:
        """Call the callback on this thread; what it answers to be awaited is awaited on a loop of its own (D7)."""
        subscriber = self.subscriber
        with Containment(subscriber.text_chars) as held:
            value = self.context.run(subscriber.fn, **self.fields)
            # Only its type is asked: the answer itself may fail whoever looks at it.
            held.outcome = self._resolved(value) if hasattr(type(value), "__await__") else subscriber.judge(value)
        return held.outcome

    def begin_task(self, tell: Callable[[Outcome], object]) -> None:
        """Call the callback in a task of the running loop and await it there; ``tell`` gets its outcome."""
        task = asyncio.get_running_loop().create_task(self._arun(tell), context=self.context)
        self.call.loop = task.get_loop()
        self.call.stop_with(partial(self._let_go, task))

    async def _arun(self, tell: Callable[[Outcome], object]) -> None:
        self.began = True
        subscriber = self.subscriber
        with Containment(subscriber.text_chars) as held:
            held.outcome = subscriber.judge(await subscriber.fn(**self.fields))
        tell(held.outcome)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        """Cancel an abandoned task; if it swallows that, the end of its loop does not wait for it either (D7)."""
        task.cancel()
        asyncio.tasks._unregister_task(task)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # the loop may close over it: it was told
        if not self.began:  # and now it never will
            self.settle(Outcome())

    def _resolved(self, awaitable: Any) -> Outcome:
        try:
            if asyncio._get_running_loop() is not None:  # this thread's loop is busy with our caller
                return self._resolved_elsewhere(awaitable)
            with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
                held = Containment(self.subscriber.text_chars)
                runner.run(self._await(awaitable, held), context=self.context)
                return held.outcome
        finally:
            if inspect.iscoroutine(awaitable) and inspect.getcoroutinestate(awaitable) == inspect.CORO_CREATED:
                awaitable.close()  # no thread or loop for it: it must not complain that it was never awaited

    async def _await(self, awaitable: Any, held: Containment) -> None:
        """``held`` gets the outcome, not the task: asyncio asks a task for the ``repr`` of its result."""
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self.call.stop_with(partial(task.get_loop().call_soon_threadsafe, task.cancel))
        with held:
            held.outcome = self.subscriber.judge(await awaitable)
        if task.cancelling():  # by Ctrl-C or by a caller that gave up: the runner must hear of it
            raise asyncio.CancelledError

    def _resolved_elsewhere(self, awaitable: Any) -> Outcome:
        held = Containment(self.subscriber.text_chars)

        def body() -> None:
            with held:
                held.outcome = self._resolved(awaitable)

        thread = threading.Thread(target=body, name="windtunnel-hook-loop", daemon=True)
        thread.start()
        thread.join()
        return held.outcome

    def settle(self, outcome: Outcome) -> bool:
        """False: nobody waits for this outcome any more."""
        return self.subscriber.lane.settle(self.call, outcome)

    @property
    def outcome(self) -> Outcome:
        """How the call ended, once it has."""
        return cast("Outcome", self.call.outcome)

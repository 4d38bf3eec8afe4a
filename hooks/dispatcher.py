"""Tell callbacks of events, so that nothing they raise, return or never finish can break, hold or flood the caller."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextvars import Context
from typing import Any, Never

from ..schemas.nearest import did_you_mean
from .containment import Containment, Outcome, type_name
from .contract import Dispatch, Event, Fault, Limits
from .delivery import Subscriber
from .doors import Doors, Tally
from .errors import HookConfigError
from .hook_shape import captured_name, methods_of
from .outbox import Outbox, Told
from .reporter import Reporter
from .workers import Waiter, Workers


class HookDispatcher:
    """Knows events and callbacks, and no scenario. Safe to use from any thread and any loop.

    ``hooks`` are objects with a ``name`` and a method for at least one event. ``clock`` measures quiet times, and the
    deadlines of posted payloads. ``off_path`` is told each fault of a posted payload, in the emitter's context.
    """

    def __init__(
        self,
        events: Iterable[Event] | Mapping[str, Event],
        hooks: Iterable[Any] = (),
        *,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time.monotonic,
        waiter: Waiter | None = None,
        off_path: Callable[[Fault], object] | None = None,
    ) -> None:
        self._events = _by_name(events)
        self._limits = limits
        self._clock = clock
        self._off_path = off_path
        self._waiter = waiter or Waiter()
        self._workers = Workers()
        self._reporter = Reporter(limits)
        self._doors = Doors(self._workers, self._waiter, self._keep)
        self._lock = threading.Lock()
        self._subscribers: dict[str, tuple[Subscriber, ...]] = dict.fromkeys(self._events, ())
        self._nothing = {name: Dispatch(name) for name in self._events}
        self._outboxes: dict[int, Outbox] = {}
        self._closed = False
        self._kept: BaseException | None = None
        self.counts: Mapping[tuple[str, str, str], int] = self._reporter.counts
        for hook in hooks:
            self._register_methods(hook)

    def register(self, event: str, fn: Callable[..., Any], *, hook: str) -> Callable[[], None]:
        """Tell ``fn`` of the event from now on; call what is returned to stop. Raises HookConfigError."""
        subscriber = Subscriber(self._event(event), fn, hook, self._limits, self._clock)
        with self._lock:
            self._subscribers[event] += (subscriber,)

        def unregister() -> None:
            with self._lock:
                self._subscribers[event] = tuple(each for each in self._subscribers[event] if each is not subscriber)
                heard = any(each.owner is subscriber.owner for those in self._subscribers.values() for each in those)
                unheard = None if heard else self._outboxes.pop(id(subscriber.owner), None)
            if unheard is not None:
                unheard.stop()

        return unregister

    def wants(self, event: str) -> bool:
        """Does anybody listen? If not, the payload need not be built (D14)."""
        return bool(self._subscribers.get(event))

    def fire(self, event: str, /, **payload: Any) -> Dispatch:
        """Call every callback in order, each within its deadline, and return what they came to."""
        if self._kept is not None:
            self._raise_kept()
        subscribers = self._subscribers.get(event)
        if not subscribers:
            return self._nothing.get(event) or self._unknown(event)
        tally = Tally(self._events[event], self._reporter)
        with tally:
            for subscriber in subscribers:
                tally.add(subscriber, self._doors.call(subscriber, payload))
        return tally.dispatch()

    async def afire(self, event: str, /, **payload: Any) -> Dispatch:
        """``fire`` that does not block the loop; ``async def`` callbacks are awaited on it (D7)."""
        if self._kept is not None:
            self._raise_kept()
        subscribers = self._subscribers.get(event)
        if not subscribers:
            return self._nothing.get(event) or self._unknown(event)
        tally = Tally(self._events[event], self._reporter)
        with tally:
            for subscriber in subscribers:
                tally.add(subscriber, await self._doors.acall(subscriber, payload))
        return tally.dispatch()

    def post(self, event: str, /, **payload: Any) -> int:
        """Queue the payload for every callback and return how many queues took it; never waits (D12).

        After ``close`` none does, which is counted. Raises HookConfigError for guards: nobody would hear them.
        """
        if self._kept is not None:
            self._raise_kept()
        subscribers = self._subscribers.get(event)
        if not subscribers:
            return 0 if event in self._events else self._unknown(event)
        if self._events[event].policy:
            raise HookConfigError(f"{event} asks guards for a decision: fire it, for a posted one is not waited for")
        return sum(self._outbox(subscriber).post(subscriber, payload) for subscriber in subscribers)

    def forget_reports(self) -> None:
        """Warn of every fault anew, as for a new sweep; counts go on."""
        self._reporter.forget()

    def close(self, timeout_s: float = 1.0) -> None:
        """Deliver what is queued, for so long; let idle threads end. What hangs is left behind, not waited for."""
        until = self._clock() + timeout_s
        with self._lock:
            self._closed = True
            outboxes = list(self._outboxes.values())
        for outbox in outboxes:
            outbox.stop()
        for outbox in outboxes:
            outbox.close(self._waiter, max(0.0, until - self._clock()))
        self._workers.close()
        if self._kept is not None:
            self._raise_kept()

    def _register_methods(self, hook: object) -> None:
        name = captured_name(hook, type_name(hook))
        if any(each.hook == name for subscribers in self._subscribers.values() for each in subscribers):
            raise HookConfigError(f"two hooks are named {name!r}; give each a name of its own")
        for event, method in methods_of(hook, name, self._events).items():
            self.register(event, method, hook=name)

    def _event(self, name: str) -> Event:
        return self._events.get(name) or self._unknown(name)

    def _unknown(self, name: str) -> Never:
        raise HookConfigError(f"no event is named {name!r}; {did_you_mean(name, self._events, what='events')}")

    def _outbox(self, subscriber: Subscriber) -> Outbox:
        """One for a function, one for all methods of an object; a subscriber holds its owner, so ids stay unique."""
        key = id(subscriber.owner)
        with self._lock:
            if key not in self._outboxes:
                self._outboxes[key] = Outbox(self._limits, self._clock, Told(self._ended_off_path, self._lost))
                if self._closed:
                    self._outboxes[key].stop()
            return self._outboxes[key]

    def _ended_off_path(self, subscriber: Subscriber, outcome: Outcome, context: Context) -> None:
        interrupt = outcome.interrupt
        if interrupt is None:
            with Containment(self._limits.text_chars) as held:
                fault = self._reporter.fault(subscriber, outcome)
                if fault is not None and self._off_path is not None:
                    context.copy().run(self._off_path, fault)
            interrupt = held.outcome.interrupt
        if interrupt is not None:
            self._keep(interrupt)

    def _lost(self, subscriber: Subscriber, kind: str) -> None:
        self._reporter.count(subscriber.event.name, subscriber.hook, kind)

    def _keep(self, interrupt: BaseException) -> None:
        self._kept = interrupt

    def _raise_kept(self) -> None:
        with self._lock:
            kept, self._kept = self._kept, None
        if kept is not None:
            raise kept


def _by_name(events: Iterable[Event] | Mapping[str, Event]) -> dict[str, Event]:
    found: dict[str, Event] = {}
    for event in events.values() if isinstance(events, Mapping) else events:
        if found.setdefault(event.name, event) is not event:
            raise HookConfigError(f"two events are named {event.name!r}")
    return found

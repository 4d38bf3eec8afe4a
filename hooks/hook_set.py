"""The active hooks of a sweep: fire a point, give each hook a context of its own, and tell what went wrong."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from .active import ActiveHook
from .call_observers import CallObservers, take_off_path, told
from .channel import Channel
from .context import HookContext
from .contract import Event, Limits, PerHook
from .dispatcher import HookDispatcher
from .events import CALL_EVENTS
from .point_callback import point_callback
from .points import PointFacts
from .settings import HookTimeouts
from .voice import Timing, Voice

_firings = itertools.count(1)


class HookSet:
    """Knows who hears what, and fires. Made by ``activate``; ``fire`` may be called from several threads at once.

    ``calls`` tells the same hooks of tool calls and model calls.
    """

    def __init__(
        self,
        hooks: Sequence[ActiveHook],
        events: Mapping[str, Event],
        timeouts: HookTimeouts,
        *,
        packs: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hooks = {hook.name: hook for hook in hooks}
        self.names = tuple(self._hooks)
        self.serial = any(hook.serial for hook in hooks)
        self._clock = clock
        self._converse_s = timeouts.converse()
        self._events = {name: _timed(event, timeouts) for name, event in events.items()}
        limits = Limits() if timeouts.hook_s is None else Limits(timeout_s=timeouts.hook_s)
        self._default_s = limits.timeout_s
        self._dispatcher = HookDispatcher(
            list(self._events.values()), limits=limits, clock=clock, off_path=take_off_path
        )
        self.calls = CallObservers(hooks, packs, self._dispatcher)
        for hook in hooks:
            for point in self._events:
                if point not in CALL_EVENTS and hook.at(point, None):
                    self._dispatcher.register(point, point_callback(hook, self._events[point], packs), hook=hook.name)

    def __bool__(self) -> bool:
        return bool(self._hooks)

    @property
    def longest_s(self) -> float:
        """The longest deadline, in seconds, of any callback that is active; 0 where none is."""
        if not self._hooks:
            return 0.0
        return max(self._default_s if event.timeout_s is None else event.timeout_s for event in self._events.values())

    def wants(self, point: str, pack: str | None) -> bool:
        """Whether a hook hears this point of this pack (None: of the whole sweep)."""
        return any(hook.at(point, pack) for hook in self._hooks.values())

    def listening(self, point: str, pack: str | None) -> tuple[str, ...]:
        """The names of the hooks that will fire, in order."""
        return tuple(name for name, hook in self._hooks.items() if hook.at(point, pack))

    def fire(self, point: str, pack: str | None, facts: PointFacts, channel: Channel) -> None:
        """Let every hook hear the point, one after another; return when each has ended or its deadline is over.

        When this returns, nothing a hook still says reaches ``channel``. Faults are told through ``channel.fault``.
        Raises KeyboardInterrupt where a hook does, and nothing else.
        """
        if not self.wants(point, pack):
            return
        event = self._events[point]
        seconds = self._default_s if event.timeout_s is None else event.timeout_s
        timing = Timing(hook_s=seconds, converse_s=self._converse_s, clock=self._clock)
        firing = _Firing(point, pack, facts, channel, timing, self._hooks)
        try:
            dispatch = self._dispatcher.fire(point, ctx=PerHook(firing.context), run_id=firing.identity)
        finally:
            firing.close()
        for fault in dispatch.faults:
            channel.fault(fault.hook, told(fault), 1)

    def close(self) -> None:
        """Let go of the workers; none of them is waited for."""
        self._dispatcher.close()


class _Firing:
    """One firing of a point: makes each hook's context, and closes them all."""

    def __init__(
        self,
        point: str,
        pack: str | None,
        facts: PointFacts,
        channel: Channel,
        timing: Timing,
        hooks: Mapping[str, ActiveHook],
    ) -> None:
        self.identity = facts.run_id or f"{point}-{next(_firings)}"  # tells it from others that happen at once (D3)
        self._point = point
        self._pack = pack
        self._facts = facts
        self._channel = channel
        self._timing = timing
        self._hooks = hooks
        self._lock = threading.Lock()
        self._voices: list[Voice] = []
        self._closed = False

    def context(self, hook: str) -> HookContext:
        voice = Voice(hook=hook, point=self._point, channel=self._channel, timing=self._timing)
        with self._lock:
            self._voices.append(voice)
            closed = self._closed
        if closed:
            voice.close()
        heard = self._hooks[hook].at(self._point, self._pack)
        settings = heard[0].settings if heard else b"{}"
        return HookContext(self._facts, voice, pack=self._pack, settings=settings)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            voices = list(self._voices)
        for voice in voices:
            voice.close()


def _timed(event: Event, timeouts: HookTimeouts) -> Event:
    return event if timeouts.hook_s is None else replace(event, timeout_s=timeouts.hook_s)

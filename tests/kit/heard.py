"""Real call events of one session, for hooks that a test gives, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from windtunnel.engine.call_events import CallEvents, Origin, Wiring
from windtunnel.engine.clock import RunClock, SeededClock
from windtunnel.hooks.active import ActiveHook, Observer
from windtunnel.hooks.channel import FaultLines
from windtunnel.hooks.contract import Event
from windtunnel.hooks.events import CALL_EVENTS, EVENTS
from windtunnel.hooks.hook_set import HookSet
from windtunnel.hooks.hook_shape import methods_of
from windtunnel.hooks.points import POINTS
from windtunnel.hooks.settings import HookTimeouts
from windtunnel.schemas.secrets import Secrets

ORIGIN = Origin(run_id="r1", session_id="s1", pack="desk", scenario="first", agent="careful")


class Recorder:
    """Hears every call event, and keeps what it is sent."""

    name = "recorder"

    def __init__(self, *events: str) -> None:
        self.heard: list[tuple[str, dict[str, Any]]] = []
        for event in events or CALL_EVENTS:
            setattr(self, event, self._keeper(event))

    def _keeper(self, event: str) -> Any:
        def keep(_self: object, **fields: Any) -> None:
            self.heard.append((event, fields))

        return keep.__get__(self)

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.heard]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [fields for name, fields in self.heard if name == event]


def observed_events() -> dict[str, Event]:
    return {name: EVENTS[name] for name in POINTS} | dict(CALL_EVENTS)


def hook_set(*hooks: Any, packs: tuple[str, ...] = ("desk",), timeouts: HookTimeouts | None = None) -> HookSet:
    """The hooks as active ones that observe every pack."""
    active = [_active(hook, dict.fromkeys(packs, hook)) for hook in hooks]
    return HookSet(active, observed_events(), timeouts or HookTimeouts(), packs=packs)


def per_pack(name: str, hooks: Mapping[str, Any], *, packs: tuple[str, ...]) -> HookSet:
    """One hook with an object for each pack, or for some."""
    active = _active(type("Named", (), {"name": name})(), hooks)
    return HookSet([active], observed_events(), HookTimeouts(), packs=packs)


def _active(named: Any, hooks: Mapping[str, Any]) -> ActiveHook:
    methods = {id(hook): methods_of(hook, named.name, observed_events()) for hook in hooks.values()}
    observers = {pack: Observer(hook=hook, methods=methods[id(hook)]) for pack, hook in hooks.items()}
    return ActiveHook(name=named.name, asked=named.name, source="test", observers=observers)


@dataclass
class Hearing:
    """What the engine would keep."""

    faults: FaultLines = field(default_factory=FaultLines)
    interrupts: int = 0

    def fault(self, hook: str, message: str, count: int) -> None:
        self.faults.add(hook, message, count)

    def interrupt(self) -> None:
        self.interrupts += 1


@dataclass(kw_only=True)
class Bench:
    """Call events over these hooks."""

    hooks: HookSet
    clock: RunClock = field(default_factory=lambda: SeededClock("run"))
    secrets: Secrets = field(default_factory=Secrets)
    origin: Origin = ORIGIN
    hearing: Hearing = field(default_factory=Hearing)

    @property
    def events(self) -> CallEvents:
        wiring = Wiring(
            observers=self.hooks.calls, hearing=self.hearing, clock=self.clock, ids=SeededClock("ids"), secrets=self.secrets
        )
        return CallEvents(self.origin, wiring)

    @property
    def faults(self) -> list[str]:
        return self.hearing.faults.lines()


def bench(*hooks: Any, timeouts: HookTimeouts | None = None, **keys: Any) -> Bench:
    return Bench(hooks=hook_set(*hooks, timeouts=timeouts), **keys)

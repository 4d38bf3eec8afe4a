"""Tell the active hooks of calls: on the path, where the caller waits for them, or off it; and say what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextvars import ContextVar
from types import MethodType
from typing import Any

from .active import ActiveHook, Observer
from .contract import Event, Fault
from .dispatcher import HookDispatcher
from .events import CALL_EVENTS
from .signature import declared_fields, is_async, narrow

TakeFault = Callable[[str, str, int], None]
"""Keeps a fault: the hook's name, the line about it, how often it was seen."""

_LOST = {"dropped": "its queue was full, or the sweep was over", "oversized": "too large for its queue"}

_TAKE: ContextVar[TakeFault | None] = ContextVar("windtunnel_take_fault", default=None)


class CallObservers:
    """The call-event side of a HookSet: who hears which event of which pack."""

    def __init__(self, hooks: Sequence[ActiveHook], packs: Collection[str], dispatcher: HookDispatcher) -> None:
        self._dispatcher = dispatcher
        self._heard: dict[str, frozenset[str]] = {
            pack: frozenset(event for event in CALL_EVENTS if any(hook.at(event, pack) for hook in hooks))
            for pack in packs
        }
        for hook in hooks:
            for event in CALL_EVENTS.values():
                for observer in hook.at(event.name, None):
                    callback = observer.methods[event.name]
                    heard_in = {pack for pack, each in hook.observers.items() if each.hook is observer.hook}
                    if not heard_in >= set(packs):
                        callback = _of_packs(callback, hook.name, observer, event, heard_in)
                    dispatcher.register(event.name, callback, hook=hook.name)

    def heard(self, pack: str) -> frozenset[str]:
        """The call events of this pack that a hook hears; for all others no payload need be built (D14)."""
        return self._heard.get(pack, frozenset())

    async def tell(self, event: str, payload: Mapping[str, Any], take: TakeFault) -> None:
        """Let every hook hear the event, one after another, each within its deadline; faults go to ``take``.

        Raises KeyboardInterrupt where a hook does, and nothing else.
        """
        dispatch = await self._dispatcher.afire(event, **payload)
        for fault in dispatch.faults:
            take(fault.hook, told(fault), 1)

    def post(self, event: str, payload: Mapping[str, Any], take: TakeFault) -> None:
        """Queue the event for every hook, and go on; a fault goes to ``take`` when it happens. Raises as ``tell``."""
        token = _TAKE.set(take)  # the queue keeps the emitter's context variables (D8), and this one with them
        try:
            self._dispatcher.post(event, **payload)
        finally:
            _TAKE.reset(token)

    def losses(self) -> list[str]:
        """What was posted and never delivered, a line for each hook and event."""
        return [
            f"hook:{hook}: {count} of {event} not delivered ({_LOST[kind]})"
            for (event, hook, kind), count in sorted(self._dispatcher.counts.items())
            if kind in _LOST
        ]


def take_off_path(fault: Fault) -> None:
    """Give a fault of a posted event to whoever posted it."""
    take = _TAKE.get()
    if take is not None:
        take(fault.hook, told(fault), 1)


def told(fault: Fault) -> str:
    """One line: ``on_run_scored raised ValueError: no``."""
    if fault.kind == "raised":
        return f"{fault.event} raised {fault.detail}"
    return f"{fault.event}: {fault.detail}"


def _of_packs(method: Callable[..., Any], hook: str, observer: Observer, event: Event, packs: Collection[str]) -> Any:
    """The method for the packs that its object observes alone; what happens in another pack is none of its business."""
    names = declared_fields(method, event, hook)

    async def hear_async(_hook: object, pack: str, **fields: Any) -> None:
        if pack in packs:
            await method(**narrow({"pack": pack, **fields}, names))

    def hear(_hook: object, pack: str, **fields: Any) -> Any:
        return method(**narrow({"pack": pack, **fields}, names)) if pack in packs else None

    chosen = hear_async if is_async(method) else hear
    kind = type(observer.hook)
    chosen.__module__, chosen.__qualname__ = kind.__module__, f"{kind.__qualname__}.{event.name}"
    return MethodType(chosen, observer.hook)  # bound: what one object hears off the path stays in one queue, in order

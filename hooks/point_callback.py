"""Lead a point to the objects that observe its pack, where a hook has one for each pack."""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Iterator
from typing import Any

from .active import ActiveHook, Method
from .context import HookContext
from .contract import Event
from .signature import declared_fields, narrow


def point_callback(hook: ActiveHook, event: Event, packs: Collection[str]) -> Method:
    """The method itself where one object hears every pack; else a function that finds the objects of the pack."""
    heard = hook.at(event.name, None)
    first = heard[0].methods[event.name]
    if len(heard) == 1 and all(hook.at(event.name, pack) for pack in packs):
        return first

    def route(ctx: HookContext, **more: Any) -> Coroutine[Any, Any, None] | None:
        answers = _answers(hook, event, {"ctx": ctx, **more})
        for answer in answers:
            if _is_awaitable(answer):
                return _awaited(answer, answers)
        return None

    kind = type(heard[0].hook)
    route.__module__, route.__qualname__ = kind.__module__, f"{kind.__qualname__}.{event.name}"
    return route


def _answers(hook: ActiveHook, event: Event, payload: dict[str, Any]) -> Iterator[Any]:
    """Call one object after another: the next one when its answer is asked for, so that their order is kept (D7)."""
    for observer in hook.at(event.name, payload["ctx"].pack):
        method = observer.methods[event.name]
        yield method(**narrow(payload, declared_fields(method, event, hook.name)))


async def _awaited(first: Any, others: Iterator[Any]) -> None:
    await first
    for answer in others:
        if _is_awaitable(answer):
            await answer


def _is_awaitable(answer: object) -> bool:
    return hasattr(type(answer), "__await__")  # only its type is asked: the answer itself may fail whoever looks at it

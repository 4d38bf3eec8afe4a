"""Play a hook that is written in YAML: ask, emit and warn, in the order in which its steps stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..schemas.hook_documents import DeclaredHook, DeclaredPoint, HookStep
from ..schemas.templates import holds, render_text, render_value
from .channel import ConverseError
from .context import HookContext
from .facts import context_names


class DeclaredHookPlayer:
    """One declared hook of one pack as an object with a method per declared point."""

    def __init__(self, declared: DeclaredHook) -> None:
        self.name = declared.name
        for point in declared.points.values():
            setattr(self, point.point, _player(declared.name, point))


def _player(hook: str, declared: DeclaredPoint) -> Callable[[HookContext], None]:
    def play(ctx: HookContext) -> None:
        names = context_names(ctx)
        if declared.when is None or holds(declared.when, names):
            for step in declared.steps:
                _take(step, names, ctx)

    play.__qualname__ = f"{hook}.{declared.point}"  # reports tell one declared hook from another by it
    return play


def _take(step: HookStep, names: dict[str, Any], ctx: HookContext) -> None:
    if step.kind == "converse":
        reply = _converse(render_text(step.value, names), ctx)
        if step.name:
            names[step.name] = reply
    elif step.kind == "emit":
        ctx.emit_artifact(render_value(step.value, names))
    else:
        ctx.warn(render_text(step.value, names))


def _converse(prompt: str, ctx: HookContext) -> str:
    """The reply, or "" with a warning: the steps after it still tell what they know, the engine stamps the error."""
    try:
        return ctx.converse(prompt)
    except ConverseError as error:
        ctx.warn(str(error))
        return ""

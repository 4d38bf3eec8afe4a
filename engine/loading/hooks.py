"""Build declared hooks: points, their conditions, and their steps."""

from __future__ import annotations

from typing import Literal

from ...schemas.hook_documents import DeclaredHook, DeclaredPoint, HookStep
from .node import Node, text_of, value_of

STEP_KINDS: tuple[Literal["converse", "emit", "warn"], ...] = ("converse", "emit", "warn")


def hooks_from(node: Node | None) -> dict[str, DeclaredHook]:
    """Every declared hook by its name."""
    found = {}
    for name, entry in node.entries() if node else ():
        points = {point: _point(point, member) for point, member in entry.settings() if isinstance(member.value, dict)}
        found[name] = DeclaredHook(name=name, points=points, mark=entry.tree.marks.key(entry.path))
    return found


def _point(name: str, node: Node) -> DeclaredPoint:
    listed = node.get("steps")
    steps = [_step(item) for item in listed.items() if item.whole] if listed else []
    return DeclaredPoint(point=name, when=node.text("when"), steps=tuple(steps))


def _step(node: Node) -> HookStep:
    kind = step_kind(node)
    member = node.get(kind)
    if member is None:
        return HookStep(kind=kind, value="", mark=node.mark)
    if kind == "converse" and isinstance(member.value, dict):
        prompt = member.get("prompt")
        return HookStep(kind=kind, value=text_of(prompt) if prompt else "", name=member.plain("as", ""), mark=node.mark)
    return HookStep(kind=kind, value=value_of(member), mark=node.mark)


def step_kind(node: Node) -> Literal["converse", "emit", "warn"]:
    """Which of the three a step is."""
    return next((kind for kind in STEP_KINDS if kind in node.value), "warn")

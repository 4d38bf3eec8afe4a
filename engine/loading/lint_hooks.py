"""Declared hooks: their points exist, they converse only where that works, their templates know their names."""

from __future__ import annotations

from collections.abc import Collection

from ...hooks.points import CONVERSE_POINT, POINTS
from ...schemas.nearest import did_you_mean
from .built import Built
from .hooks import step_kind
from .node import Node
from .templates import Known

RESERVED = ("score", "pack", "trace", "ledger", "sweep", "hook")


def lint_hooks(built: Built, own_points: Collection[str] | None) -> None:
    """``own_points`` are those that the pack's skeleton adds; None where the skeleton is not known."""
    for name, node in built.nodes("hooks"):
        if name in RESERVED:
            node.fault_at_key(f"a hook may not be named '{name}'", f"these names are taken: {', '.join(RESERVED)}")
        for point, member in node.entries():
            if point == "description":
                continue
            if own_points is not None and point not in POINTS and point not in own_points:
                known = [*POINTS, *own_points]
                member.fault_at_key(f"there is no point '{point}'", did_you_mean(point, known, what="points"))
            _point(built, member, point)


def _point(built: Built, node: Node, point: str) -> None:
    known = built.known_anywhere()
    built.templates.expression(node.get("when"), "declared_hook", known)
    steps = node.get("steps")
    answers: list[str] = []
    for step in steps.items() if steps else ():
        kind = step_kind(step)
        member = step.get(kind)
        if kind == "converse" and point != CONVERSE_POINT:
            step.fault(
                f"'converse' works at {CONVERSE_POINT} only, where the session is alive", f"move it to {CONVERSE_POINT}"
            )
        if member is not None:
            prompt = member.get("prompt") if kind == "converse" and isinstance(member.value, dict) else member
            _templates(built, prompt, known, answers)
            if kind == "converse":
                answers.append(member.plain("as", ""))


def _templates(built: Built, node: Node | None, known: Known, answers: list[str]) -> None:
    built.templates.value(node, "declared_hook", known.plus([name for name in answers if name]))

"""Declared hooks: their points exist, they converse only where that works, their templates know their names."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from ...hooks.points import CONVERSE_POINT, POINTS
from ...schemas.nearest import did_you_mean
from .built import Built
from .hooks import step_kind
from .node import Node
from .templates import Known

_OF_A_SCORE = "verdict failed_layers reasons"
_OF_A_RUN = f"run_id session_id turns calls {_OF_A_SCORE}"
_LACKS = {
    "on_provisioned": _OF_A_RUN,
    "on_run_start": _OF_A_SCORE,
    "on_scenario_end": _OF_A_RUN,
    "on_pack_end": f"scenario agent {_OF_A_RUN}",
}
RESERVED = ("score", "pack", "trace", "ledger", "sweep", "hook")


def lint_hooks(built: Built, own_points: Collection[str] | None) -> None:
    """``own_points`` are those that the pack's skeleton adds; None where the skeleton is not known."""
    for name, node in built.nodes("hooks"):
        if name in RESERVED:
            node.fault_at_key(f"a hook may not be named '{name}'", f"these names are taken: {', '.join(RESERVED)}")
        for point, member in node.settings():
            if point == "description":
                continue
            if own_points is not None and point not in POINTS and point not in own_points:
                known = [*POINTS, *own_points]
                member.fault_at_key(f"there is no point '{point}'", did_you_mean(point, known, what="points"))
            _point(built, member, point)


def _absent(point: str) -> dict[str, tuple[str, str]]:
    """Names of which nothing is known yet (or no more) at one of the six points; at others, whatever holds there."""
    remedy = "ask `is defined` first, or move this to on_run_scored"
    return {name: (f"'{name}' holds nothing at {point}", remedy) for name in _LACKS.get(point, "").split()}


def _point(built: Built, node: Node, point: str) -> None:
    known = dataclasses.replace(built.known_anywhere(), absent=_absent(point))
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

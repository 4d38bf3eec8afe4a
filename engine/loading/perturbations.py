"""Build a scenario's perturbations: what is common to all, and the keys of each type beside it."""

from __future__ import annotations

from ...schemas.scenario_documents import Perturbation
from .node import Node, value_of

COMMON = frozenset({"type", "tool", "fault", "on_call", "probability", "requires"})


def perturbations_from(node: Node | None) -> tuple[Perturbation, ...]:
    """What is declared and sound in shape, files read; each keeps its own place in the list as its index."""
    return () if node is None else tuple(_perturbation(item) for item in node.items() if item.whole)


def _perturbation(node: Node) -> Perturbation:
    on_call = node.plain("on_call", ())
    return Perturbation(
        index=int(node.path[-1]),
        type=node.plain("type", ""),
        requires=node.plain("requires", "met"),
        tool=node.plain("tool", ""),
        fault=node.plain("fault", ""),
        on_call=(on_call,) if isinstance(on_call, int) else tuple(on_call),
        probability=node.plain("probability", None),
        args={key: value_of(member) for key, member in node.settings() if key not in COMMON},
        mark=node.mark,
    )

"""Perturbations: each names a tool that the bench carries out, and strikes a call that the scenario lets happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...schemas.counted import counted
from ...schemas.nearest import did_you_mean
from ...schemas.scenario_documents import LAYERS, Check, Perturbation
from .built import Built
from .node import Node
from .perturbations import COMMON
from .scenarios import BuiltScenario
from .templates import Known

_NO_TEMPLATE = COMMON | {"wait_s", "lost", "position", "keep_chars"}


def lint_perturbations(built: Built, scenario: BuiltScenario, known: Known) -> None:
    """Add a fault for each perturbation that could never be what it says."""
    listed = scenario.first("perturb")
    if listed is None:
        return
    nodes = {item.path[-1]: item for item in listed.items()}
    for one in scenario.scenario.perturb:
        node = nodes[one.index]
        _tool(built, node, one)
        for key, member in node.settings():
            if key not in _NO_TEMPLATE:
                built.templates.value(member, "perturbation", known)
        if one.fault:
            _reachable(node, one, scenario.scenario.expect)


def _tool(built: Built, node: Node, one: Perturbation) -> None:
    tools = built.ids("tools")
    named = node.get("tool")
    if named is None:
        return
    if one.tool not in tools:
        named.fault(f"there is no tool '{one.tool}'", did_you_mean(one.tool, tools, what="tools"))
        return
    declared = built.pack.tools.get(one.tool)
    if one.fault and declared is not None and declared.reported:
        named.fault(
            f"no call of '{one.tool}' passes the bench: the tool is the agent's own (reported: true)",
            "name a tool that the bench carries out",
        )


def _reachable(node: Node, one: Perturbation, expect: Any) -> None:
    """A fault that has to strike a call which the scenario's own checks forbid could only end INVALID, or fail."""
    if one.requires != "met":
        return
    first = min(one.on_call, default=1)
    for check in _certain(expect):
        most = _most_calls(check, one.tool)
        if most is not None and first > most:
            place = node.get("on_call") or node.get("tool") or node
            allowed = f"at most {counted(most, 'call')}" if most else "no call"
            limit = f"{check.shown_type} at {check.mark} allows {allowed}"
            place.fault(
                f"the fault strikes call {first} of '{one.tool}', and {limit}",
                "change one of them, or write `requires: applied`",
            )
            return


def _certain(expect: Any) -> Iterator[Check]:
    """The checks that gate whatever happens."""
    for layer in LAYERS:
        yield from (check for check in expect.get(layer, ()) if check.gate and check.when is None)


def _most_calls(check: Check, tool: str) -> int | None:
    """How many calls of the tool this check lets happen; None where it sets no limit."""
    if "status" in check.args:
        return None  # calls of other status may be as many as they like
    value, most = check.args.get("value"), None
    if check.type == "tool-used" and check.negated:
        refused = value if isinstance(value, list) else [value]
        return 0 if any(_at_all(choice) == tool for choice in refused) else None
    if check.negated:
        return None
    if check.type == "step-count":
        most = check.args.get("max")
    elif check.type == "tool-used" and isinstance(value, dict) and value.get("name") == tool:
        most = value.get("max")
    return most if isinstance(most, int) else None


def _at_all(choice: Any) -> Any:
    """The tool that a choice names without counting its calls."""
    if isinstance(choice, dict):
        return None if {"min", "max"} & choice.keys() else choice.get("name")
    return choice

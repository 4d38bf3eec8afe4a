"""Build scenarios: defaults laid under, pack checks expanded, one scenario for each case and cell of a matrix."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...schemas.scenario_documents import (
    LAYERS,
    Check,
    FailureCost,
    KnownFailure,
    Scenario,
    SimulatedTurn,
    Turns,
    UserTurn,
)
from ...schemas.tool_documents import WorldSpec
from .agents import only_helper
from .cases import Case, cases_from
from .checks import BuiltCheck, CheckBuilder
from .files import is_reference
from .matrix import in_cells
from .node import Node, text_of, texts_of, value_of
from .perturbations import perturbations_from
from .references import references_from
from .world import world_from


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltScenario:
    """A scenario with the nodes it was made from; ``scenarios`` are it, or one for each of its cases and cells.

    ``layered`` are its own node and then that of the defaults.
    """

    scenario: Scenario
    scenarios: tuple[Scenario, ...]
    node: Node
    layered: tuple[Node, ...]
    checks: Mapping[str, tuple[BuiltCheck, ...]]
    case_names: frozenset[str] = field(default=frozenset())

    def first(self, key: str) -> Node | None:
        """The member of that name which counts: the scenario's own, or the default."""
        return _first(self.layered, key)


class ScenarioBuilder:
    """What all scenarios of a pack have in common."""

    def __init__(self, root: Node, variables: Mapping[str, Any], world: WorldSpec) -> None:
        self._defaults = root.get("defaults")
        self._variables = variables
        self._world = world
        self._helper = only_helper(root)
        self.checks = CheckBuilder(root.get("checks"), self._helper)
        self._worlds: dict[Any, WorldSpec] = {}
        self._default_checks = self._expected(self._defaults)

    def build(self, name: str, node: Node) -> BuiltScenario:
        """One declared scenario with all that it stands for."""
        layered = (node,) if self._defaults is None else (node, self._defaults)
        own = self._expected(node)
        checks = {layer: (*own[layer], *self._default_checks[layer]) for layer in LAYERS}
        scenario = self._scenario(name, node, layered, checks)
        listed = _first(layered, "cases")
        cases = None if listed is None else cases_from(name, listed)
        found = (scenario,) if cases is None else tuple(_of_case(scenario, case) for case in cases)
        if (matrix := _first(layered, "matrix")) is not None:
            found = in_cells(found, matrix)
        return BuiltScenario(
            scenario=scenario,
            scenarios=found,
            node=node,
            layered=layered,
            checks=checks,
            case_names=frozenset(key for case in cases or () for key in case.values),
        )

    def _scenario(
        self, name: str, node: Node, layered: tuple[Node, ...], checks: Mapping[str, tuple[BuiltCheck, ...]]
    ) -> Scenario:
        def plain(key: str, default: Any) -> Any:
            member = _first(layered, key)
            return default if member is None else member.value

        expect: dict[str, tuple[Check, ...]] = {
            layer: tuple(built.check for built in found) for layer, found in checks.items() if found
        }
        return Scenario(
            id=name,
            description=node.text("description") or "",
            tags=tuple(plain("tags", ())),
            turns=_turns(_first(layered, "turns"), self._helper),
            expect=expect,
            world=self._world_of(_first(layered, "world")),
            vars=self._variables_of(_first(layered, "vars")),
            agents=tuple(plain("agents", ("*",))),
            runs=plain("runs", 1),
            min_pass_rate=plain("min_pass_rate", None),
            turn_timeout_s=plain("turn_timeout_s", 60.0),
            run_timeout_s=plain("run_timeout_s", 300.0),
            on_timeout=plain("on_timeout", "fail"),
            skip=plain("skip", None),
            known_failure=_known_failure(_first(layered, "known_failure")),
            failure_cost=_failure_cost(_first(layered, "failure_cost")),
            references=references_from(_first(layered, "references")),
            perturb=perturbations_from(_first(layered, "perturb")),
            mark=node.tree.marks.key(node.path),
        )

    def _expected(self, node: Node | None) -> dict[str, list[BuiltCheck]]:
        expect = node.get("expect") if node else None
        return {layer: self.checks.checks(expect.get(layer) if expect else None) for layer in LAYERS}

    def _world_of(self, node: Node | None) -> WorldSpec:
        """One and the same world for all scenarios that declare none, so that it is prepared once."""
        if node is None:
            return self._world
        if node.path not in self._worlds:
            self._worlds[node.path] = world_from(node, self._world)
        return self._worlds[node.path]

    def _variables_of(self, node: Node | None) -> Mapping[str, Any]:
        return self._variables if node is None else {**self._variables, **variables_from(node)}


def variables_from(node: Node | None) -> dict[str, Any]:
    """``vars:`` with their files read."""
    return {} if node is None else {name: value_of(member) for name, member in node.entries()}


def _first(layered: tuple[Node, ...], key: str) -> Node | None:
    for node in layered:
        member = node.get(key)
        if member is not None:
            return member
        if isinstance(node.value, dict) and key in node.value:
            return None  # there, but unsound: the default must not stand in for it
    return None


def _of_case(scenario: Scenario, case: Case) -> Scenario:
    return dataclasses.replace(scenario, id=case.scenario_id, case=case.values, mark=case.mark)


def _turns(node: Node | None, helper: str) -> Turns:
    if node is None:
        return ()
    if is_reference(node.value):
        return tuple(UserTurn(user=text, mark=node.mark) for text in texts_of(node))
    return tuple(turn for item in node.items() if item.whole for turn in _turn(item, helper))


def _turn(node: Node, helper: str) -> Sequence[UserTurn | SimulatedTurn]:
    """One turn; or, for a glob, a turn for each file."""
    value = node.value
    simulated = node.get("simulated")
    if simulated is not None:
        return [_simulated(simulated, helper)]
    if is_reference(value):
        return [UserTurn(user=text, mark=node.mark) for text in texts_of(node)]
    user = node.get("user") if isinstance(value, dict) and "user" in value else node
    text = None if user is None else text_of(user)
    if text is None:
        return []
    otherwise: Literal["skip", "stop"] = node.plain("else", "skip")
    return [UserTurn(user=text, when=node.text("when"), otherwise=otherwise, mark=node.mark)]


def _simulated(node: Node, helper: str) -> SimulatedTurn:
    return SimulatedTurn(
        goal=node.text("goal") or "",
        persona=node.text("persona") or "",
        agent=node.plain("agent", helper),
        max_turns=node.plain("max_turns", 5),
        until=node.text("until"),
        mark=node.mark,
    )


def _known_failure(node: Node | None) -> KnownFailure | None:
    if node is None or not node.whole:
        return None
    return KnownFailure(reason=node.text("reason") or "", until=node.plain("until", ""))


def _failure_cost(node: Node | None) -> FailureCost | None:
    if node is None or not node.whole:
        return None
    return FailureCost(
        severity=node.plain("severity", "medium"),
        customer_visible=node.plain("customer_visible", False),
        reversible=node.plain("reversible", True),
    )

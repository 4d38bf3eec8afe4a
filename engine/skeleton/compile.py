"""Refuse a skeleton whose stages stand in an order that cannot keep its promises."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ...schemas.nearest import did_you_mean
from ...schemas.problems import Mark, Problems
from ..stages.all_stages import STAGES
from .contracts import LOOP_CONTRACTS, POINTS, Contract, custom_point
from .load import read_skeleton
from .steps import LOOPS, Level, LoopStep, PlannedStep, PointStep, Skeleton, StageStep, Step

INDISPENSABLE = {
    "each_run": ("loop", "nothing would run: put the stages of a run in one"),
    "aggregate": ("stage", "put it after each_run: runs that nobody counts are no result"),
    "teardown": ("stage", "end the batch with it: agents must be given back"),
}


def compile_skeleton(name_or_path: str | Path) -> Skeleton:
    """Read and compile a skeleton, by the name of a built-in one or by path. Raises DocumentFault with every fault."""
    problems = Problems()
    skeleton = load_skeleton(str(name_or_path), problems)
    problems.raise_if_any()
    assert skeleton is not None  # noqa: S101 - None comes with a fault only
    return skeleton


def load_skeleton(name_or_path: str, problems: Problems, shown: str = "") -> Skeleton | None:
    """Read a skeleton and compile it; None, with the faults added, where it does not hold."""
    skeleton = read_skeleton(name_or_path, problems, shown)
    return None if skeleton is None else order_steps(skeleton, problems)


def order_steps(skeleton: Skeleton, problems: Problems) -> Skeleton | None:
    """Walk the facts through the skeleton, loops included; None, with faults, where an order breaks a promise."""
    walk = _Walk(problems, skeleton)
    before = len(problems)
    walk.steps(skeleton.batch, "batch", frozenset(), 1)
    for name, (what, remedy) in INDISPENSABLE.items():
        if skeleton.batch and not walk.named(name):
            walk.fault(skeleton.batch[-1].mark, f"there is no {what} '{name}'", remedy)
    batch_plan, walk.planned = walk.planned, []
    walk.steps(skeleton.sweep, "sweep", frozenset(), 0)
    if not walk.named("each_batch"):
        mark = skeleton.sweep[0].mark if skeleton.sweep else skeleton.batch[0].mark
        walk.fault(mark, "the sweep has no step 'each_batch'", "nothing would run: put it first under sweep")
    if len(problems) > before:
        return None
    planned: list[PlannedStep] = []
    for step in walk.planned:
        planned.append(step)
        if step.name == "each_batch":
            planned.extend(batch_plan)
    return Skeleton(name=skeleton.name, batch=skeleton.batch, sweep=skeleton.sweep, planned=tuple(planned))


class _Walk:
    """One pass over a skeleton with the facts that hold."""

    def __init__(self, problems: Problems, skeleton: Skeleton) -> None:
        self._problems = problems
        self._everything = tuple(_flatten((*skeleton.batch, *skeleton.sweep)))
        self.planned: list[PlannedStep] = []

    def named(self, name: str) -> bool:
        return any(step.name == name for step in self._everything)

    def fault(self, mark: Mark, message: str, remedy: str) -> None:
        self._problems.add(mark, "", message, remedy)

    def steps(self, steps: Iterable[Step], level: Level, facts: frozenset[str], depth: int) -> frozenset[str]:
        for step in steps:
            contract = self._contract(step, level)
            if contract is None or not self._at_home(step, contract, level):
                continue
            self._check(step, contract, facts)
            self.planned.append(PlannedStep(kind=_kind(step), name=step.name, level=level, depth=depth, facts=facts))
            if isinstance(step, LoopStep):
                self._body(step, facts, depth + 1)
            once = frozenset() if contract.again else frozenset({_once(step)})
            facts = (facts - contract.ends) | contract.gives | once
        return facts

    def _body(self, loop: LoopStep, facts: frozenset[str], depth: int) -> None:
        """Walk a loop's body. A run starts with the batch's facts alone, so the second round is as the first."""
        inner = LOOPS[loop.name][1]
        after = self.steps(loop.body, inner, facts, depth)
        if loop.name == "each_run" and "score" not in {f for step in loop.body for f in self._gives(step)}:
            self.fault(
                loop.mark, "this loop scores no run", "put 'score' into each_run: a run without a score is no evidence"
            )
        if loop.name == "each_turn" and _once_name("inject_turn") not in after:
            self.fault(loop.mark, "this loop sends no turn", "put 'inject_turn' into each_turn")
        if loop.name == "each_batch" and loop.body:
            self.fault(loop.mark, "each_batch takes no steps here", "write its steps under batch:")

    def _gives(self, step: Step) -> frozenset[str]:
        return STAGES[step.name].contract.gives if isinstance(step, StageStep) and step.name in STAGES else frozenset()

    def _contract(self, step: Step, level: Level) -> Contract | None:
        if isinstance(step, PointStep):
            return POINTS.get(step.name) or custom_point(level)
        if isinstance(step, LoopStep):
            return LOOP_CONTRACTS[step.name]
        stage = STAGES.get(step.name)
        if stage is None:
            self.fault(
                step.mark, f"there is no stage '{step.name}'", did_you_mean(step.name, [*STAGES, *LOOPS], what="stages")
            )
            return None
        for parameter, message, remedy in stage.faults(step.params):
            self._problems.add(step.mark, parameter, message, remedy)
        return stage.contract

    def _at_home(self, step: Step, contract: Contract, level: Level) -> bool:
        if contract.level == level:
            return True
        message = f"{_kind(step)} '{step.name}' belongs to the {contract.level}, not the {level}"
        self.fault(step.mark, message, f"move it into {_home(contract.level)}")
        return False

    def _check(self, step: Step, contract: Contract, facts: frozenset[str]) -> None:
        title = f"{_kind(step)} '{step.name}'"
        for fact in sorted(contract.needs - facts):
            givers = [f"'{name}'" for name in self._givers(fact)]
            only = (
                f"which only {' and '.join(givers)} {'gives' if len(givers) == 1 else 'give'}"
                if givers
                else "which nothing here gives"
            )
            lost = self.named_before(step, fact)
            remedy = f"put {' or '.join(givers)} before it" + (", and nothing that ends it between" if lost else "")
            self.fault(step.mark, f"{title} needs {fact}, {only}", remedy)
        for fact in sorted(contract.bars & facts):
            self.fault(
                step.mark,
                f"{title} must not stand where {fact} already holds",
                f"put it before {self._quoted_givers(fact)}",
            )
        if not contract.again and _once(step) in facts:
            self.fault(step.mark, f"{title} stands here twice", "remove one")

    def named_before(self, step: Step, fact: str) -> bool:
        """Whether a step that gives the fact stands before this one, so that something between them ended it."""
        for other in self._everything:
            if other is step:
                return False
            if other.name in self._givers(fact):
                return True
        return False

    def _quoted_givers(self, fact: str) -> str:
        return " or ".join(f"'{name}'" for name in self._givers(fact))

    def _givers(self, fact: str) -> list[str]:
        stages = [name for name, stage in STAGES.items() if fact in stage.contract.gives]
        points = [name for name, contract in POINTS.items() if fact in contract.gives]
        loops = [name for name, contract in LOOP_CONTRACTS.items() if fact in contract.gives]
        return [*stages, *points, *(loops if not stages else [])]


def _kind(step: Step) -> Literal["stage", "point", "loop"]:
    return "loop" if isinstance(step, LoopStep) else "point" if isinstance(step, PointStep) else "stage"


def _home(level: Level) -> str:
    return {"run": "each_run", "turn": "each_turn", "batch": "batch:, outside each_run", "sweep": "sweep:"}[level]


def _once(step: Step) -> str:
    return _once_name(step.name)


def _once_name(name: str) -> str:
    return f"did {name}"


def _flatten(steps: Iterable[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        if isinstance(step, LoopStep):
            yield from _flatten(step.body)

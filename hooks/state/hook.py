"""A hook that takes the first state after a reset for the measure of all that follow: a leak is told, never judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...schemas.bounded import describe_error
from ...schemas.codec import to_plain
from ...schemas.state import Scope, StateBaseline, StateViolation
from ..context import HookContext
from ..hook import Hook
from .snapshot import Snapshot, StateProbeFault, differing, look_through
from .violation import changes_with_room, in_words, names_with_room

LABEL = "violation"
MEMORY = "_state_memory"
SCOPES: Mapping[Scope, str] = {"batch": "a run of this batch", "sweep": "an earlier batch"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """A snapshot, and the run before which it was taken."""

    of: StateBaseline
    snapshot: Snapshot


@dataclass(slots=True)
class _Memory:
    """What is kept between runs: two baselines, and how often what was done."""

    sweep: _Taken | None = None
    batch: _Taken | None = None
    key: tuple[str | None, str, str] | None = None
    asked: int = 0
    taken: int = 0
    filled: int = 0
    compared: int = 0


class StateProbeHook(Hook, ABC):
    """Give it a ``name`` and ``capture_state``; it looks once a run, after the reset and before the first turn.

    The first snapshot of a batch is its baseline, and the first one of the sweep that of all later batches. What
    differs from it later is a warning and an artifact ``<stem>.<name>.violation.json``.
    """

    serial = True  # another run's turns would be taken for a leak

    @abstractmethod
    def capture_state(self) -> Mapping[str, Any]:
        """The agent's state as it is now, as plain data by key; what changes by itself (clocks, counters) left out.

        May raise, and be ``async def``; has the hook's own deadline.
        """

    def on_run_start(self, ctx: HookContext) -> None:
        if ctx.run_id is None or ctx.scenario is None or ctx.agent is None:
            return
        memory = self._memory()
        memory.asked += 1
        try:
            snapshot = look_through(self)
        except Exception as error:  # noqa: BLE001 - a probe is foreign code, and what it raises is told in its own words
            told = str(error) if isinstance(error, StateProbeFault) else describe_error(error)
            ctx.warn(f"the state after this run's reset is not known: {told}")
            return
        memory.taken += 1
        memory.filled += bool(snapshot)
        of = StateBaseline(run_id=ctx.run_id, scenario_id=ctx.scenario.id, agent=ctx.agent.id)
        self._compare(ctx, memory, _Taken(of=of, snapshot=snapshot))

    def on_pack_end(self, ctx: HookContext) -> None:
        """Say what this hook's silence is worth."""
        memory, self.__dict__[MEMORY] = self._memory(), _Memory()
        if memory.taken < memory.asked:
            failed = f"{memory.asked - memory.taken} of {memory.asked} looks at the state failed"
            ctx.warn(f"{failed}; the warnings of the runs say why")
        if not memory.asked:
            ctx.warn("the state was never looked at: no run came to on_run_start")
        elif not memory.compared:
            ctx.warn("nothing was compared: a leak shows in the run after it, so make two runs at least (--runs 2)")
        elif not memory.filled:
            ctx.warn("the state was empty at every look, so nothing was compared; is it the right place to look at?")

    def _compare(self, ctx: HookContext, memory: _Memory, taken: _Taken) -> None:
        key = (ctx.pack, taken.of.scenario_id, taken.of.agent)
        scope: Scope = "batch"
        baseline = memory.batch
        if key != memory.key:
            scope, baseline = "sweep", memory.sweep
            memory.key, memory.batch = key, taken
            memory.sweep = memory.sweep or taken
        if baseline is not None:
            memory.compared += 1
            changed = differing(baseline.snapshot, taken.snapshot)
            if changed:
                self._report(ctx, scope, baseline, taken, changed)

    def _report(self, ctx: HookContext, scope: Scope, baseline: _Taken, taken: _Taken, changed: list[str]) -> None:
        named = names_with_room(changed)
        violation = StateViolation(
            run_id=taken.of.run_id, pack=ctx.pack or "", scenario_id=taken.of.scenario_id, agent=taken.of.agent,
            hook=str(self.name), scope=scope, baseline=baseline.of, changed=named, more=len(changed) - len(named),
            changes=changes_with_room(changed, baseline.snapshot, taken.snapshot),
        )
        ctx.warn(f"the reset did not restore the state: {SCOPES[scope]} left {in_words(changed)} changed")
        ctx.emit_artifact(to_plain(violation), label=LABEL)

    def _memory(self) -> _Memory:
        """Kept under a name of its own: a subclass need not call our constructor."""
        found: _Memory = self.__dict__.setdefault(MEMORY, _Memory())
        return found

"""The embedded agent: it plays a script, really calls the tools, and needs no network and no model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.codec import UNSET
from ...schemas.documents import Agent, Pack
from ...schemas.errors import WindTunnelError
from ...schemas.problems import KeyPath, Problems, dotted
from ...schemas.templates import holds, render_text, render_value
from ..session import Session
from .base import Purpose, Reply, ResolvedAgent, RuntimeFault, nothing_to_reset
from .scripted_check import check_script
from .scripted_program import CallStep, Program, SayStep, ScriptRule, WaitStep, read_program


class ScriptedRuntime:
    """Plays ``script:``; a converse turn is answered by ``debrief:``, and without one by the script."""

    name = "scripted"
    independent_sessions = True
    late = frozenset({"script", "debrief"})
    delivers = frozenset({"tool-fault", "history", "sampling"})

    def check(self, agent: Agent, pack: Pack, problems: Problems) -> None:
        check_script(agent, pack, problems)

    async def provision(self, agent: ResolvedAgent, pack: Pack) -> ScriptedHandle:
        return ScriptedHandle(read_program(agent.agent, agent.settings), agent.settings.get("sampling", {}))


class ScriptedHandle:
    """A program, and nothing that outlives a session: what a run remembers is in ``session.state``.

    ``sampling`` is the cell of a matrix that it is played in: a script reads it, as nothing here samples.
    """

    model = ""

    def __init__(self, program: Program, sampling: Mapping[str, Any]) -> None:
        self._program = program
        self._sampling = sampling

    reset_state = nothing_to_reset

    async def teardown(self) -> None:
        """Nothing was taken."""

    def describe_surface(self, session: Session) -> Mapping[str, Any]:
        shown = {"rules": len(self._program.rules)}
        return {**shown, "sampling": dict(self._sampling)} if self._sampling else shown

    async def send(self, session: Session, text: str, *, purpose: Purpose = "turn") -> Reply:
        turn = _Turn(self._program, session, text, self._sampling)
        call = session.models.begin(self.model, purpose=purpose)
        reply = await call.attempt(
            lambda: self._answer(turn, purpose), messages=turn.number, tools=len(session.host.definitions())
        )
        session.history.delivered()
        return reply

    async def _answer(self, turn: _Turn, purpose: Purpose) -> Reply:
        """What stands for a model call: one a turn."""
        try:
            if purpose == "debrief" and self._program.debrief is not None:
                return Reply(text=turn.say(self._program.debrief))
            return Reply(text=await turn.play())
        except WindTunnelError as fault:
            raise RuntimeFault(f"{dotted(turn.at)}: {fault}") from fault


class _Turn:
    """One walk through the program; ``at`` is the place that is being read, for faults."""

    def __init__(self, program: Program, session: Session, user: str, sampling: Mapping[str, Any]) -> None:
        self._program = program
        self._session = session
        self._results: list[dict[str, Any]] = session.state.setdefault("results", [])
        self.number: int = max(session.state.get("turn", 0) + 1, session.witness.turn)
        session.state["turn"] = self.number
        self._names: dict[str, Any] = {
            "vars": {},
            "case": {},
            **session.names,
            "user": user,
            "turn": self.number,
            "session_id": session.session_id,
            "run_number": session.run_number,
            "history": session.history.plain(),
            "sampling": sampling,
        }
        self._note_results()
        self.at: KeyPath = (*program.path, "debrief")

    async def play(self) -> str:
        """Walk the first rule that holds; several ``say`` join with a newline."""
        rule = self._choose()
        lines: list[str] = []
        for step in rule.steps:
            self.at = step.path
            match step:
                case SayStep():
                    lines.append(self.say(step.text))
                case WaitStep():
                    await self._session.clock.sleep(step.seconds)
                case CallStep():
                    await self._call(step)
        return "\n".join(lines)

    def say(self, text: str) -> str:
        return render_text(text, self._names)

    def _choose(self) -> ScriptRule:
        for rule in self._program.rules:
            self.at = (*rule.path, "when")
            if rule.when is None or holds(rule.when, self._names):
                return rule
        # An empty reply would look like the agent's own silence and be scored; a hole in a script is the pack's fault.
        raise RuntimeFault(
            f"{dotted(self._program.script)}: no rule answers the turn {_quoted(self._names['user'])}; "
            f"end the script with a rule without `when`"
        )

    async def _call(self, step: CallStep) -> None:
        args = render_value(step.args, self._names)
        result = await self._session.host.call(step.tool, args)
        told = {"rows": result.rows, "text": result.text, "error": result.error}
        self._results.append({key: value for key, value in told.items() if value is not None and value is not UNSET})
        self._note_results()

    def _note_results(self) -> None:
        self._names["results"] = self._results
        self._names["result"] = self._results[-1] if self._results else {}
        if self._program.reads_facts:
            facts = self._session.witness.facts()
            self._names["turns"] = facts["turns"]
            self._names["calls"] = facts["calls"]


def _quoted(text: str) -> str:
    shown = " ".join(text.split())
    return f"'{shown[:77]}...'" if len(shown) > 80 else f"'{shown}'"

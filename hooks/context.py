"""What a hook holds while it is called: facts to read, and four ways to speak that end with the dispatch."""

from __future__ import annotations

from typing import Any, Never

from ..schemas.codec import decode
from ..schemas.hook_views import AgentInfo, ScenarioInfo
from ..schemas.records import Call, Trace, Turn
from ..schemas.scores import Score
from ..schemas.sweeps import Aggregate
from .points import PointFacts
from .voice import Voice


class HookContext:
    """Read-only; a member that has no fact at this point is None.

    Every member is decoded for this callback when it is first read, so nothing that is done to it reaches anyone.
    """

    __slots__ = ("_facts", "_pack", "_read", "_settings", "_voice")

    _facts: PointFacts
    _pack: str | None
    _read: dict[str, Any]
    _settings: bytes
    _voice: Voice

    def __init__(self, facts: PointFacts, voice: Voice, *, pack: str | None = None, settings: bytes = b"{}") -> None:
        """Made for one callback; ``settings`` is a JSON object."""
        object.__setattr__(self, "_pack", pack)
        object.__setattr__(self, "_facts", facts)
        object.__setattr__(self, "_voice", voice)
        object.__setattr__(self, "_settings", settings)
        object.__setattr__(self, "_read", {})

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a HookContext is read-only: {name!r} cannot be set; hooks observe")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a HookContext is read-only: {name!r} cannot be deleted; hooks observe")

    def __repr__(self) -> str:
        return f"<HookContext of {self._voice.hook} at {self._voice.point}>"

    @property
    def point(self) -> str:
        """The name of the point that fires."""
        return self._voice.point

    @property
    def run_id(self) -> str | None:
        """32 lower-case hex digits."""
        return self._facts.run_id or None

    @property
    def session_id(self) -> str | None:
        """The session of the run, as the agent's endpoint may know it."""
        return self._facts.session_id or None

    @property
    def elapsed_s(self) -> float | None:
        """Seconds since the run began, on its own clock (``at_ms`` of call events); None where there is no run."""
        return self._facts.elapsed_s

    @property
    def pack(self) -> str | None:
        """The name of the pack; None at a point of the whole sweep."""
        return self._pack

    @property
    def scenario(self) -> ScenarioInfo | None:
        """The scenario: id, tags, turns as written, ``case`` and ``vars``."""
        found: ScenarioInfo | None = self._member("scenario")
        return found

    @property
    def agent(self) -> AgentInfo | None:
        """The agent under test: id, prompt and model metadata."""
        found: AgentInfo | None = self._member("agent")
        return found

    @property
    def trace(self) -> Trace | None:
        """The frozen evidence of the run."""
        found: Trace | None = self._member("trace")
        return found

    @property
    def score(self) -> Score | None:
        """Layers and verdict; a layer reads ``score.outcome.passed`` and ``.detail``."""
        found: Score | None = self._member("score")
        return found

    @property
    def aggregate(self) -> Any:
        """The batch's result; at ``on_pack_end`` the tuple of all of them, each naming pack, scenario and agent."""
        found: Aggregate | tuple[Aggregate, ...] | None = self._member("aggregate")
        return found

    @property
    def turns(self) -> list[Turn] | None:
        """The turns so far, also at a skeleton's own point before there is a trace."""
        found: list[Turn] | None = self._member("turns")
        return found if found is not None or self.trace is None else self.trace.turns

    @property
    def calls(self) -> list[Call] | None:
        """The witnessed calls so far, also at a skeleton's own point before there is a trace."""
        found: list[Call] | None = self._member("calls")
        return found if found is not None or self.trace is None else self.trace.calls

    @property
    def settings(self) -> dict[str, Any]:
        """This hook's knobs: the pack's ``hook_settings``; over them ``WT_<HOOK>_*``, as text under lower-case keys.

        At a point of the whole sweep the first pack's.
        """
        if "settings" not in self._read:
            self._read["settings"] = decode(self._settings)
        found: dict[str, Any] = self._read["settings"]
        return found

    def converse(self, text: str, timeout_s: float | None = None) -> str:
        """Send one user turn into the run's own session and return the reply; never part of the trace.

        Raises ConverseTimeout at the deadline (``timeout_s``, or ``WT_HOOK_CONVERSE_TIMEOUT_S``, and never more than
        this callback has left), ConverseError where there is no session to talk to or the agent failed, and
        HookContextClosed after the dispatch.
        """
        return self._voice.converse(text, timeout_s)

    async def aconverse(self, text: str, timeout_s: float | None = None) -> str:
        """``converse`` for ``async def`` hooks."""
        return await self._voice.aconverse(text, timeout_s)

    def emit_artifact(self, payload: object, label: str | None = None) -> None:
        """Hand over a payload that the engine writes as ``<stem>.<hook>[.<label>].json``.

        Raises ArtifactError, naming the path inside the payload, for what strict JSON cannot hold and for more than
        1 MiB; HookContextClosed after the dispatch.
        """
        self._voice.emit(payload, label)

    def warn(self, message: str) -> None:
        """Add ``hook:<name>: <message>`` to the run's warnings (or the sweep's): evidence, never a gate.

        Raises HookContextClosed after the dispatch.
        """
        self._voice.warn(message)

    def _member(self, name: str) -> Any:
        if name not in self._read:
            data, kind = self._facts.members.get(name, (None, None))
            self._read[name] = None if data is None else decode(data, kind)
        return self._read[name]

"""The one table of what expressions see: the names of each place, and the shapes behind them (DESIGN 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A kind of place where templates or expressions stand; ``what`` names it in a sentence."""

    what: str
    names: frozenset[str]


# The members of each shape; an absent fact is an absent key.
SHAPES: Mapping[str, tuple[str, ...]] = {
    "turn": ("n", "user", "reply", "calls", "seconds"),
    "call": ("n", "turn", "name", "effect", "args", "status", "text", "rows", "error", "seconds"),
    "result": ("rows", "text", "error"),
    "message": ("role", "content", "calls"),
    "agent": ("id", "model"),
    "scenario": ("id", "tags"),
    "tool": ("name", "effect", "description"),
    "reasons": ("outcome", "trajectory", "constraint", "integrity"),
}

# Names whose members are the same everywhere, and are all there where the name is.
FIXED_MEMBERS: Mapping[str, frozenset[str]] = {
    name: frozenset(SHAPES[name]) for name in ("agent", "scenario", "tool", "reasons", "result")
}

# What each name holds, for the docs and for hints.
MEANINGS: Mapping[str, str] = {
    "agent": "the agent: {id, model}",
    "args": "the arguments of this tool call",
    "call": "the number of this call of this tool, from 1 within the run",
    "calls": "every call so far, oldest first: a list of call",
    "case": "the row of `cases` that this scenario was made from; empty where there are none",
    "history": "the messages that perturbations placed before the first turn, oldest first: a list of message",
    "env": "environment variables, each by its name",
    "failed_layers": "the names of the layers that failed",
    "last_user_turn": "the text of the user turn that is being answered",
    "now": "the world's frozen clock, ISO 8601 with an offset",
    "observed": "what the scenario's `observe` found",
    "reasons": "why each layer failed, by layer; empty text where it did not",
    "reply": "the agent's last reply",
    "result": "the last call of this script: {rows, text, error}; empty before a call",
    "results": "the results of this script's calls so far, oldest first",
    "run_id": "the run's id",
    "run_number": "the number of this run within its batch, from 1",
    "sampling": "the cell of the scenario's `matrix`, such as {temperature: 0.7}; empty where there is none",
    "scenario": "the scenario: {id, tags}",
    "session_id": "the session's id",
    "tool": "the tool that is about to be called: {name, effect, description}",
    "turn": "the number of this turn, from 1",
    "turns": "every turn so far, oldest first: a list of turn",
    "user": "the text of the user turn that is being answered",
    "vars": "the `vars` of pack and scenario",
    "verdict": "the run's verdict",
    "world": "the tables of the world by name, each a list of rows",
}

_AFTERWARDS = "run_id session_id scenario agent verdict failed_layers reasons turns calls vars case"
_SCRIPT = "user turn turns calls session_id result results vars case now run_number history sampling"
_CHECK = "reply turns calls world vars case scenario agent now observed"


def _place(what: str, names: str) -> Place:
    return Place(what=what, names=frozenset(names.split()))


PLACES: Mapping[str, Place] = {
    "turn": _place("a user turn", "vars case now"),
    "turn_when": _place("a turn's `when`", "reply turn turns calls vars case now"),
    "until": _place("a simulated user's `until`", "reply turn turns calls vars case now"),
    "prompt": _place("a prompt", "vars case now env"),
    "setting": _place("an agent's setting", "vars now env"),
    "cell": _place("a cell of the world", "vars case now"),
    "tool": _place("a tool's result", "args call world vars case now"),
    "check": _place("a check", _CHECK),
    "check_value": _place("a check's value", _CHECK),
    "perturbation": _place("a perturbation", "vars case now"),
    "guard": _place("a guard", "tool args agent turns calls world last_user_turn"),
    "wait": _place("a wait's `until`", "turns calls world"),
    "script": _place("a script", _SCRIPT),
    "debrief": _place("a debrief", _AFTERWARDS),
    "follow_up": _place("a debrief's follow-up", f"{_AFTERWARDS} reply"),
    "declared_hook": _place("a declared hook", _AFTERWARDS),
}

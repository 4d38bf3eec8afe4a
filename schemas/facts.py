"""Show records to expressions: plain data, where an absent fact is an absent key (DESIGN 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .codec import UNSET
from .records import Call, Turn
from .scores import Score

CALL_FIELDS = ("n", "turn", "name", "effect", "args", "status", "text", "rows", "error", "seconds")
TURN_FIELDS = ("n", "user", "reply", "seconds")


def call_facts(call: Call) -> dict[str, Any]:
    """``{n, turn, name, effect, args, status, text, rows, error, seconds}`` of one call."""
    found = ((field, getattr(call, field)) for field in CALL_FIELDS)
    return {field: value for field, value in found if value is not UNSET}


def turn_facts(turn: Turn, calls: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """``{n, user, reply, calls, seconds}`` of one turn; ``calls`` are the run's, those of the turn are taken."""
    found = ((field, getattr(turn, field)) for field in TURN_FIELDS)
    facts = {field: value for field, value in found if value is not UNSET}
    facts["calls"] = [call for call in calls if call["turn"] == turn.n]
    return facts


def conversation_facts(turns: Iterable[Turn], calls: Iterable[Call]) -> dict[str, Any]:
    """``turns`` and ``calls`` as expressions see them, and ``reply`` (absent where no turn has one)."""
    call_list = [call_facts(call) for call in calls]
    turn_list = [turn_facts(turn, call_list) for turn in turns]
    facts: dict[str, Any] = {"turns": turn_list, "calls": call_list}
    replies = [turn["reply"] for turn in turn_list if "reply" in turn]
    if replies:
        facts["reply"] = replies[-1]
    return facts


def score_facts(score: Score) -> dict[str, Any]:
    """``verdict``, ``failed_layers`` and ``reasons``: all four layers, "" where a layer did not fail."""
    failed = set(score.failed_layers)
    return {
        "verdict": score.verdict,
        "failed_layers": list(score.failed_layers),
        "reasons": {name: layer.detail if name in failed else "" for name, layer in score.layers.items()},
    }

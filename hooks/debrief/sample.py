"""A run that failed, to see a debrief against where no saved run is at hand."""

from __future__ import annotations

from ...schemas.records import Call, Trace, Turn
from ...schemas.scores import LayerResult, Score

RUN_ID = "0123456789abcdef0123456789abcdef"


def sample_trace() -> Trace:
    """Two calls, one of them an error, and a reply that ignores it."""
    at = "2026-03-02T08:00:00.000000Z"
    return Trace(
        run_id=RUN_ID,
        session_id="fedcba9876543210fedcba9876543210",
        run_number=1,
        pack="sample_pack",
        scenario_id="sample_scenario",
        agent="sample_agent",
        model="sample-model",
        started_at=at,
        seconds=1.5,
        turns=[
            Turn(n=1, user="What is the email of Bluewing?", reply="info@bluewing.example.", started_at=at, seconds=1.5)
        ],
        calls=[
            Call(n=1, turn=1, name="client_lookup", effect="read", args={"query": "Blue wing"}, status="ok", text="[]",
                 rows=[], started_at=at, seconds=0.1),
            Call(n=2, turn=1, name="client_lookup", effect="read", args={"query": ""}, status="error",
                 error="query: give at least one letter", started_at=at, seconds=0.1),
        ],
    )


def sample_score() -> Score:
    """The outcome failed; the other layers passed or were not declared."""
    passed = LayerResult(passed=True, gate=True, detail="all hold")
    return Score(
        run_id=RUN_ID,
        scenario_id="sample_scenario",
        agent="sample_agent",
        verdict="FAIL",
        failed_layers=["outcome"],
        layers={
            "outcome": LayerResult(passed=False, gate=True, detail='mentions "ops@bluewing.example": not in the reply'),
            "trajectory": passed,
            "constraint": LayerResult(passed=None, gate=False, detail="not declared"),
            "integrity": passed,
        },
    )

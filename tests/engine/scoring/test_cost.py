"""What a failure costs: severity, what the customer sees, what cannot be undone, and what was done to the world."""

from __future__ import annotations

import pytest
from kit.judged import call, trace
from windtunnel.engine.scoring import failure_risk, failure_weight, side_effect_performed
from windtunnel.schemas.scenario_documents import FailureCost


@pytest.mark.parametrize(
    ("cost", "side_effect", "weight"),
    [
        (FailureCost(severity="low"), False, 1),
        (FailureCost(severity="medium", customer_visible=True), False, 6),
        (FailureCost(severity="high", reversible=False), False, 20),
        (FailureCost(severity="critical", customer_visible=True, reversible=False), True, 78),
    ],
)
def test_the_weight_of_a_failure(cost: FailureCost, side_effect: bool, weight: int) -> None:
    assert failure_weight(cost, side_effect=side_effect) == weight
    assert failure_risk(cost, 0.75, side_effect=side_effect) == weight / 4
    assert failure_risk(None, 0.75, side_effect=side_effect) is None


@pytest.mark.parametrize(
    ("effect", "status", "reported", "performed"),
    [
        ("external-send", "ok", None, True),
        ("destructive", "ok", None, True),
        ("internal-update", "ok", None, False),
        ("external-send", "refused", None, False),
        ("external-send", "error", None, False),
        ("external-send", "ok", True, False),
    ],
)
def test_a_side_effect_is_a_witnessed_call_that_went_through(
    effect: str, status: str, reported: bool | None, performed: bool
) -> None:
    more = {} if reported is None else {"reported": reported}
    assert side_effect_performed(trace("x", calls=[call("t", effect=effect, status=status, **more)])) is performed

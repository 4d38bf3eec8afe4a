"""What failing costs the user of the agent: the weight of a failure, times how often it happens."""

from __future__ import annotations

from ...schemas.records import Trace
from ...schemas.scenario_documents import SEVERITY_WEIGHT, FailureCost
from ...schemas.tool_documents import EFFECTS

CUSTOMER_VISIBLE = 2
NOT_REVERSIBLE = 4
SIDE_EFFECT = 8

_LASTING = frozenset(EFFECTS[EFFECTS.index("external-send") :])


def side_effect_performed(trace: Trace) -> bool:
    """Whether a witnessed call of external-send or above went through (status ok); an agent's claim is not counted."""
    return any(call.status == "ok" and call.effect in _LASTING and call.reported is not True for call in trace.calls)


def failure_weight(cost: FailureCost, *, side_effect: bool) -> int:
    """Severity low 1, medium 4, high 16, critical 64; +2 customer visible, +4 not reversible, +8 side effect."""
    weight = SEVERITY_WEIGHT[cost.severity]
    weight += CUSTOMER_VISIBLE if cost.customer_visible else 0
    weight += 0 if cost.reversible else NOT_REVERSIBLE
    return weight + (SIDE_EFFECT if side_effect else 0)


def failure_risk(cost: FailureCost | None, pass_rate: float | None, *, side_effect: bool) -> float | None:
    """``weight x (1 - pass rate)``; None where no cost is declared or nothing was run.

    Over a batch the side effect counts once, if any run that did not pass performed one: it is a failure's cost.
    """
    if cost is None or pass_rate is None:
        return None
    return round(failure_weight(cost, side_effect=side_effect) * (1 - pass_rate), 6)

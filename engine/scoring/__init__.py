"""Judge frozen evidence: checks to findings, findings to layers, layers to a verdict, verdicts to a batch's result."""

from .aggregate import Outcome, aggregate_batch, batch_verdict, exit_code
from .all_checks import ALL_CHECKS
from .cost import failure_risk, failure_weight, side_effect_performed
from .verdict import Weighed, decide, score_trace, weigh

__all__ = [
    "ALL_CHECKS",
    "Outcome",
    "Weighed",
    "aggregate_batch",
    "batch_verdict",
    "decide",
    "exit_code",
    "failure_risk",
    "failure_weight",
    "score_trace",
    "side_effect_performed",
    "weigh",
]

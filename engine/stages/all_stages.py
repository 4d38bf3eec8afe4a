"""The one table that knows every stage."""

from __future__ import annotations

from collections.abc import Mapping

from .aggregate import AggregateRuns
from .base import BatchStage, RunStage
from .capture_evidence import CaptureEvidence
from .capture_surface import CaptureSurface
from .check_world import CheckWorld
from .examine import Examine
from .freeze_trace import FreezeTrace
from .inject_canary import InjectCanary
from .inject_turns import InjectTurn, InjectTurns
from .open_session import OpenSession
from .probe_state import ProbeState
from .provision import Provision
from .reset_state import ResetState
from .score import ScoreRun
from .teardown import Teardown
from .wait import Wait

STAGES: Mapping[str, BatchStage | RunStage] = {
    stage.name: stage
    for stage in (
        Provision(), CheckWorld(), ResetState(), ProbeState(), OpenSession(), CaptureSurface(), InjectTurns(),
        InjectTurn(), InjectCanary(), Wait(), CaptureEvidence(), FreezeTrace(), ScoreRun(), Examine(), AggregateRuns(),
        Teardown(),
    )
}

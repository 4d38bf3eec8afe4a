"""What one run's conversation stands on: its id, its tools, its clock and the names its texts may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..schemas.secrets import Secrets
from .call_events import SILENT, CallEvents
from .clock import RunClock
from .model_calls import UNHEARD, ModelCalls
from .perturb.history import History
from .witness import Witness

if TYPE_CHECKING:
    from .tools.host import ToolHost
    from .tools.no_tools import NoTools


@dataclass(slots=True, kw_only=True)
class Session:
    """One run's conversation. ``names`` holds ``vars``, ``case`` and (where a clock is declared) ``now``.

    ``state`` belongs to the runtime alone: it keeps there what it needs between turns (a message list, say).
    ``history`` is what perturbations put before the first turn; a runtime that delivers ``history`` places it.
    ``models`` is the funnel of its model calls, through which hooks hear of each attempt; ``events`` is that of its
    tool calls.
    """

    session_id: str
    run_number: int
    host: ToolHost | NoTools
    witness: Witness
    clock: RunClock
    secrets: Secrets
    names: Mapping[str, Any]
    events: CallEvents = SILENT
    models: ModelCalls = UNHEARD
    history: History = field(default_factory=History)
    state: dict[str, Any] = field(default_factory=dict)

    @property
    def aux_task(self) -> str:
        """What a helper's session is for: ``llm_rubric``, ``simulated_user``; "" for the agent itself."""
        return self.models.aux_task

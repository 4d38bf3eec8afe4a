"""What one run's conversation stands on: its id, its tools, its clock and the names its texts may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..schemas.secrets import Secrets
from .clock import RunClock
from .witness import Witness

if TYPE_CHECKING:
    from .tools.host import ToolHost


@dataclass(slots=True, kw_only=True)
class Session:
    """One run's conversation. ``names`` holds ``vars``, ``case`` and (where a clock is declared) ``now``.

    ``state`` belongs to the runtime alone: it keeps there what it needs between turns (a message list, say).
    """

    session_id: str
    run_number: int
    host: ToolHost
    witness: Witness
    clock: RunClock
    secrets: Secrets
    names: Mapping[str, Any]
    state: dict[str, Any] = field(default_factory=dict)

"""What a run leaves behind: frozen records that the sidecars mirror. A fact that is absent is UNSET, never null."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .codec import UNSET, UnsetType
from .surfaces import Surface

CallStatus = Literal["ok", "error", "refused", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One witnessed tool call. ``n`` counts from 1 within the run; ``seconds`` are of the run's clock.

    ``args`` is an object, or the text as it came where it could not be read as one.
    """

    n: int
    turn: int
    name: str
    effect: str | UnsetType = UNSET
    args: Any
    status: CallStatus
    text: str | UnsetType = UNSET
    rows: list[Any] | UnsetType = UNSET
    error: str | UnsetType = UNSET
    started_at: str
    seconds: float
    provider_call_id: str | UnsetType = UNSET
    reported: bool | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the endpoint counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user turn and what came back. ``simulated_by`` is the helper that made it up, UNSET for a fixed turn.

    ``usage`` is UNSET where any model call of the turn did not tell it.
    """

    n: int
    user: str
    simulated_by: str | UnsetType = UNSET
    reply: str | UnsetType = UNSET
    error: str | UnsetType = UNSET
    timed_out: bool | UnsetType = UNSET
    finish_reason: str | UnsetType = UNSET
    usage: Usage | UnsetType = UNSET
    started_at: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    """A guard refused a call: by decision, or (``fault``) because it failed and guards fail closed."""

    call: int
    guard: str
    message: str
    fault: str | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class StageError:
    """A stage or turn that did not do its work. ``kind`` bench errors make the run ERROR; timeouts are told by kind."""

    stage: str
    kind: Literal["bench", "timeout"]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """The final rows of a table; ``total`` is how many there were where ``rows`` was cut."""

    rows: list[dict[str, Any]]
    cut: bool | UnsetType = UNSET
    total: int | UnsetType = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The frozen evidence of a run. ``digest`` is over all but itself and ``worker_warnings``.

    ``matrix_of`` and ``sampling`` are UNSET where the scenario is no cell of a matrix.
    """

    schema_version: int = 1
    run_id: str
    session_id: str
    run_number: int
    pack: str
    scenario_id: str
    matrix_of: str | UnsetType = UNSET
    sampling: dict[str, Any] | UnsetType = UNSET
    agent: str
    model: str
    started_at: str
    seconds: float
    turns: list[Turn] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    surface: Surface = field(default_factory=Surface)
    perturbations: list[dict[str, Any]] = field(default_factory=list)
    interventions: list[Intervention] = field(default_factory=list)
    world: dict[str, TableState] = field(default_factory=dict)
    errors: list[StageError] = field(default_factory=list)
    worker_warnings: list[str] = field(default_factory=list)
    digest: str = ""



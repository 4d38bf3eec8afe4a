"""Loading, running, scoring, keeping: the Python interface. Members are imported when they are first used."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as type checkers know it; `typing` itself is half of a bare interpreter's start
if TYPE_CHECKING:
    from typing import Any

    from .added_agents import AgentOptions as AgentOptions
    from .api import arun_pack as arun_pack
    from .api import arun_scenario as arun_scenario
    from .api import run_pack as run_pack
    from .api import run_scenario as run_scenario
    from .artifacts.walker import load_runs as load_runs
    from .doctor.canary import CanaryResult as CanaryResult
    from .doctor.canary import run_reset_canary as run_reset_canary
    from .loading.load import load_pack as load_pack
    from .options import RunOptions as RunOptions
    from .selftest.run import run_selftest as run_selftest
    from .skeleton.compile import compile_skeleton as compile_skeleton
    from .surface.interface import check_surface as check_surface
    from .surface.interface import record_surface as record_surface
    from .surface.record import SurfaceRecording as SurfaceRecording
    from .sweep.run import SweepResult as SweepResult

_HOMES = {
    "load_pack": ".loading.load",
    "compile_skeleton": ".skeleton.compile",
    "run_scenario": ".api",
    "arun_scenario": ".api",
    "run_pack": ".api",
    "arun_pack": ".api",
    "load_runs": ".artifacts.walker",
    "run_selftest": ".selftest.run",
    "run_reset_canary": ".doctor.canary",
    "record_surface": ".surface.interface",
    "check_surface": ".surface.interface",
    "CanaryResult": ".doctor.canary",
    "AgentOptions": ".added_agents",
    "SurfaceRecording": ".surface.record",
    "RunOptions": ".options",
    "SweepResult": ".sweep.run",
}
__all__ = [*_HOMES]  # noqa: PLE0604 - all are text


def __getattr__(name: str) -> Any:
    """Import a public member from its home (PEP 562): `wt --help` must not pay for the engine."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])

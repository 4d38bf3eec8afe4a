"""Rows of a ledger, made with what a test is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from windtunnel.schemas.sweeps import Aggregate

Row = Callable[..., Aggregate]


@pytest.fixture
def row() -> Row:
    """``row(verdict="FAIL", ...)``: a batch of three runs that gates."""

    def make(**changes: Any) -> Aggregate:
        verdict = changes.get("verdict", "PASS")
        passed = 3 if verdict == "PASS" else 0
        made: dict[str, Any] = {
            "sweep": "20260302T090000000000Z", "pack": "shop", "scenario_id": "ask", "agent": "good", "verdict": verdict,
            "gates": True, "failed": verdict == "FAIL", "runs": 3, "pass_rate": passed / 3,
            "counts": {"PASS": passed, **({} if passed else {verdict: 3})}, "seconds": 1.25,
        }
        return Aggregate(**made | changes)

    return make

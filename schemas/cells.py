"""A cell of a sampling matrix, as records keep it and as people read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .codec import encode
from .scenario_documents import Scenario


def cell_of(scenario: Scenario) -> dict[str, Any]:
    """``{matrix_of, sampling}`` as records keep them; empty where the scenario is no cell."""
    return {"matrix_of": scenario.matrix_of, "sampling": dict(scenario.sampling)} if scenario.sampling else {}


def cell_text(sampling: Mapping[str, Any]) -> str:
    """``temperature=0.7, top_p=1``; "" where there is no cell."""
    return ", ".join(f"{key}={value_text(value)}" for key, value in sampling.items())


def value_text(value: Any) -> str:
    """Text as it stands, everything else as JSON; a whole number is written as one: 1.0 is 1."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return value if isinstance(value, str) else encode(value).decode()

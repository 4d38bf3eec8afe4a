"""Lay the cell of a matrix over an agent's sampling; what the bench itself sets is not up to either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RESERVED = ("messages", "model", "tools", "functions", "stream", "stream_options", "n")
"""Keys that would take a request out of the bench's hands."""


def in_cell(settings: Mapping[str, Any], cell: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of an agent in a cell, which wins over its own ``sampling``."""
    return {**settings, "sampling": {**(settings.get("sampling") or {}), **cell}}

"""A guard that python_guards.yaml tries to name, and misses."""

from __future__ import annotations


def no_sends(tool: dict[str, str]) -> None:
    """Allow everything."""

"""Bound what aliases stand for, so that a small file cannot mean an endless document."""

from __future__ import annotations

from typing import Any

MOST_VALUES = 200_000
CHARACTERS_A_VALUE = 64


class Expansion:
    """Weighs anchored values: how many values (long text counts as several) and how many levels they hold."""

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._weights: dict[int, tuple[Any, tuple[int, int]]] = {}
        self._spent = 0

    def keep(self, value: Any) -> None:
        """Weigh an anchored value once; what it holds by alias has been weighed before."""
        if isinstance(value, dict | list):
            self._weights[id(value)] = (value, self._weigh(value))  # with the value, so that its id stays its own

    def allows(self, value: Any, depth: int) -> bool:
        """Whether one more use of ``value``, ``depth`` levels down, stays within the bounds."""
        size, height = self._weigh(value)
        self._spent += size
        return self._spent <= MOST_VALUES and depth + height <= self._deepest

    def _weigh(self, value: Any) -> tuple[int, int]:
        if isinstance(value, str):
            return 1 + len(value) // CHARACTERS_A_VALUE, 0
        if not isinstance(value, dict | list):
            return 1, 0
        known = self._weights.get(id(value))
        if known is not None:
            return known[1]
        held = value.values() if isinstance(value, dict) else value
        weights = [self._weigh(each) for each in held]
        return 1 + sum(size for size, _ in weights), 1 + max((height for _, height in weights), default=0)

"""Decide when two plain values are the same: as JSON sees numbers, or with their types as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def same_json(left: Any, right: Any) -> bool:
    """Equal as JSON values: 1 and 1.0 are one number, true is no number, texts are compared letter for letter."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same_json, left, right))
    return bool(left == right)


def same_strict(left: Any, right: Any) -> bool:
    """Equal with their types: 1 is neither true nor 1.0, and ``"1"`` is no number."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same_strict(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same_strict, left, right))
    if isinstance(left, str) and isinstance(right, str):
        return str(left) == str(right)
    return type(left) is type(right) and bool(left == right)


def holds_partly(found: Any, expected: Any) -> bool:
    """Every member that is expected is there, at any depth; lists must match item by item."""
    if isinstance(expected, Mapping):
        return isinstance(found, Mapping) and all(
            key in found and holds_partly(found[key], member) for key, member in expected.items()
        )
    if isinstance(expected, list | tuple):
        alike = isinstance(found, list | tuple) and len(found) == len(expected)
        return alike and all(map(holds_partly, found, expected))
    return same_json(found, expected)

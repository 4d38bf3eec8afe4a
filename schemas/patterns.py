"""Patterns that users write run in the ``regex`` engine for one second at most, whatever the pattern and the text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import regex

from .errors import PatternFault

TIMEOUT_S = 1.0
LONGEST_PATTERN = 10_000
LARGEST_EXPANSION = 100_000

# What matters for the size of a compiled pattern: escapes and sets (one atom each), groups, and counted repeats.
_PIECE = re.compile(
    r"\\.|(?>\[\^?\]?(?:\\.|[^\]\\])*)\]?|(?P<same>[\s?*+]|\(\?#[^)]*\))|(?P<open>\()|(?P<close>\))|\{(?P<least>\d+)(?:,\d*)?\}|.",
    re.DOTALL,
)


@lru_cache(maxsize=256)
def compile_pattern(text: str) -> regex.Pattern[str]:
    """Compile, or raise PatternFault that tells what is wrong and where in the pattern."""
    if len(text) > LONGEST_PATTERN:
        raise PatternFault(f"the pattern has {len(text)} characters: the limit is {LONGEST_PATTERN}; shorten it")
    if _expanded(text) > LARGEST_EXPANSION:
        raise PatternFault(f"the pattern {text[:80]!r} repeats more than {LARGEST_EXPANSION} times; repeat less")
    try:
        return regex.compile(text, cache_pattern=False)
    except Exception as error:  # noqa: BLE001 - the engine raises more than its own error for odd patterns
        raise PatternFault(f"the pattern {text[:80]!r} does not compile: {error}; mend it") from None


def search(pattern: str, text: str) -> regex.Match[str] | None:
    """The first match anywhere in the text. Raises PatternFault."""
    compiled = compile_pattern(pattern)
    return _timed(lambda: compiled.search(text, timeout=TIMEOUT_S))  # type: ignore[no-any-return]


def fullmatch(pattern: str, text: str) -> regex.Match[str] | None:
    """A match of the whole text. Raises PatternFault."""
    compiled = compile_pattern(pattern)
    return _timed(lambda: compiled.fullmatch(text, timeout=TIMEOUT_S))  # type: ignore[no-any-return]


def find_all(pattern: str, text: str, *, timeout_s: float = TIMEOUT_S) -> list[str]:
    """Every match, from left to right, as its whole text (groups aside). Raises PatternFault."""
    compiled = compile_pattern(pattern)
    return _timed(lambda: [match.group() for match in compiled.finditer(text, timeout=timeout_s)])  # type: ignore[no-any-return]


def _timed(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except TimeoutError:
        raise PatternFault(f"pattern took too long: more than {TIMEOUT_S:g} s; make it simpler") from None
    except (MemoryError, RecursionError, ValueError) as error:
        raise PatternFault(f"the pattern cannot be matched: {error or type(error).__name__}; make it simpler") from None


def _expanded(text: str) -> int:
    """How many atoms the engine would lay out: it writes ``(?:a{1000}){1000}`` out a million times when it compiles."""
    total, last = 0, 0
    outside: list[int] = []
    for piece in _PIECE.finditer(text):
        if piece["open"]:
            outside.append(total)
            total, last = 0, 0
        elif piece["close"]:
            last = total
            total += outside.pop() if outside else 0
        elif piece["least"]:
            times = max(1, int(piece["least"][:9]))
            total += last * (times - 1)
            last *= times
        elif not piece["same"]:
            last = 1
            total += 1
        if total > LARGEST_EXPANSION:
            break
    return total

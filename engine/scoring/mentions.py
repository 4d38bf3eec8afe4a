"""Checks that look for words and phrases as people read them: the ones to prefer."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.scenario_documents import Check
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .shown import shown
from .text import all_of_them, any_of_them, looked_at, needle, needles
from .tokens import mentioned, normalised


def mentions(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text has the value in it as whole words, whatever case, quotes and spaces it is written with"""
    value = needle(args["value"])
    wanted = _readable(value)
    found = looked_at(check, seen)
    holds = any(mentioned(normalised(text), wanted) for text in found)
    yield Fact(holds=holds, what=f"{'in' if holds else 'not in'} {seen.place(check)}", expected=value, found=found[0])


def mentions_any(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text mentions at least one of the values"""
    yield any_of_them(check, seen, _all_readable(args), _mentioned)


def mentions_all(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text mentions every one of the values"""
    yield all_of_them(check, seen, _all_readable(args), _mentioned)


def _mentioned(text: str, value: str) -> bool:
    return mentioned(normalised(text), normalised(value))


def _all_readable(args: Args) -> list[str]:
    values = needles(args["value"], split=False)
    for value in values:
        _readable(value)
    return values


def _readable(value: str) -> str:
    wanted = normalised(value)
    if not wanted:
        raise GraderFault(f"value {shown(value)} is blank: there is nothing to look for")
    return wanted

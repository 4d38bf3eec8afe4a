"""Checks of text, with the names and meanings that promptfoo gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...schemas.codec import CodecFault, decode
from ...schemas.patterns import compile_pattern, search
from ...schemas.scenario_documents import Check
from .base import Absent, Args, Fact, GraderFault
from .evidence import Evidence
from .same import same_json
from .shown import as_json, shown, shown_all, typed


def contains(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text has the value in it, letter for letter"""
    yield from _one(check, seen, needle(args["value"]), str.__contains__)


def icontains(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text has the value in it, whatever the case of its letters"""
    yield from _one(check, seen, needle(args["value"]), lambda text, value: value.casefold() in text.casefold())


def contains_any(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text has at least one of the values in it"""
    yield any_of_them(check, seen, needles(args["value"]), str.__contains__)


def contains_all(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text has every one of the values in it"""
    yield all_of_them(check, seen, needles(args["value"]), str.__contains__)


def regex(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the pattern matches somewhere in the text"""
    pattern = args["value"]
    if not isinstance(pattern, str) or not pattern:
        raise GraderFault(f"value is no pattern: {typed(pattern)}")
    compile_pattern(pattern)  # a broken pattern is an error whatever the agent said, and if it said nothing
    found = looked_at(check, seen)
    for text in found:
        match = search(pattern, text)
        if match is not None:
            what = f"{shown(match.group())} in {seen.place(check)} matches"
            yield Fact(holds=True, what=what, expected=pattern, found=match.group())
            return
    yield Fact(holds=False, what=f"no match in {seen.place(check)}", expected=pattern, found=found[0])


def equals(check: Check, args: Args, seen: Evidence) -> Iterator[Fact]:
    """the text, or the value that `of` gives, is the value

    As in promptfoo a text is read as JSON where an object or a list is expected, and compared with the value's own
    text where a number is; a value that is no text is compared as JSON values are.
    """
    expected, found = args["value"], seen.look(check)
    if not isinstance(found, str) or isinstance(expected, str):
        holds = same_json(found, expected)
    elif isinstance(expected, Mapping | list):
        holds = _reads_as(found, expected)
    else:
        holds = found == as_json(expected)
    told = shown(found) if isinstance(found, str) == isinstance(expected, str) else typed(found)
    yield Fact(holds=holds, what=f"{seen.place(check)} is {told}", expected=expected, found=found)


def looked_at(check: Check, seen: Evidence) -> tuple[str, ...]:
    """What the check looks at as texts: a text itself; another value as its JSON, and then its leaves line by line."""
    value = seen.look(check)
    if isinstance(value, str):
        return (value,)
    if value is None:
        raise Absent(f"{seen.place(check)} is null")
    if not isinstance(value, Mapping | list | tuple):
        return (as_json(value),)
    return as_json(value), "\n".join(_leaves(value))


def needle(value: Any) -> str:
    """The text to look for; a number that a template gave is taken as its text. Raises GraderFault."""
    text = as_json(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise GraderFault(f"value is no text: {typed(value)}")
    if not text:
        raise GraderFault("value is empty: there is nothing to look for")
    return str(text)


def needles(value: Any, *, split: bool = True) -> list[str]:
    """The texts to look for. ``split``: one text is read as values between commas, as promptfoo does."""
    if isinstance(value, str) and split:
        value = [part.strip() for part in value.split(",")]
    if not isinstance(value, list | tuple):
        raise GraderFault(f"value is no list: {typed(value)}; split it, like {{{{ case.x.split(';') }}}}")
    if not value:
        raise GraderFault("value is an empty list: there is nothing to look for")
    return [needle(item) for item in value]


def any_of_them(check: Check, seen: Evidence, values: list[str], inside: Callable[[str, str], bool]) -> Fact:
    """Whether one of the values is inside the text, and which."""
    found = looked_at(check, seen)
    there = [value for value in values if any(inside(text, value) for text in found)]
    what = f"{shown_all(there)} in {seen.place(check)}" if there else f"none of them in {seen.place(check)}"
    return Fact(holds=bool(there), what=what, expected=values, found=there or found[0])


def all_of_them(check: Check, seen: Evidence, values: list[str], inside: Callable[[str, str], bool]) -> Fact:
    """Whether all values are inside the text, and which are not."""
    found = looked_at(check, seen)
    missing = [value for value in values if not any(inside(text, value) for text in found)]
    what = f"{shown_all(missing)} not in {seen.place(check)}" if missing else f"all in {seen.place(check)}"
    return Fact(holds=not missing, what=what, expected=values, found=found[0])


def _one(check: Check, seen: Evidence, value: str, inside: Callable[[str, str], bool]) -> Iterator[Fact]:
    found = looked_at(check, seen)
    holds = any(inside(text, value) for text in found)
    yield Fact(holds=holds, what=f"{'in' if holds else 'not in'} {seen.place(check)}", expected=value, found=found[0])


def _reads_as(text: str, expected: Any) -> bool:
    try:
        return same_json(decode(text), expected)
    except CodecFault:
        return False


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, member in value.items():
            yield str(key)
            yield from _leaves(member)
    elif isinstance(value, list | tuple):
        for member in value:
            yield from _leaves(member)
    else:
        yield value if isinstance(value, str) else as_json(value)

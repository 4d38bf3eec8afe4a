"""Read what a statement says without running it: whether a time function is asked for now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .frozen_clock import TIME_FUNCTIONS

_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<text>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[A-Za-z_\x80-\U0010ffff][\w$]*)
    |(?P<other>[:@$]\w+|[\d.]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)


def tokens(sql: str) -> Iterator[str]:
    """The statement's tokens without space and comments; names are folded and bare, texts keep their quotes."""
    for match in _TOKEN.finditer(sql):
        if match["name"]:
            yield match["name"].strip('"`[]').lower()
        elif not match["skip"]:
            yield match.group()


def asks_for_now(sql: str) -> bool:
    """True where a time function is given 'now' as its time, or no time at all. CURRENT_TIMESTAMP is seen elsewhere."""
    found = list(tokens(sql))
    return any(
        found[at + 1 : at + 2] == ["("] and _time_is_now(found[at + 2 :], place)
        for at, name in enumerate(found)
        for place in TIME_FUNCTIONS.get(name, ())
    )


def _time_is_now(rest: list[str], place: int) -> bool:
    """``rest`` follows the opening bracket; the argument at ``place`` is the time."""
    arguments: list[list[str]] = [[]]
    depth = 0
    for each in rest:
        if each == ")" and depth == 0:
            break
        depth += (each == "(") - (each == ")")
        if each == "," and depth == 0:
            arguments.append([])
        else:
            arguments[-1].append(each)
    if arguments == [[]]:
        return place == 0
    if len(arguments) <= place:
        return True
    return [each.lower() for each in arguments[place]] in (["'now'"], ["'subsec'"], ["'subsecond'"])

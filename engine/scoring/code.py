"""Checks that a pack brings as a Python function: called on a thread of its own, with copies, within a time."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...hooks.loader import object_at
from ...schemas.bounded import clean_text, clean_value
from ...schemas.codec import UNSET
from ...schemas.scenario_documents import Check
from ..foreign import ForeignFault, run_foreign
from .base import Args, Fact, GraderFault
from .evidence import Evidence
from .shown import DETAIL_LIMIT, KEPT_LIMIT

DEFAULT_TIMEOUT_S = 1.0
MOST_TIMEOUT_S = 60.0
MOST_FINDINGS = 100

_FORMS = "return True or False, the text of a failure, or findings ({passed, detail})"


class CutTables(Mapping[str, Any]):
    """The world's tables for code where some were cut: reading one of those, or all, raises; no check can trust it."""

    def __init__(self, tables: Mapping[str, Any], cut: frozenset[str]) -> None:
        self._tables = tables
        self._cut = cut

    def __getitem__(self, name: str) -> Any:
        if name in self._cut:
            raise LookupError(f"table {name} is cut in the trace")
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        raise LookupError(f"table {min(self._cut)} is cut in the trace")

    def __len__(self) -> int:
        return len(self._tables)


class Malformed(Exception):
    """The function answered with something that is no answer."""


async def python(check: Check, args: Args, seen: Evidence) -> AsyncIterator[Fact]:
    """the function says so: given one namespace of the names, it returns a bool, the text of a failure, or findings"""
    timeout_s = min(float(args.get("timeout_s", DEFAULT_TIMEOUT_S)), MOST_TIMEOUT_S)
    names = copy.deepcopy(seen.names)
    if seen.cut:
        names["world"] = CutTables(names["world"], seen.cut)
    work = run_foreign(_call, check.args["value"], seen.folder, SimpleNamespace(**names), timeout_s=timeout_s)
    try:
        facts = await work
    except ForeignFault as fault:
        raise GraderFault(str(fault).removeprefix("Malformed: ")) from None
    for fact in facts:
        yield fact


def _call(reference: str, folder: Path, names: SimpleNamespace) -> list[Fact]:
    """Everything that touches foreign code, the reading of its answer included. Raises Malformed, or what it raises."""
    function = object_at(reference, folder)
    if not callable(function):
        raise Malformed(f"{type(function).__name__} is no function")
    answer = function(names)
    if inspect.isawaitable(answer):
        answer = asyncio.run(_awaited(answer))
    return list(_facts(answer))


def _facts(answer: Any) -> Iterable[Fact]:
    if isinstance(answer, bool):
        yield Fact(holds=answer, what="holds" if answer else "does not hold")
    elif isinstance(answer, str) and answer.strip():
        yield _failure(answer)
    elif isinstance(answer, Mapping) or not isinstance(answer, Iterable) or isinstance(answer, str | bytes):
        yield _finding(answer)
    else:
        items = list(islice(answer, MOST_FINDINGS + 1))
        if not items:
            raise Malformed(f"returned no finding; {_FORMS}")
        if len(items) > MOST_FINDINGS:
            raise Malformed(f"returned more than {MOST_FINDINGS} findings")
        for item in items:
            yield _failure(item) if isinstance(item, str) and item else _finding(item)


def _failure(text: str) -> Fact:
    return Fact(holds=False, what=clean_text(text, DETAIL_LIMIT))


def _finding(item: Any) -> Fact:
    """A finding: a mapping, or an object with the attributes ``passed``, ``detail`` and, if it likes, more."""

    def member(name: str) -> Any:
        return item.get(name, UNSET) if isinstance(item, Mapping) else getattr(item, name, UNSET)

    passed, detail = member("passed"), member("detail")
    if not isinstance(passed, bool):
        raise Malformed(f"returned {clean_text(repr(item), 60)}; {_FORMS}")
    about = member("check")
    bare = "holds" if passed else "does not hold"
    return Fact(
        holds=passed,
        what=clean_text(detail, DETAIL_LIMIT) if detail is not UNSET and detail else bare,
        expected=_plain(member("expected")),
        found=_plain(member("found")),
        about=clean_text(about, 80) if isinstance(about, str) else "",
    )


def _plain(value: Any) -> Any:
    return value if value is UNSET else clean_value(value, KEPT_LIMIT)


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer

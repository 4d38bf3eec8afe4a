"""A fault in a document is a value: a place, what is wrong there, and what to do about it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .counted import counted
from .errors import DocumentFault

MOST_PER_FILE = 20
LONGEST_KEY = 100

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is opened (``path``, absolute) and as people know it (``shown``, as they typed it)."""

    path: Path
    shown: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file; line and column count from 1. Line 0: no file, but an option of the command line."""

    source: Source
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.source.shown}:{self.line}:{self.column}" if self.line else self.source.shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One fault: ``file:line:column: dotted.path: what is wrong; what to do``."""

    mark: Mark
    path: str = ""
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        path = f"{self.path}: " if self.path else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{self.mark}: {path}{self.message}{remedy}"


def dotted(path: KeyPath) -> str:
    """Write a key path as people read it: ``scenarios.a.turns[0].user``."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{_inert(key)}" if text else _inert(key)
    return text


def _inert(key: str) -> str:
    """A key as it is; one that a terminal could obey, or nobody would read, quoted and cut."""
    return key if key.isprintable() and len(key) <= LONGEST_KEY else json.dumps(key[:LONGEST_KEY])


class Problems:
    """Collects the faults of all files, so that all are told at once."""

    def __init__(self) -> None:
        self._found: dict[str, Problem] = {}

    def add(self, mark: Mark, path: KeyPath | str, message: str, remedy: str = "") -> None:
        shown = path if isinstance(path, str) else dotted(path)
        problem = Problem(mark=mark, path=shown, message=message, remedy=remedy)
        self._found.setdefault(str(problem), problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self._found.setdefault(str(problem), problem)

    def all(self) -> tuple[Problem, ...]:
        """Every fault, uncapped and in the order in which it was found, to be told together with others."""
        return tuple(self._found.values())

    def __bool__(self) -> bool:
        return bool(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Problem]:
        """All faults, sorted by file, line and column, at most ``MOST_PER_FILE`` a file and then a count."""
        by_file: dict[str, list[Problem]] = defaultdict(list)
        for problem in self._found.values():
            by_file[problem.mark.source.shown].append(problem)
        for shown in sorted(by_file):
            found = sorted(by_file[shown], key=lambda p: (p.mark.line, p.mark.column, p.path, p.message))
            yield from found[:MOST_PER_FILE]
            if len(found) > MOST_PER_FILE:
                left = len(found) - MOST_PER_FILE
                yield Problem(
                    mark=found[MOST_PER_FILE].mark,
                    message=f"{counted(left, 'more fault')} in this file are not shown",
                    remedy=f"mend the {MOST_PER_FILE} above first",
                )

    def raise_if_any(self) -> None:
        """Raise DocumentFault with every fault, if there is one."""
        if self._found:
            raise DocumentFault(self)

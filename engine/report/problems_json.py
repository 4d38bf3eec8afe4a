"""Faults for programs: one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...schemas.bounded import clean_value
from ...schemas.codec import encode_pretty
from ...schemas.problems import Mark
from ..loading.validate import Validation


def lines(validation: Validation) -> Iterator[str]:
    """``{"ok": bool, "problems": [...], "notes": [...], "documents": [{file, what}]}``."""
    problems = [
        {**_place(problem.mark), "path": problem.path, "message": problem.message, "remedy": problem.remedy}
        for problem in validation.problems
    ]
    notes = [{**_place(note.mark), "message": note.text} for note in validation.notes]
    documents = [{"file": shown, "what": what} for shown, what in sorted(validation.sound.items())]
    found = {"ok": not problems, "problems": problems, "notes": notes, "documents": documents}
    yield encode_pretty(clean_value(found)).decode().rstrip("\n")


def _place(mark: Mark) -> dict[str, Any]:
    return {"file": mark.source.shown, "line": mark.line, "column": mark.column}

"""Ask a document for its kind before anything else is believed of it."""

from __future__ import annotations

from collections.abc import Collection

from ...schemas.marks import Document
from ...schemas.problems import Problems
from ...schemas.shape import kind_of


def checked_kind(document: Document, meant: Collection[str], problems: Problems) -> str | None:
    """The kind, if it is one of those meant here; None, with a fault, if not."""
    kind = kind_of(document, problems)
    if kind is None or kind in meant:
        return kind
    mark = document.marks.value(("kind",))
    problems.add(mark, "kind", f"this is a {kind}, where a {' or '.join(meant)} is meant", "name another document")
    return None

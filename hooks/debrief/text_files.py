"""Read the texts of a debrief that stand in files: data unless they are asked for as templates."""

from __future__ import annotations

from typing import Any

from ...schemas.documents import Inert
from ...schemas.input_file import read_input
from ...schemas.problems import KeyPath, Mark, Problems

_PREFIX = "file://"
_LARGEST = 1 << 20


def read_text(value: Any, mark: Mark, at: KeyPath, problems: Problems) -> str:
    """A text as it stands, ``file://x`` as Inert text, ``{template: file://x}`` as a template; "" with a fault."""
    if isinstance(value, dict):
        return _read(str(value.get("template", "")), mark, at, problems)
    if isinstance(value, str) and value.startswith(_PREFIX) and not isinstance(value, Inert):
        return Inert(_read(value, mark, at, problems))
    return value if isinstance(value, str) else str(value)


def _read(reference: str, mark: Mark, at: KeyPath, problems: Problems) -> str:
    path = mark.source.path.parent / reference.removeprefix(_PREFIX)
    try:
        data = read_input(path, _LARGEST)
        if len(data) <= _LARGEST:
            return data.decode("utf-8-sig")
        why = "it is larger than 1 MiB"
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
    problems.add(mark, at, f"{reference} cannot be read: {why}", "mend the path; it is relative to this document")
    return ""

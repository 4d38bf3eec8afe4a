"""Join a pack with the parts it includes, id by id; the same id or key twice is a fault that names both places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...schemas.marks import Document, Marks
from ...schemas.problems import KeyPath, Problems
from ...schemas.reader import read_text_document
from ...schemas.shape import check_shape
from .files import Files, Place
from .kinds import checked_kind
from .node import is_free

# keys that hold ids (or keys) to be joined one by one; `world` is joined one level deeper as well
_MAPS = frozenset(
    {
        "vars",
        "defaults",
        "agents",
        "world",
        "tools",
        "guards",
        "checks",
        "scenarios",
        "hooks",
        "hook_settings",
        "debriefs",
    }
)
_OWN = frozenset({"$schema", "kind", "schema_version", "include", "name"})
_NEEDED = ("agents", "scenarios")


@dataclass(slots=True)
class Joined:
    """One document made of several: where each part of it stands is in ``marks``."""

    data: dict[str, Any]
    marks: Marks
    unsound: set[KeyPath] = field(default_factory=set)


def joined(document: Document, files: Files, problems: Problems) -> Joined | None:
    """The pack with all its parts, each checked for its shape; None where the pack itself is no mapping."""
    if not isinstance(document.data, dict):
        check_shape(document, "pack", problems)
        return None
    has_parts = "include" in document.data
    check_shape(document, "pack", problems, partial=has_parts)
    whole = Joined(dict(document.data), document.marks, set(document.unsound))
    for part in _parts(document, files, problems):
        check_shape(part, "pack_part", problems, partial=True)
        if isinstance(part.data, dict):
            _join(whole, part, problems)
    if has_parts:
        _ask_required(whole, document, problems)
    return whole


def _parts(document: Document, files: Files, problems: Problems) -> list[Document]:
    """Every part that is reached, each once, in the order in which it is named."""
    found: list[Document] = []
    seen = {document.source.path}
    waiting = [document]
    while waiting:
        by = waiting.pop(0)
        for index, reference in enumerate(_includes(by)):
            place = Place(by.marks.value(("include", index)), ("include", index))
            for source in files.matches(reference, place):
                data = files.read(source, place)
                if source.path in seen or data is None:
                    continue
                seen.add(source.path)
                part = read_text_document(data, source, problems)
                if part is not None and checked_kind(part, ("pack_part",), problems):
                    found.append(part)
                    waiting.append(part)
    return found


def _includes(document: Document) -> list[str]:
    include = document.data.get("include") if isinstance(document.data, dict) else None
    listed = [include] if isinstance(include, str) else include
    return [reference for reference in listed if isinstance(reference, str)] if isinstance(listed, list) else []


def _join(whole: Joined, part: Document, problems: Problems) -> None:
    whole.unsound |= {path for path in part.unsound if path}
    for key, value in part.data.items():
        if key in _OWN or is_free(key):
            continue
        if key in _MAPS and isinstance(value, dict) and isinstance(whole.data.get(key), dict):
            whole.data[key] = _merged(whole, part, (key,), whole.data[key], value, problems)
        else:
            _put(whole, part, (key,), whole.data, value, problems)


def _merged(
    whole: Joined, part: Document, path: KeyPath, ours: dict[str, Any], theirs: dict[str, Any], problems: Problems
) -> dict[str, Any]:
    merged = dict(ours)  # what an alias names is shared: never written to
    for key, value in theirs.items():
        here = (*path, key)
        if here == ("world", "tables") and isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merged(whole, part, here, merged[key], value, problems)
        elif path not in (("world",), ("defaults",)) or not is_free(key):
            _put(whole, part, here, merged, value, problems)
    return merged


def _put(whole: Joined, part: Document, path: KeyPath, target: dict[str, Any], value: Any, problems: Problems) -> None:
    key = path[-1]
    if key in target:
        other = whole.marks.key(path)
        problems.add(part.marks.key(path), path, f"is already declared at {other}", "remove one of the two")
        return
    target[str(key)] = value
    whole.marks.graft(path, part.marks, path)


def _ask_required(whole: Joined, document: Document, problems: Problems) -> None:
    for key in _NEEDED:
        if key not in whole.data:
            problems.add(
                document.marks.value(()),
                "",
                f"the key '{key}' is missing, here and in every included part",
                f"add '{key}:'",
            )

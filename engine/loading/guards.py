"""Guards that an agent names: of this pack, installed, or Python found by its place. Nothing is imported to tell."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...hooks.guards import installed_guards, is_place
from ...schemas.nearest import did_you_mean
from ...schemas.problems import Mark, Source
from .files import PREFIX, is_reference
from .node import Node

_WRITE = "write module:attr, or path/to/file.py:attr from the folder of the pack"

_BINDS_UNSEEN = frozenset(("globals", "locals", "vars", "setattr", "exec"))


@dataclass(frozen=True, slots=True)
class _FilePlace:
    """``path.py:attr``: the file, and the name in it. ``name`` is how the guard is known, from the pack's folder."""

    source: Source
    attribute: str
    name: str


def guard_names(listed: Node | None, read: set[Mark]) -> tuple[str, ...]:
    """The guards of an agent. A file that one names is read, so that the digest of the pack covers it.

    ``read`` keeps what was read for another agent: what is inherited is told once.
    """
    names = []
    for node in listed.items() if listed else ():
        place = _file_place(node)
        if place is not None and node.mark not in read:
            read.add(node.mark)
            node.tree.files.text(place.source, node.place)
        names.append(str(node.value) if place is None else place.name)
    return tuple(names)


def lint_guard(node: Node, declared: Collection[str]) -> None:
    """Add a fault where an agent names a guard that is not there, as far as can be told without importing it."""
    name = str(node.value)
    if name in declared:
        return
    if not is_place(name):
        known = installed_guards()
        if name not in known:
            node.fault(f"there is no guard '{name}'", did_you_mean(name, [*declared, *known], what="guards"))
        return
    place = _file_place(node)
    target, _, attribute = name.rpartition(":")
    if not _dotted(attribute) or (place is None and not _dotted(target)):
        node.fault(f"'{name}' names no guard", _WRITE)
    elif place is not None:
        _look_into(node, place)


def _file_place(node: Node) -> _FilePlace | None:
    """``file://`` is relative to the document that says it, a plain path to the pack; None for what is no path."""
    target, _, attribute = str(node.value).rpartition(":")
    if not is_reference(target) and not target.endswith(".py") and "/" not in target:
        return None
    pack = node.tree.marks.value(()).source
    if is_reference(target):
        source = node.tree.files.beside(target, node.mark)
    else:
        shown = os.path.normpath(os.path.join(os.path.dirname(pack.shown), target))
        source = Source(Path(os.path.normpath(pack.path.parent / target)), shown)
    known_as = target if not target.startswith(PREFIX) else os.path.relpath(source.path, pack.path.parent)
    return _FilePlace(source, attribute, f"{known_as}:{attribute}")


def _look_into(node: Node, place: _FilePlace) -> None:
    """Whether the file is Python and binds the name, as far as can be seen."""
    text = node.tree.files.text(place.source, node.place)
    if text is None:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        why = error.msg if isinstance(error, SyntaxError) else str(error)
        node.fault(f"{place.source.shown}{line} is not Python: {why}", "mend the file")
        return
    bound = set(_bound(tree.body))
    first = place.attribute.partition(".")[0]
    if first not in bound and not bound & {"*", "__getattr__"}:
        names = [name for name in bound if not name.startswith("_")]
        hint = did_you_mean(first, names, what="names in it") if names else "it defines nothing"
        node.fault(f"there is no '{first}' in {place.source.shown}", hint)


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """Every name that the statements of a module may bind, in whatever branch; ``*`` for those of another module."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, inner):
            yield node.name
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Store) or node.id in _BINDS_UNSEEN):
            yield node.id if isinstance(node.ctx, ast.Store) else "*"
        waiting.extend(ast.iter_child_nodes(node))


def _dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))

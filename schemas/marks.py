"""Where each key and each value of a document stands, also after parts of several files were joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from .problems import KeyPath, Mark, Source


class Place(Protocol):
    """A place as the parser gives it: line and column count from 0."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


class Branch:
    """The places of a mapping (``keys`` and ``items`` by key) or of a list (``items`` by index)."""

    __slots__ = ("items", "keys", "place")

    def __init__(self, place: Place, keys: dict[str, Any] | None, items: Any) -> None:
        self.place = place
        self.keys = keys
        self.items = items


class Foreign:
    """A node that came from another file."""

    __slots__ = ("node", "source")

    def __init__(self, source: Source, node: Any) -> None:
        self.source = source
        self.node = node


@dataclass(frozen=True, slots=True)
class Start:
    """The place where a document begins."""

    line: int = 0
    column: int = 0


class Marks:
    """Answers where a key path stands; a path that is not in the document gets its nearest known ancestor."""

    __slots__ = ("_root", "source")

    def __init__(self, source: Source, root: Any = None) -> None:
        self.source = source
        self._root: Any = Start() if root is None else root

    def value(self, path: KeyPath) -> Mark:
        """Where the value at ``path`` begins."""
        source, node, _ = self._find(path)
        return _mark(source, node)

    def key(self, path: KeyPath) -> Mark:
        """Where the last key of ``path`` stands; for an entry of a list, where the entry begins."""
        if not path:
            return self.value(path)
        source, node, whole = self._find(path[:-1])
        keys = node.keys if whole and isinstance(node, Branch) else None
        if keys is None or path[-1] not in keys:
            return self.value(path)
        key = keys[path[-1]]
        return _mark(key.source, key.node) if isinstance(key, Foreign) else _mark(source, key)

    def graft(self, at: KeyPath, other: Marks, under: KeyPath) -> None:
        """Let ``at`` (and all below it) stand where ``under`` stands in ``other``; mappings on the way are made."""
        source, node, whole = other._find(under)
        if not whole:
            node = Start(node.place.line, node.place.column) if isinstance(node, Branch) else node
        if not at:
            self.source, self._root = source, node
            return
        key = other.key(under)
        key_node = Foreign(key.source, Start(key.line - 1, key.column - 1))
        self._root = _grafted(self._root, at, Foreign(source, node), key_node)

    def _find(self, path: KeyPath) -> tuple[Source, Any, bool]:
        source, node = self.source, self._root
        for step in path:
            if isinstance(node, Foreign):
                source, node = node.source, node.node
            if not isinstance(node, Branch):
                return source, node, False
            try:
                node = node.items[step]
            except (KeyError, IndexError, TypeError):
                return source, node, False
        if isinstance(node, Foreign):
            source, node = node.source, node.node
        return source, node, True


def _mark(source: Source, node: Any) -> Mark:
    place: Place = node.place if isinstance(node, Branch) else node
    return Mark(source, place.line + 1, place.column + 1)


def _grafted(node: Any, at: KeyPath, new: Foreign, new_key: Foreign) -> Any:
    """A copy of ``node`` with ``new`` at ``at``; what is not on the way is shared, so no other tree is touched."""
    if isinstance(node, Foreign):
        return Foreign(node.source, _grafted(node.node, at, new, new_key))
    step, rest = at[0], at[1:]
    if not isinstance(node, Branch):
        node = Branch(node, {}, {})
    if isinstance(node.items, list):
        node = Branch(node.place, {}, dict(enumerate(node.items)))
    child = node.items.get(step, new)
    keys = {**(node.keys or {})}
    if isinstance(step, str) and (not rest or step not in keys):
        keys[step] = new_key
    items = {**node.items, step: _grafted(child, rest, new, new_key) if rest else new}
    return Branch(node.place, keys, items)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read: plain data, the place of every part, and the parts that hold a fault.

    ``data`` holds dict, list, str, int, float, bool and None only. Treat it as frozen: what an alias names is shared.
    """

    source: Source
    data: Any
    marks: Marks
    unsound: set[KeyPath] = field(default_factory=set)

"""Pick the branch of a ``oneOf`` that an author meant: by the type of the value, then by the key that tells."""

from __future__ import annotations

from typing import Any

from .registry import Schema, resolve

_NAMES = {dict: "object", list: "array", bool: "boolean", int: "number", float: "number", type(None): "null"}


def type_name(value: Any) -> str:
    """The JSON Schema type of a value; every number is a ``number``."""
    return "string" if isinstance(value, str) else _NAMES[type(value)]


def followed(schema: Schema) -> Schema:
    """The schema itself, behind its references."""
    while isinstance(schema, dict) and "$ref" in schema:
        schema = resolve(schema["$ref"])
    return schema


class Chooser:
    """Knows how the branches of one ``oneOf`` differ.

    ``key`` is the property whose value tells object branches apart (``type``, ``runtime``, ``fault``), or "" for none.
    ``counts`` is True where the branches only ask for one key each (``keys``): exactly one of them is to be there.
    """

    def __init__(self, branches: list[Schema]) -> None:
        self.branches = [followed(branch) for branch in branches]
        self.keys = [branch["required"][0] for branch in self.branches if set(branch) == {"required"}]
        self.counts = len(self.keys) == len(self.branches)
        self.by_type: dict[str, int] = {}
        self.by_value: dict[str, int] = {}
        self.rest: list[int] = []
        self.key = ""
        if not self.counts:
            self._sort()

    def _sort(self) -> None:
        objects = [n for n, branch in enumerate(self.branches) if branch.get("type") == "object"]
        for n, branch in enumerate(self.branches):
            kind = branch.get("type") or ("string" if "enum" in branch else "")
            if n not in objects or len(objects) == 1:
                self.by_type.setdefault("number" if kind == "integer" else kind, n)
        if len(objects) > 1:
            self._sort_objects(objects)

    def _sort_objects(self, objects: list[int]) -> None:
        for key in ("type", "runtime", "fault"):
            for n in objects:
                told = self.branches[n]["properties"].get(key)
                for value in told.get("enum", ()) if isinstance(told, dict) else ():
                    self.by_value[value] = n
                    self.key = key
        self.rest = [n for n in objects if n not in self.by_value.values()]

    def index(self, value: Any) -> int | None:
        """The branch that is meant, or None where no branch takes a value of this type or discriminator."""
        if not isinstance(value, dict) or not self.key:
            return self.by_type.get(type_name(value))
        told = value.get(self.key)
        if isinstance(told, str) and told in self.by_value:
            return self.by_value[told]
        return next((n for n in self.rest if all(key in value for key in self.branches[n]["required"])), None)

    def knows(self, key: str) -> bool:
        """Whether any branch names this key."""
        return any(key in branch.get("properties", {}) for branch in self.branches)

    def known(self) -> list[str]:
        """The values of the discriminating key."""
        return sorted(self.by_value)

    def types(self) -> list[str]:
        """The types that any branch takes."""
        found = {*self.by_type, *(["object"] if self.key else [])}
        return [name for name in ("string", "number", "boolean", "array", "object", "null") if name in found]

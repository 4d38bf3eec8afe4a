"""Hand out the JSON Schemas: of the documents, and of every JSON file that is written."""

from __future__ import annotations

from typing import Any

from .judge import judge
from .problems import dotted
from .registry import DIALECT, DOCUMENTS, VERSIONS, Schema, file_name, resolve, whole

__all__ = ["DOCUMENTS", "artifact_faults", "bundle", "file_name", "kinds", "schema"]


def kinds() -> tuple[str, ...]:
    """Every kind that has a schema of its own, documents first."""
    return tuple(VERSIONS)


def schema(kind: str) -> dict[str, Any]:
    """The schema of a kind, as it is in its file. Its references name other files; ``bundle`` stands alone."""
    return {"$schema": DIALECT, **whole(kind)}


def artifact_faults(kind: str, data: Any) -> list[str]:
    """What keeps plain data from being an artifact of this kind; empty where it is one."""
    return [f"{dotted(fault.path) or '(top)'}: {fault.message}" for fault in judge(data, whole(kind))]


def bundle(kind: str) -> dict[str, Any]:
    """The schema of a kind with all that it refers to inside it, under ``$defs``."""
    found: dict[str, Schema] = {}
    whole: dict[str, Any] = _inlined(schema(kind), found, root=f"{file_name(kind)}#")
    whole.pop("$defs", None)
    return {**whole, "$defs": dict(sorted(found.items()))} if found else whole


def _inlined(node: Schema, found: dict[str, Schema], root: str) -> Any:
    if isinstance(node, list):
        return [_inlined(each, found, root) for each in node]
    if not isinstance(node, dict):
        return node
    copy = {key: _inlined(value, found, root) for key, value in node.items() if not _is_definitions(key, value)}
    reference = node.get("$ref")
    if isinstance(reference, str):
        copy["$ref"] = "#" if reference == root else f"#/$defs/{_definition(reference, found, root)}"
    return copy


def _is_definitions(key: str, value: Any) -> bool:
    """Whether this is a block of definitions, not a property of that name."""
    return key == "$defs" and "additionalProperties" not in value


def _definition(reference: str, found: dict[str, Schema], root: str) -> str:
    file, _, pointer = reference.partition("#")
    name = "_".join([file.partition(".")[0], *pointer.split("/")[2:]])
    if name not in found:
        found[name] = {}
        found[name] = _inlined(resolve(reference), found, root)
    return name

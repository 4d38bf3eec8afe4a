"""Know every JSON Schema of ours: those of the documents, of the files that are written, and of their parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DOCUMENTS = {"pack": 1, "pack_part": 1, "skeleton": 1, "debrief": 1}
ARTIFACTS = {"trace": 1, "score": 1, "ledger_row": 1, "sweep": 1, "debrief_artifact": 2}
VERSIONS = {**DOCUMENTS, **ARTIFACTS}
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = Any  # a dict, or True or False


def kinds() -> tuple[str, ...]:
    """Every kind that has a schema of its own, documents first."""
    return tuple(VERSIONS)


def file_name(kind: str) -> str:
    """The file of a kind's newest schema, as ``pack.v1.json``."""
    return f"{kind}.v{VERSIONS[kind]}.json"


def schema(kind: str) -> dict[str, Any]:
    """The schema of a kind, as it is in its file. Its references name other files; ``bundle`` stands alone."""
    return {"$schema": DIALECT, **resolve(f"{file_name(kind)}#")}


@cache
def resolve(reference: str) -> Schema:
    """The schema that ``file.json#/pointer`` names: the same object each time, and without ``$schema``."""
    file, _, pointer = reference.partition("#")
    found = _file(file)
    for step in pointer.split("/")[1:]:
        found = found[step]
    return found


@cache
def _file(name: str) -> Schema:
    found = json.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
    found.pop("$schema", None)  # jsonschema would take its own validator for it, in the middle of a document
    return found


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


def references(node: Any) -> Iterator[str]:
    """Every ``$ref`` in a schema."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)

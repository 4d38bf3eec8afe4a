"""Find any schema of ours by file and pointer, each one as the same object every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

DOCUMENTS = {"pack": 1, "pack_part": 1, "skeleton": 1, "debrief": 1}
ARTIFACTS = {"trace": 1, "score": 1, "ledger_row": 1, "sweep": 1, "results": 1, "selftest": 1, "debrief_artifact": 2,
             "timeline": 1, "usage": 1, "state_violation": 1, "doctor": 1, "surface": 1, "surface_diff": 1}
VERSIONS = {**DOCUMENTS, **ARTIFACTS}
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = Any  # a dict, or True or False


def file_name(kind: str) -> str:
    """The file of a kind's newest schema, as ``pack.v1.json``."""
    return f"{kind}.v{VERSIONS[kind]}.json"


def whole(kind: str) -> dict[str, Any]:
    """The schema of a kind, without ``$schema``."""
    found: dict[str, Any] = resolve(f"{file_name(kind)}#")
    return found


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

"""Write the JSON Schemas as Markdown: a section for every object that a user can write, a row for every key."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from windtunnel.schemas.registry import resolve

Schema = Mapping[str, Any]
FREE = ("meta", "$schema")  # told once, on the page of the words
WORDS_PAGE = "words.md"
ELSEWHERE = {"check.v1.json#": "[check](checks.md)", "perturbation.v1.json#": "[perturbation](perturbations.md)"}
TYPES = {"string": "text", "object": "map"}


def cell(text: str) -> str:
    """Text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]] | list[tuple[str, ...]]) -> str:
    """A Markdown table; cells are escaped already."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^a-z0-9_ -]", "", title.lower()).replace(" ", "-")


def title_of(reference: str) -> str:
    """``agent.v1.json#/$defs/script_rule``: agent script_rule."""
    file, _, pointer = reference.partition("#")
    return " ".join([file.partition(".")[0], *pointer.split("/")[2:]])


@dataclass(slots=True)
class Sections:
    """The sections of one page: the schemas it begins with, and those of the files ``here`` that they lead to."""

    here: Collection[str] = ()
    waiting: list[tuple[str, Schema]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, reference: str) -> None:
        self._wait(title_of(reference), resolve(reference))

    def text(self) -> str:
        """Every section, those that are referred to after those that refer."""
        found = []
        while self.waiting:
            title, schema = self.waiting.pop(0)
            found.append(f"## {title}\n\n{self._section(title, schema)}")
        return "\n".join(found)

    def _wait(self, title: str, schema: Schema) -> None:
        if title not in self.seen:
            self.seen.add(title)
            self.waiting.append((title, schema))

    def _section(self, title: str, schema: Schema) -> str:
        parts = [f"{schema['description']}\n"] if "description" in schema else []
        variants = list(self._variants(title, schema))
        if variants:
            parts.append("One of:\n\n" + "".join(f"- {variant}\n" for variant in variants))
        if rows := self._rows(title, schema):
            parts.append(table(("key", "is", "meaning"), rows))
        parts.extend(f"{note}\n" for note in notes(schema))
        return "\n".join(parts)

    def _variants(self, title: str, schema: Schema) -> Iterator[str]:
        for branch in branches(schema):
            told = resolve(branch["$ref"]).get("description", "") if "$ref" in branch else branch.get("description", "")
            kind = self.kind(branch, f"{title} mapping")
            yield f"{kind}: {told}" if told else kind

    def _rows(self, title: str, schema: Schema) -> list[tuple[str, ...]]:
        required = schema.get("required", ())
        rows: list[tuple[str, ...]] = [
            (f"`{key}`{' *' if key in required else ''}", self.kind(each, f"{title} {key}"), cell(described(each)))
            for key, each in schema.get("properties", {}).items()
            if key not in FREE and isinstance(each, dict)
        ]
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            rows.append(("any other", self.kind(others, f"{title} entry"), cell(described(others))))
        if "items" in schema:
            rows.append(("each entry", self.kind(schema["items"], f"{title} entry"), cell(described(schema["items"]))))
        return rows

    def kind(self, node: Schema, title: str) -> str:
        """What a value is, in a few words; what is more than that becomes a section of its own."""
        if "$ref" in node:
            return self._referred(node["$ref"])
        if found := branches(node):
            return " or ".join(dict.fromkeys(self.kind(branch, title) for branch in found))
        if "enum" in node:
            return ", ".join(f"`{value}`" if isinstance(value, str) else f"`{value}`".lower() for value in node["enum"])
        if "properties" in node:
            self._wait(title, node)
            return f"[{title}](#{anchor(title)})"
        if node.get("type") == "array":
            return f"list of {self.kind(node['items'], title)}" if "items" in node else "list"
        if isinstance(node.get("additionalProperties"), dict) and node["additionalProperties"]:
            return f"map of {self.kind(node['additionalProperties'], title)}"
        return scalar(node)

    def _referred(self, reference: str) -> str:
        title = title_of(reference)
        if reference.startswith("common."):
            word = title.removeprefix("common ").replace("_", " ")
            return f"[{word}]({WORDS_PAGE}#{anchor(word)})"
        if reference.partition("#")[0] in self.here:
            self._wait(title, resolve(reference))
            return f"[{title}](#{anchor(title)})"
        return ELSEWHERE.get(reference, f"[{title}]({reference.partition('.')[0]}.md#{anchor(title)})")


def branches(schema: Schema) -> list[Schema]:
    """The alternatives of a schema: those of ``oneOf``, and those that ``if`` leads to."""
    found = [branch for branch in schema.get("oneOf", ()) if set(branch) != {"required"}]
    for key in ("then", "else"):
        branch = schema.get(key, {})
        if "$ref" in branch:
            found.append(branch)
        elif "if" in branch:
            found.extend(branches(branch))
    return found


def described(node: Schema) -> str:
    """The description at the key, or that of what it refers to."""
    own = node.get("description", "")
    return str(own or (resolve(node["$ref"]).get("description", "") if "$ref" in node else ""))


def scalar(node: Schema) -> str:
    """A type with its bounds."""
    kind = node.get("type", "anything")
    words = " or ".join(TYPES.get(one, one) for one in ([kind] if isinstance(kind, str) else kind))
    low, high = node.get("minimum"), node.get("maximum")
    above = node.get("exclusiveMinimum")
    if above is not None:
        words += f" above {above}"
    if low is not None:
        words += f" from {low}"
    return words if high is None else f"{words} to {high}"


def notes(schema: Schema) -> Iterator[str]:
    """What the keys ask of each other."""
    for keyword, say in (("anyOf", "At least one of"), ("oneOf", "Exactly one of")):
        keys = [key for branch in schema.get(keyword, ()) if set(branch) == {"required"} for key in branch["required"]]
        if keys:
            yield f"{say}: {', '.join(f'`{key}`' for key in dict.fromkeys(keys))}."
    for key, needed in schema.get("dependentRequired", {}).items():
        yield f"`{key}` needs {', '.join(f'`{one}`' for one in needed)}."
    for key, inside in schema.get("dependentSchemas", {}).items():
        barred = [one for one, value in inside.get("properties", {}).items() if value is False]
        if barred:
            yield f"`{key}` stands without {', '.join(f'`{one}`' for one in barred)}."
    otherwise = schema.get("else", {})
    if set(otherwise) == {"required"} and "required" in schema.get("if", {}):
        condition = ", ".join(f"`{key}`" for key in schema["if"]["required"])
        yield f"Without {condition} it needs {', '.join(f'`{key}`' for key in otherwise['required'])}."

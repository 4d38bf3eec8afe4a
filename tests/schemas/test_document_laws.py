"""Laws of reading: whatever the input, there are faults or a sound document; and every judge of a shape agrees."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend
from windtunnel.schemas.catalog import bundle
from windtunnel.schemas.formats import FORMATS
from windtunnel.schemas.judge import judge
from windtunnel.schemas.problems import KeyPath, Problems, Source
from windtunnel.schemas.reader import read_text_document
from windtunnel.schemas.registry import whole
from windtunnel.schemas.shape import check_shape, kind_of
from windtunnel.schemas.sieve_parts import python_pattern

GOOD = sorted((Path(__file__).parents[1] / "examples" / "good").glob("*.yaml"))
TEXTS = [path.read_bytes() for path in GOOD]
SOURCE = Source(Path("/x.yaml"), "x.yaml")
BITS = [
    *"{}[]:,-?!&*#%|>'\"@`\\~",
    *(": ", "- ", "\n", "\r\n", "\t", "  ", "{{ x }}", "<<: *a", "&a ", "*a", "!!str ", "!x ", "---\n", "...\n"),
    *("'a' in b", ".nan", "1e999", "0123", "null", "\ufeff", "\x00", "\u2028", "\\ud800", "kind: pack\n"),
]

pieces = st.one_of(st.sampled_from(BITS), st.text(max_size=8)).map(lambda text: text.encode("utf-8", "surrogatepass"))
soup = st.lists(st.one_of(pieces, st.binary(max_size=4)), max_size=30).map(b"".join)
quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A good document with a few bytes put in or taken out."""
    text = bytearray(draw(st.sampled_from(TEXTS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text[at : at + draw(st.integers(0, 3))] = draw(pieces)
    return bytes(text)


@quick
@given(st.one_of(soup, spoilt()))
def test_reading_ends_in_a_sound_document_or_in_faults_of_one_line(content: bytes) -> None:
    problems = Problems()
    document = read_text_document(content, SOURCE, problems)
    kind = None if document is None else kind_of(document, problems)
    sound = document is not None and kind is not None and check_shape(document, kind, problems)
    assert sound or problems
    for problem in problems:
        assert str(problem).isprintable()
        assert problem.remedy
    if document is not None:
        json.dumps(document.data, allow_nan=False)


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 100),
        st.sampled_from(
            [0.5, "", "x", "{{ x }}", "file://a", "tool-used", "read", "scripted", "2026-03-02T09:00:00Z", "a b\n"]
        ),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["x-a", "template", "type", "value", "name"]), inner, max_size=2),
    ),
    max_leaves=4,
)


@cache
def _documents() -> list[tuple[str, Any]]:
    found = []
    for text in TEXTS:
        document = read_text_document(text, SOURCE, Problems())
        assert document is not None
        found.append((document.data["kind"], document.data))
    return found


def _paths(node: Any, at: KeyPath = ()) -> Iterator[KeyPath]:
    if at:
        yield at
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _paths(value, (*at, key))


@cache
def _keys() -> list[str]:
    return sorted({step for _, data in _documents() for path in _paths(data) for step in path if isinstance(step, str)})


@st.composite
def bent(draw: st.DrawFn) -> tuple[str, Any]:
    """A good document with keys renamed, added or taken away, or values replaced."""
    kind, data = draw(st.sampled_from(_documents()))
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(_paths(data)) or [("kind",)]))
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        change = draw(st.sampled_from(["replace", "remove", "rename", "add"]))
        if change == "replace" or not isinstance(holder, dict):
            holder[path[-1]] = draw(values)
        elif change == "remove":
            holder.pop(path[-1], None)
        elif change == "rename":
            holder[draw(st.sampled_from(_keys()))] = holder.pop(path[-1], None)
        else:
            holder[draw(st.sampled_from(_keys()))] = draw(values)
    return kind, data


def _pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not re.search(python_pattern(pattern), value):
        yield ValidationError("pattern")


@cache
def _plain_validator(kind: str) -> Any:
    """jsonschema as anyone may use it on a bundle, but strict in what an integer, the end of a line and a format is."""
    formats = FormatChecker(formats=())
    for name, holds in FORMATS.items():
        formats.checks(name)(lambda value, holds=holds: not isinstance(value, str) or holds(value))
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    make: Any = extend
    return make(Draft202012Validator, {"pattern": _pattern}, type_checker=types)(bundle(kind), format_checker=formats)


@quick
@given(bent())
def test_we_find_a_fault_exactly_where_any_json_schema_validator_does(case: tuple[str, Any]) -> None:
    kind, data = case
    ours = [fault for fault in judge(data, whole(kind)) if fault.keyword != "x-refs"]
    assert (ours == []) == _plain_validator(kind).is_valid(data)

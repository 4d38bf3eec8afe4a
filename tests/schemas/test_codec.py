"""The codec: every record survives the way to bytes and back, and nothing that strict JSON cannot hold gets out."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.schemas import doctor, observations, records, scores, selftests, state, surfaces, sweeps
from windtunnel.schemas.codec import (
    UNSET,
    CodecFault,
    UnsetType,
    canonical,
    decode,
    decode_foreign,
    encode,
    encode_pretty,
    to_plain,
)
from windtunnel.schemas.documents import Inert

RECORDS: list[Any] = [
    each
    for module in (doctor, observations, records, scores, selftests, state, surfaces, sweeps)
    for each in vars(module).values()
    if dataclasses.is_dataclass(each) and each.__module__ == module.__name__
]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


@st.composite
def any_record(draw: st.DrawFn) -> Any:
    # A member that may be UNSET is left out half of the time, and ``Any`` holds any plain data.
    st.register_type_strategy(str, TEXT)
    st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
    st.register_type_strategy(UnsetType, st.just(UNSET))
    st.register_type_strategy(object, PLAIN)
    kind = draw(st.sampled_from(RECORDS))
    hints = _hints(kind)
    return kind(**{name: draw(_strategy(hint)) for name, hint in hints.items()})


def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _strategy(hint: Any) -> st.SearchStrategy[Any]:
    if hint is Any:
        return PLAIN
    origin, args = get_origin(hint), get_args(hint)
    if origin is Union or type(hint).__name__ == "UnionType":
        return st.one_of([_strategy(each) for each in args])
    if origin is list:
        return st.lists(_strategy(args[0]), max_size=3)
    if origin in (dict, Mapping):
        return st.dictionaries(TEXT, _strategy(args[1]), max_size=3)
    if hint in RECORDS:
        return st.fixed_dictionaries({name: _strategy(each) for name, each in _hints(hint).items()}).map(
            lambda members: hint(**members)
        )
    return st.from_type(hint)


@given(any_record())
def test_every_record_comes_back_as_it_was(record: Any) -> None:
    kind = type(record)
    assert decode(encode(record), kind) == record
    assert decode(encode_pretty(record), kind) == record
    assert decode(canonical(record), kind) == record


@given(any_record())
def test_all_forms_are_strict_json_of_the_same_data(record: Any) -> None:
    plain = to_plain(record)
    for form in (encode(record), encode_pretty(record), canonical(record)):
        assert json.loads(form, parse_constant=pytest.fail) == plain


@given(PLAIN)
def test_the_canonical_form_can_be_made_by_anyone_with_a_json_library(value: Any) -> None:
    theirs = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert hashlib.sha256(canonical(value)).digest() == hashlib.sha256(theirs).digest()


def test_an_absent_fact_is_an_absent_key() -> None:
    finding = scores.Finding(layer="outcome", check="c", type="t", passed=None, detail="d", found=None)
    expected = {
        "layer": "outcome",
        "check": "c",
        "type": "t",
        "passed": None,
        "gate": True,
        "detail": "d",
        "found": None,
    }
    assert to_plain(finding) == expected


def test_the_pretty_form_is_for_people() -> None:
    assert encode_pretty({"a": [1, {}], "ü": ""}) == '{\n  "a": [\n    1,\n    {}\n  ],\n  "ü": ""\n}\n'.encode()


def test_the_canonical_form_has_sorted_keys_and_no_spaces() -> None:
    assert canonical({"b": 1, "a": {"d": 1.5, "c": "é"}}) == '{"a":{"c":"é","d":1.5},"b":1}'.encode()


def test_inert_text_is_text() -> None:
    assert encode({Inert("k"): Inert("v")}) == b'{"k":"v"}'
    assert type(to_plain([Inert("v")])[0]) is str


class Opaque:
    """Has no form in JSON."""


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"a": [1, float("nan")]}, "a[1]: nan is not a JSON number"),
        (float("-inf"), "-inf is not a JSON number"),
        ({"turns": [{"reply": "\ud800"}]}, "turns[0].reply: text with a lone surrogate cannot be written as JSON"),
        ({"\udfff": 1}, "text with a lone surrogate cannot be written as JSON"),
        ({"n": 10**5000}, "n: a whole number of too many digits"),
        ({"o": Opaque()}, "o: Opaque has no form in JSON"),
        ({None: 1}, "the key None is not text"),
        (CYCLE, "[0]: the value contains itself"),
        (
            records.Turn(n=1, user="\ud800", started_at="", seconds=0.0),
            "user: text with a lone surrogate cannot be written as JSON",
        ),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_place(value: Any, why: str) -> None:
    for write in (encode, encode_pretty, canonical):
        with pytest.raises(CodecFault) as caught:
            write(value)
        assert str(caught.value) == why


def test_null_is_not_taken_for_nan() -> None:
    assert encode({"a": None, "null": "null"}) == b'{"a":null,"null":"null"}'


@pytest.mark.parametrize(
    "data", [b"", b"{", b"NaN", b'"\\ud800"', b"1e999", b"[" * 100_000, b"1 2", b"\xff", b'{"a":1}x']
)
def test_bytes_that_are_not_strict_json_are_refused(data: bytes) -> None:
    with pytest.raises(CodecFault):
        decode(data)


def test_data_of_another_shape_is_refused_with_its_place() -> None:
    with pytest.raises(CodecFault, match=r"Expected `int`, got `str` - at `\$.input_tokens`"):
        decode(b'{"input_tokens":"1","output_tokens":1}', records.Usage)


def test_foreign_json_is_read_as_it_is_sent() -> None:
    read = decode_foreign(b'\xef\xbb\xbf{"a":"\\ud800","b":1e999,"c":' + b"9" * 5000 + b"}")
    assert read == {"a": "\ud800", "b": float("inf"), "c": "9" * 5000}


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_reading_raises_nothing_but_our_fault(data: Any) -> None:
    for read in (decode, decode_foreign):
        try:
            read(data)
        except CodecFault as fault:
            assert str(fault)

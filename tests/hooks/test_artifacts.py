"""A payload becomes strict JSON, or its author reads which place in it cannot."""

from __future__ import annotations

import json
import math
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.hooks.artifacts import MOST_BYTES, ArtifactError, check_label, encode_payload

INSTEAD = "which JSON does not have; give text, numbers, true, false, null, lists and objects"

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=20,
)


@given(json_values)
def test_whatever_is_json_comes_back_the_same(value: Any) -> None:
    assert json.loads(encode_payload(value)) == value


def cycle() -> dict[str, Any]:
    value: dict[str, Any] = {"name": "a"}
    value["list"] = [1, value]
    return value


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ({"a": [1, {"b": math.nan}]}, "payload.a[1].b: is nan, which JSON does not have; use null or text"),
        ({"a": -math.inf}, "payload.a: is -inf, which JSON does not have; use null or text"),
        (cycle(), "payload.list[1]: contains itself; emit a copy without the cycle"),
        (
            {"tags": {"x"}},
            f"payload.tags: is a set, {INSTEAD}",
        ),
        (
            [b"x"],
            f"payload[0]: is a bytes, {INSTEAD}",
        ),
        (
            {"e": object()},
            f"payload.e: is an object, {INSTEAD}",
        ),
        ({"rows": {1: "x"}}, "payload.rows: has a key that is an int; keys are text"),
        ({"text": "\ud800"}, "payload.text: holds a lone surrogate; encode with errors='replace' first"),
        ({"n": 10**5000}, "payload.n: is a whole number of more than 64 bits; emit it as text"),
    ],
)  # fmt: skip
def test_what_json_cannot_hold_is_named_with_its_path(payload: object, text: str) -> None:
    with pytest.raises(ArtifactError) as caught:
        encode_payload(payload)
    assert str(caught.value) == text


def test_a_path_without_end_is_cut_in_the_message() -> None:
    payload: Any = {1}
    for _ in range(50):
        payload = {"key" * 10: payload}
    with pytest.raises(ArtifactError) as caught:
        encode_payload(payload)
    shown, _, what = str(caught.value).partition("…")
    assert len(shown) == 200
    assert what == f": is a set, {INSTEAD}"


def test_the_deepest_payload_that_is_taken_has_64_levels() -> None:
    assert encode_payload(nested(64))
    with pytest.raises(ArtifactError, match="is nested deeper than 64; flatten it"):
        encode_payload(nested(65))
    with pytest.raises(ArtifactError, match="is nested deeper than 64; flatten it"):
        encode_payload(nested(100_000))


def test_a_payload_over_one_mebibyte_is_refused() -> None:
    assert len(encode_payload("x" * (MOST_BYTES - 2))) == MOST_BYTES
    with pytest.raises(ArtifactError, match=r"^payload: an artifact is at most 1,048,576 bytes of JSON, this is more"):
        encode_payload("x" * MOST_BYTES)
    with pytest.raises(ArtifactError, match=r"this is 1,200,002 bytes; emit less"):
        encode_payload("\n" * 600_000)


def test_shared_parts_that_would_unfold_without_end_are_refused_at_once() -> None:
    value: list[Any] = ["lol"]
    for _ in range(60):
        value = [value, value]
    with pytest.raises(ArtifactError, match="emit less"):
        encode_payload(value)


def test_a_part_that_is_shared_but_not_above_itself_is_no_cycle() -> None:
    part = {"a": 1}
    assert encode_payload([part, part]) == b'[{"a":1},{"a":1}]'


def test_subclasses_of_json_types_become_the_plain_type() -> None:
    class Level(IntEnum):
        HIGH = 3

    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            raise RuntimeError

    assert encode_payload({Text("t"): Text("x"), "n": Level.HIGH, "p": (1, 2)}) == b'{"t":"x","n":3,"p":[1,2]}'


@pytest.mark.parametrize("label", [None, "a", "notes-2", "x" * 48, "_"])
def test_a_label_is_a_slug(label: str | None) -> None:
    assert check_label(label) == label


@pytest.mark.parametrize("label", ["", "pack", "x" * 49, "A", "a.b", "a/b", "..", "a\n", "é", 3, b"a"])
def test_any_other_label_is_refused(label: object) -> None:
    with pytest.raises(ArtifactError) as caught:
        check_label(label)
    assert str(caught.value) == (
        f"label {label!r:.60} is not usable: a label is 1 to 48 of a-z, 0-9, _ and -, and not 'pack'"
    )

"""Snapshots are compared by key, whatever is in them; what is told of them has bounds, and always names the keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.hooks import StateProbeFault
from windtunnel.hooks.artifacts import encode_payload
from windtunnel.hooks.state.snapshot import MOST_KEYS, differing, frozen
from windtunnel.hooks.state.violation import changes_with_room, in_words, names_with_room
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.codec import to_plain
from windtunnel.schemas.state import StateBaseline, StateViolation

LEAVES = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))
STATES = st.dictionaries(st.text(max_size=8), VALUES, max_size=6)


def violation(before: Mapping[str, Any], after: Mapping[str, Any]) -> StateViolation:
    old, new = frozen(before), frozen(after)
    keys = differing(old, new)
    named = names_with_room(keys)
    return StateViolation(
        run_id="0" * 32, pack="desk", scenario_id="s", agent="a", hook="h", scope="batch",
        baseline=StateBaseline(run_id="1" * 32, scenario_id="s", agent="a"),
        changed=named, more=len(keys) - len(named), changes=changes_with_room(keys, old, new),
    )


@given(STATES, STATES)
def test_the_keys_that_differ_are_named_and_no_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    try:
        keys = differing(frozen(before), frozen(after))
    except StateProbeFault:
        return  # a lone surrogate, say
    alike = {key for key in before.keys() & after.keys() if frozen({"": before[key]}) == frozen({"": after[key]})}
    assert keys == sorted((before.keys() | after.keys()) - alike)
    if keys:
        told = to_plain(violation(before, after))
        assert artifact_faults("state_violation", told) == []
        assert len(told["changed"]) + told["more"] == len(keys)
        assert encode_payload(told)


@given(STATES)
def test_a_snapshot_is_a_copy_in_which_order_says_nothing(state: dict[str, Any]) -> None:
    try:
        taken = frozen(state)
    except StateProbeFault:
        return
    assert differing(taken, frozen(dict(reversed(state.items())))) == []
    state.clear()
    assert taken == dict(taken)


def test_the_largest_violation_has_room_and_names_keys_first() -> None:
    before = {f"\x00key {n:05} {'é' * 300}": "x" * 500 for n in range(MOST_KEYS)}
    told = violation(before, {})
    assert len(encode_payload(to_plain(told))) < 1 << 20
    assert len(told.changed) + told.more == MOST_KEYS
    assert len(told.changed) > 500
    assert 0 < len(told.changes) <= len(told.changed) + told.more


def test_of_two_objects_only_the_members_that_differ_are_shown() -> None:
    (change,) = violation({"db": {"a": 1, "b": 2}}, {"db": {"a": 1, "b": 3, "c": 4}}).changes
    assert (change.before, change.after) == ({"b": 2}, {"b": 3, "c": 4})


def test_a_warning_names_ten_keys_and_counts_the_rest() -> None:
    assert in_words(["a"]) == "a"
    assert in_words([str(n) for n in range(12)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"


class Broken(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        raise RuntimeError("moved away")

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ([1], "the state is a list, not a mapping; return a dict of plain data by key"),
        (None, "the state is a NoneType, not a mapping; return a dict of plain data by key"),
        ({1: 2}, "the key 1 of the state is not text; name it by text"),
        ({"a": [{"b": {1, 2}}]}, "the state's key 'a' holds a set, which has no order; give a sorted list"),
        ({"a": object}, "the state's key 'a': type has no form in JSON; give plain data"),
        ({"a": {"b": float("nan")}}, "the state's key 'a': b: nan is not a JSON number; give plain data"),
        ({"\ud800": 1}, "the state's key '\\\\ud800': text with a lone surrogate cannot be written as JSON; give plain data"),
        (dict.fromkeys(map(str, range(MOST_KEYS + 1))), "the state has 20,001 keys, more than the 20,000 at most; look at less"),
        ({"a": "x" * (16 << 20)}, "the state has more than 16,777,216 bytes as JSON; look at less, or at digests"),
        (Broken(), "the state cannot be read: RuntimeError: moved away; return a plain dict"),
    ],
)
def test_what_is_no_mapping_of_plain_data_is_a_fault(state: object, told: str) -> None:
    with pytest.raises(StateProbeFault) as caught:
        frozen(state)
    assert str(caught.value) == told

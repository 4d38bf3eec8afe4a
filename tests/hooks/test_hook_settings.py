"""Knobs are read strictly: what is not sensible names the variable, the value and what it takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.hooks import HookConfigError
from windtunnel.hooks.settings import HookTimeouts, prefix_of, read_choice, read_timeouts, settings_for


@pytest.mark.parametrize(
    ("env", "hook_s", "converse_s"),
    [
        ({}, None, None),
        ({"WT_HOOK_TIMEOUT_S": "0"}, 0.0, None),
        ({"WT_HOOK_TIMEOUT_S": "600"}, 600.0, None),
        ({"WT_HOOK_TIMEOUT_S": "2.5", "WT_HOOK_CONVERSE_TIMEOUT_S": "0.5"}, 2.5, 0.5),
        ({"WT_HOOK_TIMEOUT_S": "0", "WT_HOOK_CONVERSE_TIMEOUT_S": "5"}, 0.0, 5.0),
        ({"WT_HOOK_TIMEOUT_S": "10"}, 10.0, None),  # less than converse's default: nobody set both
        ({"HOME": "/", "WT_HOOKS": "x"}, None, None),
    ],
)
def test_sensible_timeouts_are_taken(env: dict[str, str], hook_s: float | None, converse_s: float | None) -> None:
    assert read_timeouts(env, ()) == HookTimeouts(hook_s=hook_s, converse_s=converse_s)


@pytest.mark.parametrize(
    "value", ["30s", "nan", "inf", "-5", "", " 30", "30 ", "1e2", "1_0", "٣", "0x10", "600.1", "9" * 400, "+5", "5\n"]
)
def test_any_other_timeout_is_a_fault(value: str) -> None:
    with pytest.raises(HookConfigError) as caught:
        read_timeouts({"WT_HOOK_TIMEOUT_S": value}, ())
    assert str(caught.value) == (
        f"WT_HOOK_TIMEOUT_S is {value[:60]!r}; it takes a number of seconds from 0 to 600 "
        "(0 runs hooks without a deadline on the thread that fires them), without a unit, or is left unset"
    )


@pytest.mark.parametrize("value", ["0", "0.0", "30s"])
def test_a_converse_turn_cannot_do_without_a_deadline(value: str) -> None:
    with pytest.raises(HookConfigError) as caught:
        read_timeouts({"WT_HOOK_CONVERSE_TIMEOUT_S": value}, ())
    assert str(caught.value) == (
        f"WT_HOOK_CONVERSE_TIMEOUT_S is {value!r}; it takes a number of seconds above 0, at most 600, "
        "without a unit, or is left unset"
    )


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_reading_a_timeout_never_raises_anything_else(value: str) -> None:
    try:
        seconds = read_timeouts({"WT_HOOK_TIMEOUT_S": value}, ()).hook_s
    except HookConfigError:
        return
    assert seconds is not None
    assert 0 <= seconds <= 600


def test_a_converse_turn_that_is_told_to_outlast_its_hook_is_a_fault() -> None:
    with pytest.raises(HookConfigError) as caught:
        read_timeouts({"WT_HOOK_TIMEOUT_S": "20", "WT_HOOK_CONVERSE_TIMEOUT_S": "20"}, ())
    assert str(caught.value) == (
        "WT_HOOK_CONVERSE_TIMEOUT_S is 20 and WT_HOOK_TIMEOUT_S is 20: a converse turn has to end within its hook's "
        "own deadline; make WT_HOOK_CONVERSE_TIMEOUT_S the smaller one"
    )


def test_a_common_knob_that_nothing_reads_is_a_fault() -> None:
    with pytest.raises(HookConfigError) as caught:
        read_timeouts({"WT_HOOK_TIMEOUT": "20"}, ())
    assert str(caught.value) == "WT_HOOK_TIMEOUT is set, and nothing reads it; did you mean WT_HOOK_TIMEOUT_S?"


def test_a_hook_whose_own_prefix_begins_like_the_common_one_keeps_its_knobs() -> None:
    assert read_timeouts({"WT_HOOK_LOG_LEVEL": "3"}, ["WT_HOOK_LOG_"]) == HookTimeouts()


def test_the_environment_wins_over_the_pack() -> None:
    env = {"WT_RUN_NOTES_MAX_LINES": "3", "WT_OTHER_A": "x"}
    assert prefix_of("run-notes") == "WT_RUN_NOTES_"
    assert settings_for("run-notes", {"max_lines": 9, "tone": "dry"}, env, ()) == {"max_lines": "3", "tone": "dry"}


def test_a_variable_belongs_to_the_hook_with_the_longest_prefix() -> None:
    env = {"WT_NOTES_A": "1", "WT_NOTES_MAX_B": "2"}
    prefixes = ["WT_NOTES_", "WT_NOTES_MAX_"]
    assert settings_for("notes", {}, env, prefixes) == {"a": "1"}
    assert settings_for("notes_max", {}, env, prefixes) == {"b": "2"}


def test_a_choice_names_what_it_takes() -> None:
    assert read_choice("all", "WT_DEBRIEF_ON", ("failed", "all")) == "all"
    with pytest.raises(HookConfigError) as caught:
        read_choice("ALL", "WT_DEBRIEF_ON", ("failed", "all"))
    assert str(caught.value) == "WT_DEBRIEF_ON is 'ALL'; it takes one of: failed, all"

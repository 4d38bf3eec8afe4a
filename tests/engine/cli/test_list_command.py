"""``wt list`` names everything that can be named, one a line: the name first, then what it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.wt import Ended, small_pack
from windtunnel.engine.cli.list import LISTS
from windtunnel.hooks.all_hooks import BUILT_IN, SUMMARIES

from .conftest import Told

FIRST_OF = {
    "packs": "clarify_vs_guess built in; 5 scenarios; Agents guess where two readings are open,",
    "agents": "good shop: scripted, default",
    "scenarios": "ask shop: 2 runs",
    "hooks": "asks declared in shop.yaml",
    "guards": "",
    "runtimes": "openai Drives a model over HTTP;",
    "checks": "contains the text has the value in it, letter for letter",
    "stages": "provision makes the agent ready; gives handle",
    "points": "on_provisioned once a batch, when the agent is reachable and the world is checked, before any run; "
              "a hook sees scenario, agent",
    "events": "on_provisioned sends ctx, run_id; fails open; 300 s",
    "skeletons": "bring_up built in; packs/skeletons/bring_up.yaml",
    "debriefs": "environment_first built in",
    "schemas": "pack Agents, a small world with tools, scenarios and what must hold.",
}


def test_every_list_is_tried_here() -> None:
    assert sorted(FIRST_OF) == sorted(LISTS)


@pytest.mark.parametrize("what", FIRST_OF)
def test_a_list_has_a_line_a_name(told: Told, tmp_path: Path, what: str) -> None:
    small_pack(tmp_path)
    ended = told("list", what, "shop.yaml")
    assert (ended.code, ended.err) == (0, "")
    assert " ".join(ended.out.split()).startswith(FIRST_OF[what])
    names = [line.split("  ")[0] for line in ended.out.splitlines()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("what", LISTS)
def test_a_list_without_a_pack_stands_or_says_that_it_needs_one(told: Told, what: str) -> None:
    ended = told("list", what)
    if what in ("agents", "scenarios", "guards"):
        assert ended == Ended(code=2, out="", err=(
            f"`wt list {what}` needs a pack: name one, or go to a folder with a pack.yaml; e.g. `wt list {what} first_flight`\n"))
    else:
        assert (ended.code, ended.err) == (0, "")
        assert ended.out


def test_the_pack_of_this_folder_is_meant_where_none_is_named(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path).rename(tmp_path / "pack.yaml")
    assert told("list", "scenarios").out == "ask  shop: 2 runs\nbuy  shop: 2 runs\n"


def test_a_list_tells_the_first_sentence_and_the_long_one_all(told: Told) -> None:
    def of_first_flight(*words: str) -> list[str]:
        return [" ".join(line.split()) for line in told("list", "packs", *words).out.splitlines() if "first_flight" in line]

    assert of_first_flight() == ["first_flight built in; 2 scenarios; Travellers ask for their bags."]
    assert of_first_flight("--long") == [
        "first_flight built in; 2 scenarios; Travellers ask for their bags. The agent must look before it answers, "
        "and send a bag only where it belongs."
    ]


def test_a_built_in_hook_says_what_it_does(told: Told) -> None:
    assert told("list", "hooks").out == (
        "debrief      built in; asks an agent that failed why, and keeps its answers beside the trace\n"
        "otel         built in; tells OpenTelemetry of each run as a tree of spans; needs the extra `otel`\n"
        "state_probe  built in; tells what a reset has left of the run before, by the pack's `state_probe:`\n"
        "timeline     built in; keeps every event of a run with its times and sizes; `wt show` draws them\n"
        "usage        built in; sums up the calls, tokens and time of a sweep, agent by agent\n"
    )
    assert sorted(SUMMARIES) == sorted(BUILT_IN)


def test_the_packs_fit_a_line_each(told: Told) -> None:
    assert [line for line in told("list", "packs").out.splitlines() if len(line) > 200] == []


def test_an_unknown_list_is_told_with_the_nearest_one(told: Told) -> None:
    assert told("list", "chekcs") == Ended(code=2, out="", err="there is no list of 'chekcs'; did you mean 'checks'?\n")
    assert told("list").err.startswith("name what to list; lists: agents, checks, ")


def test_an_unknown_pack_is_a_fault(told: Told) -> None:
    ended = told("list", "agents", "first_fligth")
    assert (ended.code, ended.out) == (2, "")
    assert "first_flight" in ended.err

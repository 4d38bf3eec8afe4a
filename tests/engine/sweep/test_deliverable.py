"""An agent that cannot be given a scenario's weather is left out with the reason, and never run to be INVALID."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kit.wt import Ended, sweep_record, wt

RUNTIME = """\
from windtunnel.engine.runtimes.base import Reply


class Deaf:
    name = "deaf"
    independent_sessions = True
    late = frozenset()
    {delivers}
    model = ""

    def check(self, agent, pack, problems): ...
    async def provision(self, agent, pack): return self
    async def reset_state(self): ...
    async def send(self, session, text, *, purpose="turn"): return Reply(text="hello")
    async def teardown(self): ...
    def describe_surface(self, session): return {{}}
"""
PACK = """\
kind: pack
schema_version: 1
name: desk
agents:
  plain: {runtime: scripted, script: [{do: [{call: {tool: look}}, {say: hello}]}]}
  deaf: {runtime: deaf}
tools: {look: {description: Look., effect: read, input: {}, results: [{text: there}]}}
scenarios:
  calm:
    turns: [hi]
    expect: {outcome: [{type: contains, value: hello}]}
  fault:
    turns: [hi]
    perturb: [{type: tool-fault, tool: look, fault: slow, wait_s: 0.001}]
    expect: {outcome: [{type: contains, value: hello}]}
  past:
    turns: [hi]
    perturb: [{type: blank-assistant-turn}]
    expect: {outcome: [{type: contains, value: hello}]}
"""
CELL = "runtime 'deaf' cannot deliver %s: the bench does not choose how its agents sample"
FAULT = "runtime 'deaf' cannot deliver tool-fault slow on look: its calls do not pass the bench's tools"
HISTORY = "runtime 'deaf' cannot deliver blank-assistant-turn: it does not take a conversation that has already begun"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return installed(tmp_path, monkeypatch, "")


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, delivers: str) -> Path:
    """A folder with the pack, and a runtime that is installed as an entry point."""
    site = folder / "site"
    info = site / "deaf-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "deaf_runtime.py").write_text(RUNTIME.format(delivers=delivers))
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: deaf\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[windtunnel.runtimes]\ndeaf = deaf_runtime:Deaf\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])]))
    (folder / "desk.yaml").write_text(PACK)
    return folder


def run(folder: Path, *words: str) -> Ended:
    return wt("run", "desk.yaml", "--runs-dir", "runs", *words, folder=folder)


def test_the_pair_is_left_out_with_its_reason_in_plan_and_record(desk: Path) -> None:
    planned = wt("plan", "desk.yaml", "--agent", "*", folder=desk).out.splitlines()
    assert [line for line in planned if line.startswith(("batch", "excluded"))] == [
        "batch  desk  calm  plain  runs: 1",
        "batch  desk  calm  deaf  runs: 1",
        "batch  desk  fault  plain  runs: 1",
        "batch  desk  past  plain  runs: 1",
        f"excluded  desk  fault  deaf  {FAULT}",
        f"excluded  desk  past  deaf  {HISTORY}",
    ]
    assert run(desk, "--agent", "*").code == 0
    assert sweep_record(desk / "runs")["excluded"] == [
        {"pack": "desk", "scenario": "fault", "agent": "deaf", "reason": FAULT},
        {"pack": "desk", "scenario": "past", "agent": "deaf", "reason": HISTORY},
    ]


def in_cells(folder: Path) -> Path:
    """The pack with a matrix in its calm scenario, and no weather."""
    calm = PACK.partition("  fault:\n")[0]
    (folder / "desk.yaml").write_text(calm.replace("  calm:\n", "  calm:\n    matrix: {temperature: [0, 0.7]}\n"))
    return folder


def test_so_it_is_where_an_agent_cannot_be_given_the_cell_of_a_matrix(desk: Path) -> None:
    planned = wt("plan", "desk.yaml", "--agent", "*", folder=in_cells(desk)).out.splitlines()
    assert [line for line in planned if line.startswith(("batch", "excluded"))] == [
        "batch  desk  calm-temperature-0  plain  runs: 1  sampling: temperature=0",
        "batch  desk  calm-temperature-0_7  plain  runs: 1  sampling: temperature=0.7",
        f"excluded  desk  calm-temperature-0  deaf  {CELL % 'temperature=0'}",
        f"excluded  desk  calm-temperature-0_7  deaf  {CELL % 'temperature=0.7'}",
    ]
    ended = run(desk, "--agent", "*")
    assert (ended.code, ended.out.splitlines()[2:5]) == (
        0, ["matrix desk/calm", "  temperature  plain", "  0            1/1"],
    )  # fmt: skip
    alone = run(desk, "--agent", "deaf")
    assert (alone.code, alone.err) == (
        2,
        f"desk/calm: no selected agent can be sampled so; deaf: {CELL % 'temperature=0'}; pick another one with --agent, "
        "or leave the scenario out with --scenario\n",
    )


def test_a_runtime_that_says_it_samples_as_told_and_does_not_show_it_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = in_cells(installed(tmp_path, monkeypatch, 'delivers = frozenset({"sampling"})'))
    ended = run(folder, "--agent", "deaf", "--scenario", "calm-temperature-0")
    assert (ended.code, ended.out.splitlines()[0]) == (
        3,
        "INVALID calm-temperature-0  deaf  0/1  integrity: sampling: the runtime does not show temperature=0",
    )
    assert ended.out.splitlines()[1:4] == ["matrix desk/calm", "  temperature  deaf", "  0            0/1 INVALID"]


def test_where_no_selected_agent_can_it_is_a_fault(desk: Path) -> None:
    ended = run(desk, "--agent", "deaf")
    assert (ended.code, ended.err) == (
        2,
        f"desk/fault: no selected agent can be perturbed so; deaf: {FAULT}; pick another one with --agent, or leave "
        "the scenario out with --scenario\n",
    )
    assert not (desk / "runs").exists()
    assert run(desk, "--agent", "deaf", "--scenario", "calm").code == 0


def test_a_runtime_that_says_what_it_delivers_and_does_not_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = installed(tmp_path, monkeypatch, 'delivers = frozenset({"tool-fault", "history"})')
    ended = run(folder, "--agent", "deaf")
    assert ended.code == 3
    assert ended.out.splitlines()[:3] == [
        "PASS calm  deaf  1/1",
        "INVALID fault  deaf  0/1  integrity: tool-fault slow on look: no call of 'look' came to it",
        "INVALID past  deaf  0/1  integrity: blank-assistant-turn: the runtime did not place it before the first turn",
    ]

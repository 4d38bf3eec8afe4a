"""A matrix through the whole command: a batch a cell, told apart in every output, and shown as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Endpoint, Request, message
from kit.wt import environment, evidence, scores, sweep_record, traces, wt
from windtunnel.schemas.catalog import artifact_faults

PACK = """\
kind: pack
schema_version: 1
name: kiosk
default_agent: steady
seed: 3
tools:
  price: {description: A price., effect: read, input: {}, results: [{text: "3"}]}
agents:
  steady: {runtime: scripted, script: [{do: [{call: {tool: price}}, {say: "It is 3."}]}]}
  hot_headed:
    runtime: scripted
    script:
      - {when: "sampling.temperature | default(0) > 0.5 and run_number > 1", do: [{say: It is 4.}]}
      - {do: [{call: {tool: price}}, {say: "It is 3 at {{ sampling.temperature | default('no') }}."}]}
  live:
    runtime: openai
    base_url: "{{ env.KIOSK_URL | default('http://127.0.0.1:9/v1') }}"
    model: small
    sampling: {temperature: 1, max_tokens: 50}
    retries: 0
  owl:
    runtime: openai
    role: helper
    base_url: "{{ env.KIOSK_URL | default('http://127.0.0.1:9/v1') }}"
    model: owl
    sampling: {temperature: 0.1}
    retries: 0
  guest: {runtime: scripted, role: helper, script: [{do: [{say: "What is it? {{ sampling }}"}]}]}
scenarios:
  plain:
    turns: [What is it?]
    expect: {outcome: [{type: mentions, value: "3"}]}
  ask:
    runs: 2
    matrix: {temperature: [0, 0.7, 1.0]}
    turns: [What is it?]
    expect: {outcome: [{type: mentions, value: "3"}]}
  both:
    agents: [steady]
    matrix: {temperature: [0], effort: [low, high]}
    turns: [What is it?]
    expect: {outcome: [{type: mentions, value: "3"}]}
  judged:
    matrix: {temperature: [0.5]}
    turns: [{simulated: {agent: guest, goal: the price, max_turns: 1}}]
    expect: {outcome: [{type: llm-rubric, judge: owl, value: It tells the price.}]}
  windy:
    runs: 20
    matrix: {temperature: [0, 1]}
    turns: [What is it?]
    perturb: [{type: tool-fault, tool: price, fault: slow, wait_s: 0.001, probability: 0.5, requires: applied}]
    expect: {outcome: [{type: mentions, value: "3"}]}
"""


@pytest.fixture
def kiosk(tmp_path: Path) -> Path:
    (tmp_path / "kiosk.yaml").write_text(PACK)
    return tmp_path


def valid(kind: str, documents: Iterable[dict[str, Any]]) -> list[str]:
    return [fault for document in documents for fault in artifact_faults(kind, document)]


def ledger(runs: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (runs / "ledger.ndjson").read_text().splitlines()]


def test_the_end_of_a_run_shows_each_matrix_as_a_table(kiosk: Path) -> None:
    ended = wt("run", "kiosk.yaml", "--scenario", "ask", "--scenario", "both", "--scenario", "plain",
               "--agent", "steady", "--agent", "hot_headed", folder=kiosk)  # fmt: skip
    assert ended.out.splitlines() == [
        "PASS plain  steady  1/1",
        "PASS plain  hot_headed  1/1",
        "PASS ask-temperature-0  steady  2/2",
        "PASS ask-temperature-0  hot_headed  2/2",
        "PASS ask-temperature-0_7  steady  2/2",
        'FAIL ask-temperature-0_7  hot_headed  1/2  outcome: mentions "3": not in the reply',
        "PASS ask-temperature-1  steady  2/2",
        'FAIL ask-temperature-1  hot_headed  1/2  outcome: mentions "3": not in the reply',
        "PASS both-temperature-0-effort-low  steady  1/1",
        "PASS both-temperature-0-effort-high  steady  1/1",
        "matrix kiosk/ask",
        "  temperature  steady  hot_headed",
        "  0            2/2     2/2",
        "  0.7          2/2     1/2",
        "  1            2/2     1/2",
        "matrix kiosk/both",
        "  temperature  effort  steady",
        "  0            low     1/1",
        "  0            high    1/1",
        "10 batches: 8 PASS, 2 FAIL; runs: 14 PASS, 2 FAIL; evidence in runs",
    ]
    assert ended.code == 1


def test_every_record_tells_the_cell_and_the_scenario_it_belongs_to(kiosk: Path) -> None:
    wt("run", "kiosk.yaml", "--scenario", "ask", "--scenario", "plain", "--json", "x.json", folder=kiosk)
    runs = kiosk / "runs"
    cells = {row["scenario_id"]: (row.get("matrix_of"), row.get("sampling")) for row in ledger(runs)}
    assert cells == {
        "plain": (None, None),
        "ask-temperature-0": ("ask", {"temperature": 0}),
        "ask-temperature-0_7": ("ask", {"temperature": 0.7}),
        "ask-temperature-1": ("ask", {"temperature": 1.0}),
    }
    assert {each["scenario_id"]: (each.get("matrix_of"), each.get("sampling")) for each in traces(runs)} == cells
    shown = {each["scenario_id"]: json.dumps(each["surface"]) for each in traces(runs)}
    assert len(set(shown.values())) == 4
    results = json.loads((kiosk / "x.json").read_text())
    rows = [{"scenario_id": name, "sampling": cell, "agent": "steady", "verdict": "PASS", "passed": 2, "runs": 2}
            for name, (bare, cell) in cells.items() if bare]  # fmt: skip
    assert results["matrices"] == [{"pack": "kiosk", "scenario_id": "ask", "cells": rows}]
    assert sweep_record(runs)["matrices"] == results["matrices"]
    assert valid("results", [results]) + valid("sweep", [sweep_record(runs)]) == []
    assert valid("trace", traces(runs)) + valid("ledger_row", ledger(runs)) == []


def test_without_a_matrix_nothing_speaks_of_one(kiosk: Path) -> None:
    ended = wt("run", "kiosk.yaml", "--scenario", "plain", "--json", "x.json", folder=kiosk)
    assert "matrix" not in ended.out
    assert "matri" not in (kiosk / "x.json").read_text()
    assert not [name for name, data in evidence(kiosk / "runs").items() if b"matri" in data or b"sampling" in data]
    assert "matrices" not in sweep_record(kiosk / "runs")


@pytest.mark.parametrize(
    ("glob", "batches"),
    [("ask", 3), ("ask-*", 3), ("ask-temperature-0*", 2), ("ask-temperature-1", 1), ("a[s]k", 3), ("*-effort-low", 1)],
)
def test_a_glob_picks_by_the_id_of_the_cell_or_of_its_scenario(kiosk: Path, glob: str, batches: int) -> None:
    ended = wt("plan", "kiosk.yaml", "--scenario", glob, folder=kiosk)
    assert (ended.code, ended.out.count("\nbatch  ")) == (0, batches)


def test_a_name_that_no_cell_has_is_a_fault_with_the_nearest_one(kiosk: Path) -> None:
    ended = wt("run", "kiosk.yaml", "--scenario", "ask-temprature-0_7", folder=kiosk)
    assert (ended.code, ended.err) == (
        2, "--scenario ask-temprature-0_7: matches nothing; did you mean 'ask-temperature-0_7'?\n"
    )  # fmt: skip


def test_the_plan_lists_each_cell(kiosk: Path) -> None:
    planned = wt("plan", "kiosk.yaml", "--scenario", "ask", "--scenario", "both", "--scenario", "plain", folder=kiosk).out
    assert [line for line in planned.splitlines() if line.startswith("batch  ")] == [
        "batch  kiosk  plain  steady  runs: 1",
        "batch  kiosk  ask-temperature-0  steady  runs: 2  sampling: temperature=0",
        "batch  kiosk  ask-temperature-0_7  steady  runs: 2  sampling: temperature=0.7",
        "batch  kiosk  ask-temperature-1  steady  runs: 2  sampling: temperature=1",
        "batch  kiosk  both-temperature-0-effort-low  steady  runs: 1  sampling: temperature=0, effort=low",
        "batch  kiosk  both-temperature-0-effort-high  steady  runs: 1  sampling: temperature=0, effort=high",
    ]


def test_a_trace_is_shown_with_its_cell(kiosk: Path) -> None:
    wt("run", "kiosk.yaml", "--scenario", "both", folder=kiosk)
    (trace,) = (kiosk / "runs/kiosk/both-temperature-0-effort-low/steady").glob("*Z_????????.json")
    shown = wt("show", trace, folder=kiosk).out.splitlines()[0]
    assert shown == "PASS  kiosk / both-temperature-0-effort-low  steady  run 1  sampling temperature=0, effort=low"


def test_the_endpoint_is_asked_with_the_cell_over_the_agents_own_sampling(kiosk: Path) -> None:
    with Endpoint([message("It is 3.")]) as endpoint:
        ended = wt("run", "kiosk.yaml", "--scenario", "ask", "--scenario", "plain", "--scenario", "both", "--agent", "live",
                   "--jobs", "1", folder=kiosk, env=environment(KIOSK_URL=endpoint.base_url))  # fmt: skip
    assert ended.code == 0, ended
    asked = [(request.body["temperature"], request.body["max_tokens"]) for request in endpoint.requests]
    assert asked == [(1, 50), (0, 50), (0, 50), (0.7, 50), (0.7, 50), (1.0, 50), (1.0, 50)]
    shown = {each["scenario_id"]: json.dumps(each["surface"]) for each in traces(kiosk / "runs")}
    assert len({shown["ask-temperature-0"], shown["ask-temperature-0_7"], shown["plain"]}) == 3


def test_judges_and_simulated_users_keep_their_own_sampling(kiosk: Path) -> None:
    def answer(request: Request) -> Any:
        return message("PASS\nIt does.") if request.body["model"] == "owl" else message("It is 3.")

    with Endpoint(answer) as endpoint:
        ended = wt("run", "kiosk.yaml", "--scenario", "judged", "--agent", "live", folder=kiosk,
                   env=environment(KIOSK_URL=endpoint.base_url))  # fmt: skip
    assert ended.code == 0, ended
    assert [(each.body["model"], each.body["temperature"]) for each in endpoint.requests] == [("small", 0.5), ("owl", 0.1)]
    (trace,) = traces(kiosk / "runs")
    assert trace["turns"][0]["user"] == "What is it? {}"


def test_integrity_tells_the_cell_by_what_the_agent_was_seen_to_be_given(kiosk: Path) -> None:
    wt("run", "kiosk.yaml", "--scenario", "both-*-low", folder=kiosk)
    (score,), (trace,) = scores(kiosk / "runs"), traces(kiosk / "runs")
    assert score["layers"]["integrity"] == {"passed": True, "gate": True, "detail": "sampling: temperature=0, effort=low"}
    assert trace["perturbations"] == [
        {"type": "sampling", "applied": True, "met": True, "calls": [], "detail": "temperature=0, effort=low"}
    ]


def test_all_cells_meet_the_same_weather(kiosk: Path) -> None:
    wt("run", "kiosk.yaml", "--scenario", "windy", folder=kiosk)
    struck: dict[str, list[int]] = {}
    for trace in traces(kiosk / "runs"):
        if trace["perturbations"][0]["calls"]:
            struck.setdefault(trace["scenario_id"], []).append(trace["run_number"])
    cold, warm = (sorted(struck[f"windy-temperature-{heat}"]) for heat in (0, 1))
    assert cold == warm
    assert 0 < len(cold) < 20
    assert {row["robustness"] for row in ledger(kiosk / "runs")} == {1.0}


def test_a_seed_gives_the_same_bytes_whatever_the_number_of_jobs(kiosk: Path) -> None:
    def run(name: str, jobs: int) -> dict[str, bytes]:
        words = ("--scenario", "ask", "--agent", "steady", "--agent", "hot_headed", "--deterministic", "7")
        wt("run", "kiosk.yaml", *words, "--jobs", jobs, "--runs-dir", name, folder=kiosk)
        return evidence(kiosk / name)

    first = run("a", 1)
    assert first == run("b", 16)
    assert len(first) == 3 * 2 * 2 * 2 + 1  # cells, agents, runs, trace and score; the ledger
    assert len({json.loads(data)["run_id"] for name, data in first.items() if name.endswith(".score.json")}) == 12


def test_skipped_cells_are_told_as_such(kiosk: Path) -> None:
    (kiosk / "kiosk.yaml").write_text(PACK.replace("    runs: 2\n", "    skip: closed\n"))
    ended = wt("run", "kiosk.yaml", "--scenario", "ask", "--scenario", "plain", folder=kiosk)
    assert (ended.code, ended.out.splitlines()[4:-1]) == (
        0, ["matrix kiosk/ask", "  temperature  steady", "  0            skipped", "  0.7          skipped", "  1            skipped"],
    )  # fmt: skip


def test_an_agent_that_one_scenario_leaves_out_has_no_column_in_its_table(kiosk: Path) -> None:
    ended = wt("run", "kiosk.yaml", "--scenario", "both", "--agent", "steady", "--agent", "hot_headed", folder=kiosk)
    assert "  temperature  effort  steady" in ended.out.splitlines()

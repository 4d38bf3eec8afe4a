"""``wt show`` tells one run as people read it, and says of any other file what it is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from windtunnel.engine.artifacts.walker import load_runs
from windtunnel.schemas.catalog import artifact_faults

from .conftest import Told


@pytest.fixture
def run(flown: Path, tmp_path: Path) -> Path:
    """A trace of the agent that fails, in a runs directory of its own."""
    shutil.copytree(flown / "runs", tmp_path / "runs")
    return max((tmp_path / "runs/shop/buy/bad").glob("*.asks.json")).with_suffix("").with_suffix(".json")


def test_a_run_is_its_conversation_its_verdict_and_its_warnings(told: Told, run: Path) -> None:
    ended = told("show", run)
    assert (ended.code, ended.err) == (0, "")
    head, ids, *rest = ended.out.splitlines()
    assert head == f"FAIL  shop / buy  bad  run {json.loads(run.read_text())['run_number']}"
    assert ids.startswith("run_id ")
    assert ids.endswith("  2 turns, 0 calls")
    assert rest == [
        "",
        "user     Order a lamp.",
        "agent    No idea.  (0.000 s)",
        "user     Thank you.",
        "agent    No idea.  (0.000 s)",
        "",
        "FAIL outcome    world SELECT count(*) FROM orders: the query gave 0, not 1",
        "-    trajectory not declared",
        "-    constraint not declared",
        "ok   integrity  no perturbation declared",
        "warning  hook:asks: it says 1. I saw no error. 2. Nothing. 3. I would look.",
        f"sidecar  {run.stem}.asks.json",
    ]


def test_a_finding_is_told_again_only_where_its_layer_has_more_to_say(told: Told, run: Path) -> None:
    score = json.loads(run.with_suffix(".score.json").read_text())
    score["layers"]["outcome"]["detail"] += " (and 1 more)"
    run.with_suffix(".score.json").write_text(json.dumps(score))
    assert "       FAIL outcome: world SELECT count(*) FROM orders: the query gave 0, not 1\n" in told("show", run).out


def test_calls_stand_in_their_turn(told: Told, flown: Path) -> None:
    lines = told("show", flown / "runs/shop/ask/good").out.splitlines()
    assert lines[3:6] == [
        "user     How many lamps are left?",
        '  call 1  stock_get({"item":"lamp"}) -> ok [{"pieces":3}]  0.000 s',
        "agent    3 lamps.  (0.010 s)",
    ]


def test_a_folder_means_its_newest_run(told: Told, run: Path) -> None:
    newest = max(load_runs(run.parent), key=lambda each: each.stem)
    assert told("show", run.parent) == told("show", newest.path)


@pytest.mark.parametrize("suffix", [".score.json", ".asks.json"])
def test_a_sidecar_means_its_run(told: Told, run: Path, suffix: str) -> None:
    assert told("show", run.with_suffix(suffix)) == told("show", run)


def test_json_is_trace_score_and_the_names_of_the_sidecars(told: Told, run: Path) -> None:
    shown = json.loads(told("show", run, "--json").out)
    assert sorted(shown) == ["score", "sidecars", "trace"]
    assert shown["trace"] == json.loads(run.read_text())
    assert shown["score"] == json.loads(run.with_suffix(".score.json").read_text())
    assert shown["sidecars"] == [f"{run.stem}.asks.json"]
    assert artifact_faults("trace", shown["trace"]) == artifact_faults("score", shown["score"]) == []


def test_a_run_without_a_score_is_shown_as_not_run(told: Told, run: Path) -> None:
    run.with_suffix(".score.json").unlink()
    lines = told("show", run).out.splitlines()
    assert lines[0].startswith("NOT_RUN  shop / buy  bad  run ")
    assert "not scored: the run was cut off before its score" in lines


def test_what_an_agent_said_is_shown_and_never_obeyed(told: Told, run: Path) -> None:
    trace = json.loads(run.read_text())
    trace["turns"][0]["reply"] = "\x1b[2J\u202egreen\r\nPASS everything"
    trace["worker_warnings"] = ["hook:x: a\n::error::b"]
    run.write_text(json.dumps(trace))
    out = told("show", run).out
    assert "agent    \\x1b[2J\\u202egreen PASS everything  (0.000 s)\n" in out
    assert "warning  hook:x: a ::error::b\n" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(("content", "why"), [
    (b'{"schema_version": 1, "run_id": "to', "name a trace that `wt run` wrote"),
    (b'{"hello": 1}', "name a trace that `wt run` wrote"),
    (b"\xff\xfe", "name a trace that `wt run` wrote"),
    (b"[" * 100_000, "name a trace that `wt run` wrote"),
])
def test_a_torn_or_foreign_file_is_told_as_what_it_is_not(told: Told, run: Path, content: bytes, why: str) -> None:
    run.write_bytes(content)
    ended = told("show", run)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"{run}: ")
    assert why in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_newer_trace_is_told_with_its_version(told: Told, run: Path) -> None:
    trace = json.loads(run.read_text()) | {"schema_version": 9}
    run.write_text(json.dumps(trace))
    assert "schema_version 9; this version reads 1" in told("show", run).err


def test_a_file_that_is_no_part_of_a_run_is_told_as_that(told: Told, tmp_path: Path) -> None:
    (tmp_path / "ledger.ndjson").write_text("")
    assert told("show", "ledger.ndjson").err == (
        "ledger.ndjson: is neither a trace nor a sidecar of one; name a trace below the runs directory\n"
    )


def test_a_place_without_a_run_is_a_fault(told: Told, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert told("show", "empty").err == "empty: there is no run in it; name a folder below the runs directory\n"
    assert told("show", "gone/x.json").err == "gone/x.json: No such file or directory; name a trace below the runs directory\n"
    (tmp_path / "empty/20260302T090000000000Z_1a2b3c4d.json").write_text("{")
    assert told("show", "empty").err == (
        "empty: there is no run in it (0 of 1 runs could be read); name a folder below the runs directory\n")
    assert told("show", "empty").code == 2

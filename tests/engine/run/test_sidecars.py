"""Every JSON file that a sweep writes is strict, whole, and what its schema says; its name says what it is."""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from kit.wt import Ended, environment, small_pack, sweep_record, traces, wt
from windtunnel.engine import load_runs
from windtunnel.schemas.catalog import artifact_faults

KINDS = ((r"_[0-9a-f]{8}\.json", "trace"), (r"\.score\.json", "score"), (r"\.sweep\.json", "sweep"), (r"\.debrief\.json", "debrief_artifact"))


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "notes.py").write_text(
        "class Notes:\n    name = 'notes'\n"
        "    def on_run_scored(self, ctx):\n        ctx.emit_artifact({'a': 1}); ctx.emit_artifact([2]); ctx.emit_artifact('x', label='more')\n"
        "        ctx.converse('And?'); ctx.warn('seen')\n"
        "    def on_provisioned(self, ctx): ctx.emit_artifact({'agent': ctx.agent.id})\n"
        "    def on_pack_end(self, ctx): ctx.emit_artifact({'n': len(ctx.aggregate)}, label='all')\n"
    )
    ended = wt("run", small_pack(folder), "--agent", "*", "--hook", "debrief", "--hook", "notes.py:Notes", "--runs", "1",
               "--json", "results.json", folder=folder)
    assert ended.code == 1, ended
    return folder, ended


def strict(path: Path) -> Any:
    def refuse(word: str) -> float:
        raise ValueError(word)

    return json.loads(path.read_bytes().decode("utf-8"), parse_constant=refuse)


def test_every_file_is_strict_json_that_its_schema_allows(sweep: tuple[Path, Ended]) -> None:
    runs = sweep[0] / "runs"
    checked = set()
    for path in runs.rglob("*.json"):
        data = strict(path)
        for pattern, kind in KINDS:
            if re.search(pattern + r"\Z", path.name):
                assert artifact_faults(kind, data) == [], path
                checked.add(kind)
    for line in (runs / "ledger.ndjson").read_text().splitlines():
        assert artifact_faults("ledger_row", json.loads(line)) == []
    assert artifact_faults("results", strict(sweep[0] / "results.json")) == []
    assert checked == {kind for _, kind in KINDS}


def test_nothing_else_is_left_in_the_runs_directory(sweep: tuple[Path, Ended]) -> None:
    for path in (sweep[0] / "runs").rglob("*"):
        assert path.is_dir() or path.suffix == ".json" or path.name == "ledger.ndjson", path


def test_the_digest_is_what_the_standard_library_makes_of_the_trace(sweep: tuple[Path, Ended]) -> None:
    for trace in traces(sweep[0] / "runs"):
        digest = trace.pop("digest")
        del trace["worker_warnings"]
        text = json.dumps(trace, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_artifacts_have_their_names_and_none_replaces_another(sweep: tuple[Path, Ended]) -> None:
    record = sweep_record(sweep[0] / "runs")
    names = {row["file"].rpartition("/")[2].partition(".")[2] for row in record["artifacts"]}
    assert names == {
        "debrief.json", "notes.json", "notes-2.json", "notes.more.json",
        "notes.ask.pack.json", "notes.ask-2.pack.json", "notes.buy.pack.json", "notes.buy-2.pack.json", "notes.all.pack.json",
    }
    for row in record["artifacts"]:
        assert (sweep[0] / "runs" / row["file"]).is_file()


def test_a_hook_that_conversed_is_stamped_and_what_is_no_object_is_wrapped(sweep: tuple[Path, Ended]) -> None:
    for path in (sweep[0] / "runs").rglob("*.notes-2.json"):
        assert strict(path) == {"payload": [2], "tools_disabled": False, "timed_out": False, "error": None}
    for path in (sweep[0] / "runs").rglob("*.notes.more.json"):
        assert strict(path)["payload"] == "x"


def test_warnings_are_in_the_trace_and_the_walker_sees_whole_runs(sweep: tuple[Path, Ended]) -> None:
    runs = load_runs(sweep[0] / "runs")
    found = list(runs)
    assert (len(found), runs.skipped, runs.told()) == (4, [], "")
    for run in found:
        assert "hook:notes: seen" in run.trace.worker_warnings
        assert run.score is not None
        assert math.isfinite(run.trace.seconds)
        assert {path.name.partition(".")[2] for path in run.sidecars} >= {"notes.json", "notes-2.json", "notes.more.json"}


def test_a_secret_is_in_no_file_and_no_output(tmp_path: Path) -> None:
    secret = "s3cr3t-value-of-the-shop"
    text = small_pack(tmp_path).read_text().replace("agents:\n", (
        'agents:\n  leaky:\n    runtime: openai\n    base_url: "http://127.0.0.1:9/{{ secret(env.SHOP_KEY) }}"\n    model: m\n    retries: 0\n'
    ))
    ended = wt("run", small_pack(tmp_path, text), "--agent", "leaky", "--hook", "debrief", "--json", "r.json", "--junit", "r.xml",
               folder=tmp_path, env=environment(SHOP_KEY=secret))
    assert ended.code == 3
    assert secret not in ended.out + ended.err
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path

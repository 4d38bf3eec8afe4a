"""A hook may close, fork, fill and throw what it likes: the sweep ends in time, and nothing it did is in the evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.wt import SMALL_PACK, small_pack, sweep_record, traces, wt
from windtunnel.schemas.catalog import artifact_faults

POINTS = ("on_provisioned", "on_run_start", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end")
HEAD = "import os, subprocess, threading, time\nclass H:\n    name = '{name}'\n"


def hook(folder: Path, body: str, *points: str, name: str = "h") -> str:
    methods = "".join(f"    def {point}(self, ctx):\n        {body}\n" for point in points or ("on_run_scored",))
    (folder / "h.py").write_text(HEAD.format(name=name) + methods)
    return "h.py:H"


@pytest.mark.parametrize("point", POINTS)
def test_a_hook_that_closes_every_descriptor_ends_the_sweep_without_a_traceback(tmp_path: Path, point: str) -> None:
    ended = wt("run", small_pack(tmp_path), "--hook", hook(tmp_path, "os.closerange(3, 256)", point), folder=tmp_path, timeout=60)
    assert ended.code == 3
    assert "Traceback" not in ended.err
    assert "bug" not in ended.err
    for path in (tmp_path / "runs").rglob("*.json"):
        json.loads(path.read_bytes())


@pytest.mark.parametrize("body", ["os.fork() or time.sleep(600)", "subprocess.Popen(['sleep', '600'])"])
def test_what_a_hook_leaves_behind_does_not_hold_the_output_open(tmp_path: Path, body: str) -> None:
    """The output is a pipe here: ``wt`` returns only when nobody holds its other end any more."""
    ended = wt("run", small_pack(tmp_path), "--hook", hook(tmp_path, body, "on_pack_end"), folder=tmp_path, timeout=30)
    assert ended.code == 0


def test_a_thousand_artifacts_of_one_name_are_all_there(tmp_path: Path) -> None:
    body = "[ctx.emit_artifact({'n': n}) for n in range(1000)]"
    ended = wt("run", small_pack(tmp_path), "--scenario", "ask", "--runs", "1", "--hook", hook(tmp_path, body), folder=tmp_path, timeout=60)
    assert ended.code == 0
    files = list((tmp_path / "runs").rglob("*.h*.json"))
    assert sorted(json.loads(path.read_bytes())["n"] for path in files) == list(range(1000))
    assert len(sweep_record(tmp_path / "runs")["artifacts"]) == 1000


def test_the_longest_names_of_all_make_files(tmp_path: Path) -> None:
    """Pack, agent and hook 64, scenario 96 with its case, label 48: the file's name has 243 characters."""
    text = SMALL_PACK.replace("name: shop", f"name: {'p' * 64}").replace("  ask:\n", f"  {'s' * 64}:\n    cases: [{{id: {'c' * 31}}}]\n")
    text = text.replace("default_agent: good", f"default_agent: {'g' * 64}").replace("  good:", f"  {'g' * 64}:")
    asked = hook(tmp_path, "ctx.emit_artifact(1, label='l' * 48)", "on_run_scored", "on_scenario_end", name="h" * 64)
    ended = wt("run", small_pack(tmp_path, text), "--scenario", "s*", "--hook", asked, folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert sorted(row["point"] for row in sweep_record(tmp_path / "runs")["artifacts"]) == ["on_run_scored"] * 2 + ["on_scenario_end"]


def test_a_thread_that_cannot_start_is_a_fault_of_the_hook(tmp_path: Path) -> None:
    body = "threading.excepthook = None"  # which Python asks for whenever it makes a thread
    ended = wt("run", small_pack(tmp_path), "--jobs", "1", "--hook", hook(tmp_path, body), folder=tmp_path)
    assert ended.code == 0
    assert "hook:h: on_run_scored: RuntimeError: threading.excepthook is None" in ended.err


def test_the_trace_of_a_run_that_could_not_begin_is_a_trace(tmp_path: Path) -> None:
    text = SMALL_PACK.replace("agents:\n", "agents:\n  lost: {runtime: openai, base_url: \"{{ env.BASE_ADDRESS | default('nowhere') }}\", model: m}\n")
    ended = wt("run", small_pack(tmp_path, text), "--agent", "lost", folder=tmp_path)
    assert ended.code == 3
    found = list(traces(tmp_path / "runs"))
    assert [artifact_faults("trace", trace) for trace in found] == [[]] * 4
    assert {(trace["session_id"], len(trace["turns"])) for trace in found} == {("", 0)}

"""``wt run``: every option does what its help says, and nothing that a run does not need is imported for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.wt import SMALL_PACK, environment, scores, small_pack, sweep_record, wt
from windtunnel.engine.report.debrief_text import debrief_line
from windtunnel.engine.skeleton.load import BUILT_IN

TAGGED = SMALL_PACK.replace("  ask:\n", "  ask:\n    tags: [smoke]\n").replace("  buy:\n", "  buy:\n    tags: [slow, money]\n")


def results(folder: Path, *words: object) -> list[str]:
    """The result lines of a run of the tagged pack, reasons left off."""
    small_pack(folder, TAGGED)
    ended = wt("run", "shop.yaml", *words, folder=folder)
    assert ended.code in (0, 1), ended
    assert ended.err == ""
    return ["  ".join(line.split("  ")[:3]) for line in ended.out.splitlines()[:-1]]


@pytest.mark.parametrize(("words", "lines"), [
    ((), ["PASS ask  good  2/2", "PASS buy  good  2/2"]),
    (("--scenario", "a*"), ["PASS ask  good  2/2"]),
    (("--scenario", "ask", "--scenario", "b?y"), ["PASS ask  good  2/2", "PASS buy  good  2/2"]),
    (("--tag", "smoke"), ["PASS ask  good  2/2"]),
    (("--tag", "smoke", "--tag", "money"), ["PASS ask  good  2/2", "PASS buy  good  2/2"]),
    (("--tag", "money", "--scenario", "*"), ["PASS buy  good  2/2"]),
    (("--agent", "b*", "--scenario", "ask"), ["FAIL ask  bad  0/2"]),
    (("--agent", "bad", "--agent", "good", "--tag", "smoke"), ["PASS ask  good  2/2", "FAIL ask  bad  0/2"]),
    (("--runs", "5", "--tag", "smoke"), ["PASS ask  good  5/5"]),
    (("--runs", "5", "--jobs", "1", "--tag", "smoke"), ["PASS ask  good  5/5"]),
])
def test_what_runs_is_what_was_selected(tmp_path: Path, words: tuple[str, ...], lines: list[str]) -> None:
    assert results(tmp_path, *words) == lines


def test_a_label_goes_with_the_results(tmp_path: Path) -> None:
    results(tmp_path, "--label", "abc123")
    assert sweep_record(tmp_path / "runs")["label"] == "abc123"
    rows = [json.loads(line) for line in (tmp_path / "runs/ledger.ndjson").read_text().splitlines()]
    assert [row["label"] for row in rows] == ["abc123", "abc123"]


def test_the_runs_directory_is_made_where_it_was_asked_for(tmp_path: Path) -> None:
    results(tmp_path, "--runs-dir", "deep/er")
    assert len(list(scores(tmp_path / "deep/er"))) == 4
    assert not (tmp_path / "runs").exists()


def test_a_skeleton_of_ones_own_is_walked(tmp_path: Path) -> None:
    text = (BUILT_IN / "standard.yaml").read_text().replace("name: standard", "name: mine")
    (tmp_path / "mine.yaml").write_text(text.replace("      - inject_turns\n", "      - point: on_ready\n      - inject_turns\n"))
    (tmp_path / "h.py").write_text("class H:\n    name = 'h'\n    def on_ready(self, ctx): open('ready', 'a').write('x')\n")
    results(tmp_path, "--skeleton", "mine.yaml", "--hook", "h.py:H")
    assert (tmp_path / "ready").read_text() == "xxxx"


def test_the_same_seed_gives_the_same_ids(tmp_path: Path) -> None:
    results(tmp_path, "--deterministic", "7", "--runs-dir", "a")
    results(tmp_path, "--deterministic", "7", "--runs-dir", "b")
    ids = [[score["run_id"] for score in scores(tmp_path / name)] for name in "ab"]
    assert ids[0] == ids[1]


def test_several_packs_are_one_sweep(tmp_path: Path) -> None:
    small_pack(tmp_path)
    ended = wt("run", "shop.yaml", "first_flight", folder=tmp_path)
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "4 batches: 4 PASS; runs: 10 PASS; evidence in runs"
    assert sorted(sweep_record(tmp_path / "runs")["packs"]) == ["first_flight", "shop"]


def test_without_a_pack_the_one_in_this_folder_runs(tmp_path: Path) -> None:
    small_pack(tmp_path).rename(tmp_path / "pack.yaml")
    assert wt("run", folder=tmp_path).code == 0
    (tmp_path / "empty").mkdir()
    ended = wt("run", folder=tmp_path / "empty")
    assert (ended.code, ended.out) == (2, "")
    assert "pack.yaml" in ended.err


def test_every_fault_of_a_pack_is_told_and_nothing_runs(tmp_path: Path) -> None:
    small_pack(tmp_path, SMALL_PACK.replace("value: stock_get", "value: stock_gte").replace("effect: read", "effect: raed"))
    ended = wt("run", "shop.yaml", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert [line.partition(": ")[0] for line in ended.err.splitlines()] == ["shop.yaml:11:54", "shop.yaml:18:45"]
    assert not (tmp_path / "runs").exists()


def test_a_debrief_stands_below_its_failure(tmp_path: Path) -> None:
    small_pack(tmp_path)
    ended = wt("run", "shop.yaml", "--agent", "bad", "--scenario", "ask", "--hook", "debrief", folder=tmp_path)
    assert (ended.code, ended.err) == (1, "")
    assert ended.out.splitlines()[1] == "     bad says: 1. I saw no error. 2. Nothing. 3. I would look."


def test_a_debrief_that_failed_stands_there_with_its_cause(tmp_path: Path) -> None:
    small_pack(tmp_path, SMALL_PACK.replace('debrief: "1. I saw no error.', 'debrief: "{{ result.error }}'))
    ended = wt("run", "shop.yaml", "--agent", "bad", "--scenario", "ask", "--hook", "debrief", folder=tmp_path)
    assert ended.code == 1
    assert ended.out.splitlines()[1] == (
        "     bad says nothing: agents.bad.debrief: {{ result.error }} 2. Nothing. 3. I would look.: there is no 'error': "
        "the mapping is empty; ask `is defined`, or write `| default(...)`"
    )


def test_a_debrief_that_timed_out_stands_there_as_that(tmp_path: Path) -> None:
    assert debrief_line("bad", tmp_path / "none.json") == ""
    (tmp_path / "x.json").write_text('{"reply": "", "timed_out": true, "error": null}')
    assert debrief_line("bad", tmp_path / "x.json") == "     bad says nothing: its debrief timed out; WT_HOOK_CONVERSE_TIMEOUT_S gives it longer"
    (tmp_path / "x.json").write_text('{"reply": "", "timed_out": false, "error": null}')
    assert debrief_line("bad", tmp_path / "x.json") == ""


def test_an_agent_that_does_not_gate_is_marked_where_it_fails(tmp_path: Path) -> None:
    small_pack(tmp_path, SMALL_PACK.replace("  bad:\n", "  bad:\n    gate: false\n"))
    ended = wt("run", "shop.yaml", "--agent", "*", "--scenario", "ask", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[:2] == [
        "PASS ask  good  2/2",
        'FAIL ask  bad  0/2  [does not gate]  outcome: mentions "3": not in the reply',
    ]


LOADED = """\
import json, sys
class H:
    name = "h"
    def on_pack_end(self, ctx):
        open("loaded.json", "w").write(json.dumps(sorted(sys.modules)))
"""


def test_a_scripted_run_imports_no_library_that_it_does_not_use(tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "h.py").write_text(LOADED)
    assert wt("run", "shop.yaml", "--hook", "h.py:H", folder=tmp_path, env=environment(CI="1")).code == 0
    loaded: Any = json.loads((tmp_path / "loaded.json").read_text())
    assert set(loaded) & {"aiohttp", "jsonschema", "rich", "mcp"} == set()

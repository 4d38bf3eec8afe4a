"""A reader of a runs directory gets every run that is whole, and is told of all that is not."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from windtunnel.engine import load_runs
from windtunnel.engine.artifacts.walker import Run, load_ledger, read_run
from windtunnel.hooks.debrief.sample import sample_score, sample_trace
from windtunnel.schemas.codec import encode, encode_pretty
from windtunnel.schemas.errors import CodecFault
from windtunnel.schemas.sweeps import Aggregate

FOLDER = Path("shop/ask/good")


def stem(number: int) -> str:
    return f"20260302T09000000{number:04}Z_{number:08x}"


def run(root: Path, number: int, folder: Path = FOLDER, *, scored: bool = True) -> Path:
    """Write a trace, and its score unless told otherwise."""
    place = root / folder
    place.mkdir(parents=True, exist_ok=True)
    run_id = f"{number:08x}{'0' * 24}"
    path = place / f"{stem(number)}.json"
    path.write_bytes(encode_pretty(replace(sample_trace(), run_id=run_id)))
    if scored:
        path.with_suffix(".score.json").write_bytes(encode_pretty(replace(sample_score(), run_id=run_id)))
    return path


def aggregate(**changes: Any) -> Aggregate:
    made: dict[str, Any] = {"sweep": "20260302T090000000000Z", "pack": "shop", "scenario_id": "ask", "agent": "good", "verdict": "PASS",
                            "gates": True, "runs": 1, "counts": {"PASS": 1}, "pass_rate": 1.0}
    return Aggregate(**made | changes)


def stems(root: Path) -> list[str]:
    return [each.stem for each in load_runs(root)]


def test_runs_come_by_pack_scenario_agent_and_time(tmp_path: Path) -> None:
    for folder in ("b/x/y", "a/x/z", "a/x/y"):
        for number in (2, 1):
            run(tmp_path, number, Path(folder))
    found = [each.path.relative_to(tmp_path).as_posix() for each in load_runs(tmp_path)]
    assert found == [f"{folder}/{stem(number)}.json" for folder in ("a/x/y", "a/x/z", "b/x/y") for number in (1, 2)]


def test_a_run_has_its_trace_its_score_and_its_sidecars(tmp_path: Path) -> None:
    path = run(tmp_path, 1)
    for name in ("debrief", "notes-2", "notes.label"):
        path.with_name(f"{path.stem}.{name}.json").write_text("{}")
    (found,) = load_runs(tmp_path)
    assert isinstance(found, Run)
    assert found.path == path
    assert found.trace == replace(sample_trace(), run_id=found.trace.run_id)
    assert found.score is not None
    assert found.score.run_id == found.trace.run_id
    assert [sidecar.name for sidecar in found.sidecars] == [
        f"{path.stem}.debrief.json", f"{path.stem}.notes-2.json", f"{path.stem}.notes.label.json"]


def test_a_json_file_whose_stem_has_a_dot_is_never_a_trace(tmp_path: Path) -> None:
    path = run(tmp_path, 1)
    path.with_name(f"{stem(2)}.debrief.json").write_bytes(path.read_bytes())
    path.with_name(f"{stem(3)}.score.json").write_bytes(path.read_bytes())
    assert stems(tmp_path) == [stem(1)]


@pytest.mark.parametrize("name", [
    "ledger.ndjson", "20260302T090000000000Z.sweep.json", "20260302T090000000000Z.notes.pack.json", "notes.json", "package.json",
    f".{stem(7)}.json.12.3.tmp", f"{stem(7)}.json.tmp", f"{stem(7)}.yaml", f"x{stem(7)}.json", f"{stem(7)}x.json",
])
def test_a_file_that_is_not_called_as_a_trace_is_none(tmp_path: Path, name: str) -> None:
    path = run(tmp_path, 1)
    (tmp_path / name).write_bytes(path.read_bytes())
    path.with_name(name).write_bytes(path.read_bytes())
    runs = load_runs(tmp_path)
    assert [each.stem for each in runs] == [stem(1)]
    assert (runs.skipped, runs.told()) == ([], "")


def test_a_taken_stem_is_numbered_and_is_a_run_too(tmp_path: Path) -> None:
    path = run(tmp_path, 1)
    path.with_name(f"{stem(1)}-2.json").write_bytes(path.read_bytes())
    path.with_name(f"{stem(1)}-2.score.json").write_bytes(path.with_suffix(".score.json").read_bytes())
    found = list(load_runs(tmp_path))
    assert sorted(each.stem for each in found) == [stem(1), f"{stem(1)}-2"]
    assert all(each.score is not None and not each.sidecars for each in found)


BROKEN = {
    b"": "truncated",
    b'{"schema_version": 1, "run_id": "to': "truncated",
    b"null": "Expected `object`, got `null`",
    b"[]": "Expected `object`, got `array`",
    b'{"hello": 1}': "missing required field `schema_version`",
    b'{"schema_version": 1}': "missing required field `run_id`",
    b'{"schema_version": 2, "turns": 5}': "schema_version 2; this version reads 1",
    b"\xff\xfe\x00": "",
    b"[" * 100_000: "",
    b'{"schema_version": ' + b"9" * 5000 + b"}": "",
}


@pytest.mark.parametrize("content", BROKEN)
def test_what_is_foreign_torn_or_newer_is_skipped_with_its_reason(tmp_path: Path, content: bytes) -> None:
    broken = run(tmp_path, 1)
    broken.write_bytes(content)
    run(tmp_path, 2)
    runs = load_runs(tmp_path)
    assert [each.stem for each in runs] == [stem(2)]
    (skipped,) = runs.skipped
    assert skipped.path == broken
    assert BROKEN[content] in skipped.reason
    assert runs.told() == "1 of 2 runs could be read"
    with pytest.raises(CodecFault) as fault:
        read_run(broken)
    assert str(fault.value) == f"{broken}: {skipped.reason}"


def test_ten_of_twelve_is_told(tmp_path: Path) -> None:
    for number in range(10):
        run(tmp_path, number)
    for number in (10, 11):
        run(tmp_path, number).write_text("{")
    runs = load_runs(tmp_path)
    assert runs.told() == ""
    assert len(list(runs)) == runs.found == 10
    assert runs.told() == "10 of 12 runs could be read"
    assert len(list(runs)) == runs.found == 10  # again, and not twice as many
    assert len(runs.skipped) == 2


def test_a_torn_score_skips_the_run_for_its_verdict_is_not_known(tmp_path: Path) -> None:
    run(tmp_path, 1).with_suffix(".score.json").write_text('{"schema_version": 1')
    runs = load_runs(tmp_path)
    assert list(runs) == []
    assert runs.told() == "0 of 1 runs could be read"


def test_a_run_that_was_cut_off_before_its_score_has_none(tmp_path: Path) -> None:
    run(tmp_path, 1, scored=False)
    (found,) = load_runs(tmp_path)
    assert found.score is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_skipped(tmp_path: Path) -> None:
    run(tmp_path, 1).chmod(0)
    runs = load_runs(tmp_path)
    assert list(runs) == []
    assert "Permission denied" in runs.skipped[0].reason


def test_a_folder_that_is_called_as_a_trace_and_a_link_to_nowhere_are_no_runs(tmp_path: Path) -> None:
    path = run(tmp_path, 1)
    path.with_name(f"{stem(2)}.json").mkdir()
    path.with_name(f"{stem(3)}.json").symlink_to(tmp_path / "gone")
    runs = load_runs(tmp_path)
    assert [each.stem for each in runs] == [stem(1)]
    assert [skipped.path.stem for skipped in runs.skipped] == [stem(3)]


def test_a_link_that_leads_back_ends(tmp_path: Path) -> None:
    run(tmp_path, 1)
    (tmp_path / FOLDER / "again").symlink_to(tmp_path)
    assert stems(tmp_path) == [stem(1)]


def test_an_empty_directory_has_no_runs_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert stems(tmp_path) == []
    with pytest.raises(FileNotFoundError, match="there is no such runs directory"):
        load_runs(tmp_path / "gone")


def test_one_run_is_read_by_its_path(tmp_path: Path) -> None:
    path = run(tmp_path, 1)
    run(tmp_path, 2)
    (first, _) = load_runs(tmp_path)
    assert read_run(path) == read_run(str(path)) == first


def test_a_ledger_is_its_rows_in_order(tmp_path: Path) -> None:
    rows = [aggregate(agent=name) for name in ("b", "a")]
    (tmp_path / "ledger.ndjson").write_bytes(b"".join(encode(row) + b"\n" for row in rows))
    assert load_ledger(tmp_path) == (rows, 0)


@pytest.mark.parametrize("line", [
    b"{}", b"not json", b"\xff", encode(aggregate())[:-5], b'{"schema_version":2,' + encode(aggregate())[len('{"schema_version":1,'):],
    json.dumps({"schema_version": 2, "new": "shape"}).encode(),
])
@pytest.mark.parametrize("last", [True, False])
def test_a_torn_foreign_or_newer_line_of_the_ledger_is_skipped_and_counted(tmp_path: Path, line: bytes, *, last: bool) -> None:
    whole = encode(aggregate()) + b"\n"
    (tmp_path / "ledger.ndjson").write_bytes(whole + line if last else line + b"\n" + whole)
    assert load_ledger(tmp_path) == ([aggregate()], 1)


def test_no_ledger_is_no_rows(tmp_path: Path) -> None:
    assert load_ledger(tmp_path) == ([], 0)

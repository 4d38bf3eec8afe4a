"""``--json`` writes the rows of the ledger and the exit code, as its schema says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.wt import small_pack, wt
from windtunnel.engine.report.results import results_json
from windtunnel.schemas.catalog import artifact_faults

from .conftest import Row


@pytest.mark.parametrize("verdict", ["PASS", "PASS_WITH_VARIANCE", "FAIL", "INVALID", "ERROR", "NOT_RUN", "SKIPPED"])
def test_every_result_is_one_by_its_schema(row: Row, verdict: str) -> None:
    data = json.loads(results_json([row(verdict=verdict, reason="\x1b \u202e")], "20260302T090000000000Z", 1))
    assert artifact_faults("results", data) == []


def test_no_row_is_a_result_too() -> None:
    assert artifact_faults("results", json.loads(results_json([], "20260302T090000000000Z-2", 0))) == []


def test_the_schema_refuses_what_is_no_result(row: Row) -> None:
    data = json.loads(results_json([row()], "20260302T090000000000Z", 0))
    data["exit_code"] = 7
    data["results"][0]["verdict"] = "GREEN"
    del data["sweep"]
    assert sorted(fault.partition(":")[0] for fault in artifact_faults("results", data)) == ["(top)", "exit_code", "results[0].verdict"]


@pytest.mark.parametrize(("agent", "code"), [("good", 0), ("bad", 1)])
def test_a_sweep_writes_its_rows_as_the_ledger_has_them(tmp_path: Path, agent: str, code: int) -> None:
    small_pack(tmp_path)
    assert wt("run", "shop.yaml", "--agent", agent, "--json", "x.json", folder=tmp_path).code == code
    data = json.loads((tmp_path / "x.json").read_text())
    assert artifact_faults("results", data) == []
    assert data["exit_code"] == code
    assert data["results"] == [json.loads(line) for line in (tmp_path / "runs/ledger.ndjson").read_text().splitlines()]
    assert (tmp_path / "runs" / f"{data['sweep']}.sweep.json").exists()

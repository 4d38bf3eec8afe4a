"""``wt init`` writes a pack that validates and runs green as it is, and never touches what is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.wt import Ended, wt

from .conftest import Told

WROTE = """\
wrote my_desk/.wt/debrief.v1.json
wrote my_desk/.wt/pack.v1.json
wrote my_desk/.wt/pack_part.v1.json
wrote my_desk/.wt/skeleton.v1.json
wrote my_desk/data/stock.csv
wrote my_desk/debriefs/stock.yaml
wrote my_desk/pack.yaml
next: wt run my_desk
"""


def test_a_new_pack_validates_and_runs_green(told: Told, tmp_path: Path) -> None:
    assert told("init", "my_desk") == Ended(code=0, out=WROTE, err="")
    valid = told("validate", "my_desk")
    assert (valid.code, valid.err) == (0, "")
    assert "ok my_desk/pack.yaml: pack my_desk: 2 scenarios, 2 agents, 2 tools\n" in valid.out
    ended = wt("run", "my_desk", "--hook", "debrief", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "PASS in_stock  rehearsal  2/2\nPASS out_of_stock  rehearsal  2/2\n"
        "2 batches: 2 PASS; runs: 4 PASS; evidence in runs\n"
    )


def test_its_debrief_can_be_previewed(told: Told) -> None:
    told("init", "desk")
    assert told("debrief", "preview", "desk/debriefs/stock.yaml").code == 0


@pytest.mark.parametrize(("folder", "name"), [("Front Desk", "front_desk"), ("desk-2", "desk-2"), ("sch\xf6n", "my_pack")])
def test_the_pack_is_called_as_its_folder_is_where_that_can_be_a_name(told: Told, tmp_path: Path, folder: str, name: str) -> None:
    assert told("init", folder).code == 0
    assert f"\nname: {name}\n" in (tmp_path / folder / "pack.yaml").read_text()
    assert told("validate", folder).code == 0


def test_an_empty_folder_may_be_there_already(told: Told, tmp_path: Path) -> None:
    (tmp_path / "my_desk").mkdir()
    assert told("init", "my_desk").out == WROTE
    (tmp_path / "here").mkdir()


def test_nothing_is_ever_overwritten(told: Told, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name in ("full", "file"):
        assert told("init", name) == Ended(
            code=2, out="", err=f"{name}: is not empty, and nothing is ever overwritten; name a new folder\n")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]


def test_a_folder_that_cannot_be_made_is_a_fault(told: Told, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    ended = told("init", "file/desk")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "file/desk: cannot be written (Not a directory); name a folder that can\n"

"""``record_surface`` and ``check_surface`` are what ``wt surface`` does, for Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.wt import SMALL_PACK, small_pack, wt
from windtunnel.engine import AgentOptions, SurfaceRecording, check_surface, record_surface
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.codec import to_plain
from windtunnel.schemas.errors import DocumentFault, UsageFault
from windtunnel.schemas.surfaces import SurfaceDiff

CHANGED = SMALL_PACK.replace("Pieces in stock.", "Pieces that are in stock.")


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack ``shop.yaml`` in the current folder."""
    monkeypatch.chdir(tmp_path)
    return small_pack(tmp_path)


def test_what_is_recorded_is_told_and_is_what_the_command_records(tmp_path: Path) -> None:
    first = SurfaceRecording(path=Path("shop.surface.json"), changed=True, agents=1, pairs=2, surfaces=1)
    assert record_surface("shop.yaml", store_text=True) == first
    written = (tmp_path / "shop.surface.json").read_bytes()
    assert wt("surface", "record", "shop.yaml", "--store-text", "--out", "other.json", folder=tmp_path).code == 0
    assert (tmp_path / "other.json").read_bytes() == written
    again = record_surface(Path("shop.yaml"), store_text=True)
    assert again == SurfaceRecording(path=first.path, changed=False, agents=1, pairs=2, surfaces=1)


def test_a_file_that_is_replaced_unread_is_told(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text('{"kind": "surface", "sch')
    recorded = record_surface("shop.yaml", golden=Path("kept.json"), agents=["b*"], scenarios=["ask"])
    assert (recorded.agents, recorded.pairs, recorded.changed) == (1, 1, True)
    assert recorded.unread.partition(";")[0] == "kept.json: is not whole JSON (cut off, or merged badly)"


def test_a_difference_is_data_with_the_exit_code_of_the_command(tmp_path: Path) -> None:
    record_surface("shop.yaml", agents=["*"], store_text=True)
    assert check_surface("shop.yaml") == SurfaceDiff(
        pack="shop", golden="shop.surface.json", exit_code=0, pairs=4, differences=[]
    )
    small_pack(tmp_path, CHANGED)
    found = check_surface("shop.yaml", scenarios=["ask"])
    assert (found.exit_code, found.pairs) == (1, 2)
    assert [(one.agent, one.scenarios, [each.name for each in one.segments]) for one in found.differences] == [
        ("bad", ["ask"], ["tool:stock_get"]), ("good", ["ask"], ["tool:stock_get"]),
    ]  # fmt: skip
    assert artifact_faults("surface_diff", to_plain(found)) == []


def test_an_agent_that_the_pack_does_not_declare_is_looked_at_too() -> None:
    mine = AgentOptions(model="small", base_url="http://127.0.0.1:9/v1", agent_id="mine")
    record_surface("shop.yaml")
    assert record_surface("shop.yaml", added_agents=[mine]).agents == 2
    assert check_surface("shop.yaml", added_agents=[mine]).exit_code == 0
    (left,) = check_surface("shop.yaml").differences
    assert (left.agent, left.kind) == ("mine", "gone")


def test_an_agent_is_resolved_by_the_variables_that_are_given(tmp_path: Path) -> None:
    text = SMALL_PACK.replace("    runtime: scripted\n    script: [", "    runtime: openai\n    model: m\n    base_url: '{{ env.SHOP }}'\n    meta: [")
    small_pack(tmp_path, text.replace('    debrief: "1. I saw no error. 2. Nothing. 3. I would look."\n', ""))
    assert record_surface("shop.yaml", agents=["bad"], env={"SHOP": "http://127.0.0.1:9/v1"}).pairs == 2
    with pytest.raises(DocumentFault, match="the environment variable SHOP is not set"):
        check_surface("shop.yaml", agents=["bad"], env={})


def test_without_a_golden_file_nothing_is_as_recorded() -> None:
    with pytest.raises(UsageFault) as caught:
        check_surface("shop.yaml")
    assert str(caught.value) == (
        "shop.surface.json: there is no golden file; record it first: wt surface record shop.yaml"
    )

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from kit.desk import Desk
from windtunnel.engine.loading import find
from windtunnel.engine.loading.find import BUILT_IN, find_pack
from windtunnel.engine.loading.load import load_packs
from windtunnel.schemas.errors import DocumentFault, UsageFault


def test_a_path_a_folder_and_a_built_in_name_are_found(desk: Desk) -> None:
    file = desk.pack()
    assert find_pack("pack.yaml") == file
    assert find_pack(".") == Path("pack.yaml")
    assert find_pack("first_flight") == BUILT_IN / "first_flight" / "pack.yaml"


def test_a_path_wins_over_a_built_in_pack(desk: Desk) -> None:
    desk.write("first_flight/pack.yaml", "")
    assert find_pack("first_flight") == Path("first_flight/pack.yaml")


@pytest.mark.parametrize(("said", "where"), [(".", "here"), ("other", "in other")])
def test_a_folder_without_a_pack_is_told_as_that(desk: Desk, said: str, where: str) -> None:
    desk.write("other/notes.yaml", "")
    with pytest.raises(UsageFault) as caught:
        find_pack(said)
    assert str(caught.value) == (
        f"there is no pack.yaml {where}; name a pack, or a folder that holds one; "
        "`wt list packs` tells which need no path"
    )


@pytest.mark.usefixtures("desk")
def test_a_name_that_is_not_known_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageFault) as caught:
        find_pack("first_fligth")
    assert str(caught.value) == (
        "there is no pack 'first_fligth', neither as a path nor by name; did you mean 'first_flight'?"
    )


def test_an_installed_pack_is_loaded_only_when_it_is_named(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("their_pack/pack.yaml", desk.pack().read_bytes())
    desk.write("their_pack/__init__.py", "")
    desk.write("broken_pack.py", "raise RuntimeError('no')")
    entries = {
        "theirs": EntryPoint("theirs", "their_pack", find.GROUP),
        "broken": EntryPoint("broken", "broken_pack", find.GROUP),
    }
    monkeypatch.setattr(find, "installed_packs", lambda: entries)
    monkeypatch.syspath_prepend(str(Path.cwd()))
    assert find_pack("theirs") == Path.cwd() / "their_pack" / "pack.yaml"
    assert "broken_pack" not in sys.modules
    with pytest.raises(UsageFault) as caught:
        find_pack("broken")
    assert str(caught.value) == (
        "pack 'broken' (broken_pack) cannot be loaded: RuntimeError: no; mend or uninstall the package that brings it"
    )


def test_two_packs_of_one_name_are_refused_and_one_pack_twice_is_one(desk: Desk) -> None:
    desk.write("other/pack.yaml", desk.pack().read_bytes())
    assert len(load_packs(["pack.yaml", Path("pack.yaml")])) == 1
    with pytest.raises(UsageFault) as caught:
        load_packs(["pack.yaml", "other"])
    assert str(caught.value) == (
        "other/pack.yaml and pack.yaml are both named 'desk'; rename one, or run them one by one"
    )


def test_the_faults_of_all_packs_are_told_at_once(desk: Desk) -> None:
    desk.write("a.yaml", "kind: pack\nschema_version: 1\nname: a\nagents: {}\n")
    desk.write("b.yaml", "kind: packk\n")
    with pytest.raises(DocumentFault) as caught:
        load_packs(["b.yaml", "a.yaml", "c.yaml"])
    assert [str(problem).split(":")[0] for problem in caught.value.problems] == ["a.yaml", "a.yaml", "b.yaml", "c.yaml"]

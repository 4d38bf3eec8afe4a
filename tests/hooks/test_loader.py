"""An object is found by module:attr or path/to/file.py:attr, or its author reads why not."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from windtunnel.hooks import HookConfigError, loader
from windtunnel.hooks.foreign_object import instance_of
from windtunnel.hooks.loader import load_object


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "notes.py").write_text(
        "import dataclasses\n"
        "count = 0\n"
        "class Notes:\n"
        "    inner = 'found'\n"
        "@dataclasses.dataclass\n"
        "class Data:\n"
        "    a: int = 1\n"
    )
    (tmp_path / "beside_the_call.py").write_text("value = 'from the folder'\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit(0)\n")
    (tmp_path / "breaks.py").write_text("raise ValueError('no luck')\n")
    (tmp_path / "stops.py").write_text("raise KeyboardInterrupt\n")
    (tmp_path / "torn.py").write_text("def (:\n")
    (tmp_path / "shy.py").write_text("def __getattr__(name):\n    raise RuntimeError(name)\n")
    return tmp_path


def test_a_module_is_found_wherever_it_is_installed(folder: Path) -> None:
    import json

    assert load_object("json:dumps", folder) is json.dumps


def test_a_module_is_found_in_the_folder_of_the_call_last(folder: Path) -> None:
    assert load_object("beside_the_call:value", folder) == "from the folder"
    assert sys.path[-1] == str(folder)


def test_a_file_is_found_from_the_folder_of_the_call_and_run_once(folder: Path) -> None:
    assert load_object("parts/notes.py:Notes.inner", folder) == "found"
    first = load_object("parts/notes.py:Notes", folder)
    assert load_object(f"{folder}/parts/../parts/notes.py:Notes", Path("/")) is first
    assert load_object("parts/notes.py:Data", folder)() == load_object("parts/notes.py:Data", folder)()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("notes", "'notes' names no object; write module:attr or path/to/file.py:attr"),
        (":attr", "':attr' names no object; write module:attr or path/to/file.py:attr"),
        ("json:", "'json:' names no object; write module:attr or path/to/file.py:attr"),
        ("json:a-b", "'json:a-b' names no object; write module:attr or path/to/file.py:attr"),
        ("json:dump1", "'json:dump1' could not be loaded: there is no 'dump1' in it; did you mean 'dump'?"),
        ("no_such:a", "'no_such:a' could not be loaded: ModuleNotFoundError: No module named 'no_such'"),
        ("..:a", "'..:a' could not be loaded: "),
        ("leaves:a", "'leaves:a' could not be loaded: SystemExit: 0"),
        ("leaves.py:a", "'leaves.py:a' could not be loaded: SystemExit: 0"),
        ("breaks.py:a", "'breaks.py:a' could not be loaded: ValueError: no luck"),
        ("torn.py:a", "'torn.py:a' could not be loaded: SyntaxError: invalid syntax (torn.py, line 1)"),
        ("shy.py:a", "'shy.py:a' could not be loaded: RuntimeError: a"),
        ("parts/notes.txt:a", "'parts/notes.txt:a' could not be loaded: there is no file "),
        ("parts:a", "'parts:a' could not be loaded: there is no 'a' in it"),
        ("parts/none.py:a", "'parts/none.py:a' could not be loaded: there is no file "),
    ],
)
def test_what_cannot_be_loaded_says_why(reference: str, text: str, folder: Path) -> None:
    with pytest.raises(HookConfigError) as caught:
        load_object(reference, folder)
    assert str(caught.value).startswith(text)
    assert caught.value.exit_code == 2


def test_a_file_that_is_not_there_is_told_with_what_to_do(folder: Path) -> None:
    with pytest.raises(HookConfigError) as caught:
        load_object("parts/none.py:a", folder)
    assert str(caught.value).endswith("parts/none.py; name one that exists")


def test_the_cause_is_kept(folder: Path) -> None:
    with pytest.raises(HookConfigError) as caught:
        load_object("breaks.py:a", folder)
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_file_that_failed_is_run_anew_when_it_is_mended(folder: Path) -> None:
    with pytest.raises(HookConfigError):
        load_object("breaks.py:value", folder)
    (folder / "breaks.py").write_text("value = 'mended, and longer than before'\n")
    assert load_object("breaks.py:value", folder) == "mended, and longer than before"


@pytest.mark.parametrize("reference", ["stops.py:a", "stops:a"])
def test_ctrl_c_while_loading_stops_the_bench(reference: str, folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_object(reference, folder)


def test_a_file_that_is_still_being_run_is_waited_for(folder: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()
    sys.modules["loader_test_gates"] = gates = type(sys)("loader_test_gates")
    gates.begun, gates.go_on = begun, go_on  # type: ignore[attr-defined]
    (folder / "late.py").write_text(
        "from loader_test_gates import begun, go_on\nbegun.set()\ngo_on.wait()\nvalue = 3\n"
    )
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(load_object("late.py:value", folder))) for _ in range(2)]
    try:
        threads[0].start()
        assert begun.wait(20)
        threads[1].start()
        threads[1].join(0.05)  # long enough to fail, were it let in
    finally:
        go_on.set()
        for thread in threads:
            thread.join()
        del sys.modules["loader_test_gates"]
    assert found == [3, 3]


def test_an_import_that_hangs_is_given_up_and_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "hangs.py").write_text("import threading\nthreading.Event().wait()\n")
    monkeypatch.setattr(loader, "IMPORT_S", 0.05)
    with pytest.raises(HookConfigError) as fault:
        load_object("hangs.py:Hook", folder)
    assert str(fault.value) == (
        "'hangs.py:Hook' could not be loaded: TimeoutError: not done after 0.05 s; leave long work to the call"
    )


def test_a_constructor_that_hangs_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Hangs:
        def __init__(self) -> None:
            threading.Event().wait()

    monkeypatch.setattr(loader, "IMPORT_S", 0.05)
    with pytest.raises(HookConfigError) as fault:
        instance_of(Hangs, "hook 'hangs'")
    assert str(fault.value) == (
        "hook 'hangs': the class could not be instantiated without arguments: TimeoutError: not done after 0.05 s; "
        "leave long work to the call; give its parameters defaults, or name an instance of it"
    )

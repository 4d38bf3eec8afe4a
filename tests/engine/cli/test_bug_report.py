"""A bug of ours is 70, with a report that can be pasted as it is; it never looks like a result of the agent's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kit.wt import environment, small_pack
from windtunnel.engine.cli import list as list_command

from .conftest import Told

RULER = "-" * 72


def test_a_bug_is_70_with_what_a_report_needs(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom \x1b[31m")

    monkeypatch.setitem(list_command.LISTS, "checks", broken)
    ended = told("list", "checks")
    assert (ended.code, ended.out) == (70, "")
    head, ruler, version, command, *trace, end = ended.err.splitlines()
    assert head == "wt: this is a bug in Wind Tunnel, not in your pack. Please report it with the lines between the rulers."
    assert ruler == end == RULER
    assert version.startswith("windtunnel 0.1.0, Python 3.")
    assert command == "wt list checks"
    assert trace[0] == "Traceback (most recent call last):"
    assert trace[-1] == "ZeroDivisionError: boom \\x1b[31m"


@pytest.mark.parametrize("name", ["find_pack", "run_sweep"])
def test_a_bug_in_the_working_process_is_told_in_the_same_way_and_is_never_green(tmp_path: Path, name: str) -> None:
    small_pack(tmp_path)
    code = (
        "import sys\nimport windtunnel.engine.cli.run_child as child\nfrom windtunnel.engine.cli.main import main\n"
        f"def broken(*_): raise ZeroDivisionError('boom')\nchild.{name} = broken\nsys.exit(main(['run', 'shop.yaml']))\n"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (70, "")
    assert process.stderr.startswith("wt: this is a bug in Wind Tunnel")
    assert process.stderr.endswith(f"ZeroDivisionError: boom\n{RULER}\n")


def test_an_interruption_is_130(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(list_command.LISTS, "checks", interrupted)
    assert told("list", "checks").code == 130

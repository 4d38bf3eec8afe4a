"""A file is whole or it is not there, and no name is ever taken twice."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from windtunnel.engine.artifacts import files
from windtunnel.engine.artifacts.names import numbered
from windtunnel.engine.artifacts.store import RunsDirectory
from windtunnel.schemas.errors import UsageFault


def test_a_new_file_is_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    files.write_first(tmp_path, ["a.json"], b"{}")
    assert (tmp_path / "a.json").read_bytes() == b"{}"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_name_that_is_taken_is_not_written(tmp_path: Path) -> None:
    files.write_first(tmp_path, ["a.json"], b"1")
    with pytest.raises(FileExistsError):
        files.write_first(tmp_path, ["a.json"], b"2")
    assert (tmp_path / "a.json").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_full_disk_leaves_the_old_file_and_no_half_one() -> None:
    """/dev/full takes no byte: a temporary file cannot be made on it, so the error must come through."""
    with pytest.raises(OSError, match="/dev/full"):
        files.write_first(Path("/dev/full"), ["a.json"], b"{}")


def test_without_hard_links_the_claim_is_still_exclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    files.write_first(tmp_path, ["a.json"], b"1")
    with pytest.raises(FileExistsError):
        files.write_first(tmp_path, ["a.json"], b"2")
    assert (tmp_path / "a.json").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_torn_last_line_is_closed_before_the_next_one(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.ndjson"
    ledger.write_bytes(b'{"a": 1}\n{"b": ')
    files.append_line(ledger, b'{"c": 3}')
    assert ledger.read_bytes() == b'{"a": 1}\n{"b": \n{"c": 3}\n'


def test_many_writers_of_one_name_each_get_a_name_of_their_own(tmp_path: Path) -> None:
    store = RunsDirectory(tmp_path / "runs")
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(lambda n: store.claim(store.root, "x", ".json", b"%d" % n), range(24)))
    assert sorted(names, key=lambda name: (len(name), name)) == [name for name, _ in zip(numbered("x"), range(24), strict=False)]
    assert len({path.read_bytes() for path in store.root.glob("*.json")}) == 24


def test_a_runs_directory_that_cannot_be_made_is_a_usage_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageFault) as caught:
        RunsDirectory(tmp_path / "file" / "runs")
    assert str(caught.value) == f"--runs-dir {tmp_path}/file/runs: cannot be written (Not a directory); name a directory that can"


def test_a_file_never_takes_the_number_of_a_standard_stream_that_was_closed(tmp_path: Path) -> None:
    """A hook that closes descriptor 1 again and again must not hit a file of evidence."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from windtunnel.engine.descriptor import open_above\n"
        "os.close(1)\n"
        "fd = open_above(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n"
        "os.close(1)\n"
        "sys.exit(0 if fd > 2 and os.write(fd, b'whole') == 5 else 9)\n"
    )
    path = tmp_path / "a.json"
    assert subprocess.run([sys.executable, "-c", code, path], check=False, timeout=60).returncode == 0
    assert path.read_bytes() == b"whole"

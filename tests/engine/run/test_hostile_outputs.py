"""Whatever --junit and --json name: it is written, or told, and nothing that was there before is harmed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from kit.wt import environment, small_pack, wt


def test_a_device_is_written_into_and_stays_what_it_is(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--json", "/dev/null", "--junit", "/dev/null", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert Path("/dev/null").is_char_device()


def test_a_full_device_is_missing_evidence(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--json", "/dev/full", folder=tmp_path)
    assert ended.code == 3
    assert ended.err == "warning: --json /dev/full: could not be written: OSError: [Errno 28] No space left on device\n"
    assert Path("/dev/full").is_char_device()


def test_standard_output_takes_the_results_where_they_are_sent_there(tmp_path: Path) -> None:
    small_pack(tmp_path)
    command = f"{sys.executable} -m windtunnel.engine.cli.main run shop.yaml --json /dev/stdout"
    for shell in (f"{command} | cat", f"{command} > x; cat x"):
        process = subprocess.run(["bash", "-c", shell], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True)
        document = process.stdout[process.stdout.index("{"):process.stdout.rindex("}") + 1]
        assert json.loads(document)["exit_code"] == 0, process
    assert Path("/dev/stdout").is_symlink()


def test_a_pipe_without_a_reader_is_missing_evidence_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    ended = wt("run", small_pack(tmp_path), "--junit", "pipe", folder=tmp_path)
    assert ended.code == 3
    assert "could not be written" in ended.err
    assert (tmp_path / "pipe").is_fifo()


def test_a_pipe_with_a_reader_gets_the_whole_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
    reader.start()
    ended = wt("run", small_pack(tmp_path), "--junit", "pipe", folder=tmp_path)
    reader.join()
    assert (ended.code, ended.err) == (0, "")
    assert read[0].rstrip().endswith("</testsuites>")


@pytest.mark.parametrize("flag", ["--junit", "--json"])
def test_a_folder_is_refused_before_anything_runs(tmp_path: Path, flag: str) -> None:
    (tmp_path / "out").mkdir()
    ended = wt("run", small_pack(tmp_path), flag, "out", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"{flag} {tmp_path / 'out'}: cannot be written (it is a folder); name a file in a folder that exists\n"


def test_one_file_for_two_reports_is_refused(tmp_path: Path) -> None:
    ended = wt("run", small_pack(tmp_path), "--junit", "x", "--json", "x", folder=tmp_path)
    assert (ended.code, ended.err) == (2, f"--junit and --json both name {tmp_path / 'x'}; give each a file of its own\n")


def test_a_stream_that_takes_no_words_is_told_and_is_no_bug(tmp_path: Path) -> None:
    """Standard output is open for reading alone."""
    command = f"{sys.executable} -m windtunnel.engine.cli.main list packs 1</dev/null"
    process = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (3, "wt: the output cannot be written: Bad file descriptor\n")

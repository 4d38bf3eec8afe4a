"""Progress is drawn on a terminal, told in a few lines elsewhere, and never costs or changes a result."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.wt import SMALL_PACK, environment, small_pack, wt
from windtunnel.engine.report.board import Board
from windtunnel.engine.report.progress import may_colour, may_draw, plain_lines

LINES = ["PASS ask  good  2/2", "PASS buy  good  2/2", "2 batches: 2 PASS; runs: 4 PASS; evidence in runs"]
SLOW_PACK = SMALL_PACK.replace("wait_s: 0.01", "wait_s: 1.5")


def test_a_short_sweep_is_told_of_in_no_line() -> None:
    waits: list[float] = []
    board = Board([], at_once=8)

    def over(seconds: float) -> bool:
        waits.append(seconds)
        return True

    assert list(plain_lines(board, over)) == []
    assert waits == [1.0]


def test_a_long_sweep_is_told_of_every_ten_seconds_and_later_every_minute() -> None:
    now = 0.0
    told: list[float] = []

    def wait(seconds: float) -> bool:
        nonlocal now
        now += seconds
        return now > 3600

    board = Board([(("shop", "ask", "good"), 2)], at_once=8, clock=lambda: now)
    lines = []
    for line in plain_lines(board, wait):
        told.append(now)
        lines.append(line)
    assert lines[:2] == ["2 runs of 1 batch, 8 at once", "0 of 2 runs in 11 s; running: ask/good"]
    assert told[:4] == [1, 11, 21, 31]
    assert 50 < told[-1] - told[-2] <= 60
    assert len(told) < 100


@pytest.mark.parametrize(("env", "draws", "colours"), [
    ({"TERM": "xterm"}, True, True),
    ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
    ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
    ({"TERM": "xterm", "CI": "true"}, False, False),
    ({"TERM": "xterm", "CI": "false"}, True, True),
    ({"TERM": "dumb"}, False, False),
    ({}, False, False),
])
def test_the_environment_has_its_say(env: dict[str, str], *, draws: bool, colours: bool) -> None:
    assert (may_draw(env), may_colour(env)) == (draws, colours)


def test_a_pipe_gets_a_first_line_once_a_sweep_takes_its_time(tmp_path: Path) -> None:
    small_pack(tmp_path, SLOW_PACK)
    ended = wt("run", "shop.yaml", folder=tmp_path)
    assert ended.out.splitlines() == LINES
    assert ended.err == "4 runs of 2 batches, 8 at once\n"


def on_terminal(folder: Path, *words: str, out: bool = True, **env: str) -> tuple[int, str, str]:
    """Run the pack with standard error (and output) on a terminal; return the code, what it showed, and a piped output."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "windtunnel.engine.cli.main", "run", "shop.yaml", *words]
    process = subprocess.Popen(command, cwd=folder, env={**environment(TERM="xterm"), "CI": "", **env}, stderr=slave,
                               stdout=slave if out else subprocess.PIPE, stdin=subprocess.DEVNULL)
    os.close(slave)
    shown = b"".join(chunks(master))
    piped = process.stdout.read().decode() if process.stdout is not None else ""
    if process.stdout is not None:
        process.stdout.close()
    os.close(master)
    return process.wait(timeout=60), shown.decode(), piped


def chunks(master: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:  # the last writer is gone
            return
        if not data:
            return
        yield data


def test_a_terminal_shows_a_bar_and_keeps_only_the_results(tmp_path: Path) -> None:
    small_pack(tmp_path)
    code, shown, _ = on_terminal(tmp_path)
    assert code == 0
    assert "/4 runs" in shown
    assert "ask/good" in shown
    assert "\x1b[32mPASS\x1b[0m ask  good  2/2\r\n" in shown
    assert "\x1b[?25l" not in shown  # a cursor that is hidden stays so when the process is killed
    assert shown.endswith("\x1b[2K2 batches: 2 PASS; runs: 4 PASS; evidence in runs\r\n")


def test_results_in_a_pipe_have_no_colour_while_a_terminal_is_drawn_on(tmp_path: Path) -> None:
    small_pack(tmp_path)
    code, shown, piped = on_terminal(tmp_path, out=False)
    assert (code, piped.splitlines()) == (0, LINES)
    assert "runs" in shown
    assert "PASS ask" not in shown


def test_no_color_draws_without_colour(tmp_path: Path) -> None:
    small_pack(tmp_path)
    _, shown, _ = on_terminal(tmp_path, NO_COLOR="1")
    assert "PASS ask  good  2/2\r\n" in shown
    assert "\x1b[3" not in shown
    assert "\x1b[9" not in shown


def test_ci_gets_plain_lines_on_a_terminal_too(tmp_path: Path) -> None:
    small_pack(tmp_path)
    code, shown, _ = on_terminal(tmp_path, CI="true")
    assert (code, shown.splitlines()) == (0, LINES)


@pytest.mark.parametrize("body", [
    "os.close(1); os.close(2)",
    "sys.stdout.close(); sys.stderr.close()",
    "sys.stdout = sys.stderr = None",
    "os.dup2(os.open(os.devnull, os.O_WRONLY), 2); os.dup2(2, 1)",
])
@pytest.mark.parametrize("terminal", [True, False])
def test_a_hook_that_closes_or_moves_the_streams_moves_no_line(tmp_path: Path, body: str, *, terminal: bool) -> None:
    small_pack(tmp_path)
    (tmp_path / "h.py").write_text(f"import os, sys\nclass H:\n    name = 'h'\n    def on_provisioned(self, ctx):\n        {body}\n")
    if terminal:
        code, shown, _ = on_terminal(tmp_path, "--hook", "h.py:H")
        assert code == 0
        assert shown.endswith("2 batches: 2 PASS; runs: 4 PASS; evidence in runs\r\n")
    else:
        ended = wt("run", "shop.yaml", "--hook", "h.py:H", folder=tmp_path)
        assert (ended.code, ended.out.splitlines()) == (0, LINES)

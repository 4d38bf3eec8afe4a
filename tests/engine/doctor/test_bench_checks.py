"""A bench without a place for evidence, or with a clock that lies, is told before anything runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from windtunnel.engine.doctor.bench import clock, runs_directory

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_a_place_that_is_not_there_yet_is_as_good_as_what_is_above_it(tmp_path: Path) -> None:
    check = runs_directory(tmp_path / "a" / "runs")
    assert (check.verdict, check.cause) == ("ok", f"{tmp_path}/a/runs can be written")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_its_place_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    check = runs_directory(tmp_path / "runs")
    assert (check.verdict, check.cause) == ("fault", f"{tmp_path}/runs cannot be written: not a directory")
    assert check.remedy == "name one that can with --runs-dir"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_place_that_may_not_be_written_is_a_fault(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert runs_directory(tmp_path / "runs").verdict == "fault"


def told_by(*instants: datetime) -> tuple[str, str]:
    """What is said of a clock that tells these, while half a second passes."""
    now, steady = iter(instants), _halves()
    check = clock(lambda: next(now), lambda: next(steady), lambda _: None)
    return check.verdict, check.cause


def _halves() -> Iterator[float]:
    yield from (10.0, 10.5)


@pytest.mark.parametrize(
    ("instants", "told"),
    [
        ((NOW, NOW + timedelta(seconds=0.5)), ("ok", "it keeps step")),
        ((datetime(1970, 1, 1, tzinfo=UTC),) * 2, ("fault", "the clock says 1970-01-01")),
        ((datetime(2150, 1, 1, tzinfo=UTC),) * 2, ("fault", "the clock says 2150-01-01")),
        ((NOW, NOW - timedelta(seconds=3600)), ("fault", "the clock jumped by -3600.5 s while it was looked at")),
        ((NOW, NOW + timedelta(seconds=60)), ("fault", "the clock jumped by 59.5 s while it was looked at")),
    ],
)
def test_a_clock_is_near_the_truth_and_keeps_step(instants: tuple[datetime, ...], told: tuple[str, str]) -> None:
    assert told_by(*instants) == told

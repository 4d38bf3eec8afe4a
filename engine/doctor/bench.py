"""Look at the bench itself: is there a place for the evidence, and does the clock tell the time?"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from ...schemas.doctor import DoctorCheck
from .findings import Desk

LEAST_BYTES = 64 << 20
EARLIEST, LATEST = datetime(2024, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
LOOKED_AT_S = 0.05
STRAYED_S = 5.0


def runs_directory(root: Path) -> DoctorCheck:
    """Whether evidence can be written there; nothing is left behind, not even the directory."""
    desk, name = Desk(), "runs-directory"
    place = root
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    try:
        with tempfile.TemporaryDirectory(prefix=".wt-doctor-", dir=place) as folder:
            (Path(folder) / "probe.tmp").write_bytes(b"evidence")
        free = shutil.disk_usage(place).free
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return desk.fault(name, f"{root} cannot be written: {why}", "name one that can with --runs-dir")
    if free < LEAST_BYTES:
        return desk.fault(name, f"{root} has {free >> 20} MiB left", "free some space, or name another with --runs-dir")
    return desk.ok(name, f"{root} can be written")


def clock(
    now: Callable[[], datetime] = lambda: datetime.now(UTC), monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> DoctorCheck:
    """Whether the clock is near the truth and keeps step; names and order of all evidence come from it."""
    desk, remedy = Desk(), "set this machine's clock"
    first, began = now(), monotonic()
    sleep(LOOKED_AT_S)
    second, ended = now(), monotonic()
    shown = first.strftime("%Y-%m-%d")
    if not EARLIEST <= first <= LATEST:
        return desk.fault("clock", f"the clock says {shown}", remedy)
    strayed = (second - first).total_seconds() - (ended - began)
    if second < first or abs(strayed) > STRAYED_S:
        return desk.fault("clock", f"the clock jumped by {strayed:.1f} s while it was looked at", remedy)
    return desk.ok("clock", "it keeps step")

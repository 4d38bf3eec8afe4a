from __future__ import annotations

from pathlib import Path

import pytest
from kit.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An empty folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    return Desk()

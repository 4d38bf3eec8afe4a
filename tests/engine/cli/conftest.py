"""The command line in this process, and a folder with a small pack that has been run once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kit.wt import Ended, small_pack, wt
from windtunnel.engine.cli.main import main

Told = Callable[..., Ended]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Told:
    """``told("list", "packs")``: a command in a new folder, in this process; not for ``run``, which forks."""
    monkeypatch.chdir(tmp_path)

    def tell(*words: object) -> Ended:
        capsys.readouterr()
        code = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Ended(code=code, out=captured.out, err=captured.err)

    return tell


@pytest.fixture(scope="session")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``shop.yaml`` and the runs of both its agents; read it only."""
    folder = tmp_path_factory.mktemp("flown")
    small_pack(folder)
    ended = wt("run", "shop.yaml", "--agent", "*", "--hook", "asks", "--deterministic", "7", folder=folder)
    assert ended.code == 1, ended
    return folder

"""Each good example is sound; each bad one is refused with the text beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.engine.loading.validate import validate_paths

EXAMPLES = Path(__file__).parent / "examples"


def _told(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What ``wt validate`` finds in the file, a line each, as one who stands beside it reads it."""
    monkeypatch.chdir(path.parent)
    return "".join(f"{problem}\n" for problem in validate_paths([path.name]).problems)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "good").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_good_example_has_no_fault(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _told(path, monkeypatch) == ""


@pytest.mark.parametrize("path", sorted((EXAMPLES / "bad").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_bad_example_is_refused_with_the_text_beside_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _told(path, monkeypatch) == path.with_suffix(".expected").read_text(encoding="utf-8")

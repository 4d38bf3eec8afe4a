"""Each good example has the shape of its kind; each bad one is refused with the text beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.schemas.problems import Problems
from windtunnel.schemas.reader import read_document
from windtunnel.schemas.shape import check_shape, kind_of

EXAMPLES = Path(__file__).parents[1] / "examples"


def told(path: Path) -> str:
    """Every fault of reading the file and of its shape, a line each."""
    problems = Problems()
    document = read_document(path, path.name, problems)
    kind = None if document is None else kind_of(document, problems)
    if document is not None and kind is not None:
        check_shape(document, kind, problems)
    return "".join(f"{problem}\n" for problem in problems)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "good").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_good_example_has_no_fault(path: Path) -> None:
    assert told(path) == ""


@pytest.mark.parametrize("path", sorted((EXAMPLES / "bad").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_bad_example_is_refused_with_the_text_beside_it(path: Path) -> None:
    assert told(path) == path.with_suffix(".expected").read_text(encoding="utf-8")

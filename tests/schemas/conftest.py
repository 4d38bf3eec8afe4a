"""Read and check text as a document; tests look at the faults as people read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from windtunnel.schemas.marks import Document
from windtunnel.schemas.problems import Problems, Source
from windtunnel.schemas.reader import read_text_document
from windtunnel.schemas.shape import check_shape, kind_of

SOURCE = Source(Path("/pack.yaml"), "pack.yaml")

Read = Callable[[str | bytes], tuple[Document | None, list[str]]]
Check = Callable[[str], list[str]]


@pytest.fixture
def read() -> Read:
    """``read(text)``: the document, or None, and every fault."""

    def run(text: str | bytes) -> tuple[Document | None, list[str]]:
        problems = Problems()
        content = text if isinstance(text, bytes) else text.encode()
        return read_text_document(content, SOURCE, problems), [str(problem) for problem in problems]

    return run


@pytest.fixture
def faults(read: Read) -> Check:
    """``faults(text)``: every fault of reading it."""
    return lambda text: read(text)[1]


@pytest.fixture
def data(read: Read) -> Callable[[str], Any]:
    """``data(text)``: what a text without faults means."""

    def run(text: str) -> Any:
        document, found = read(text)
        assert found == []
        assert document is not None
        return document.data

    return run


@pytest.fixture
def shape() -> Check:
    """``shape(text)``: every fault of reading it and of its shape, by the kind it says it is."""

    def run(text: str) -> list[str]:
        problems = Problems()
        document = read_text_document(text.encode(), SOURCE, problems)
        kind = None if document is None else kind_of(document, problems)
        if document is not None and kind is not None:
            check_shape(document, kind, problems)
        return [str(problem) for problem in problems]

    return run


PACK = """\
kind: pack
schema_version: 1
name: small
agents:
  a: {runtime: scripted, script: [{do: [{say: hello}]}]}
scenarios:
  s: {turns: [hi], expect: {outcome: [{type: contains, value: hello}]}}
"""


@pytest.fixture
def in_pack(shape: Check) -> Check:
    """``in_pack(text)``: the faults of a small pack with ``text`` after it (line 8 is its first line)."""
    return lambda text: shape(PACK + text)

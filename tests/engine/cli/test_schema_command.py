"""``wt schema`` hands out every contract as one document that stands alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from kit.wt import Ended
from windtunnel.schemas.catalog import file_name, kinds

from .conftest import Told


def test_without_a_kind_it_lists_them(told: Told) -> None:
    assert told("schema") == Ended(code=0, out="".join(f"{kind}\n" for kind in kinds()), err="")


@pytest.mark.parametrize("kind", kinds())
def test_a_kind_is_one_document(told: Told, kind: str) -> None:
    ended = told("schema", kind)
    assert (ended.code, ended.err) == (0, "")
    Draft202012Validator.check_schema(json.loads(ended.out))


def test_out_writes_files_for_an_editor(told: Told, tmp_path: Path) -> None:
    ended = told("schema", "--out", "deep/.wt")
    assert ended.out.splitlines() == [f"deep/.wt/{file_name(kind)}" for kind in kinds()]
    assert sorted(path.name for path in (tmp_path / "deep/.wt").iterdir()) == sorted(map(file_name, kinds()))
    assert told("schema", "pack", "--out", "one").out == "one/pack.v1.json\n"
    assert (tmp_path / "one/pack.v1.json").read_text() == told("schema", "pack").out


def test_an_unknown_kind_is_told_with_the_nearest_one(told: Told) -> None:
    assert told("schema", "trase") == Ended(code=2, out="", err="there is no schema of kind 'trase'; did you mean 'trace'?\n")


def test_a_place_that_cannot_be_written_is_3(told: Told, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = told("schema", "--out", "file/x")
    assert (ended.code, ended.out) == (3, "")
    assert ended.err == "file/x/pack.v1.json cannot be written: Not a directory; name a folder that may be written to\n"

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.engine.loading.rows import read_rows
from windtunnel.schemas.problems import Problems, Source


def rows(name: str, text: str) -> list[tuple[int, dict[str, object]]]:
    problems = Problems()
    found = read_rows(text, Source(Path("/x", name), name), problems)
    problems.raise_if_any()
    assert found is not None
    return [(row.mark.line, dict(row.values)) for row in found]


def fault(name: str, text: str) -> str:
    problems = Problems()
    assert read_rows(text, Source(Path("/x", name), name), problems) is None
    (problem,) = problems
    return str(problem)


def test_csv_cells_are_text_and_each_row_knows_its_first_line() -> None:
    text = 'id,note\r\n1,"two\nlines"\n\n2,\n'
    assert rows("a.csv", text) == [(2, {"id": "1", "note": "two\nlines"}), (5, {"id": "2", "note": ""})]


def test_a_cell_of_a_megabyte_is_read() -> None:
    assert rows("a.csv", f"id\n{'x' * (1 << 20)}\n")[0][1] == {"id": "x" * (1 << 20)}


def test_json_and_jsonl_rows_keep_their_types_and_know_their_line() -> None:
    whole = '[\n  {"id": 1, "on": true},\n\n  {"id": 2.5, "of": [null]}\n]\n'
    assert rows("a.json", whole) == [(2, {"id": 1, "on": True}), (4, {"id": 2.5, "of": [None]})]
    lines = '{"id": 1}\n\n{"id": "\\u00e9"}\n'
    assert rows("a.jsonl", lines) == [(1, {"id": 1}), (3, {"id": "é"})]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "", "a.csv:1:1: is empty; begin with a line that names the columns"),
        ("a.csv", "a,a\n", "a.csv:1:1: two columns are named 'a'; name each column once"),
        ("a.csv", "a,\n", "a.csv:1:1: column 2 has no name; name every column in the first line"),
        (
            "a.csv",
            "a,b\n1,2\n1\n",
            "a.csv:3:1: this row has 1 cells, the header has 2; give each column one cell; "
            "quote a cell that holds a comma",
        ),
        (
            "a.csv",
            'a\n"x"y\n',
            "a.csv:2:1: is not CSV: ',' expected after '\"'; quote the cell, and double each \" in it",
        ),
        ("a.json", "{}", "a.json:1:1: is not a list of rows; write one JSON list of objects: [{...}, {...}]"),
        ("a.json", "", "a.json:1:1: is not a list of rows; write one JSON list of objects: [{...}, {...}]"),
        ("a.json", "[{},]", "a.json:1:1: a comma before ']' is not JSON; remove the comma"),
        ("a.json", "[{}\n{}]", "a.json:2:1: after a row comes ',' or ']'; mend the JSON here"),
        ("a.json", "[{}", "a.json:1:1: after a row comes ',' or ']'; mend the JSON here"),
        ("a.json", "[{}] x", "a.json:1:1: text after the list; keep one JSON list in the file"),
        ("a.json", "[\n1]", 'a.json:2:1: a row is an object; write {"column": value, ...}'),
        ("a.json", '[{\n"a": }]', "a.json:2:1: is not JSON: Expecting value; mend the JSON here"),
        ("a.jsonl", '{"a": NaN}', "a.jsonl:1:1: this row holds NaN, which is no JSON number; use plain JSON values"),
        ("a.jsonl", '{"a": 1e999}', "a.jsonl:1:1: this row holds 1e999, which is out of range; use plain JSON values"),
        (
            "a.jsonl",
            '{"a": 1, "a": 2}',
            "a.jsonl:1:1: this row holds the key 'a' twice in one object; use plain JSON values",
        ),
        (
            "a.jsonl",
            '{"a": "\\ud800"}',
            "a.jsonl:1:1: this row holds half of a surrogate pair, which is no text; use plain JSON values",
        ),
        (
            "a.jsonl",
            '{"a": %s}' % ("9" * 5000),
            "a.jsonl:1:1: this row holds a number of 5000 digits; use plain JSON values",
        ),
        ("a.jsonl", '{"a": %s}' % ("[" * 100_000), "a.jsonl:1:1: this row is nested too deeply; use plain JSON values"),
        (
            "a.jsonl",
            '{"a": ' + "[" * 80 + "]" * 80 + "}",
            "a.jsonl:1:1: this row is nested deeper than 64; use plain JSON values",
        ),
        ("a.jsonl", "{} {}", "a.jsonl:1:1: text after the object; write one JSON object a line"),
        ("a.txt", "x", "a.txt:1:1: is no data file by its ending; rows come from .csv, .json, .jsonl, .ndjson"),
    ],
)
def test_a_data_file_that_does_not_hold_names_its_line(name: str, text: str, told: str) -> None:
    assert fault(name, text) == told

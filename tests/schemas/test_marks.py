"""Every key and value of a document knows its line and column, also after parts were joined."""

from __future__ import annotations

from pathlib import Path

from windtunnel.schemas.marks import Document, Marks
from windtunnel.schemas.problems import Problems, Source
from windtunnel.schemas.reader import read_text_document

TEXT = "a:\n  b: [x, {c: y}]\n  d: *s\n"


def document(text: str, shown: str = "one.yaml") -> Document:
    problems = Problems()
    found = read_text_document(text.encode(), Source(Path(f"/{shown}"), shown), problems)
    assert found is not None
    assert not problems
    return found


def test_values_and_keys_have_places_that_count_from_one() -> None:
    marks = document("a:\n  b: [x, {c: y}]\n").marks
    assert str(marks.value(("a", "b"))) == "one.yaml:2:6"
    assert str(marks.key(("a", "b"))) == "one.yaml:2:3"
    assert str(marks.value(("a", "b", 1, "c"))) == "one.yaml:2:14"
    assert str(marks.key(("a", "b", 1))) == str(marks.value(("a", "b", 1))) == "one.yaml:2:10"
    assert str(marks.value(())) == str(marks.key(())) == "one.yaml:1:1"


def test_what_is_not_there_stands_where_its_nearest_ancestor_does() -> None:
    marks = document("a:\n  b: [x]\n").marks
    assert str(marks.value(("a", "b", 7, "c"))) == "one.yaml:2:6"
    assert str(marks.key(("a", "z"))) == "one.yaml:2:3"
    assert str(marks.value(("a", "b", 0, "deeper"))) == "one.yaml:2:7"
    assert str(Marks(Source(Path("/x"), "x")).value(("a",))) == "x:1:1"


def test_what_was_merged_stands_where_it_was_written() -> None:
    marks = document("x: &x\n  p: 1\ny:\n  <<: *x\n  q: 2\n").marks
    assert str(marks.key(("y", "p"))) == "one.yaml:2:3"
    assert str(marks.key(("y", "q"))) == "one.yaml:5:3"


def test_a_grafted_part_keeps_its_own_file() -> None:
    whole = document("agents:\n  a: 1\n").marks
    part = document("# part\nagents:\n  b: {c: 2}\n", "two.yaml").marks
    whole.graft(("agents", "b"), part, ("agents", "b"))
    assert str(whole.key(("agents", "b"))) == "two.yaml:3:3"
    assert str(whole.value(("agents", "b", "c"))) == "two.yaml:3:10"
    assert str(whole.value(("agents", "a"))) == "one.yaml:2:6"


def test_a_graft_makes_the_mappings_on_its_way() -> None:
    whole = document("a: 1\n").marks
    whole.graft(("tools", "t"), document("tools: {t: 5}\n", "two.yaml").marks, ("tools", "t"))
    assert str(whole.value(("tools", "t"))) == "two.yaml:1:12"


def test_a_graft_changes_no_other_tree() -> None:
    part = document("m: {a: 1}\n", "two.yaml").marks
    whole, other = document("x: 1\n").marks, document("y: 1\n", "three.yaml").marks
    whole.graft(("m",), part, ("m",))
    whole.graft(("m", "b"), other, ("y",))
    assert str(part.key(("m", "b"))) == "two.yaml:1:4"
    assert str(whole.value(("m", "b"))) == "three.yaml:1:4"
    assert str(whole.value(("m", "a"))) == "two.yaml:1:8"


def test_a_part_of_a_list_can_be_grafted_too() -> None:
    whole = document("a: [x, y]\n").marks
    whole.graft(("a", 2), document("- p\n- q\n", "two.yaml").marks, (1,))
    assert str(whole.value(("a", 2))) == "two.yaml:2:3"
    assert str(whole.value(("a", 1))) == "one.yaml:1:8"


def test_a_graft_of_the_whole_changes_the_file() -> None:
    whole = document("a: 1\n").marks
    whole.graft((), document("\nb: 1\n", "two.yaml").marks, ())
    assert str(whole.key(("b",))) == "two.yaml:2:1"

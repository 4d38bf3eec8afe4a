from __future__ import annotations

from kit.desk import Desk
from windtunnel.schemas.documents import Inert, Pack
from windtunnel.schemas.scenario_documents import UserTurn


def said(pack: Pack) -> list[str]:
    return [turn.user for turn in pack.scenarios["s"].turns if isinstance(turn, UserTurn)]


def test_text_from_a_file_is_inert(desk: Desk) -> None:
    desk.write("hello.md", "Hello {{ vars.x }}")
    pack = desk.load("scenarios: {s: {turns: [file://hello.md], expect: {outcome: [{type: contains, value: x}]}}}\n")
    (user,) = said(pack)
    assert user == "Hello {{ vars.x }}"
    assert isinstance(user, Inert)


def test_a_template_file_is_rendered(desk: Desk) -> None:
    desk.write("hello.md", "Hello {{ vars.x }}")
    pack = desk.load(
        "vars: {x: 1}\n",
        "scenarios: {s: {turns: [{template: file://hello.md}], expect: {outcome: [{type: contains, value: x}]}}}\n",
    )
    (user,) = said(pack)
    assert user == "Hello {{ vars.x }}"
    assert not isinstance(user, Inert)


def test_a_glob_in_a_list_gives_one_entry_for_each_file_in_order(desk: Desk) -> None:
    for name in ("2", "10", "1"):
        desk.write(f"turns/{name}.txt", name)
    pack = desk.load(
        "scenarios:\n"
        "  s: {turns: [first, file://turns/*.txt], expect: {outcome: [{type: contains-any, value: [a, file://turns/*]}]}}\n"
    )
    assert said(pack) == ["first", "1", "10", "2"]
    assert pack.scenarios["s"].expect["outcome"][0].args["value"] == ["a", "1", "10", "2"]


def test_one_byte_order_mark_is_taken_off(desk: Desk) -> None:
    desk.write("x.txt", b"\xef\xbb\xbfplain")
    assert desk.load("vars: {x: file://x.txt}\n").vars["x"] == "plain"


def test_a_file_that_cannot_be_read_is_a_fault_where_it_is_named(desk: Desk) -> None:
    desk.write("latin.txt", b"first\ncaf\xe9")
    desk.write("folder/x", "")
    found = desk.faults("vars:\n  a: file://gone.txt\n  b: file://latin.txt\n  c: [file://folder]\n")
    assert found == [
        "pack.yaml:8:6: vars.a: gone.txt cannot be read: there is no such file; "
        "mend the path; it is relative to this document",
        "pack.yaml:9:6: vars.b: latin.txt:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
        "pack.yaml:10:7: vars.c[0]: folder cannot be read: it is a folder; "
        "mend the path; it is relative to this document",
    ]


def test_the_digest_covers_every_file_and_not_the_place_of_the_pack(desk: Desk) -> None:
    for folder in ("one", "two"):
        desk.write(f"{folder}/note.txt", "same")
    first = desk.load("vars: {x: file://one/note.txt}\n")
    desk.write("elsewhere/one/note.txt", "same")
    moved = desk.write("elsewhere/pack.yaml", desk.pack("vars: {x: file://one/note.txt}\n").read_bytes())
    desk.write("one/note.txt", "changed")
    changed = desk.load("vars: {x: file://one/note.txt}\n")
    assert first.sha256 == desk.load_from(moved).sha256
    assert first.sha256 != changed.sha256

from __future__ import annotations

from kit.desk import Desk
from windtunnel.engine.loading.load import load_pack

PART = "kind: pack_part\nschema_version: 1\n"


def test_parts_add_their_ids_to_those_of_the_pack(desk: Desk) -> None:
    desk.write("parts/b.yaml", PART + "vars: {b: 2}\nworld: {tables: {b: [{x: 1}]}}\n")
    desk.write("parts/a.yaml", PART + "vars: {a: 1}\n")
    pack = desk.load("include: [parts/*.yaml]\nvars: {own: 0}\nworld: {tables: {own: [{x: 1}]}}\n")
    assert pack.vars == {"own": 0, "a": 1, "b": 2}
    assert list(pack.world.tables) == ["own", "b"]


def test_a_pack_may_consist_of_its_parts(desk: Desk) -> None:
    desk.write("pack.yaml", "kind: pack\nschema_version: 1\nname: thin\ninclude: [a.yaml, b.yaml]\n")
    desk.write("a.yaml", PART + "agents: {one: {runtime: scripted, script: [{do: [{say: hi}]}]}}\n")
    desk.write("b.yaml", PART + "scenarios: {s: {turns: [x], expect: {outcome: [{type: contains, value: hi}]}}}\n")
    pack = load_pack("pack.yaml")
    assert (list(pack.agents), list(pack.scenarios)) == (["one"], ["s"])


def test_required_keys_are_asked_for_after_joining(desk: Desk) -> None:
    desk.write("pack.yaml", "kind: pack\nschema_version: 1\nname: thin\ninclude: [a.yaml]\n")
    desk.write("a.yaml", PART + "vars: {x: 1}\n")
    assert desk.faults() == [
        "pack.yaml:1:1: the key 'agents' is missing, here and in every included part; add 'agents:'",
        "pack.yaml:1:1: the key 'scenarios' is missing, here and in every included part; add 'scenarios:'",
    ]


def test_the_same_id_twice_is_a_fault_with_both_places(desk: Desk) -> None:
    desk.write("a.yaml", PART + "vars:\n  client: B\n  other: C\n")
    desk.write("b.yaml", PART + "owner: them\nworld: {tables: {t: [{a: 1}]}}\n")
    found = desk.faults("include: [a.yaml, b.yaml]\nowner: us\nvars: {client: A}\nworld: {tables: {t: [{a: 1}]}}\n")
    assert found == [
        "a.yaml:4:3: vars.client: is already declared at pack.yaml:9:8; remove one of the two",
        "b.yaml:3:1: owner: is already declared at pack.yaml:8:1; remove one of the two",
        "b.yaml:4:18: world.tables.t: is already declared at pack.yaml:10:18; remove one of the two",
    ]


def test_files_are_looked_for_beside_the_part_that_names_them(desk: Desk) -> None:
    desk.write("parts/a.yaml", PART + "vars: {note: file://note.txt}\n")
    desk.write("parts/note.txt", "from the part")
    assert desk.load("include: [parts/a.yaml]\n").vars["note"] == "from the part"


def test_parts_may_include_parts_and_each_is_joined_once(desk: Desk) -> None:
    desk.write("a.yaml", PART + "include: [c.yaml]\n")
    desk.write("b.yaml", PART + "include: [c.yaml, a.yaml, b.yaml]\n")
    desk.write("c.yaml", PART + "vars: {c: 1}\n")
    assert desk.load("include: [a.yaml, b.yaml]\n").vars == {"c": 1}


def test_only_parts_are_included_and_faults_of_all_files_are_told_together(desk: Desk) -> None:
    desk.write("d.yaml", "kind: debrief\nschema_version: 1\nname: d\nask: [{about: environment, question: Q}]\n")
    desk.write("p.yaml", PART + "vers: {}\n")
    assert desk.faults("include: [d.yaml, p.yaml, gone.yaml, 'none/*.yaml']\n") == [
        "d.yaml:1:7: kind: this is a debrief, where a pack_part is meant; name another document",
        "p.yaml:3:1: vers: unknown key 'vers'; did you mean 'vars'?",
        "pack.yaml:7:27: include[2]: gone.yaml cannot be read: there is no such file; "
        "mend the path; it is relative to this document",
        "pack.yaml:7:38: include[3]: no file matches none/*.yaml; mend the path; it is relative to this document",
    ]

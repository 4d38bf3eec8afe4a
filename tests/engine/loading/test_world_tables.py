from __future__ import annotations

from kit.desk import Desk
from windtunnel.schemas.documents import Inert


def test_csv_cells_are_typed_by_the_columns(desk: Desk) -> None:
    desk.write("t.csv", 'id,qty,price,open,more\nA,12,1.5,true,"{""a"": [1]}"\n,-3,2,false,null\n')
    pack = desk.load(
        "world:\n"
        "  tables:\n"
        "    t: {rows: file://t.csv, columns: {id: text, qty: integer, price: real, open: flag, more: json}}\n"
    )
    assert pack.world.tables["t"].rows == (
        {"id": "A", "qty": 12, "price": 1.5, "open": True, "more": {"a": [1]}},
        {"id": "", "qty": -3, "price": 2.0, "open": False, "more": None},
    )
    assert isinstance(pack.world.tables["t"].rows[0]["id"], Inert)


def test_a_csv_cell_that_its_column_cannot_hold_names_file_and_line(desk: Desk) -> None:
    desk.write("t.csv", "qty,price,open,more,extra\n1_0,nan,yes,{,\n,,,,\n99999999999999999999,1,true,1,\n")
    found = desk.faults(
        "world: {tables: {t: {rows: file://t.csv, columns: {qty: integer, price: real, open: flag, more: json}}}}\n"
    )
    remedy = "mend the cell, or mend the column's type"
    assert found == [
        "t.csv:2:1: extra: table 't' has no column 'extra'; its columns: more, open, price, qty",
        f"t.csv:2:1: more: '{{' stands in a column of type json, and is not JSON: Expecting property name enclosed in "
        f"double quotes: line 1 column 2 (char 1); {remedy}",
        f"t.csv:2:1: open: 'yes' stands in a column of type flag, which holds true or false; {remedy}",
        f"t.csv:2:1: price: 'nan' stands in a column of type real, which holds a number; {remedy}",
        f"t.csv:2:1: qty: '1_0' stands in a column of type integer, which holds a whole number of 64 bits; {remedy}",
        "t.csv:3:1: extra: table 't' has no column 'extra'; its columns: more, open, price, qty",
        f"t.csv:3:1: more: an empty cell stands in a column of type json, which holds any plain value; {remedy}",
        f"t.csv:3:1: open: an empty cell stands in a column of type flag, which holds true or false; {remedy}",
        f"t.csv:3:1: price: an empty cell stands in a column of type real, which holds a number; {remedy}",
        "t.csv:3:1: qty: an empty cell stands in a column of type integer, which holds a whole number of "
        f"64 bits; {remedy}",
        "t.csv:4:1: extra: table 't' has no column 'extra'; its columns: more, open, price, qty",
        "t.csv:4:1: qty: '99999999999999999999' stands in a column of type integer, which holds a whole number of "
        f"64 bits; {remedy}",
    ]


def test_columns_of_inline_rows_are_inferred_from_their_values(desk: Desk) -> None:
    pack = desk.load(
        "vars: {n: 3}\n"
        "world:\n"
        "  tables:\n"
        "    t:\n"
        '      - {text: a, whole: 1, real: 1, flag: true, json: [1], lone: "{{ vars.n }}", none: null}\n'
        "      - {text: b, whole: 2, real: 1.5, flag: false, json: {a: 1}}\n"
    )
    assert pack.world.tables["t"].columns == {
        "text": "text",
        "whole": "integer",
        "real": "real",
        "flag": "flag",
        "json": "json",
        "lone": "text",
        "none": "text",
    }


def test_a_template_may_stand_in_a_column_of_any_type(desk: Desk) -> None:
    pack = desk.load(
        "vars: {n: 3}\n",
        'world: {tables: {t: {columns: {n: integer}, rows: [{n: "{{ vars.n }}"}]}}}\n',
    )
    assert pack.world.tables["t"].rows == ({"n": "{{ vars.n }}"},)


def test_inline_cells_that_do_not_fit_are_faults_at_the_cell(desk: Desk) -> None:
    found = desk.faults(
        "world:\n  tables:\n    a: [{x: 1}, {x: one}]\n    b: {columns: {n: integer}, rows: [{n: one}, {m: 1}]}\n"
    )
    assert found == [
        "pack.yaml:9:8: world.tables.a: column 'x' holds integer and text; mend the cells, or declare the column's "
        "type: {columns: {...}, rows: [...]}",
        "pack.yaml:10:43: world.tables.b.rows[0].n: 'one' stands in a column of type integer, which holds a whole "
        "number of 64 bits; mend the cell, or mend the column's type",
        "pack.yaml:10:50: world.tables.b.rows[1].m: table 'b' has no column 'm'; its columns: n",
    ]


SCENARIO = "scenarios:\n  s:\n    turns: [x]\n    expect: {outcome: [{type: contains, value: x}]}\n"
WORLD = (
    "world: {now: '2026-03-02T09:00:00+01:00', "
    "tables: {t: {columns: {id: text, n: integer}, rows: [{id: A, n: 1}]}, u: [{x: 1}]}}\n"
)


def test_a_scenario_replaces_the_rows_of_a_table_and_keeps_its_columns(desk: Desk) -> None:
    pack = desk.load(WORLD, SCENARIO + "    world: {tables: {t: [{id: B}]}}\n")
    world = pack.scenarios["s"].world
    assert world.now == "2026-03-02T09:00:00+01:00"
    assert dict(world.tables["t"].columns) == {"id": "text", "n": "integer"}
    assert world.tables["t"].rows == ({"id": "B"},)
    assert world.tables["u"] is pack.world.tables["u"]
    assert pack.world.tables["t"].rows == ({"id": "A", "n": 1},)


def test_a_scenario_appends_to_a_table_and_adds_others(desk: Desk) -> None:
    desk.write("more.csv", "id,n\nC,3\n")
    pack = desk.load(
        WORLD,
        SCENARIO + "    world: {now: 2027-01-01T00:00:00Z, tables: {t: {append: file://more.csv}, v: [{y: a}]}}\n",
    )
    world = pack.scenarios["s"].world
    assert world.now == "2027-01-01T00:00:00Z"
    assert world.tables["t"].rows == ({"id": "A", "n": 1}, {"id": "C", "n": 3})
    assert list(world.tables) == ["t", "u", "v"]


def test_scenarios_without_a_world_of_their_own_share_the_one_of_the_pack(desk: Desk) -> None:
    pack = desk.load(WORLD)
    assert pack.scenarios["greets"].world is pack.world


def test_what_cannot_be_laid_over_is_told(desk: Desk) -> None:
    found = desk.faults(
        WORLD,
        SCENARIO + "    world: {tables: {t: [{idd: B}], v: {append: [{y: a}]}, T: [{id: C}], sqlite_x: [{a: 1}]}}\n",
    )
    assert found == [
        "pack.yaml:12:27: scenarios.s.world.tables.t[0].idd: table 't' has no column 'idd'; did you mean 'id'?",
        "pack.yaml:12:40: scenarios.s.world.tables.v: there is no table 'v' to append to; give its rows as a list, or "
        "declare it in the pack's world",
        "pack.yaml:12:60: scenarios.s.world.tables.T: table 'T' and table 't' are one name to SQL; rename one of them",
        "pack.yaml:12:74: scenarios.s.world.tables.sqlite_x: SQLite keeps names like 'sqlite_x' for itself; give the "
        "table another name",
    ]

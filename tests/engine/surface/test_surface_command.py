"""``wt surface`` as a user types it: what it prints, what it writes, and what is never green."""

from __future__ import annotations

import json
from pathlib import Path

from kit.wt import Ended, small_pack, sweep_record, traces, wt
from windtunnel.schemas.catalog import artifact_faults

from .conftest import GOLDEN, PACK, golden, surface


def test_record_writes_one_file_and_the_same_bytes_again(tmp_path: Path) -> None:
    told = "shop.surface.json: 2 agents, 4 pairs, 2 surfaces\n"
    assert surface(tmp_path, "record", "--agent", "*") == Ended(code=0, out=f"recorded {told}", err="")
    first = (tmp_path / GOLDEN).read_bytes()
    assert surface(tmp_path, "record", "--agent", "*") == Ended(code=0, out=f"unchanged {told}", err="")
    (tmp_path / GOLDEN).unlink()
    surface(tmp_path, "record", "--agent", "*")
    assert (tmp_path / GOLDEN).read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == [GOLDEN, "shop.yaml"]


def test_scenarios_that_share_a_surface_share_one_entry(shop: Path) -> None:
    data = golden(shop)
    assert {agent: [one["scenarios"] for one in each] for agent, each in data["agents"].items()} == {
        "bad": [["ask", "buy"]], "good": [["ask", "buy"]],
    }  # fmt: skip
    assert [one["name"] for one in data["agents"]["good"][0]["segments"]] == [
        "system_prompt", "tool:stock_get", "tool:price_get", "guard:never", "sampling", "max_steps", "model",
    ]  # fmt: skip


def test_texts_are_kept_on_request_alone(tmp_path: Path, shop: Path) -> None:
    assert "You work in a shop. Be polite. My key is none." in golden(shop)["texts"].values()
    surface(tmp_path, "record")
    assert "texts" not in golden(tmp_path)
    assert "polite" not in (tmp_path / GOLDEN).read_text()


def test_a_secret_is_in_no_golden_file_and_another_one_changes_nothing(tmp_path: Path) -> None:
    surface(tmp_path, "record", "--store-text", SHOP_KEY="sk-4f1c9d-open-sesame")
    assert "You work in a shop. Be polite. My key is ***." in golden(tmp_path)["texts"].values()
    assert "sesame" not in (tmp_path / GOLDEN).read_text()
    assert surface(tmp_path, "check", SHOP_KEY="another-secret-altogether").code == 0


def test_check_is_green_where_all_is_as_recorded(shop: Path) -> None:
    said = "shop: 4 pairs of scenario and agent are as recorded in shop.surface.json\n"
    assert surface(shop, "check") == Ended(code=0, out=said, err="")
    assert surface(shop, "diff") == Ended(code=0, out=said, err="")


CHANGED = PACK.replace("Pieces in stock", "Pieces in \\e[31mstock").replace("temperature: 0", "temperature: 0.7").replace(
    "description: Pieces in \\e[31mstock.", 'description: "Pieces in \\e[31mstock."'
)
DIFFERENT = """\
bad  ask, buy
  changed  tool:stock_get  aadf9018, 175 characters -> 26255802, 185 characters
    --- recorded
    +++ found
    @@ -1,5 +1,5 @@
     {
    -  "description": "Pieces in stock.",
    +  "description": "Pieces in \\u001b[31mstock.",
       "input_schema": {
         "additionalProperties": false,
         "properties": {
good  ask, buy
  changed  tool:stock_get  aadf9018, 175 characters -> 26255802, 185 characters
    --- recorded
    +++ found
    @@ -1,5 +1,5 @@
     {
    -  "description": "Pieces in stock.",
    +  "description": "Pieces in \\u001b[31mstock.",
       "input_schema": {
         "additionalProperties": false,
         "properties": {
  changed  sampling  e4ff4911, 17 characters -> c0839761, 19 characters
    --- recorded
    +++ found
    @@ -1,3 +1,3 @@
     {
    -  "temperature": 0
    +  "temperature": 0.7
     }
shop: 0 of 4 pairs of scenario and agent are as recorded in shop.surface.json
"""


def test_a_difference_is_told_in_words_and_fails_a_check(shop: Path) -> None:
    remedy = "if that is meant, record it: wt surface record shop.yaml --store-text\n"
    assert surface(shop, "check", text=CHANGED) == Ended(code=1, out=DIFFERENT, err=remedy)
    assert surface(shop, "diff", text=CHANGED) == Ended(code=0, out=DIFFERENT, err="")
    surface(shop, "record", "--store-text", text=CHANGED)
    assert surface(shop, "check", text=CHANGED).code == 0


def test_without_texts_sizes_and_short_hashes_are_told(tmp_path: Path) -> None:
    surface(tmp_path, "record", "--scenario", "ask")
    ended = surface(tmp_path, "check", "--scenario", "ask", text=PACK.replace("temperature: 0", "temperature: 0.7"))
    assert ended == Ended(
        code=1,
        out="good  ask\n  changed  sampling  e4ff4911, 17 characters -> c0839761, 19 characters\n"
        "shop: 0 of 1 pair of scenario and agent is as recorded in shop.surface.json\n",
        err="if that is meant, record it: wt surface record shop.yaml --scenario ask"
        " (with --store-text, the next difference is shown in words)\n",
    )


def test_moved_added_and_removed_are_told_apart(shop: Path) -> None:
    lines = PACK.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("  stock_get"))
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    text = "".join(lines).replace("guards: [never]", "guards: []")
    text = text.replace("tools:\n", "tools:\n  clock: {description: The time., effect: read, input: {}, text: noon}\n")
    ended = surface(shop, "diff", "--agent", "good", text=text)
    assert ended.out == """\
good  ask, buy
  removed  guard:never  0c2fae86, 86 characters
  added    tool:clock  ce837c76, 134 characters
  moved    tool:price_get  now after tool:clock
shop: 0 of 2 pairs of scenario and agent are as recorded in shop.surface.json
"""


def test_pairs_that_only_one_side_has_are_differences(shop: Path) -> None:
    text = PACK.replace("  ask:\n", "  ask_twice:\n").replace("  bad:\n", "  worse:\n")
    ended = surface(shop, "check", text=text)
    assert (ended.code, ended.out) == (1, """\
bad  ask, buy: recorded, and the pack has it no longer
good  ask: recorded, and the pack has it no longer
good  ask_twice: not recorded
shop: 1 of 5 pairs of scenario and agent are as recorded in shop.surface.json
""")
    assert surface(shop, "record", text=text).code == 0
    assert list(golden(shop)["agents"]) == ["good"]


def test_what_is_not_selected_stays_as_it_was_recorded(shop: Path) -> None:
    assert surface(shop, "record", "--agent", "good", "--store-text", text=CHANGED).code == 0
    assert surface(shop, "check", "--agent", "good", text=CHANGED).code == 0
    assert surface(shop, "check", "--agent", "bad").code == 0
    assert surface(shop, "check", "--agent", "bad", text=CHANGED).code == 1
    assert surface(shop, "check", text=PACK.replace('skip: not yet', "tags: [x]")).code == 1


def test_the_differences_are_written_as_json(shop: Path) -> None:
    assert surface(shop, "check", "--json", "found.json", text=CHANGED).code == 1
    data = json.loads((shop / "found.json").read_text())
    assert artifact_faults("surface_diff", data) == []
    assert (data["pack"], data["golden"], data["exit_code"], data["pairs"]) == ("shop", GOLDEN, 1, 4)
    assert [(one["agent"], one["kind"], [each["name"] for each in one["segments"]]) for one in data["differences"]] == [
        ("bad", "changed", ["tool:stock_get"]), ("good", "changed", ["tool:stock_get", "sampling"]),
    ]  # fmt: skip
    assert surface(shop, "check", "--json", "found.json").code == 0
    assert json.loads((shop / "found.json").read_text())["differences"] == []
    assert surface(shop, "check", "--json", "no/such.json").code == 2
    assert surface(shop, "check", "--json", "/dev/full").code == 3


def test_an_unset_variable_of_a_selected_agent_is_a_fault_as_in_a_run(shop: Path) -> None:
    text = PACK.replace("SHOP_KEY | default('none')", "SHOP_KEY")
    for what in ("check", "record"):
        ended = surface(shop, what, "--agent", "good", text=text)
        assert (ended.code, ended.out) == (2, "")
        assert "agents.good: the environment variable SHOP_KEY is not set" in ended.err
        assert surface(shop, what, "--agent", "bad", text=text).code == 0


def test_a_pair_that_cannot_be_looked_at_is_never_green_and_nothing_is_written(shop: Path) -> None:
    before = (shop / GOLDEN).read_bytes()
    text = PACK.replace("Be {{ vars.tone }}", "Be {{ vars.tone[9] }}")
    ended = surface(shop, "check", "--scenario", "ask", text=text)
    first, last = ended.out.splitlines()
    assert ended.code == 3
    assert first.startswith("good  ask: could not be looked at: capture_surface: agents.good.system_prompt: You work in a shop.")
    assert last == "shop: 1 of 2 pairs of scenario and agent are as recorded in shop.surface.json"
    ended = surface(shop, "record", "--scenario", "ask", text=text)
    first, last = ended.err.splitlines()
    assert (ended.code, ended.out) == (3, "")
    assert first.startswith("could not be looked at: shop/ask  good: capture_surface: agents.good.system_prompt: You work in")
    assert last == "nothing was written; mend that, or leave the agent or the scenario out with --agent and --scenario"
    assert (shop / GOLDEN).read_bytes() == before


def test_a_look_that_dies_is_never_green(shop: Path) -> None:
    (shop / "ends.py").write_text("import os\n\ndef now(**names):\n    pass\n\nos._exit(0)\n")
    ended = surface(shop, "check", text=PACK.replace("guards: [never]", "guards: ['ends.py:now']"))
    assert ended.code == 3
    assert "as recorded" not in ended.out


def test_a_golden_file_may_stand_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    assert surface(tmp_path, "record", "--out", "kept/it.json").out.startswith("recorded kept/it.json: 1 agent, 2 pairs, 1 surface")
    assert surface(tmp_path, "check", "--golden", "kept/it.json").code == 0
    assert surface(tmp_path, "check").code == 2
    for place, why in (("no/such/it.json", "there is no such folder"), ("kept", "it is a folder")):
        assert surface(tmp_path, "record", "--out", place) == Ended(
            code=2, out="", err=f"--out {place}: cannot be written ({why}); name a file in a folder that exists\n"
        )


def test_a_pack_that_is_named_is_recorded_in_this_folder(tmp_path: Path) -> None:
    assert wt("surface", "record", "first_flight", "recovery", folder=tmp_path).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first_flight.surface.json", "recovery.surface.json"]
    assert wt("surface", "check", "first_flight", folder=tmp_path).code == 0
    ended = wt("surface", "check", "first_flight", "--golden", "recovery.surface.json", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    ended = wt("surface", "record", "first_flight", "recovery", "--out", "x.json", folder=tmp_path)
    assert (ended.code, ended.err) == (2, "--out x.json: one file records one pack; name one, or leave --out away\n")


def test_an_agent_of_the_command_line_is_looked_at_and_told_in_the_remedy(shop: Path) -> None:
    words = ("--model", "big one", "--base-url", "http://127.0.0.1:9/v1", "--sampling", "temperature=0.5", "--extends", "good", "--agent-id", "mine")
    remedy = "wt surface record shop.yaml --model 'big one' --base-url http://127.0.0.1:9/v1 --sampling temperature=0.5 --extends good --agent-id mine --store-text"
    ended = surface(shop, "check", *words)
    assert ended == Ended(
        code=2, out="",
        err=f"{GOLDEN}: covers none of the pairs of scenario and agent that are selected (ask with mine and 1 more); record them: {remedy}\n",
    )
    assert surface(shop, "record", "--store-text", *words).out == f"recorded {GOLDEN}: 3 agents, 6 pairs, 3 surfaces\n"
    assert surface(shop, "check", *words).code == 0
    assert surface(shop, "check").out.splitlines()[0] == "mine  ask, buy: recorded, and the pack has it no longer"


def test_a_pack_that_is_named_twice_is_recorded_once(tmp_path: Path) -> None:
    small_pack(tmp_path, PACK)
    (tmp_path / "kiosk.yaml").write_text(PACK.replace("name: shop", "name: kiosk"))
    ended = wt("surface", "record", "shop.yaml", "kiosk.yaml", "./shop.yaml", folder=tmp_path)
    assert [line.partition(":")[0] for line in ended.out.splitlines()] == ["recorded shop.surface.json", "recorded kiosk.surface.json"]


def test_a_run_keeps_the_text_of_a_surface_on_request_alone(tmp_path: Path) -> None:
    small_pack(tmp_path)
    for number, words in enumerate(((), ("--store-text",))):
        runs = tmp_path / f"runs{number}"
        assert wt("run", "shop.yaml", "--runs-dir", runs, *words, folder=tmp_path).code == 0
        assert ("store_text" in sweep_record(runs)["asked"]) is bool(words)
        for trace in traces(runs):
            assert artifact_faults("trace", trace) == []
            assert [one["name"] for one in trace["surface"]["segments"]] == ["tool:stock_get", "tool:order", "rules"]
            assert all(("text" in one) is bool(words) for one in trace["surface"]["segments"])

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result
from kit.desk import Desk
from windtunnel.engine.cli.schema import command as schema
from windtunnel.engine.cli.validate import command as validate
from windtunnel.schemas.catalog import kinds

DEBRIEF = "kind: debrief\nschema_version: 1\nname: {name}\nask: [{{about: {about}, question: Q}}]\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(validate, list(words))


def test_every_kind_of_document_is_checked_and_told(desk: Desk) -> None:
    desk.pack()
    desk.write("part.yaml", "kind: pack_part\nschema_version: 1\nvars: {a: 1}\n")
    desk.write("debrief.yaml", DEBRIEF.format(name="d", about="environment"))
    desk.write("mine.yaml", desk.standard_skeleton())
    found = run("pack.yaml", "part.yaml", "debrief.yaml", "mine.yaml")
    assert found.output == (
        "ok debrief.yaml: debrief d\n"
        "ok mine.yaml: skeleton standard\n"
        "ok pack.yaml: pack desk: 1 scenario, 1 agent, 0 tools\n"
        "ok part.yaml: part of a pack: its shape holds, the rest is checked with a pack that takes it\n"
    )
    assert found.exit_code == 0


def test_faults_of_all_documents_come_first_and_the_sound_ones_are_still_told(desk: Desk) -> None:
    desk.pack()
    desk.write("debrief.yaml", DEBRIEF.format(name="d", about="steering"))
    desk.write("mine.yaml", desk.standard_skeleton().replace("      - score\n", ""))
    found = run("pack.yaml", "debrief.yaml", "mine.yaml", "gone.yaml")
    lines = found.output.splitlines()
    assert lines[0] == (
        "debrief.yaml:4:15: ask[0].about: asks about steering before the environment; "
        "ask in the order environment, blockers, steering, and about the environment in any case"
    )
    assert (
        lines[1] == "gone.yaml:1:1: cannot be read: No such file or directory; name a file that exists and may be read"
    )
    assert all(line.startswith("mine.yaml:") for line in lines[2:-1])
    assert lines[-1] == "ok pack.yaml: pack desk: 1 scenario, 1 agent, 0 tools"
    assert found.exit_code == 2


def test_a_folder_means_its_pack_or_every_document_below_it(desk: Desk) -> None:
    desk.write("packs/one/pack.yaml", desk.pack().read_bytes())
    desk.write("packs/one/other.yaml", "kind: nonsense")
    desk.write("packs/data.yaml", "some: data")
    desk.write("packs/debriefs/d.yaml", DEBRIEF.format(name="d", about="environment"))
    assert run("packs").output == (
        "ok packs/debriefs/d.yaml: debrief d\nok packs/one/pack.yaml: pack desk: 1 scenario, 1 agent, 0 tools\n"
    )
    assert run().output == run(".").output == "ok ./pack.yaml: pack desk: 1 scenario, 1 agent, 0 tools\n"


def test_a_folder_without_a_document_is_a_fault(desk: Desk) -> None:
    desk.write("empty/notes.txt", "")
    found = run("empty")
    assert found.output == (
        "empty:1:1: holds no document; name a document, or a folder with pack.yaml or other documents in it\n"
    )
    assert found.exit_code == 2


@pytest.mark.usefixtures("desk")
def test_a_built_in_pack_is_checked_by_its_name() -> None:
    assert "pack first_flight: " in run("first_flight").output


def test_a_variable_that_is_not_set_is_a_note_and_no_fault(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MODEL", raising=False)
    desk.write(
        "a.yaml",
        "kind: pack_part\nschema_version: 1\nagents: {live: {runtime: openai, base_url: 'http://x/v1', "
        "model: '{{ env.MODEL }}'}}\n",
    )
    desk.pack("include: [a.yaml]\n")
    found = run("pack.yaml")
    assert found.output.splitlines()[0] == (
        "a.yaml:3:10: note: agent 'live' needs the variable MODEL, which is not set"
    )
    assert found.exit_code == 0


def test_a_sampling_setting_that_may_be_a_slip_is_a_note_and_no_fault(desk: Desk) -> None:
    desk.write(
        "a.yaml",
        "kind: pack_part\nschema_version: 1\n"
        "agents:\n  live: {runtime: openai, base_url: 'http://x/v1', model: m, sampling: {max_token: 3, min_tokens: 1, odd: 2}}\n"
        "scenarios:\n  hot: {turns: [Hello], matrix: {temprature: [0, 1]}, expect: {outcome: [{type: mentions, value: a}]}}\n",
    )
    desk.pack("include: [a.yaml]\n")
    found = run("pack.yaml")
    assert found.output == (
        "a.yaml:4:3: note: agent 'live' is sampled with 'max_token', which may be a slip for 'max_tokens'; it is sent as it stands\n"
        "a.yaml:6:3: note: the matrix of 'hot' sets 'temprature', which may be a slip for 'temperature'; it is sent as it stands\n"
        "ok pack.yaml: pack desk: 2 scenarios, 2 agents, 0 tools\n"
    )
    assert found.exit_code == 0


def test_json_holds_what_the_text_says(desk: Desk) -> None:
    desk.pack("vers: 1\n")
    desk.write("d.yaml", DEBRIEF.format(name="d", about="environment"))
    assert json.loads(run("--format", "json", "pack.yaml", "d.yaml").output) == {
        "ok": False,
        "problems": [
            {
                "file": "pack.yaml",
                "line": 7,
                "column": 1,
                "path": "vers",
                "message": "unknown key 'vers'",
                "remedy": "did you mean 'vars'?",
            }
        ],
        "notes": [],
        "documents": [{"file": "d.yaml", "what": "debrief d"}],
    }


def test_github_gets_a_command_for_each_fault(desk: Desk) -> None:
    desk.pack("vars: {a: file://50%.txt}\n")
    assert run("--format", "github", "pack.yaml").output == (
        "::error file=pack.yaml,line=7,col=11::vars.a: 50%25.txt cannot be read: there is no such file; "
        "mend the path; it is relative to this document\n"
    )


def test_text_from_a_document_cannot_steer_a_terminal(desk: Desk) -> None:
    desk.pack('"ve\\e[31mrs": 1\n')
    assert "\x1b" not in run("pack.yaml").output


def test_schemas_are_listed_printed_and_written(desk: Desk) -> None:
    runner = CliRunner()
    assert runner.invoke(schema, []).output.split() == list(kinds())
    printed = json.loads(runner.invoke(schema, ["pack"]).output)
    assert printed["title"]
    assert all(each.startswith("#/$defs/") or each == "#" for each in refs(printed))
    written = runner.invoke(schema, ["--out", ".wt"]).output.split()
    assert ".wt/pack.v1.json" in written
    assert json.loads(desk.read(".wt/pack.v1.json")) == printed


def refs(schema: object) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [each for member in schema.values() for each in refs(member)]
    return [each for member in schema for each in refs(member)] if isinstance(schema, list) else []

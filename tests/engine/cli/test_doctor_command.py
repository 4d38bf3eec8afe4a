"""wt doctor names what is wrong, who has it and what to do; and nothing that is not known is called well."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from kit.patients import healthy, heard, until, with_memory, write_pack
from kit.wt import Ended, environment, wt
from windtunnel.schemas.catalog import artifact_faults

BENCH = """\
ok         bench  documents  pack desk holds
ok         bench  runs-directory  runs can be written
ok         bench  clock  it keeps step
"""
CLEAN = "ok         assistant  reset  the nonce did not come back: the reply after the reset\n"


def doctor(folder: Path, *words: str, **env: str) -> Ended:
    return wt("doctor", *words, folder=folder, env=environment(**env))


def examined(folder: Path, endpoint: Endpoint, *words: str) -> tuple[int, str]:
    """Exit code, and what is told of the agent, without numbers that differ from run to run."""
    write_pack(folder, endpoint.base_url)
    ended = doctor(folder, *words)
    assert ended.err == ""
    assert ended.out.startswith(BENCH)
    told = ended.out.removeprefix(BENCH).replace(f"127.0.0.1:{endpoint.port}", "HOST")
    return ended.code, re.sub(r"took \d+\.\d+ s", "took N s", re.sub(r"canary-[0-9a-f]+", "NONCE", told))


def test_without_a_pack_the_built_in_one_is_examined_and_nothing_is_kept(tmp_path: Path) -> None:
    assert doctor(tmp_path) == Ended(code=0, err="", out=BENCH.replace("desk", "first_flight") + (
        "ok         careful  settings  runtime scripted\n"
        "-          careful  endpoint  a script needs no endpoint and no model\n"
        "ok         careful  reset  the nonce did not come back: the reply after the reset\n"
        "first_flight: 5 ok\n"
    ))
    assert list(tmp_path.iterdir()) == []


def test_a_healthy_agent(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        assert examined(tmp_path, endpoint) == (0, (
            "ok         assistant  settings  runtime openai\n"
            "ok         assistant  endpoint  HOST answers\n"
            "ok         assistant  reply  'Hello.', with its usage\n"
            "ok         assistant  model  small: one of the 2 that the endpoint lists\n"
            "ok         assistant  latency  a short turn took N s, and the shortest turn_timeout_s is 60\n"
            "ok         assistant  tools  a call that was asked for came back\n"
            f"{CLEAN}"
            "desk: 10 ok\n"
        ))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pack.yaml"]


def test_an_endpoint_where_nobody_listens(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        write_pack(tmp_path, f"http://127.0.0.1:{free.getsockname()[1]}/v1")
        ended = doctor(tmp_path)
    assert ended.code == 1
    told = re.sub(r"127.0.0.1:\d+ cannot be reached: .*", "HOST cannot be reached", ended.out.removeprefix(BENCH))
    assert told == (
        "ok         assistant  settings  runtime openai\n"
        "FAULT      assistant  endpoint  endpoint HOST cannot be reached\n"
        "           is the endpoint running, and is base_url right?\n"
        "UNCHECKED  assistant  reply  not asked: there is no endpoint\n"
        "UNCHECKED  assistant  model  not asked: there is no endpoint\n"
        "UNCHECKED  assistant  latency  not asked: there is no endpoint\n"
        "UNCHECKED  assistant  tools  not asked: there is no endpoint\n"
        "UNCHECKED  assistant  reset  not asked: there is no endpoint\n"
        "desk: 4 ok, 1 fault, 5 unchecked\n"
    )


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(status=401, body={"error": {"message": "no such key"}}),
         ("endpoint HOST answered status 401: no such key", "look at api_key: is the variable set, and is it this endpoint's key?")),
        (Answer(status=503), ("endpoint HOST answered status 503", "the endpoint is in trouble: look at its log, or raise retries")),
        (Answer(hang_up=True), ("endpoint HOST closed the connection without an answer", "look at the endpoint's log")),
        (Answer(body={"data": []}, headers={"Date": "Thu, 01 Jan 2015 00:00:00 GMT"}),
         ("endpoint HOST says another time than this machine, by N s", "set the clock of the one that is wrong")),
    ],
    ids=["key", "trouble", "hangs up", "another time"],
)
def test_an_endpoint_that_is_not_well(tmp_path: Path, answer: Answer, told: tuple[str, str]) -> None:
    with Endpoint([answer]) as endpoint:
        code, found = examined(tmp_path, endpoint)
    lines = [re.sub(r"by \d+ s", "by N s", line) for line in found.splitlines()[1:3]]
    assert (code, lines) == (1, [f"FAULT      assistant  endpoint  {told[0]}", f"           {told[1]}"])


def line(found: str, name: str) -> list[str]:
    """The lines of one check, its remedy included."""
    lines = found.splitlines()
    at = next(n for n, each in enumerate(lines) if f"  {name}  " in each)
    return [lines[at], *(each for each in lines[at + 1 : at + 2] if each.startswith("           "))]


def test_a_model_that_the_endpoint_does_not_know(tmp_path: Path) -> None:
    def answer(asked: Request) -> Answer:
        if asked.path == "/v1/models":
            return Answer(body={"data": [{"id": "smal"}, {"id": "large"}]})
        return Answer(status=404, body={"error": {"message": "model small does not exist"}})

    with Endpoint(answer) as endpoint:
        code, found = examined(tmp_path, endpoint)
    assert (code, line(found, "reply")) == (1, [
        "FAULT      assistant  reply  endpoint HOST answered status 404: model small does not exist",
        "           the endpoint lists no model 'small'; did you mean 'smal'?",
    ])
    assert line(found, "reset") == ["UNCHECKED  assistant  reset  not asked: there is no reply"]


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (Answer(status=404), "small: the endpoint lists no models, and answers"),
        (Answer(body=b"<html>"), "small: the endpoint lists no models, and answers"),
        (Answer(body={"data": ["other"]}), "small: not in the endpoint's list, which answers all the same"),
        (Answer(body={"models": [{"name": "small"}]}), "small: one of the 1 that the endpoint lists"),
    ],
    ids=["no list", "no JSON", "another list", "another shape"],
)
def test_an_endpoint_that_answers_knows_the_model_whatever_it_lists(tmp_path: Path, models: Answer, told: str) -> None:
    with Endpoint(lambda asked: models if asked.path == "/v1/models" else healthy(asked)) as endpoint:
        code, found = examined(tmp_path, endpoint)
    assert (code, line(found, "model")) == (0, [f"ok         assistant  model  {told}"])


def only_when_forced(asked: Request) -> Answer:
    if asked.path == "/v1/models" or "doctor_ping" not in heard(asked):
        return healthy(asked)
    if asked.body.get("tool_choice") == {"type": "function", "function": {"name": "doctor_ping"}}:
        return calls(tool_call("doctor_ping", {"word": "x"}))
    return message("I would call doctor_ping now.")


def never(asked: Request) -> Answer:
    return message("What tool?") if asked.body and "doctor_ping" in heard(asked) else healthy(asked)


def refuses_tools(asked: Request) -> Answer:
    if "doctor_ping" in (heard(asked) if asked.body else ""):
        return Answer(status=400, body={"error": {"message": "tools need --jinja"}})
    return healthy(asked)


@pytest.mark.parametrize(
    ("script", "code", "told"),
    [
        (only_when_forced, 0, ["ok         assistant  tools  no call came when one was asked for, and one did when it was forced"]),
        (never, 3, ["UNCHECKED  assistant  tools  not shown: 2 definitions were sent, and no call came back",
                    "           does the endpoint know tools, and does this model call them? some need a chat template or a flag for that"]),
        (refuses_tools, 1, ["FAULT      assistant  tools  endpoint HOST answered status 400: tools need --jinja",
                            "           the endpoint does not take this request: look at model, sampling and whether it knows tools"]),
    ],
)
def test_tools_are_seen_where_a_call_comes_back(tmp_path: Path, script: Any, code: int, told: list[str]) -> None:
    with Endpoint(script) as endpoint:
        ended, found = examined(tmp_path, endpoint)
    assert (ended, line(found, "tools")) == (code, told)
    assert CLEAN in found


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (message(""), ["FAULT      assistant  reply  the reply is empty",
                       "           look at max_tokens in sampling, and at what the model writes before its answer"]),
        (Answer(body={"choices": []}), None),
        (Answer(body=b"<html>"), None),
    ],
    ids=["empty", "no choice", "no JSON"],
)
def test_a_reply_of_another_shape_is_a_fault(tmp_path: Path, answer: Answer, told: list[str] | None) -> None:
    with Endpoint(lambda asked: healthy(asked) if asked.path == "/v1/models" else answer) as endpoint:
        code, found = examined(tmp_path, endpoint)
    assert code == 1
    assert line(found, "reply") == told or line(found, "reply")[0].startswith("FAULT      assistant  reply  endpoint HOST ")
    assert "UNCHECKED  assistant  reset  not asked: there is no reply" in found


@pytest.mark.parametrize(("number", "name"), [(0, "reply"), (1, "tools"), (3, "reset"), (4, "reset")])
def test_an_endpoint_that_dies_in_the_middle_is_a_fault_where_it_died(tmp_path: Path, number: int, name: str) -> None:
    with Endpoint(until(number, Answer(hang_up=True))) as endpoint:
        code, found = examined(tmp_path, endpoint)
    assert code == 1
    first = next(each for each in found.splitlines() if each.startswith("FAULT"))
    assert first.startswith(f"FAULT      assistant  {name}  ")
    assert "endpoint HOST closed the connection without an answer" in first


def test_an_endpoint_that_remembers_fails_the_gate(tmp_path: Path) -> None:
    with Endpoint(with_memory()) as endpoint:
        code, found = examined(tmp_path, endpoint)
    assert (code, line(found, "reset")) == (1, [
        "FAULT      assistant  reset  after the reset the nonce came back: the agent replied 'NONCE'",
        "           let reset leave nothing of the run before: look at sessions, memories and files that the agent keeps",
    ])


def test_a_pack_that_does_not_hold_is_told_as_ever(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("kind: pack\nschema_version: 1\nname: x\nagnets: {}\nagents: {}\nscenarios: {}\n")
    ended = doctor(tmp_path)
    assert ended.code == 2
    assert ended.out.startswith("FAULT      bench  documents  pack.yaml:4:1: agnets: unknown key 'agnets'; did you mean 'agents'?\n")
    assert "           mend them: wt validate pack.yaml\n" in ended.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "there is no pack 'nowhere', neither as a path nor by name; "),
        (("first_flight", "--agent", "carefull"), "--agent carefull: matches nothing; did you mean 'careful'?\n"),
    ],
)
def test_what_is_not_there_is_a_usage_fault(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ended = doctor(tmp_path, *words)
    assert ended.code == 2
    assert ended.err.startswith(told)


def test_a_variable_that_is_not_set_is_a_fault_of_its_agent_alone(tmp_path: Path) -> None:
    with Endpoint(healthy) as endpoint:
        path = write_pack(tmp_path, endpoint.base_url)
        other = '  other: {extends: assistant, api_key: "{{ secret(env.DESK_KEY) }}"}\n'
        path.write_text(path.read_text().replace("tools:\n", f"{other}tools:\n"))
        ended = doctor(tmp_path, "--agent", "*")
        assert ended.code == 1
        assert CLEAN in ended.out
        assert (
            "FAULT      other  settings  pack.yaml:6:3: the environment variable DESK_KEY is not set\n"
            "           set it, or give it a default\n"
        ) in ended.out
        ended = doctor(tmp_path, "--agent", "other", "--json", DESK_KEY="open-sesame-1234")
    report = json.loads(ended.out)
    assert (ended.code, report["exit_code"], artifact_faults("doctor", report)) == (0, 0, [])
    assert [check["agent"] for check in report["checks"]] == [""] * 3 + ["other"] * 7


def test_code_that_ends_the_process_is_never_green(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(
        "kind: pack\nschema_version: 1\nname: quits\n"
        "agents: {a: {runtime: scripted, script: [{do: [{call: {tool: quit, args: {}}}, {say: Hello}]}]}}\n"
        'tools: {quit: {effect: read, python: "quits.py:quit"}}\n'
        "scenarios: {s: {turns: [Hello], expect: {outcome: [{type: contains, value: Hello}]}}}\n"
    )
    (tmp_path / "quits.py").write_text("import os\n\ndef quit():\n    os._exit(0)\n")
    (tmp_path / "tmp").mkdir()
    ended = doctor(tmp_path, TMPDIR=str(tmp_path / "tmp"))
    assert ended.code == 3
    assert "did not end well" in ended.err
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("number", [0, 3])
def test_an_interrupt_ends_it_at_once(tmp_path: Path, number: int) -> None:
    with Endpoint(until(number, Answer(hold=True))) as endpoint:
        write_pack(tmp_path, endpoint.base_url)
        command = [sys.executable, "-m", "windtunnel.engine.cli.main", "doctor"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True)
        while sum(bool(asked.body) for asked in endpoint.requests) <= number:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out.endswith(" ok; interrupted\n")

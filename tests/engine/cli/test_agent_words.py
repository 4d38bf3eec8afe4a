"""Any pack is benched with any agent: a file of agents, or a model and its endpoint, are words of the command line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from kit.pages import readme_command
from kit.wt import SMALL_PACK, Ended, environment, small_pack, sweep_record, wt
from windtunnel.engine import AgentOptions, RunOptions, load_pack, run_pack, run_scenario
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.errors import UsageFault

from .conftest import Told

KEY = "sk-live-0123456789"
MINE = """\
kind: pack_part
schema_version: 1
agents:
  mine: {extends: bad, debrief: "1. No. 2. No. 3. I would look."}
  other: {extends: good}
"""


def answered(asked: Request) -> Answer:
    """As a clerk who looks things up; ``GET /models`` lists ``clerk``."""
    if asked.path.endswith("/models"):
        return Answer(body={"data": [{"id": "clerk"}]})
    last = asked.messages[-1]
    if last["role"] == "tool":
        return message("3 lamps." if "3" in str(last["content"]) else "Ordered.")
    if "How many" in str(last["content"]):
        return calls(tool_call("stock_get", {"item": "lamp"}))
    if "Order" in str(last["content"]):
        return calls(tool_call("order", {"item": "lamp"}))
    return message("You are welcome.")


@pytest.fixture(name="clerk")
def serve() -> Iterator[Endpoint]:
    with Endpoint(answered) as endpoint:
        yield endpoint


def run(folder: Path, *words: object, **env: str) -> Ended:
    return wt("run", *words, "--runs", "1", folder=folder, env=environment(**env))


def batches(ended: Ended) -> list[str]:
    return [line for line in ended.out.splitlines() if line.startswith(("batch ", "excluded "))]


def test_a_model_and_its_endpoint_are_all_that_a_pack_needs(tmp_path: Path, clerk: Endpoint) -> None:
    small_pack(tmp_path)
    ended = run(tmp_path, "shop.yaml", "--runtime", "openai", "--model", "clerk-1.5", "--base-url", clerk.base_url)
    assert ended.out == (
        "PASS ask  clerk-1-5  1/1\nPASS buy  clerk-1-5  1/1\n2 batches: 2 PASS; runs: 2 PASS; evidence in runs\n"
    )
    assert ended.code == 0
    assert {request.body["model"] for request in clerk.requests} == {"clerk-1.5"}
    record = sweep_record(tmp_path / "runs")
    assert record["added_agents"] == [{"ids": ["clerk-1-5"], "file": "", "sha256": "", "options": {
        "runtime": "openai", "model": "clerk-1.5", "base_url": clerk.base_url}}]
    assert record["packs"] == {"shop": load_pack(tmp_path / "shop.yaml").sha256}
    assert artifact_faults("sweep", record) == []


def test_the_command_of_the_readme_benches_and_debriefs_the_model_behind_an_endpoint(tmp_path: Path) -> None:
    words = readme_command("wt run tool_affordance --runtime", "URL")
    with Endpoint([message("I would rather not.")]) as endpoint:
        ended = wt(*(endpoint.base_url if word == "URL" else word for word in words[1:]), folder=tmp_path)
    assert ended.code == 1
    assert ended.out.count("FAIL ") == ended.out.count("     local says: I would rather not.\n") == 5
    assert ended.out.endswith("5 batches: 5 FAIL; runs: 5 FAIL; evidence in runs\n")


def test_every_word_reaches_the_request_and_the_key_nothing_that_is_written(tmp_path: Path, clerk: Endpoint) -> None:
    small_pack(tmp_path)
    (tmp_path / "prompt.md").write_text("You keep a {{ shop }}.")
    ended = run(
        tmp_path, "shop.yaml", "--scenario", "ask", "--model", "clerk", "--base-url", clerk.base_url,
        "--api-key-env", "CLERK_KEY", "--sampling", "max_tokens=64", "--sampling", "temperature=0.5",
        "--sampling", 'stop=["END"]', "--sampling", "user=me=you", "--sampling", 'suffix=""',
        "--system-prompt", "prompt.md", "--agent-id", "shopkeeper", "--label", f"with {KEY}", CLERK_KEY=KEY,
    )
    assert (ended.code, ended.err) == (0, "")
    first = clerk.requests[0]
    assert first.headers["Authorization"] == f"Bearer {KEY}"
    sent = {key: first.body[key] for key in ("max_tokens", "temperature", "stop", "user", "suffix")}
    assert sent == {"max_tokens": 64, "temperature": 0.5, "stop": ["END"], "user": "me=you", "suffix": ""}
    assert first.messages[0] == {"role": "system", "content": "You keep a {{ shop }}."}
    written = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    (row,) = sweep_record(tmp_path / "runs")["added_agents"]
    assert row["ids"] == ["shopkeeper"]
    assert row["options"]["api_key_env"] == "CLERK_KEY"
    assert row["options"]["system_prompt"] == {"prompt.md": hashlib.sha256(b"You keep a {{ shop }}.").hexdigest()}


def test_the_agents_of_a_file_run_and_are_debriefed(tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE)
    ended = run(tmp_path, "shop.yaml", "--scenario", "ask", "--agent-file", "mine.yaml", "--hook", "debrief")
    assert ended.out == (
        'FAIL ask  mine  0/1  outcome: mentions "3": not in the reply\n'
        "     mine says: 1. No. 2. No. 3. I would look.\n"
        "PASS ask  other  1/1\n"
        "2 batches: 1 PASS, 1 FAIL; runs: 1 PASS, 1 FAIL; evidence in runs\n"
    )
    assert ended.code == 1
    record = sweep_record(tmp_path / "runs")
    (row,) = record["added_agents"]
    assert (row["ids"], row["file"], row["options"]) == (["mine", "other"], "mine.yaml", {})
    assert row["sha256"] == load_pack(tmp_path / "shop.yaml", agents=[tmp_path / "mine.yaml"]).added[0].sha256
    assert artifact_faults("sweep", record) == []


def test_a_glob_picks_among_all_agents(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE)
    words = ("plan", "shop.yaml", "--scenario", "ask", "--agent-file", "mine.yaml")
    assert batches(told(*words)) == [f"batch  shop  ask  {name}  runs: 2" for name in ("mine", "other")]
    assert batches(told(*words, "--agent", "good", "--agent", "oth*")) == [
        f"batch  shop  ask  {name}  runs: 2" for name in ("good", "other")
    ]
    assert batches(told(*words, "--model", "m", "--base-url", "http://127.0.0.1:1/v1")) == [
        f"batch  shop  ask  {name}  runs: 2" for name in ("mine", "other", "m")
    ]


def test_a_file_of_helpers_leaves_the_pack_its_agent(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path)
    helper = "owl: {role: helper, runtime: scripted, script: [{do: [{say: PASS}]}]}"
    (tmp_path / "mine.yaml").write_text(f"kind: pack_part\nschema_version: 1\nagents: {{{helper}}}\n")
    ended = told("plan", "shop.yaml", "--scenario", "ask", "--agent-file", "mine.yaml")
    assert batches(ended) == ["batch  shop  ask  good  runs: 2"]


def test_an_agent_that_begins_with_a_helper_is_benched_itself(told: Told, tmp_path: Path) -> None:
    owl = "  owl: {role: helper, runtime: scripted, script: [{do: [{say: PASS}]}]}\n"
    small_pack(tmp_path, SMALL_PACK.replace("hooks:\n", f"{owl}hooks:\n"))
    ended = told("plan", "shop.yaml", "--scenario", "ask", "--extends", "owl", "--agent-id", "bird")
    assert batches(ended) == ["batch  shop  ask  bird  runs: 2"]


def test_scenarios_that_are_for_others_are_left_out_with_the_reason(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path, SMALL_PACK.replace("  buy:\n", "  buy:\n    agents: [good]\n"))
    words = ("--model", "m", "--base-url", "http://127.0.0.1:1/v1")
    assert batches(told("plan", "shop.yaml", *words)) == [
        "batch  shop  ask  m  runs: 2",
        "excluded  shop  buy  m  the scenario is for agents good",
    ]
    assert told("plan", "shop.yaml", "--scenario", "buy", *words) == Ended(code=2, out="", err=(
        "the selection matches nothing, so nothing would run; "
        "buy with m is excluded: the scenario is for agents good\n"
    ))


def test_several_packs_are_each_given_the_agents(tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "b.yaml").write_text(SMALL_PACK.replace("name: shop", "name: stall"))
    (tmp_path / "mine.yaml").write_text(MINE)
    ended = run(tmp_path, "shop.yaml", "b.yaml", "--scenario", "ask", "--agent-file", "mine.yaml", "--agent", "other")
    assert ended.code == 0
    assert len(list((tmp_path / "runs").glob("*/ask/other/*.score.json"))) == 2
    assert len(sweep_record(tmp_path / "runs")["added_agents"]) == 1


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("--model", "", "--base-url", ""),
     "--model: an empty value says nothing; is the variable set that it comes from?"),
    (("--agent-file", "gone.yaml"),
     "gone.yaml:1:1: cannot be read: No such file or directory; name a file that exists and may be read"),
    (("--sampling", "hot"), "--sampling hot: a key and its value are meant; write it like max_tokens=256"),
    (("--sampling", "n=1", "--sampling", "n=2"), "--sampling n: it is said twice; say it once"),
    (("--sampling", "top_p="),
     "--sampling top_p=: an empty value says nothing; is the variable set that it comes from? "
     "An empty text is written top_p='\"\"'"),
    (("--sampling", "top_p=NaN"), "--sampling top_p: the value holds NaN, which is no JSON number; mend it"),
    (("--sampling", "top_p=1e999"), "--sampling top_p: the value holds 1e999, which is out of range; mend it"),
    (("--sampling", 'bias={"a": 1, "a": 2}'),
     "--sampling bias: the value holds the key 'a' twice in one object; mend it"),
    (("--sampling", "stop=" + 900 * "[" + 900 * "]"), "--sampling stop: the value is nested deeper than 64; mend it"),
    (("--sampling", "stop=" + 9000 * "["), "--sampling stop: the value is nested too deeply; mend it"),
    (("--sampling", "seed=" + 5000 * "9"), "--sampling seed: the value holds a number of 5000 digits; mend it"),
    (("--model", " ", "--base-url", "http://127.0.0.1:1/v1"),
     "--model: an empty value says nothing; is the variable set that it comes from?"),
    (("--model", "m\udcff", "--base-url", "http://127.0.0.1:1/v1"),
     "--model: it holds bytes that are not UTF-8; write it in UTF-8"),
    (("--model", "m", "--base-url", "http://[::1/v1"),
     "--base-url: agents.m.base_url: base_url 'http://[::1/v1' is not an address of an endpoint; "
     "write it like http://127.0.0.1:8080/v1"),
    (("--model", "m", "--base-url", "http://me:hush@h:99999/v1?key=hush"),
     "--base-url: agents.m.base_url: base_url 'http://***@h:99999/v1?***' is not an address of an endpoint; "
     "write it like http://127.0.0.1:8080/v1"),
    (("--base-url", "http://127.0.0.1:1/v1"),
     "an agent of runtime openai needs --model; add it, like --model gpt-4.1-mini"),
    (("--model", "m", "--base-url", "here"),
     "--base-url: agents.m.base_url: base_url 'here' is not an address of an endpoint; "
     "write it like http://127.0.0.1:8080/v1"),
    (("--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--api-key-env", "WT_NOT_SET"),
     "--model: agents.m: the environment variable WT_NOT_SET is not set; "
     "export it, or name another one with --api-key-env"),
    (("--model", "good", "--base-url", "http://127.0.0.1:1/v1"),
     "--model: agents.good: is already declared at {folder}/shop.yaml:25:3; give it another one with --agent-id"),
]


@pytest.mark.parametrize(("words", "fault"), WRONG, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_words_that_make_no_agent_are_a_fault_before_anything_runs(
    tmp_path: Path, told: Told, words: tuple[str, ...], fault: str
) -> None:
    small_pack(tmp_path)
    wanted = fault.replace("{folder}/", "") + "\n"
    assert told("plan", "shop.yaml", *words) == Ended(code=2, out="", err=wanted)
    assert run(tmp_path, "shop.yaml", *words) == Ended(code=2, out="", err=wanted)
    assert not (tmp_path / "runs").exists()


def test_an_endpoint_that_is_not_there_is_missing_evidence_and_no_failure(tmp_path: Path) -> None:
    small_pack(tmp_path)
    with Endpoint([message("")]) as gone:
        url = gone.base_url
    ended = run(tmp_path, "shop.yaml", "--scenario", "ask", "--model", "m", "--base-url", url, "--jobs", "1")
    assert ended.code == 3
    assert ended.out.startswith("ERROR ask  m  0/1  ")


def test_the_doctor_examines_an_agent_of_the_command_line_without_any_pack(tmp_path: Path, clerk: Endpoint) -> None:
    ended = wt("doctor", "--model", "clerk", "--base-url", clerk.base_url, "--json", folder=tmp_path)
    report = json.loads(ended.out)
    assert report["pack"] == "first_flight"
    found = {(check["agent"], check["name"]): check["verdict"] for check in report["checks"]}
    assert found["clerk", "endpoint"] == found["clerk", "model"] == found["clerk", "reset"] == "ok"
    assert {agent for agent, _ in found} == {"", "clerk"}


def test_the_doctor_tells_a_key_that_is_not_set(tmp_path: Path) -> None:
    ended = wt("doctor", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--api-key-env", "WT_NOT_SET", folder=tmp_path)
    assert (
        "FAULT      m  settings  --model: the environment variable WT_NOT_SET is not set\n"
        "           export it, or name another one with --api-key-env\n"
    ) in ended.out
    assert ended.code == 1


def test_the_doctor_examines_the_agents_of_a_file_in_a_pack(tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE)
    ended = wt("doctor", "shop.yaml", "--agent-file", "mine.yaml", "--agent", "mine", folder=tmp_path)
    assert "ok         mine  settings  runtime scripted\n" in ended.out
    (tmp_path / "mine.yaml").write_text(MINE.replace("bad", "badd"))
    broken = wt("doctor", "shop.yaml", "--agent-file", "mine.yaml", folder=tmp_path)
    assert broken.code == 2
    assert broken.out.startswith(
        "FAULT      bench  documents  mine.yaml:4:19: agents.mine.extends: there is no agent 'badd' to extend; "
        "did you mean 'bad'?\n"
    )


def test_python_says_the_same(tmp_path: Path, clerk: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = small_pack(tmp_path)
    options: dict[str, Any] = {"runs": 1, "runs_dir": tmp_path / "runs"}
    agent = AgentOptions(model="clerk", base_url=clerk.base_url, sampling=MappingProxyType({"seed": 1}))
    asked = run_scenario(path, "ask", RunOptions(added_agents=(agent,), **options))
    assert (asked.exit_code, [each.agent for each in asked.aggregates]) == (0, ["clerk"])
    loaded = load_pack(path, agents=[agent])
    assert run_pack(loaded, RunOptions(**options)).exit_code == 0
    with pytest.raises(UsageFault) as caught:
        run_pack(loaded, RunOptions(added_agents=(agent,), **options))
    assert str(caught.value) == f"{path} is loaded already; give its agents to load_pack(path, agents=...)"

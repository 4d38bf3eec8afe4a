"""Agents that a pack does not declare are part of it as if they were: joined, checked, and told where they stand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from kit.wt import small_pack
from windtunnel.engine import AgentOptions, load_pack
from windtunnel.engine.added_agents import AddedAgent
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.errors import DocumentFault, UsageFault

HEAD = "kind: pack_part\nschema_version: 1\n"
URL = "http://127.0.0.1:1/v1"


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack ``shop.yaml`` in the current folder."""
    monkeypatch.chdir(tmp_path)
    return small_pack(tmp_path)


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return name


def loaded(*agents: AddedAgent) -> Pack:
    return load_pack("shop.yaml", agents=agents)


def faults(*agents: AddedAgent) -> Sequence[str]:
    with pytest.raises(DocumentFault) as caught:
        loaded(*agents)
    return str(caught.value).split("\n")


def refused(**options: Any) -> str:
    with pytest.raises(UsageFault) as caught:
        loaded(AgentOptions(**options))
    return str(caught.value)


def test_a_file_brings_agents_and_the_guards_that_they_need() -> None:
    guard = "guards: {never: {refuse_when: 'true', reason: Not today.}}\n"
    script = "script: [{do: [{call: {tool: stock_get, args: {item: lamp}}}, {say: '{{ result.rows[0].pieces }}'}]}]"
    file = write("mine.yaml", f"{HEAD}x-team: desk\nagents:\n  mine: {{runtime: scripted, guards: [never], {script}}}\n{guard}")
    pack = loaded(file)
    assert list(pack.agents) == ["good", "bad", "mine"]
    assert pack.agents["mine"].guards == ("never",)
    assert list(pack.guards) == ["never"]
    assert [(each.ids, each.file) for each in pack.added] == [(("mine",), "mine.yaml")]


def test_an_agent_of_a_file_may_begin_with_one_of_the_pack() -> None:
    pack = loaded(write("mine.yaml", HEAD + "agents: {kind: {extends: bad, debrief: Nothing.}}\n"))
    assert pack.agents["kind"].settings == {**pack.agents["bad"].settings, "debrief": "Nothing."}


def test_a_reference_is_relative_to_the_file_of_the_agents() -> None:
    write("team/prompt.md", "Be kind.")
    file = write("team/mine.yaml", f"{HEAD}agents: {{m: {{runtime: openai, model: m, base_url: '{URL}', system_prompt: file://prompt.md}}}}\n")
    assert loaded(file).agents["m"].settings["system_prompt"] == "Be kind."


def test_the_digest_of_the_pack_is_its_own_and_that_of_the_agents_covers_what_they_lead_to() -> None:
    file = write("mine.yaml", f"{HEAD}agents: {{m: {{runtime: openai, model: m, base_url: '{URL}', system_prompt: file://prompt.md}}}}\n")
    digests = []
    for prompt in ("Be kind.", "Be quick."):
        write("prompt.md", prompt)
        pack = loaded(file)
        assert pack.sha256 == load_pack("shop.yaml").sha256
        digests.append(pack.added[0].sha256)
    assert len(set(digests)) == 2


def test_what_a_pack_and_an_agent_both_read_counts_for_both() -> None:
    write("prompt.md", "Be kind.")
    shop = Path("shop.yaml")
    shop.write_text(shop.read_text().replace("schema_version: 1\n", "schema_version: 1\ndescription: file://prompt.md\n"))
    file = write("mine.yaml", f"{HEAD}agents: {{m: {{runtime: openai, model: m, base_url: '{URL}', system_prompt: file://prompt.md}}}}\n")
    alone = load_pack("shop.yaml").sha256
    first = loaded(file)
    assert first.sha256 == alone
    write("prompt.md", "Be quick.")
    assert loaded(file).sha256 == load_pack("shop.yaml").sha256 != alone
    assert loaded(file).added != first.added


def test_a_file_holds_agents_and_nothing_else() -> None:
    write("other.yaml", HEAD + "agents: {}\nvars: {a: b}\ninclude: [x.yaml]\n")
    assert faults("other.yaml") == [
        "other.yaml:1:1: it holds no agents; add 'agents:' with one at least",
        "other.yaml:3:9: agents: the mapping is empty; give it at least one entry",
        "other.yaml:4:1: vars: a file of agents holds agents, and guards for them; not vars; "
        "take it out, or `include` this file in a pack",
        "other.yaml:5:1: include: a file of agents holds agents, and guards for them; not include; "
        "take it out, or `include` this file in a pack",
    ]


def test_a_pack_is_no_file_of_agents_and_neither_is_none() -> None:
    assert faults("shop.yaml", "gone.yaml") == [
        "gone.yaml:1:1: cannot be read: No such file or directory; name a file that exists and may be read",
        "shop.yaml:1:7: kind: this is a pack, where a pack_part is meant; name another document",
    ]


def test_added_agents_are_checked_against_the_pack() -> None:
    write("mine.yaml", HEAD + """\
agents:
  a: {runtime: scripted, script: [{do: [{call: {tool: stok_get, args: {}}}]}], guards: [strict]}
  b: {runtime: opnai, model: m}
  c: {extends: goood}
  d: {runtime: openai, model: m, base_url: http://127.0.0.1:1/v1, system_prompt: file://gone}
  e: {runtime: openai, modle: m}
""")
    assert faults("mine.yaml") == [
        "mine.yaml:4:55: agents.a.script[0].do[0].call.tool: there is no tool 'stok_get'; did you mean 'stock_get'? "
        "(a script that means to call wrongly says `unchecked: true`)",
        "mine.yaml:4:89: agents.a.guards[0]: there is no guard 'strict'; there is none",
        "mine.yaml:5:16: agents.b.runtime: there is no runtime 'opnai'; did you mean 'openai'?",
        "mine.yaml:6:16: agents.c.extends: there is no agent 'goood' to extend; did you mean 'good'?",
        "mine.yaml:7:82: agents.d.system_prompt: gone cannot be read: there is no such file; "
        "mend the path; it is relative to this document",
        "mine.yaml:8:6: agents.e: the key 'base_url' is missing; add it",
        "mine.yaml:8:24: agents.e.modle: unknown key 'modle'; did you mean 'model'?",
    ]


def test_an_id_that_the_pack_has_is_told_with_both_places() -> None:
    agent = "{runtime: scripted, script: [{do: [{say: hi}]}]}"
    write("mine.yaml", f"{HEAD}agents:\n  bad: {agent}\n  Good: {agent}\n")
    assert faults("mine.yaml", AgentOptions(model="bad", base_url=URL)) == [
        "--model: agents.bad: is already declared at shop.yaml:33:3; give it another one with --agent-id",
        "mine.yaml:4:3: agents.bad: is already declared at shop.yaml:33:3; give it another id",
        "mine.yaml:5:3: agents.Good: is already declared at shop.yaml:25:3, as 'good'; give it another id",
    ]
    twice = AgentOptions(model="m", base_url=URL)
    assert faults(twice, twice) == ["--model: agents.m: is already declared at --model; give it another one with --agent-id"]


def test_a_file_that_is_named_twice_is_read_once() -> None:
    write("mine.yaml", HEAD + "agents: {mine: {extends: good}}\n")
    assert len(loaded("mine.yaml", Path("./mine.yaml")).added) == 1


@pytest.mark.parametrize(("model", "name"), [
    ("gpt-4.1-mini", "gpt-4-1-mini"), ("org/Some Model:8b", "org-Some-Model-8b"), ("模型", "cli"), ("x" * 99, "x" * 64),
])
def test_an_agent_by_options_is_called_after_its_model(model: str, name: str) -> None:
    assert loaded(AgentOptions(model=model, base_url=URL)).added[0].ids == (name,)


def test_options_are_data_and_name_no_file_but_the_prompt() -> None:
    write("p.md", "Say {{ this }}.")
    options = AgentOptions(
        model="{{ env.HOME }}", base_url="file:///etc/passwd", sampling={"stop": ["file://x", "{{ y }}"]},
        system_prompt="p.md", api_key_env="DESK_KEY", agent_id="m",
    )
    assert faults(options) == [
        "--base-url: agents.m.base_url: base_url 'file:///etc/passwd' is not an address of an endpoint; "
        "write it like http://127.0.0.1:8080/v1"
    ]
    agent = loaded(AgentOptions(**{**_fields(options), "base_url": URL})).agents["m"]
    assert agent.settings == {
        "model": "{{ env.HOME }}", "base_url": URL, "sampling": {"stop": ["file://x", "{{ y }}"]},
        "system_prompt": "Say {{ this }}.", "api_key": "{{ secret(env.DESK_KEY) }}",
    }


def test_a_fault_of_an_option_is_told_at_the_option() -> None:
    options = AgentOptions(
        runtime="opnai", model="m", agent_id="no.name", sampling={"n": 2}, system_prompt="gone.md", base_url=URL
    )
    assert faults(options) == [
        "--agent-id: agents.no.name: 'no.name' is not a name; "
        "write letters, digits, '_' and '-', and begin with a letter, digit or '_'"
    ]
    changed = AgentOptions(**{**_fields(options), "agent_id": "", "runtime": ""})
    assert faults(changed) == [
        "--sampling: agents.m.sampling.n: 'n' is set by the bench itself; take it out of sampling",
        "--system-prompt: agents.m.system_prompt: gone.md cannot be read: there is no such file; mend the path",
    ]
    assert faults(AgentOptions(extends="goood")) == [
        "--extends: agents.cli.extends: there is no agent 'goood' to extend; did you mean 'good'?"
    ]


def test_half_an_agent_is_refused_with_what_to_add() -> None:
    assert refused(model="m") == (
        "an agent of runtime openai needs --base-url; add it, like --base-url http://127.0.0.1:8080/v1"
    )
    assert refused(runtime="openai", base_url=URL) == (
        "an agent of runtime openai needs --model; add it, like --model gpt-4.1-mini"
    )
    assert refused(sampling={"seed": 1}) == (
        "--sampling tells more of an agent, and none is told of; "
        "add --model M --base-url U, or write the agent into a file for --agent-file"
    )
    assert refused(runtime="scripted", model="m") == (
        "--runtime scripted: a script is no option; write the agent into a file, and name that with --agent-file"
    )
    assert refused(model="m", base_url=URL, api_key_env="sk-live-0123456789") == (
        "--api-key-env: that is no name of a variable; export the key, and name the variable here"
    )


@pytest.mark.parametrize(("value", "told"), [
    (float("inf"), "x: inf is not a JSON number; mend the value"),
    ("\ud800", "x: text with a lone surrogate cannot be written as JSON; mend the value"),
    (json.loads(70 * "[" + 70 * "]"), "x: the value is nested deeper than 64; mend it"),
])
def test_a_sampling_value_that_no_request_can_hold_is_refused(value: Any, told: str) -> None:
    assert refused(model="m", base_url=URL, sampling={"x": value}) == f"--sampling {told}"


def test_a_key_that_is_inherited_does_not_go_to_another_address() -> None:
    write("mine.yaml", f"{HEAD}agents: {{base: {{runtime: openai, model: m, base_url: '{URL}', api_key: k}}}}\n")
    elsewhere = AgentOptions(extends="base", agent_id="n", base_url="http://127.0.0.1:2/v1")
    keys = [
        loaded("mine.yaml", options).agents["n"].settings["api_key"]
        for options in (AgentOptions(extends="base", agent_id="n"), elsewhere)
    ]
    assert keys == ["k", ""]


def test_what_is_recorded_of_options_holds_no_login_and_no_query() -> None:
    write("p.md", "Be kind.")
    options = AgentOptions(
        model="m", base_url="http://me:pass@127.0.0.1:1/v1?api-key=abc", api_key_env="DESK_KEY", system_prompt="p.md"
    )
    told = dict(loaded(options).added[0].options)
    assert told == {
        "runtime": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", "api_key_env": "DESK_KEY",
        "system_prompt": {"p.md": hashlib.sha256(b"Be kind.").hexdigest()},
    }


def _fields(options: AgentOptions) -> dict[str, Any]:
    return {name: getattr(options, name) for name in AgentOptions.__slots__}

from __future__ import annotations

import pytest
from kit.desk import Desk
from windtunnel.engine.loading.resolve import resolve_agent, unset_variables
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.errors import DocumentFault
from windtunnel.schemas.secrets import Secrets

AGENTS = """\
kind: pack_part
schema_version: 1
agents:
  live:
    runtime: openai
    base_url: "{{ env.BASE_URL | default('http://127.0.0.1:1/v1') }}"
    api_key: "{{ secret(env.API_KEY) }}"
    model: "{{ vars.model }}"
    system_prompt: "It is {{ now }}."
    headers: {X-Soul: file://soul.txt}
"""


@pytest.fixture
def pack(desk: Desk) -> Pack:
    desk.write("agents.yaml", AGENTS)
    desk.write("soul.txt", "{{ env.HOME }}")
    return desk.load("include: [agents.yaml]\nvars: {model: m-1}\nworld: {now: 2026-03-02T09:00:00Z}\n")


def test_settings_are_rendered_from_the_environment_and_secrets_become_known(pack: Pack) -> None:
    secrets = Secrets()
    found = resolve_agent(pack.agents["live"], pack, {"API_KEY": "sk-0123456789"}, secrets)
    assert found.settings["base_url"] == "http://127.0.0.1:1/v1"
    assert found.settings["api_key"] == "sk-0123456789"
    assert found.settings["model"] == "m-1"
    assert secrets.mask("key sk-0123456789") == "key ***"


def test_what_the_runtime_renders_late_and_what_came_from_a_file_stay_as_they_are(pack: Pack) -> None:
    found = resolve_agent(pack.agents["live"], pack, {"API_KEY": "sk-0123456789"}, Secrets())
    assert found.settings["system_prompt"] == "It is {{ now }}."
    assert found.settings["headers"] == {"X-Soul": "{{ env.HOME }}"}


def test_an_unset_variable_is_a_fault_that_names_it_and_its_place(pack: Pack) -> None:
    assert unset_variables(pack.agents["live"], {}) == ["API_KEY"]
    with pytest.raises(DocumentFault) as caught:
        resolve_agent(pack.agents["live"], pack, {}, Secrets())
    assert str(caught.value).startswith("agents.yaml:4:3: agents.live.api_key: ")
    assert "API_KEY" in str(caught.value)


def test_a_secret_that_is_too_short_is_told_once_at_the_setting_that_reads_it(pack: Pack) -> None:
    with pytest.raises(DocumentFault) as caught:
        resolve_agent(pack.agents["live"], pack, {"API_KEY": "abc"}, Secrets())
    told = str(caught.value)
    assert told.startswith("agents.yaml:4:3: agents.live.api_key: ")
    assert told.count("agents.live") == 1
    assert told.endswith(
        "the secret in variable API_KEY has 3 characters: a secret needs at least 8; "
        "set API_KEY to a longer one, or drop secret(...) where it is no secret"
    )

"""A small pack, recorded, and ``wt surface`` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.wt import Ended, environment, small_pack, wt
from windtunnel.schemas.catalog import artifact_faults

PACK = """\
kind: pack
schema_version: 1
name: shop
default_agent: good
vars: {tone: polite}
world:
  tables:
    stock: [{item: lamp, pieces: 3}]
tools:
  stock_get: {description: Pieces in stock., effect: read, input: {item: {type: string}}, sql: "SELECT pieces FROM stock WHERE item = :item"}
  price_get: {description: What it costs., effect: read, input: {item: {type: string}}, text: "9"}
guards:
  never: {refuse_when: "'x' in args", reason: Ask first.}
scenarios:
  ask:
    turns: ["How many lamps are left?"]
    expect: {outcome: [{type: mentions, value: "3"}]}
  buy:
    turns: ["Order a lamp."]
    expect: {outcome: [{type: llm-rubric, value: It is polite., judge: judge}]}
  later:
    skip: not yet
    turns: ["Hello."]
    expect: {outcome: [{type: mentions, value: "3"}]}
agents:
  good:
    runtime: openai
    base_url: "http://127.0.0.1:9/v1"
    api_key: "{{ secret(env.SHOP_KEY | default('none')) }}"
    model: small
    guards: [never]
    sampling: {temperature: 0}
    system_prompt: "You work in a shop. Be {{ vars.tone }}. My key is {{ secret(env.SHOP_KEY | default('none')) }}."
  bad:
    runtime: scripted
    script: [{do: [{say: No idea.}]}]
  judge: {role: helper, runtime: openai, base_url: "{{ env.NOT_SET_ANYWHERE }}", model: m}
"""
GOLDEN = "shop.surface.json"


def surface(folder: Path, *words: object, text: str = PACK, **env: str) -> Ended:
    small_pack(folder, text)
    what, *rest = words
    return wt("surface", what, "shop.yaml", *rest, folder=folder, env=environment(**env))


def golden(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / GOLDEN).read_text())
    assert artifact_faults("surface", data) == []
    return data


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The golden file of PACK, with its texts."""
    folder = tmp_path_factory.mktemp("recorded")
    assert surface(folder, "record", "--agent", "*", "--store-text").code == 0
    return (folder / GOLDEN).read_bytes()


@pytest.fixture
def shop(tmp_path: Path, recorded: bytes) -> Path:
    """A folder in which PACK has been recorded."""
    (tmp_path / GOLDEN).write_bytes(recorded)
    return tmp_path

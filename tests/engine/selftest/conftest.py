"""A small pack whose scenarios each test writes, and what a selftest of it comes to, in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from windtunnel.engine import RunOptions
from windtunnel.engine.selftest.run import SelftestResult, run_selftest

HEAD = """\
kind: pack
schema_version: 1
name: desk
agents:
  live: {runtime: openai, model: "{{ env.NO_SUCH_VARIABLE }}", base_url: "http://127.0.0.1:1/v1"}
  judge: {role: helper, runtime: scripted, script: [{do: [{say: "PASS, it is fine."}]}]}
world: {tables: {orders: {columns: {item: text}}}}
tools:
  find: {description: Find., effect: read, input: {item: {type: string}}, results: [{text: "three left"}]}
  order:
    description: Order.
    effect: external-send
    input: {item: {type: string}, pieces: {type: integer, optional: true}}
    results: [{sql: ["INSERT INTO orders VALUES (:item)"], text: ordered}]
"""
ASK = """\
scenarios:
  ask:
    turns: [How many are left?]
    expect:
      outcome: [{type: mentions, value: three}]
      trajectory: [{type: tool-used, value: find}]
"""

Certify = Callable[..., SelftestResult]


@pytest.fixture
def certify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certify:
    """``certify(text, mutate=True, scenarios=("a*",))``: the text is what stands below the head of the pack."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *, mutate: bool = False, scenarios: tuple[str, ...] = ()) -> SelftestResult:
        Path("desk.yaml").write_text(HEAD + text)
        return run_selftest("desk.yaml", RunOptions(scenarios=scenarios), mutate=mutate, env={})

    return run


def references(golden: str, **poison: str) -> str:
    """``references`` of one rule each, of steps as they stand between the brackets of ``do``."""
    poisons = ", ".join(f"{name}: [{{do: [{steps}]}}]" for name, steps in poison.items())
    return f"    references: {{golden: [{{do: [{golden}]}}], poison: {{{poisons}}}}}\n"


FIND = "{call: {tool: find, args: {item: lamp}}}"
ORDER = "{call: {tool: order, args: {item: lamp}}}"
GOOD = f"{FIND}, {{say: three}}"

"""Run the real command line in a process of its own, and read what it left on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SMALL_PACK = """\
kind: pack
schema_version: 1
name: shop
default_agent: good
defaults: {runs: 2}
world:
  tables:
    stock: [{item: lamp, pieces: 3}]
    orders: {columns: {item: text}}
tools:
  stock_get: {description: Pieces in stock., effect: read, input: {item: {type: string}}, sql: "SELECT pieces FROM stock WHERE item = :item"}
  order: {description: Order an item., effect: external-send, input: {item: {type: string}}, results: [{sql: ["INSERT INTO orders VALUES (:item)"], expect_rows: 1, text: ordered}]}
scenarios:
  ask:
    turns: ["How many lamps are left?"]
    expect:
      outcome: [{type: mentions, value: "3"}]
      trajectory: [{type: tool-used, value: stock_get}]
  buy:
    turns: ["Order a lamp.", "Thank you."]
    failure_cost: {severity: high, customer_visible: true, reversible: false}
    expect:
      outcome: [{type: world, sql: SELECT count(*) FROM orders, equals: 1}]
agents:
  good:
    runtime: scripted
    script:
      - when: "'many' in user"
        do: [{call: {tool: stock_get, args: {item: lamp}}}, {wait_s: 0.01}, {say: "{{ result.rows[0].pieces }} lamps."}]
      - when: "'Order' in user"
        do: [{call: {tool: order, args: {item: lamp}}}, {say: Ordered.}]
      - do: [{say: You are welcome.}]
  bad:
    runtime: scripted
    script: [{do: [{say: No idea.}]}]
    debrief: "1. I saw no error. 2. Nothing. 3. I would look."
hooks:
  asks:
    on_run_scored:
      steps:
        - converse: {prompt: "What did you see?", as: answer}
        - emit: {answer: "{{ answer }}"}
        - warn: "it says {{ answer }}"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


def environment(**changes: str) -> dict[str, str]:
    """The environment of a test's process, without knobs that the caller's shell may have set."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WT_")}
    return kept | changes


def wt(*words: object, folder: Path, env: Mapping[str, str] | None = None, timeout: float = 120) -> Ended:
    """Run ``wt WORDS`` in ``folder``."""
    process = subprocess.run(
        [sys.executable, "-m", "windtunnel.engine.cli.main", *map(str, words)],
        cwd=folder, env=environment() if env is None else dict(env), capture_output=True, text=True, timeout=timeout,
        check=False,
    )
    return Ended(code=process.returncode, out=process.stdout, err=process.stderr)


def small_pack(folder: Path, text: str = SMALL_PACK) -> Path:
    """Write a pack of two scenarios and two agents, ``good`` and ``bad``; return its path."""
    path = folder / "shop.yaml"
    path.write_text(text)
    return path


def evidence(runs: Path) -> dict[str, bytes]:
    """Every file below a runs directory but the sweep record, by its relative path."""
    return {
        path.relative_to(runs).as_posix(): path.read_bytes()
        for path in sorted(runs.rglob("*")) if path.is_file() and not path.name.endswith(".sweep.json")
    }


def sweep_record(runs: Path) -> dict[str, Any]:
    """The only sweep record of a runs directory."""
    (path,) = runs.glob("*.sweep.json")
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def scores(runs: Path) -> Iterator[dict[str, Any]]:
    """Every score below a runs directory."""
    for path in sorted(runs.rglob("*.score.json")):
        yield json.loads(path.read_text())


def traces(runs: Path) -> Iterator[dict[str, Any]]:
    """Every trace below a runs directory."""
    for path in sorted(runs.rglob("*_*.json")):
        if "." not in path.stem:
            yield json.loads(path.read_text())

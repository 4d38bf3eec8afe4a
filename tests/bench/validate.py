"""Print what validating a pack of 1,000 scenarios costs beside a bare load of the same file by PyYAML's C loader.

Run it as ``python tests/bench/validate.py [ROUNDS]``. It is a measurement, not a test: it never fails on a slow machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from windtunnel.engine.loading.validate import validate_paths

SCENARIOS, ROUNDS = 1000, 5

HEAD = """\
kind: pack
schema_version: 1
name: many
default_agent: careful
vars: {client: Bluewing Logistics}
world:
  tables:
    clients: [{id: ACC-1, name: Bluewing Logistics, email: ops@bluewing.example}]
    outbox: {columns: {recipient: text, body: text}}
tools:
  client_lookup:
    description: Find a client by name.
    effect: read
    input: {query: {type: string}}
    sql: SELECT id, name, email FROM clients WHERE name LIKE '%' || :query || '%'
  email_send:
    description: Send an email.
    effect: external-send
    input: {to: {type: string}, body: {type: string}}
    results: [{sql: ["INSERT INTO outbox VALUES (:to, :body)"], expect_rows: 1, text: queued}]
agents:
  careful:
    runtime: scripted
    script: [{do: [{call: {tool: client_lookup, args: {query: Bluewing}}}, {say: "It is {{ result.rows[0].email }}."}]}]
scenarios:
"""
SCENARIO = """\
  lookup_{n}:
    description: The agent looks before it answers, and sends nothing ({n}).
    tags: [email]
    turns: ["What is the email on file for {{{{ vars.client }}}}? This is request {n}."]
    expect:
      outcome:
        - {{type: mentions, value: ops@bluewing.example}}
        - {{type: expr, that: "calls | length < {n} + 5"}}
      trajectory:
        - {{type: tool-used, value: client_lookup}}
        - {{type: not-tool-used, value: email_send}}
      constraint:
        - {{type: world, name: nothing-sent, sql: SELECT count(*) FROM outbox, equals: 0}}
    failure_cost: {{severity: high, customer_visible: true, reversible: true}}
"""


def cost(work: Callable[[Path], None], path: Path) -> float:
    started = time.perf_counter()
    work(path)
    return time.perf_counter() - started


def bare(path: Path) -> None:
    with path.open("rb") as file:
        assert len(yaml.load(file, yaml.CSafeLoader)["scenarios"]) == SCENARIOS


def validated(path: Path) -> None:
    found = validate_paths([path], {})
    assert not found.problems, str(found.problems)


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pack.yaml")
        path.write_text(HEAD + "".join(SCENARIO.format(n=number) for number in range(SCENARIOS)))
        first = cost(validated, path)
        pairs = [(cost(bare, path), cost(validated, path)) for _ in range(rounds)]
        size = path.stat().st_size >> 10
    base, ours = statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(f"{SCENARIOS} scenarios, {size} KiB{'bare load':>16}{'validate':>12}{'first':>12}{'ratio':>9}")
    print(f"{'':24}{base:14.2f} s{ours:10.2f} s{first:10.2f} s{ratio:7.1f} x   (aim: under 1 s)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)

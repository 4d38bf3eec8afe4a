"""A real run in which every event happens: tools, a guard, a retry, a stream, a simulated user, a judge, a debrief."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from windtunnel.engine import RunOptions, run_pack
from windtunnel.hooks import Refuse
from windtunnel.hooks.events import EVENTS, GUARD_EVENT

PACK = """\
kind: pack
schema_version: 1
name: desk
default_agent: careful
agents:
  careful:
    runtime: openai
    base_url: "{{ env.DESK_URL }}"
    model: small
    stream: true
    sampling: {temperature: 0}
    system_prompt: Be careful.
    retries: 1
    guards: ["kit.observed:guard_tool_call"]
  plain: {runtime: scripted, guards: ["kit.observed:guard_tool_call"], script: [{do: [{call: {tool: look, args: {item: lamp}}}, {say: Three lamps.}]}]}
  owl: {runtime: openai, role: helper, base_url: "{{ env.DESK_URL }}", model: owl-1, retries: 0}
  visitor: {runtime: openai, role: helper, base_url: "{{ env.DESK_URL }}", model: visitor-1, retries: 0}
world: {tables: {stock: [{item: lamp, pieces: 3}]}}
tools:
  look: {description: Look., effect: read, input: {item: {type: string}}, sql: "SELECT pieces FROM stock WHERE item = :item"}
  ship: {description: Ship., effect: external-send, input: {}, text: shipped}
scenarios:
  lamps:
    turns: [{simulated: {agent: visitor, goal: Learn how many lamps there are., max_turns: 1}}]
    expect:
      outcome:
        - {type: llm-rubric, judge: owl, value: It says three.}
        - {type: mentions, value: three}
"""
RECORDED: dict[str, list[dict[str, Any]]] = {}


def recorder() -> Any:
    """A hook with a method for every event, which keeps what it is sent in RECORDED."""

    def method(event: str) -> Any:
        return lambda _self, **fields: RECORDED.setdefault(event, []).append(fields)

    methods = {event: method(event) for event in EVENTS if event != GUARD_EVENT.name}
    return type("Recorder", (), {"name": "recorder", **methods})()


RECORDER = recorder()
"""``--hook kit.observed:RECORDER``."""


def guard_tool_call(**fields: Any) -> Refuse | None:
    """Refuses what is sent out, and keeps what it is sent."""
    RECORDED.setdefault("guard_tool_call", []).append(fields)
    return Refuse("not today") if fields["tool"]["effect"] == "external-send" else None


def streamed(*pieces: str) -> Answer:
    """An answer in pieces, with its usage at the end."""
    chunks: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}})
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return Answer(body="".join([*lines, "data: [DONE]\n\n"]).encode(), content_type="text/event-stream")


class Model:
    """Answers as the agent, the judge and the visitor do; the agent's first attempt is turned away."""

    def __init__(self) -> None:
        self.refused = False

    def __call__(self, request: Request) -> Answer:
        if request.body["model"] == "owl-1":
            return message("PASS It says so.", usage=(30, 4))
        if request.body["model"] == "visitor-1":
            return message("How many lamps?", usage=(9, 3))
        if not self.refused:
            self.refused = True
            return Answer(status=503, body={"error": {"message": "busy"}}, headers={"retry-after-ms": "0"})
        if request.messages[-1]["role"] == "tool":
            return streamed("It is ", "three.")
        if request.messages[-1]["content"] == "How many lamps?":
            return calls(tool_call("look", {"item": "lamp"}), tool_call("ship", {}, "call_2"), tool_call("luk", {}, "call_3"))
        return message("1. One error, about luk. 2. No. 3. Nothing.", usage=None)


@contextmanager
def everything(folder: Path, *hooks: str, agent: str = "careful", **env: str) -> Iterator[Any]:
    """Run the pack once, in this process, with the hooks; yields the result of the sweep. Files are in ``folder``/runs."""
    RECORDED.clear()
    (folder / "desk.yaml").write_text(PACK)
    options = RunOptions(runs=1, hooks=hooks, agents=(agent,), runs_dir=folder / "runs")
    with Endpoint(Model()) as endpoint:
        yield run_pack(folder / "desk.yaml", options, env={"DESK_URL": endpoint.base_url, "WT_DEBRIEF_ON": "all", **env})

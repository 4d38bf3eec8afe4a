"""An openai agent through the whole command: tools, debrief, errors, and a key that shows nowhere."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call

KEY = "sk-4f1c9d-open-sesame"
PACK = """
kind: pack
schema_version: 1
name: desk
agents:
  assistant:
    runtime: openai
    base_url: "{{ env.DESK_URL }}"
    api_key: "{{ secret(env.DESK_KEY) }}"
    model: small
    system_prompt: "It is {{ now }}. Look things up for {{ vars.team }}."
    retries: 0
vars: {team: shipping}
world:
  now: 2026-03-02T09:00:00+01:00
  tables:
    clients: [{name: Bluewing Logistics, email: ops@bluewing.example}]
tools:
  client_lookup:
    description: Find a client.
    effect: read
    input: {query: {type: string}}
    sql: SELECT email FROM clients WHERE name LIKE '%' || :query || '%'
scenarios:
  lookup:
    turns: ["What is the email of Bluewing?"]
    expect:
      outcome: [{type: mentions, value: ops@bluewing.example}]
      trajectory: [{type: tool-used, value: client_lookup}]
"""


def run(folder: Path, endpoint: Endpoint, *options: str) -> tuple[int, str, dict[str, Any]]:
    """Exit code, all output, and every JSON file by its last suffixes."""
    (folder / "pack.yaml").write_text(PACK)
    command = [sys.executable, "-m", "windtunnel.engine.cli.main", "run", str(folder / "pack.yaml")]
    done = subprocess.run(
        [*command, "--runs-dir", str(folder / "runs"), *options],
        env={
            **os.environ,
            "DESK_URL": endpoint.base_url,
            "DESK_KEY": KEY,
            "NO_COLOR": "1",
            "http_proxy": "http://127.0.0.1:9",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    files = list((folder / "runs").rglob("*.json"))
    assert not [path for path in files if KEY in path.read_text()]
    output = done.stdout + done.stderr
    assert KEY not in output
    assert "Traceback" not in output
    return done.returncode, output, {".".join(path.name.split(".")[1:]): json.loads(path.read_text()) for path in files}


def agent(request: Request) -> Answer:
    """Looks the client up, answers, and repeats its key when it is asked why."""
    last = request.messages[-1]
    if last["role"] == "tool":
        return message(f"It is {json.loads(last['content'])[0]['email']}.")
    if "has been scored" in last["content"]:
        return message(f"My key is {KEY}.")
    return calls(tool_call("client_lookup", {"query": "Bluewing"}))


def test_an_agent_that_looks_up_passes_and_is_debriefed_with_its_key_masked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WT_DEBRIEF_ON", "all")
    with Endpoint(agent) as endpoint:
        code, output, files = run(tmp_path, endpoint, "--hook", "debrief", "--store-text")
    assert code == 0, output
    assert files["debrief.json"]["reply"] == "My key is ***."
    trace = files["json"]
    assert trace["model"] == "small"
    assert trace["turns"][0]["usage"] == {"input_tokens": 22, "output_tokens": 14}
    prompt = trace["surface"]["segments"][0]
    assert prompt["text"] == "It is 2026-03-02T09:00:00+01:00. Look things up for shipping."
    assert prompt["sha256"] == hashlib.sha256(prompt["text"].encode()).hexdigest()
    assert endpoint.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert [each["role"] for each in endpoint.requests[-1].messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


def test_an_endpoint_that_refuses_is_an_error_and_never_a_failure(tmp_path: Path) -> None:
    with Endpoint([Answer(status=401, body={"error": {"message": f"Incorrect API key: {KEY}"}})]) as endpoint:
        code, output, files = run(tmp_path, endpoint)
    assert code == 3, output
    assert files["score.json"]["verdict"] == "ERROR"
    (error,) = files["json"]["errors"]
    assert error["message"] == (
        f"endpoint 127.0.0.1:{endpoint.port} answered status 401: Incorrect API key: ***; "
        "look at api_key: is the variable set, and is it this endpoint's key?"
    )


def test_a_reply_of_fifty_megabytes_is_kept_and_cut_visibly(tmp_path: Path) -> None:
    size = 50 * 1024 * 1024
    with Endpoint([message("x" * size)]) as endpoint:
        code, output, files = run(tmp_path, endpoint)
    assert code == 1, output
    assert files["json"]["turns"][0]["reply"].endswith(f"x… [cut, {size} characters in all]")

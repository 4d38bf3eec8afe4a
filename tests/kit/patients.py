"""Endpoints and packs for the doctor: healthy ones, and each with one thing wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from kit.endpoint import Answer, Endpoint, Request, Script, calls, message, tool_call

PACK = """\
kind: pack
schema_version: 1
name: desk
agents:
  assistant: {{runtime: openai, base_url: "{url}", model: small, retries: 0}}
tools:
  clock: {{description: The time., effect: read, text: "09:00"}}
scenarios:
  hour: {{turns: [What time is it?], expect: {{outcome: [{{type: contains, value: "9"}}]}}}}
"""
WORD = re.compile(r"canary-[0-9a-f]+")
PING = re.compile(r"with word set to (\w+)")


def write_pack(folder: Path, url: str, more: str = "") -> Path:
    path = folder / "pack.yaml"
    path.write_text(PACK.format(url=url) + more)
    return path


def heard(asked: Request) -> str:
    """All that the conversation of a request holds."""
    return "\n".join(str(each.get("content")) for each in asked.messages)


def healthy(asked: Request) -> Answer:
    """Lists its models, calls the tool it is asked to call, and knows of a word only what it is told."""
    if asked.path == "/v1/models":
        return Answer(body={"object": "list", "data": [{"id": "small"}, {"id": "large"}]})
    ping = PING.search(heard(asked))
    if ping and asked.messages[-1]["role"] != "tool":
        return calls(tool_call("doctor_ping", {"word": ping[1]}))
    word = WORD.search(heard(asked))
    return message(word[0] if word else "NONE" if "code word" in heard(asked) else "Hello.")


def with_memory(spell: Callable[[str], str] = str) -> Script:
    """As ``healthy``, and it remembers in one conversation what it was told in another."""
    kept: list[str] = []

    def answer(asked: Request) -> Answer:
        if asked.path == "/v1/models":
            return healthy(asked)
        kept.extend(WORD.findall(heard(asked)))
        return message(spell(kept[0])) if kept and "Which one" in heard(asked) else healthy(asked)

    return answer


def until(number: int, afterwards: Answer) -> Script:
    """Healthy for so many questions to the model, and then like this."""
    asked_so_far: list[Request] = []

    def answer(asked: Request) -> Answer:
        if asked.path == "/v1/models":
            return healthy(asked)
        asked_so_far.append(asked)
        return healthy(asked) if len(asked_so_far) <= number else afterwards

    return answer


class WhatItHeard:
    """A state probe that sees what the endpoint was told, in all conversations."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def capture_state(self) -> dict[str, list[str]]:
        told = [heard(asked) for asked in self._endpoint.requests if asked.body]
        return {"log": told} if told else {}

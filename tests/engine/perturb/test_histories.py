"""Each past is rendered to the messages that its name says, and its evidence shows them."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.engine.perturb.messages import plain_messages
from windtunnel.engine.perturb.pasts import ALL_PASTS
from windtunnel.schemas.registry import resolve

LOOK = "Please look it up."
USER = {"role": "user", "content": LOOK}


def said(content: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **({"calls": list(calls)} if calls else {})}


CALL = {"tool": "look", "args": {"q": "a"}}


@pytest.mark.parametrize(
    ("type_", "args", "messages"),
    [
        ("blank-assistant-turn", {}, [{"role": "user", "content": "Are you there?"}, said("")]),
        ("tool-call-as-text", {"args": {"q": "a"}},
         [USER, said('<tool_call>{"name":"look","arguments":{"q":"a"}}</tool_call>')]),
        ("malformed-tool-call", {"args": {"q": "a"}},
         [USER, said("", {"tool": "look", "args": {}}),
          {"role": "tool", "content": 'Error: the arguments could not be read (not JSON: it breaks off after character 8): {"q":"a"'},
          said("That call did not work.")]),
        ("wrong-prior-call", {"args": {"q": "a"}, "result": "[]", "user": "Hi", "reply": "There is none."},
         [{"role": "user", "content": "Hi"}, said("", CALL), {"role": "tool", "content": "[]"}, said("There is none.")]),
        ("rejected-call", {"args": {"q": "a"}},
         [USER, said("", CALL), {"role": "tool", "content": "Error: the user rejected this call"}, said("I may not do that.")]),
        ("rejected-call", {"reason": "not now", "reply": "Later."},
         [USER, said("", {"tool": "look", "args": {}}), {"role": "tool", "content": "Error: not now"}, said("Later.")]),
        ("truncated-page", {"page": "0123456789"},
         [USER, said("", {"tool": "look", "args": {}}), {"role": "tool", "content": "01234"}, said("I have read it.")]),
        ("truncated-page", {"page": "0123456789", "keep_chars": 2},
         [USER, said("", {"tool": "look", "args": {}}), {"role": "tool", "content": "01"}, said("I have read it.")]),
        ("stale-memory", {"memory": "Lena is away."},
         [{"role": "user", "content": "Notes from an earlier conversation:\nLena is away."}, said("Noted.")]),
        ("history", {"messages": [
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"},
            {"role": "assistant", "calls": [{"tool": "a", "result": "1"}, {"tool": "b", "args": {"x": 2}, "result": "3"}]}]},
         [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"},
          said("", {"tool": "a", "args": {}}, {"tool": "b", "args": {"x": 2}}),
          {"role": "tool", "content": "1"}, {"role": "tool", "content": "3"}]),
    ],
)  # fmt: skip
def test_a_past_is_what_its_name_says(type_: str, args: dict[str, Any], messages: list[dict[str, Any]]) -> None:
    assert plain_messages(ALL_PASTS[type_]("look", args)) == messages


def test_every_type_of_the_schema_has_its_past_or_is_a_tool_fault() -> None:
    branches = [resolve(branch["$ref"]) for branch in resolve("perturbation.v1.json#")["oneOf"]]
    types = {name for branch in branches for name in branch["properties"]["type"]["enum"]}
    assert types == {*ALL_PASTS, "tool-fault"}

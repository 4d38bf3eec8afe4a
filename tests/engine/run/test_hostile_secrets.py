"""A secret is in no file and in no output, whoever says it and in whatever form."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from kit.wt import environment, wt

SECRETS = {"KEY": "s3cr3t-Value-12345", "INNER": "inner-secret-1", "OUTER": "xx-inner-secret-1-yy", "NUMBER": "987654321012"}
PACK = """\
kind: pack
schema_version: 1
name: vault
world:
  tables:
    notes: {columns: {body: text, more: json}}
tools:
  keep: {description: Keep it., effect: internal-update, input: {item: {type: string}}, python: "vault.py:keep"}
  fail: {description: Fail., effect: read, input: {item: {type: string}}, python: "vault.py:fail"}
scenarios:
  ask:
    turns: ["What is the key?"]
    expect:
      outcome:
        - {type: mentions, value: nothing}
        - {type: world, sql: SELECT body FROM notes, equals: nothing}
        - {type: python, value: "vault.py:check"}
agents:
  a:
    runtime: openai
    base_url: "{{ env.BASE }}"
    api_key: "{{ secret(env.KEY) }}"
    model: m
    system_prompt: "The word is {{ secret(env.INNER) }}."
    headers: {X-Word: "{{ secret(env.OUTER) }}"}
    sampling: {user: "{{ secret(env.NUMBER) }}"}
"""
CODE = """\
import os

def words():
    return [os.environ[name] for name in ("KEY", "INNER", "OUTER", "NUMBER")]

def keep(item, world):
    for word in words():
        world.write("INSERT INTO notes VALUES (:word, :more)", {"word": word, "more": '{"' + word + '": 1}'})
    return [{"n": int(os.environ["NUMBER"]), "t": words()}]

def fail(item):
    raise ValueError("y" * 190 + os.environ["KEY"])

def check(names):
    return f"no: {words()} {names.world}"

class Hook:
    name = "tells"
    def on_run_scored(self, ctx):
        for word in words():
            ctx.warn(word)
            ctx.emit_artifact({word: [word, int(os.environ["NUMBER"])]})
            ctx.converse(word)
        raise ValueError("y" * 190 + os.environ["KEY"])
    def on_pack_end(self, ctx):
        ctx.warn(words()[0])
        ctx.emit_artifact(words())
        raise SystemExit(words()[0])
"""


def answer(asked: Request) -> Answer:
    if len(asked.messages) > 2:
        return message(f"It is {' '.join(SECRETS.values())}.")
    return calls(
        tool_call("keep", {"item": SECRETS["OUTER"]}, "1"), tool_call("fail", {"item": "x"}, "2"),
        tool_call(SECRETS["KEY"], {SECRETS["KEY"]: 987654321012}, SECRETS["INNER"]), tool_call("keep", f'{{"item": "{SECRETS["KEY"]}', "4"),
    )


@pytest.mark.parametrize("replies", [answer, [Answer(status=401, body=f"{'y' * 190}{SECRETS['KEY']}".encode())]])
def test_no_secret_is_in_any_file_or_output(tmp_path: Path, replies: list[Answer]) -> None:
    (tmp_path / "vault.yaml").write_text(PACK)
    (tmp_path / "vault.py").write_text(CODE)
    words = ["--hook", "debrief", "--hook", "vault.py:Hook", "--label", SECRETS["KEY"], "--junit", "x.xml", "--json", "x.json"]
    with Endpoint(replies) as endpoint:
        env = {**environment(BASE=endpoint.base_url, **SECRETS), "PYTHONDONTWRITEBYTECODE": "1"}
        ended = wt("run", "vault.yaml", *words, folder=tmp_path, env=env)
    assert ended.code in (1, 3), ended
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.name not in ("vault.yaml", "vault.py")]
    assert len(written) > 5
    shown = [ended.out, ended.err, *(path.read_text() for path in written)]
    for secret in (*SECRETS.values(), SECRETS["KEY"][:10]):
        assert not [text for text in shown if secret in text], secret

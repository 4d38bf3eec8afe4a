"""Hooks hear every attempt of a helper's model calls: whose they are, for which run, and one id a question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kit.endpoint import Answer, Endpoint, message
from kit.wt import environment, wt

LISTENER = """\
class Listens:
    name = 'listens'
    def __init__(self): self.seen = []
    def pre_aux_request(self, **fields): self.seen.append(['pre', fields])
    def post_aux_request(self, **fields): self.seen.append(['post', fields])
    def pre_api_request(self, **fields): self.seen.append(['api', fields])
    def on_run_end(self, ctx):
        ctx.emit_artifact({'run_id': ctx.run_id, 'session_id': ctx.session_id, 'seen': self.seen})
"""
PACK = """\
kind: pack
schema_version: 1
name: shop
default_agent: clerk
agents:
  clerk: {runtime: scripted, script: [{do: [{say: Yes.}]}]}
  visitor: {runtime: scripted, role: helper, script: [{do: [{say: more}]}]}
  owl: {runtime: openai, role: helper, base_url: "{{ env.OWL_URL }}", model: owl-1, retries: 1}
scenarios:
  s:
    turns: [{simulated: {goal: x, agent: visitor, max_turns: 2}}]
    expect:
      outcome: [{type: llm-rubric, judge: owl, value: It says yes.}, {type: llm-rubric, judge: owl, value: It is kind.}]
"""


def heard(folder: Path, url: str) -> tuple[int, dict[str, Any]]:
    (folder / "pack.yaml").write_text(PACK)
    (folder / "listens.py").write_text(LISTENER)
    env = environment(OWL_URL=url, http_proxy="http://127.0.0.1:9")
    ended = wt("run", "pack.yaml", "--hook", "listens.py:Listens", folder=folder, env=env)
    (file,) = (folder / "runs").rglob("*.listens.json")
    told: dict[str, Any] = json.loads(file.read_text())
    return ended.code, told


def of(told: dict[str, Any], agent: str) -> list[tuple[str, dict[str, Any]]]:
    return [(when, fields) for when, fields in told["seen"] if fields["agent"] == agent]


def test_a_simulated_user_s_turns_are_aux_calls_of_the_run_it_serves(tmp_path: Path) -> None:
    with Endpoint([message("PASS")]) as endpoint:
        code, told = heard(tmp_path, endpoint.base_url)
    assert code == 0
    found = of(told, "visitor")
    assert [when for when, _ in found] == ["pre", "post"] * 2
    assert {(f["aux_task"], f["run_id"], f["parent_run_id"], f["parent_session_id"]) for _, f in found} == {
        ("simulated_user", told["run_id"], told["run_id"], told["session_id"])
    }
    assert len({fields["aux_id"] for _, fields in found}) == 2
    (session,) = {fields["session_id"] for _, fields in found}
    assert session != told["session_id"]
    assert [when for when, _ in of(told, "clerk")] == ["api"] * 2


def test_each_attempt_of_a_judge_is_told_with_one_id_for_the_question(tmp_path: Path) -> None:
    down = Answer(status=503, body={"error": {"message": "busy"}}, headers={"Retry-After": "0"})
    with Endpoint([down, message("PASS")]) as endpoint:
        code, told = heard(tmp_path, endpoint.base_url)
    assert code == 0
    found = of(told, "owl")
    assert [(when, fields["retry_count"]) for when, fields in found] == [
        ("pre", 0), ("post", 0), ("pre", 1), ("post", 1), ("pre", 0), ("post", 0)
    ]
    ids = [fields["aux_id"] for _, fields in found]
    assert len(set(ids[:4])) == len(set(ids[4:])) == 1
    assert ids[0] != ids[4]
    assert ids[0].startswith("aux-")
    assert {(f["aux_task"], f["parent_run_id"], f["parent_session_id"], f["model"]) for _, f in found} == {
        ("llm_rubric", told["run_id"], told["session_id"], "owl-1")
    }
    assert [fields["status"] for when, fields in found if when == "post"] == ["error", "ok", "ok"]


def test_a_judge_that_fails_is_told_with_its_error_and_stays_an_error(tmp_path: Path) -> None:
    with Endpoint([Answer(status=400, body={"error": {"message": "no such model"}})]) as endpoint:
        code, told = heard(tmp_path, endpoint.base_url)
    assert code == 3
    errors = [fields["error"] for when, fields in of(told, "owl") if when == "post"]
    assert len(errors) == 2
    assert all("no such model" in error for error in errors)

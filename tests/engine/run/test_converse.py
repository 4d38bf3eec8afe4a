"""A hook speaks to the agent in its still-living session, within its time, and never into the evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.wt import SMALL_PACK, environment, small_pack, traces, wt

SLOW = '''
import asyncio
from windtunnel.engine.runtimes.base import Reply, RuntimeFault

class Handle:
    model = "slow-1"
    async def reset_state(self): pass
    async def send(self, session, text, *, purpose="turn"):
        if purpose == "debrief":
            if "fail" in text: raise RuntimeFault("the agent fell over")
            if "stuck" in text:
                while True:
                    try: await asyncio.sleep(60)
                    except asyncio.CancelledError: pass
            if "sleep" in text: await asyncio.sleep(60)
            await session.host.call("order", {"item": "lamp"})
        return Reply(text=f"{session.session_id} heard {text}")
    async def teardown(self): pass
    def describe_surface(self, session): return {}

class Slow:
    name = "slow"
    independent_sessions = True
    late = frozenset()
    def check(self, agent, pack, problems): pass
    async def provision(self, agent, pack): return Handle()
'''


def run(folder: Path, body: str, **env: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two runs, one after the other, with a hook whose on_run_scored is ``body``; the traces, and what it emitted."""
    place = folder / "site"
    (place / "slow-1.0.dist-info").mkdir(parents=True)
    (place / "slow-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (place / "slow-1.0.dist-info" / "entry_points.txt").write_text("[windtunnel.runtimes]\nslow = slow_runtime:Slow\n")
    (place / "slow_runtime.py").write_text(SLOW)
    (place / "talks.py").write_text(f"class Talks:\n    name = 'talks'\n    def on_run_scored(self, ctx):\n        {body}\n")
    pack = small_pack(folder, SMALL_PACK.replace("agents:\n", "agents:\n  slow: {runtime: slow}\n"))
    ended = wt("run", pack, "--agent", "slow", "--scenario", "ask", "--jobs", "1", "--hook", "talks:Talks",
               folder=folder, env=environment(PYTHONPATH=str(place), **env))
    assert ended.code == 1, ended
    assert "Traceback" not in ended.err
    files = sorted((folder / "runs").rglob("*.talks.json"))
    return list(traces(folder / "runs")), [json.loads(path.read_text()) for path in files]


def test_the_turn_goes_into_the_run_s_own_session_and_not_into_its_trace(tmp_path: Path) -> None:
    found, emitted = run(tmp_path, "ctx.emit_artifact({'reply': ctx.converse('And now?')})")
    for trace, artifact in zip(found, emitted, strict=True):
        assert artifact["reply"] == f"{trace['session_id']} heard And now?"
        assert (artifact["timed_out"], artifact["error"], artifact["tools_disabled"]) == (False, None, False)
        assert len(trace["turns"]) == 1
        assert trace["calls"] == []
        assert trace["world"]["orders"]["rows"] == []


def test_an_artifact_of_a_hook_that_did_not_converse_is_not_stamped(tmp_path: Path) -> None:
    _, emitted = run(tmp_path, "ctx.emit_artifact({'reply': 'none'})")
    assert emitted == [{"reply": "none"}] * 2


def test_a_turn_that_takes_too_long_is_cancelled_stamped_and_told_to_the_next_run(tmp_path: Path) -> None:
    body = "ctx.emit_artifact({}, None)\n        try: ctx.converse('sleep', timeout_s=0.1)\n        except TimeoutError as e: ctx.warn(str(e))"
    (first, second), emitted = run(tmp_path, body)
    assert [artifact["timed_out"] for artifact in emitted] == [True, True]
    assert any("0.1 s" in warning for warning in first["worker_warnings"])
    assert "bench: a converse turn of an earlier run was abandoned and may still be in flight" in second["worker_warnings"]


def test_an_agent_that_cannot_be_cancelled_is_given_up_for_a_fresh_one(tmp_path: Path) -> None:
    body = "ctx.emit_artifact({}, None)\n        try: ctx.converse('stuck', timeout_s=0.1)\n        except TimeoutError: pass"
    (_, second), _ = run(tmp_path, body)
    assert "bench: an agent that could not be cancelled was given up; this run has a fresh one" in second["worker_warnings"]
    assert second["turns"][0]["reply"].endswith("heard How many lamps are left?")


def test_the_agent_s_trouble_is_raised_and_stamped(tmp_path: Path) -> None:
    body = "ctx.emit_artifact({}, None)\n        try: ctx.converse('fail')\n        except RuntimeError as e: ctx.warn(str(e))"
    (first, _), emitted = run(tmp_path, body)
    assert emitted[0]["error"] == "the agent fell over"
    assert "hook:talks: the agent fell over" in first["worker_warnings"]


@pytest.mark.parametrize("point", ["on_run_start", "on_run_end", "on_scenario_end"])
def test_elsewhere_converse_raises(tmp_path: Path, point: str) -> None:
    body = f"pass\n    def {point}(self, ctx):\n        try: ctx.converse('And now?')\n        except Exception as e: ctx.warn(type(e).__name__)"
    found, _ = run(tmp_path, body)
    if point != "on_scenario_end":
        assert all("hook:talks: ConverseError" in trace["worker_warnings"] for trace in found)


def test_a_context_that_is_kept_can_neither_speak_nor_emit_nor_warn_after_its_dispatch(tmp_path: Path) -> None:
    body = ("old = getattr(type(self), 'old', None); type(self).old = ctx\n"
            "        for act in (lambda: old.converse('x'), lambda: old.emit_artifact({}), lambda: old.warn('late')):\n"
            "            try: act()\n            except Exception as e: ctx.warn(type(e).__name__)")
    (first, second), emitted = run(tmp_path, body)
    assert second["worker_warnings"].count("hook:talks: HookContextClosed") == 3
    assert not any("late" in warning for warning in first["worker_warnings"] + second["worker_warnings"])
    assert emitted == []

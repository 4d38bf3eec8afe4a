"""A stage that fails ends with a value: the run is counted, its trace says why, and the walk goes on as it must."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.wt import SMALL_PACK, environment, scores, small_pack, sweep_record, traces, wt

RUNTIME = '''
import asyncio, os
from windtunnel.engine.runtimes.base import Reply, RuntimeFault

class Handle:
    model = "m"
    async def reset_state(self): self._fail("reset")
    async def send(self, session, text, *, purpose="turn"):
        self._fail("send")
        if os.environ.get("STUCK"):
            while True:
                try: await asyncio.sleep(60)
                except asyncio.CancelledError: pass
        return Reply(text="fine")
    async def teardown(self): self._fail("teardown")
    def describe_surface(self, session):
        self._fail("surface")
        return {}
    def _fail(self, where):
        if os.environ.get("FAILS") == where: raise RuntimeFault(f"{where} is broken")
        if os.environ.get("RAISES") == where: raise ZeroDivisionError(where)

class Broken:
    name = "broken"
    independent_sessions = False
    late = frozenset()
    def check(self, agent, pack, problems): pass
    async def provision(self, agent, pack):
        Handle()._fail("provision")
        return Handle()
'''

HOOK = '''
class Heard:
    name = "heard"
'''


def site(folder: Path) -> str:
    """A package that brings the runtime ``broken``, as if it were installed."""
    place = folder / "site"
    (place / "broken-1.0.dist-info").mkdir(parents=True)
    (place / "broken-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (place / "broken-1.0.dist-info" / "entry_points.txt").write_text("[windtunnel.runtimes]\nbroken = broken_runtime:Broken\n")
    (place / "broken_runtime.py").write_text(RUNTIME)
    points = ("on_provisioned", "on_run_start", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end")
    methods = "".join(f"    def {point}(self, ctx): open({str(folder / 'heard')!r}, 'a').write('{point}\\n')\n" for point in points)
    (place / "heard.py").write_text(HOOK + methods)
    return str(place)


def run(folder: Path, **env: str) -> tuple[int, list[str], list[dict[str, Any]], list[dict[str, Any]]]:
    pack = small_pack(folder, SMALL_PACK.replace("agents:\n", "agents:\n  broken: {runtime: broken}\n"))
    ended = wt("run", pack, "--agent", "broken", "--scenario", "ask", "--runs", "1", "--hook", "heard:Heard",
               folder=folder, env=environment(PYTHONPATH=site(folder), **env))
    assert "Traceback" not in ended.err
    heard = (folder / "heard").read_text().split()
    return ended.code, heard, list(traces(folder / "runs")), list(scores(folder / "runs"))


@pytest.mark.parametrize("way", ["FAILS", "RAISES"])
@pytest.mark.parametrize(("where", "stage", "heard"), [
    ("provision", "provision", ["on_scenario_end", "on_pack_end"]),
    ("reset", "reset_state", ["on_provisioned", "on_run_end", "on_scenario_end", "on_pack_end"]),
    ("surface", "capture_surface", ["on_provisioned", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end"]),
    ("send", "inject_turns", ["on_provisioned", "on_run_start", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end"]),
])
def test_a_failing_stage_is_an_error_with_its_cause_and_the_right_points_fire(
    tmp_path: Path, way: str, where: str, stage: str, heard: list[str]
) -> None:
    code, fired, (trace,), (score,) = run(tmp_path, **{way: where})
    assert code == 3
    assert score["verdict"] == "ERROR"
    assert trace["errors"][0]["stage"] == stage
    assert where in trace["errors"][0]["message"]
    assert fired == heard
    assert (trace["session_id"] == "") == (where in ("provision", "reset"))


def test_a_teardown_that_fails_is_told_and_costs_no_verdict(tmp_path: Path) -> None:
    code, _, _, (score,) = run(tmp_path, FAILS="teardown")
    assert code == 1
    assert score["verdict"] == "FAIL"
    assert any("teardown is broken" in warning for warning in sweep_record(tmp_path / "runs")["warnings"])


def test_an_agent_that_swallows_its_cancellation_is_left_behind_within_its_time(tmp_path: Path) -> None:
    pack = SMALL_PACK.replace("agents:\n", "agents:\n  broken: {runtime: broken}\n").replace("runs: 2", "runs: 2, turn_timeout_s: 0.2")
    ended = wt("run", small_pack(tmp_path, pack), "--agent", "broken", "--scenario", "ask", folder=tmp_path,
               env=environment(PYTHONPATH=site(tmp_path), STUCK="1"))
    assert ended.code == 1
    first, second = traces(tmp_path / "runs")
    assert first["turns"][0]["timed_out"] is True
    assert first["turns"][0]["error"] == "the time was over: turn_timeout_s is 0.2"
    assert "bench: an agent that could not be cancelled was given up; this run has a fresh one" in second["worker_warnings"]


def test_a_tool_that_the_pack_breaks_is_an_error_and_no_failure_of_the_agent(tmp_path: Path) -> None:
    pack = SMALL_PACK.replace('sql: "SELECT pieces FROM stock WHERE item = :item"', 'text: "{{ world.stock[7].pieces }}"')
    pack = pack.replace("{{ result.rows[0].pieces }} lamps.", "3 lamps.")
    ended = wt("run", small_pack(tmp_path, pack), "--scenario", "ask", folder=tmp_path)
    assert ended.code == 3
    assert ended.out.startswith("ERROR ask  good  0/2  ")
    assert "tool stock_get: the tool is broken" in ended.out

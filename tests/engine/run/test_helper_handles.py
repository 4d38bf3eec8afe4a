"""A helper is made ready once a batch, reset for each conversation, and given back; a shared one serves in turn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kit.wt import Ended, environment, scores, sweep_record, wt

RUNTIME = '''
import asyncio, os
from windtunnel.engine.runtimes.base import Reply, RuntimeFault

LOG = os.environ["HELPER_LOG"]
def log(word):
    with open(LOG, "a") as file: file.write(word + "\\n")

class Handle:
    model = "shared-1"
    talking = 0
    async def reset_state(self): log("reset"); self.said = 0
    async def send(self, session, text, *, purpose="turn"):
        Handle.talking += 1
        log(f"at once {Handle.talking}")
        self.said += 1
        try:
            await asyncio.sleep(0.02)
            if "stuck" in os.environ.get("HELPER_DOES", "") and session.run_number == 1:
                while True:
                    try: await asyncio.sleep(60)
                    except asyncio.CancelledError: pass
            if "raises" in os.environ.get("HELPER_DOES", ""): raise ValueError("no idea")
            return Reply(text=f"said {self.said}" if "PASS" not in text else "PASS")
        finally:
            Handle.talking -= 1
    async def teardown(self):
        log("teardown")
        if "tears" in os.environ.get("HELPER_DOES", ""): raise OSError("gone")
    def describe_surface(self, session): return {}

class Shared:
    name = "shared"
    independent_sessions = False
    late = frozenset()
    def check(self, agent, pack, problems): pass
    async def provision(self, agent, pack):
        log("provision")
        if "never" in os.environ.get("HELPER_DOES", ""): raise RuntimeFault("not today")
        return Handle()
'''
PACK = """\
kind: pack
schema_version: 1
name: shop
default_agent: clerk
agents:
  clerk: {runtime: scripted, script: [{do: [{wait_s: 0.01}, {say: "Heard {{ user }}."}]}]}
  other: {runtime: shared, role: helper}
scenarios:
  s:
    runs: %s
    turns: [{simulated: {goal: x, max_turns: 2}}]
    expect: {outcome: [{type: llm-rubric, value: It says what it heard., timeout_s: 0.3}]}
"""


def run(folder: Path, does: str = "", runs: str = "4") -> tuple[Ended, Counter[str]]:
    """Runs at once that ask one shared helper twice each, and what it logged."""
    place = folder / "site"
    (place / "shared-1.0.dist-info").mkdir(parents=True)
    (place / "shared-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: shared\nVersion: 1.0\n")
    (place / "shared-1.0.dist-info" / "entry_points.txt").write_text("[windtunnel.runtimes]\nshared = its_code:Shared\n")
    (place / "its_code.py").write_text(RUNTIME)
    (folder / "pack.yaml").write_text(PACK % runs)
    log = folder / "log"
    env = environment(PYTHONPATH=str(place), HELPER_LOG=str(log), HELPER_DOES=does)
    ended = wt("run", "pack.yaml", folder=folder, env=env)
    assert "Traceback" not in ended.err
    return ended, Counter(log.read_text().splitlines())


def test_a_shared_helper_is_made_ready_once_reset_for_each_conversation_and_never_shared_at_once(tmp_path: Path) -> None:
    ended, log = run(tmp_path)
    assert ended.code == 0, ended
    assert log == {"provision": 1, "reset": 8, "at once 1": 12, "teardown": 1}


def test_one_that_cannot_be_made_ready_is_an_error_of_each_run(tmp_path: Path) -> None:
    ended, log = run(tmp_path, "never")
    assert ended.code == 3
    assert log == {"provision": 4}
    assert {note for score in scores(tmp_path / "runs") for note in score["notes"]} == {
        "inject_turns: the simulated user: helper 'other': not today"
    }


def test_whatever_it_raises_is_an_error_with_its_name(tmp_path: Path) -> None:
    ended, log = run(tmp_path, "raises")
    assert ended.code == 3
    assert log["teardown"] == 1
    assert {note for score in scores(tmp_path / "runs") for note in score["notes"]} == {
        "inject_turns: the simulated user: helper 'other': ValueError: no idea"
    }


def test_one_that_cannot_be_given_back_is_told_and_changes_nothing(tmp_path: Path) -> None:
    ended, _ = run(tmp_path, "tears")
    assert ended.code == 0
    told = "shop/s/clerk: teardown: helper 'other' was not torn down: OSError: gone"
    assert sweep_record(tmp_path / "runs")["warnings"] == [told]


def test_one_that_cannot_be_cancelled_is_left_behind_for_a_fresh_one(tmp_path: Path) -> None:
    ended, log = run(tmp_path, "stuck", runs="2\n    run_timeout_s: 1")
    assert ended.code == 3
    assert log["provision"] == 2
    assert sorted(score["verdict"] for score in scores(tmp_path / "runs")) == ["ERROR", "PASS"]

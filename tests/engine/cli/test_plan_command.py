"""``wt plan`` prints the compiled order and the batches of a run that nobody makes."""

from __future__ import annotations

from pathlib import Path

from kit.wt import SMALL_PACK, small_pack

from .conftest import Told

PLAN = """\
each_batch            loop   facts: -
  provision           stage  facts: -
  check_world         stage  facts: handle
  on_provisioned      point  facts: handle world
  each_run            loop   facts: handle world
    reset_state       stage  facts: handle world
    open_session      stage  facts: handle world fresh
    capture_surface   stage  facts: handle world fresh session
    on_run_start      point  facts: handle world fresh session surface
    inject_turns      stage  facts: handle world fresh session surface
    capture_evidence  stage  facts: handle world session surface injected
    freeze_trace      stage  facts: handle world session surface injected evidence
    score             stage  facts: handle world session surface injected evidence trace
    on_run_scored     point  facts: handle world session surface injected evidence trace score  hooks: debrief asks
    on_run_end        point  facts: handle world session surface injected evidence trace score scored
  aggregate           stage  facts: handle world runs
  on_scenario_end     point  facts: handle world runs aggregate
  teardown            stage  facts: handle world runs aggregate
on_pack_end           point  facts: batches
batch  shop  ask  good  runs: 5
batch  shop  ask  bad  runs: 5
batch  shop  buy  good  runs: 5  skipped: not yet
excluded  shop  buy  bad  the scenario is for agents good
"""


def test_a_plan_is_a_line_a_step_then_a_line_a_batch(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path, SMALL_PACK.replace("  buy:\n", "  buy:\n    agents: [good]\n    skip: not yet\n"))
    ended = told("plan", "shop.yaml", "--agent", "*", "--hook", "debrief", "--hook", "asks", "--runs", "5")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == PLAN
    assert not (tmp_path / "runs").exists()


def test_a_plan_refuses_what_a_run_refuses(told: Told, tmp_path: Path) -> None:
    small_pack(tmp_path)
    ended = told("plan", "shop.yaml", "--scenario", "sak")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("--scenario sak: matches nothing; ")

"""A skeleton whose stages stand in an order that cannot keep its promises is refused, with its line and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from windtunnel.engine.skeleton.compile import compile_skeleton
from windtunnel.engine.skeleton.load import skeleton_names
from windtunnel.engine.stages.all_stages import STAGES
from windtunnel.schemas.errors import DocumentFault

RUN = """\
      - reset_state
      - open_session
      - capture_surface
      - point: on_run_start
      - inject_turns
      - capture_evidence
      - freeze_trace
      - score
      - point: on_run_scored
      - point: on_run_end
"""


def skeleton(tmp_path: Path, *, run: str = RUN, before: str = "  - provision\n  - check_world\n",
             after: str = "  - aggregate\n  - teardown\n", sweep: str = "  - each_batch\n") -> Path:
    path = tmp_path / "s.yaml"
    path.write_text(f"kind: skeleton\nschema_version: 1\nname: s\nbatch:\n{before}  - each_run:\n{run}{after}sweep:\n{sweep}")
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(DocumentFault) as caught:
        compile_skeleton(path)
    return [str(problem).replace(f"{path}:", "") for problem in caught.value.problems]


def without(stage: str) -> str:
    return "".join(line for line in RUN.splitlines(keepends=True) if not line.strip().endswith(stage))


def moved(stage: str, *, after: str) -> str:
    lines = [line for line in RUN.splitlines(keepends=True) if not line.strip().endswith(stage)]
    at = next(index for index, line in enumerate(lines) if line.strip().endswith(after))
    line = next(line for line in RUN.splitlines(keepends=True) if line.strip().endswith(stage))
    return "".join([*lines[: at + 1], line, *lines[at + 1 :]])


def test_every_built_in_skeleton_compiles() -> None:
    assert "standard" in skeleton_names()
    for name in skeleton_names():
        assert compile_skeleton(name).name == name


def test_the_standard_skeleton_fires_the_six_points_in_order() -> None:
    assert compile_skeleton("standard").points() == (
        "on_provisioned", "on_run_start", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end",
    )


def test_a_debrief_before_the_score_is_refused_with_its_line(tmp_path: Path) -> None:
    assert faults(skeleton(tmp_path, run=moved("score", after="on_run_scored"))) == [
        "15:9: point 'on_run_scored' needs score, which only 'score' gives; put 'score' before it",
    ]


def test_a_debrief_after_the_next_reset_is_refused(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, run=moved("reset_state", after="score").replace("- open_session\n", "- open_session\n")))
    assert any("point 'on_run_scored' needs session" in fault for fault in found)


def test_turns_before_the_session_are_refused(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, run=moved("open_session", after="inject_turns")))
    assert "11:9: stage 'inject_turns' needs session, which only 'open_session' gives; put 'open_session' before it" in found


def test_a_trace_without_captured_evidence_is_refused(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, run=without("capture_evidence")))
    assert found[0] == "13:9: stage 'freeze_trace' needs evidence, which only 'capture_evidence' gives; put 'capture_evidence' before it"


def test_a_skeleton_without_teardown_is_refused(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, after="  - aggregate\n"))
    assert found == ["18:5: there is no stage 'teardown'; end the batch with it: agents must be given back"]


def test_runs_that_are_never_scored_are_refused(tmp_path: Path) -> None:
    run = "      - reset_state\n      - open_session\n      - inject_turns\n"
    assert faults(skeleton(tmp_path, run=run))[0] == (
        "7:5: this loop scores no run; put 'score' into each_run: a run without a score is no evidence"
    )


def test_a_stage_twice_is_refused(tmp_path: Path) -> None:
    run = RUN.replace("      - capture_surface\n", "      - capture_surface\n      - capture_surface\n")
    assert faults(skeleton(tmp_path, run=run)) == ["11:9: stage 'capture_surface' stands here twice; remove one"]


def test_a_misspelt_stage_is_told_the_nearest_one(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, run=RUN.replace("freeze_trace", "frezee_trace")))
    assert "14:9: there is no stage 'frezee_trace'; did you mean 'freeze_trace'?" in found


def test_a_stage_of_a_run_in_the_batch_is_told_where_it_belongs(tmp_path: Path) -> None:
    found = faults(skeleton(tmp_path, before="  - provision\n  - check_world\n  - score\n"))
    assert found == ["7:5: stage 'score' belongs to the run, not the batch; move it into each_run"]


def test_on_scenario_end_may_stand_before_or_after_teardown(tmp_path: Path) -> None:
    for after in ("  - aggregate\n  - point: on_scenario_end\n  - teardown\n", "  - aggregate\n  - teardown\n  - point: on_scenario_end\n"):
        assert "on_scenario_end" in compile_skeleton(skeleton(tmp_path, after=after)).points()


def test_a_point_of_its_own_may_fire_at_every_turn(tmp_path: Path) -> None:
    run = RUN.replace("- inject_turns", "- each_turn: [inject_turn, {point: on_turn}]")
    assert "on_turn" in compile_skeleton(skeleton(tmp_path, run=run)).points()


def test_each_turn_must_send_the_turn(tmp_path: Path) -> None:
    run = RUN.replace("- inject_turns", "- each_turn: [{point: on_turn}]")
    assert faults(skeleton(tmp_path, run=run)) == ["12:9: this loop sends no turn; put 'inject_turn' into each_turn"]


def test_a_wait_after_the_capture_is_refused(tmp_path: Path) -> None:
    run = RUN.replace("      - freeze_trace\n", "      - wait: {max_s: 1}\n      - freeze_trace\n")
    assert faults(skeleton(tmp_path, run=run)) == [
        "14:9: stage 'wait' must not stand where evidence already holds; put it before 'capture_evidence'",
    ]


@pytest.mark.parametrize(("params", "fault"), [
    ("{}", "wait needs max_s, a number of seconds; write a number above 0, at most 600"),
    ("{max_s: 0}", "wait needs max_s, a number of seconds; write a number above 0, at most 600"),
    ("{max_s: 601}", "wait needs max_s, a number of seconds; write a number above 0, at most 600"),
    ("{max_s: true}", "wait needs max_s, a number of seconds; write a number above 0, at most 600"),
    ("{max_s: 1, untill: x}", "stage 'wait' has no parameter 'untill'; did you mean 'until'?"),
    ("{max_s: 1, until: 3}", "this is no expression; write it as text, such as \"calls | length > 0\""),
])
def test_a_wait_with_bad_parameters_is_refused(tmp_path: Path, params: str, fault: str) -> None:
    run = RUN.replace("      - capture_evidence\n", f"      - wait: {params}\n      - capture_evidence\n")
    assert any(fault in found for found in faults(skeleton(tmp_path, run=run)))


def test_a_wait_on_a_name_that_it_does_not_see_is_refused(tmp_path: Path) -> None:
    run = RUN.replace("      - capture_evidence\n", "      - wait: {max_s: 1, until: reply}\n      - capture_evidence\n")
    assert any("until: " in found and "reply" in found for found in faults(skeleton(tmp_path, run=run)))


def test_a_skeleton_that_does_not_exist_is_told_the_nearest() -> None:
    with pytest.raises(DocumentFault) as caught:
        compile_skeleton("standrad")
    assert str(caught.value) == "standrad:1:1: there is no skeleton 'standrad'; did you mean 'standard'?"


def test_every_fact_that_a_stage_needs_is_given_by_something() -> None:
    given = {fact for stage in STAGES.values() for fact in stage.contract.gives} | {"runs", "injected", "batches", "scored"}
    for stage in STAGES.values():
        assert stage.contract.needs <= given, stage.name

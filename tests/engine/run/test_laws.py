"""Laws: every reordering of a skeleton is refused or runs; no hook, whatever it does, changes evidence or result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.wt import SMALL_PACK, evidence, small_pack
from windtunnel.engine import RunOptions, compile_skeleton, load_pack, run_pack
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.errors import DocumentFault

RUN_STEPS = (
    "reset_state", "open_session", "capture_surface", "{point: on_run_start}", "inject_turns", "capture_evidence",
    "freeze_trace", "score", "{point: on_run_scored}", "{point: on_run_end}",
)
EXTRAS = ("{wait: {max_s: 0.01}}", "{point: mine}", "{each_turn: [inject_turn, {point: on_turn}]}")
BATCH_STEPS = ("provision", "check_world", "{point: on_provisioned}", "RUNS", "aggregate", "{point: on_scenario_end}", "teardown")


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Steps of a run and of a batch, moved about: most draws stay near the standard order, so that many may run."""
    run = list(RUN_STEPS)
    for extra in draw(st.lists(st.sampled_from(EXTRAS), max_size=2, unique=True)):
        run.insert(draw(st.integers(0, len(run))), extra)
    batch = list(BATCH_STEPS)
    for steps in (run, batch):
        for _ in range(draw(st.integers(0, 3))):
            action = draw(st.sampled_from(("swap", "drop", "repeat")))
            at = draw(st.integers(0, len(steps) - 2))
            if action == "swap":
                steps[at], steps[at + 1] = steps[at + 1], steps[at]
            elif action == "drop":
                del steps[at]
            elif steps[at] != "RUNS":
                steps.insert(draw(st.integers(0, len(steps))), steps[at])
    return run, batch


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("laws")


@pytest.fixture(scope="module")
def pack(folder: Path) -> Pack:
    return load_pack(small_pack(folder))


def lines(steps: list[str], indent: str) -> str:
    return "".join(f"{indent}- {step}\n" for step in steps)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders())
def test_every_reordering_of_a_skeleton_is_refused_or_runs(folder: Path, pack: Pack, order: tuple[list[str], list[str]]) -> None:
    run, batch = order
    text = lines(batch, "  ").replace("- RUNS\n", "- each_run:\n" + lines(run, "      "))
    path = folder / "moved.yaml"
    path.write_text(f"kind: skeleton\nschema_version: 1\nname: moved\nbatch:\n{text}sweep: [each_batch, {{point: on_pack_end}}]\n")
    try:
        compile_skeleton(path)
    except DocumentFault as fault:
        assert all(problem.mark.line > 1 and problem.remedy for problem in fault.problems)
        return
    result = run_pack(pack, RunOptions(skeleton=str(path), runs=1, runs_dir=folder / "runs", deterministic=1))
    assert result.exit_code == 0, text
    assert result.record.counts["PASS"] == 2


ACTIONS = {
    "look": "ctx.trace, ctx.score, ctx.scenario, ctx.agent, ctx.aggregate, ctx.turns, ctx.calls",
    "raise": "raise RuntimeError('no')",
    "exit": "raise SystemExit('no')",
    "stop": "raise StopIteration",
    "mutate": "ctx.agent.guards.append('x'); ctx.scenario.turns.clear()",
    "mutate trace": "ctx.trace.turns.clear(); ctx.trace.calls.append(None); ctx.trace.world['stock'].rows.clear()",
    "emit": "ctx.emit_artifact({'a': [1, 2.5, None, 'text']})",
    "emit again": "ctx.emit_artifact([1], label='again')",
    "emit nonsense": "ctx.emit_artifact({1: {2}})",
    "warn": "ctx.warn('look\\n\\x1b[31mhere' * 50)",
    "talk": "ctx.converse('And now?')",
    "talk briefly": "ctx.converse('And now?', timeout_s=0.001)",
    "set": "ctx.trace = None",
    "delete": "del ctx.score",
    "return": "return {'verdict': 'PASS'}",
    "thread": "import threading; threading.Thread(target=ctx.warn, args=('late',), daemon=True).start()",
    "seed": "import random; random.seed(0); random.random()",
}
POINTS = ("on_provisioned", "on_run_start", "on_run_scored", "on_run_end", "on_scenario_end", "on_pack_end")
behaviours = st.dictionaries(st.sampled_from(POINTS), st.lists(st.sampled_from(sorted(ACTIONS)), min_size=1, max_size=3), min_size=1)


CALL_ACTIONS = {
    "take all": ("**fields", "fields.clear()"),
    "take none": ("", "pass"),
    "raise": ("", "raise RuntimeError('no')"),
    "exit": ("", "raise SystemExit('no')"),
    "stop": ("", "raise StopIteration"),
    "give up": ("", "raise GeneratorExit"),
    "mutate": ("**fields", "[value.clear() for value in fields.values() if isinstance(value, dict | list)]"),
    "change arguments": ("args={}", "args['item'] = 'chair'"),
    "refuse": ("", "from windtunnel.hooks import Refuse; return Refuse('no')"),
    "answer": ("", "return {'status': 'error', 'result': 'nothing'}"),
    "seed": ("", "import random; random.seed(0); random.random()"),
    "wait": ("", "import time; time.sleep(0.001)"),
    "recurse": ("**fields", "getattr(self, 'recurses')(**fields)"),
    "use a loop": ("", "import asyncio; asyncio.new_event_loop().close()"),
}
CALL_EVENTS = ("pre_tool_call", "post_tool_call", "pre_api_request", "post_api_request", "pre_aux_request", "post_aux_request",
               "on_stream_start", "on_stream_delta", "on_stream_end")
call_behaviours = st.dictionaries(st.sampled_from(CALL_EVENTS), st.sampled_from(sorted(CALL_ACTIONS)), min_size=1)


def facts(runs: Path) -> dict[str, Any]:
    """Traces without warnings, scores, ledger: what no hook may change."""
    kept: dict[str, Any] = {}
    for name, data in evidence(runs).items():
        file = name.rpartition("/")[2]
        stem, _, rest = file.partition(".")
        if rest == "json" and "_" in stem:
            kept[name] = {key: value for key, value in json.loads(data).items() if key != "worker_warnings"}
        elif rest == "score.json" or file == "ledger.ndjson":
            kept[name] = data
    return kept


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(behaviours, st.booleans(), st.integers(1, 4))
def test_no_behaviour_of_a_hook_changes_evidence_scores_counts_or_exit_code(
    tmp_path_factory: pytest.TempPathFactory, pack: Pack, does: dict[str, list[str]], is_async: bool, jobs: int
) -> None:
    place = tmp_path_factory.mktemp("hook")
    methods = "".join(
        f"    {'async ' if is_async else ''}def {point}(self, ctx):\n" + "".join(f"        {ACTIONS[action]}\n" for action in actions)
        for point, actions in does.items()
    )
    (place / "h.py").write_text(f"class H:\n    name = 'h'\n{methods}")
    options = {"deterministic": 3, "jobs": jobs, "agents": ("*",)}
    plain = run_pack(pack, RunOptions(runs_dir=place / "a", **options))  # type: ignore[arg-type]
    hooked = run_pack(pack, RunOptions(runs_dir=place / "b", hooks=(f"{place}/h.py:H",), **options))  # type: ignore[arg-type]
    assert hooked.exit_code == plain.exit_code == 1
    assert hooked.record.counts == plain.record.counts
    assert facts(place / "b") == facts(place / "a")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(call_behaviours, st.sets(st.sampled_from(CALL_EVENTS)), st.booleans(), st.integers(1, 4))
def test_no_behaviour_of_a_hook_that_hears_calls_changes_evidence_scores_counts_or_exit_code(
    tmp_path_factory: pytest.TempPathFactory, pack: Pack, does: dict[str, str], awaited: set[str], speaks: bool, jobs: int
) -> None:
    place = tmp_path_factory.mktemp("hook")
    methods = "".join(
        f"    {'async ' if event in awaited else ''}def {event}(self{', ' if takes else ''}{takes}):\n        {action}\n"
        for event, (takes, action) in ((event, CALL_ACTIONS[name]) for event, name in does.items())
    )
    (place / "h.py").write_text(f"class H:\n    name = 'h'\n    def recurses(self, **fields): self.recurses(**fields)\n{methods}")
    options = {"deterministic": 3, "jobs": jobs, "agents": ("*",)}
    hooks = (f"{place}/h.py:H", *(("asks",) if speaks else ()))
    plain = run_pack(pack, RunOptions(runs_dir=place / "a", **options))  # type: ignore[arg-type]
    hooked = run_pack(pack, RunOptions(runs_dir=place / "b", hooks=hooks, **options))  # type: ignore[arg-type]
    assert hooked.exit_code == plain.exit_code == 1
    assert hooked.record.counts == plain.record.counts
    assert facts(place / "b") == facts(place / "a")


def test_the_small_pack_of_the_laws_has_a_pass_and_a_failure(folder: Path, pack: Pack) -> None:
    assert SMALL_PACK
    assert run_pack(pack, RunOptions(runs_dir=folder / "both", agents=("*",))).record.batches == {"FAIL": 2, "PASS": 2}

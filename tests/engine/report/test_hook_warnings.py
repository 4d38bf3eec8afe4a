"""What hooks warn of is told once a batch with a count, and never floods a console."""

from __future__ import annotations

from pathlib import Path

from kit.wt import small_pack, wt
from windtunnel.engine.report.hook_warnings import MOST_IN_ALL, MOST_OF_A_BATCH, HookWarnings

KEY = ("shop", "ask", "good")


def test_each_distinct_warning_is_a_line_with_its_runs() -> None:
    warnings = HookWarnings()
    for run in range(3):
        warnings.add(KEY, ["hook:a: same", f"hook:a: run {run}", "hook:a: same"])
    warnings.add(KEY, [])
    assert list(warnings.lines(KEY)) == [
        "warning: ask  good  hook:a: same  (in 3 runs)",
        "warning: ask  good  hook:a: run 0  (in 1 run)",
        "warning: ask  good  hook:a: run 1  (in 1 run)",
        "warning: ask  good  hook:a: run 2  (in 1 run)",
    ]
    assert list(warnings.lines(KEY)) == []


def test_batches_are_kept_apart() -> None:
    warnings = HookWarnings()
    other = ("shop", "ask", "bad")
    warnings.add(KEY, ["hook:a: one"])
    warnings.add(other, ["hook:a: one"])
    assert list(warnings.lines(other)) == ["warning: ask  bad  hook:a: one  (in 1 run)"]
    assert list(warnings.lines(KEY)) == ["warning: ask  good  hook:a: one  (in 1 run)"]


def test_a_flood_in_a_batch_is_counted() -> None:
    warnings = HookWarnings()
    for run in range(100):
        warnings.add(KEY, [f"hook:a: {run}"])
    lines = list(warnings.lines(KEY))
    assert len(lines) == MOST_OF_A_BATCH + 1
    assert lines[-1] == f"warning: ask  good  {100 - MOST_OF_A_BATCH} more warnings: see worker_warnings in the traces"


def test_a_flood_over_a_sweep_ends_with_a_word() -> None:
    warnings = HookWarnings()
    lines: list[str] = []
    for batch in range(MOST_IN_ALL * 2):
        key = ("shop", f"s{batch}", "good")
        warnings.add(key, ["hook:a: again"])
        lines += warnings.lines(key)
    assert len(lines) == MOST_IN_ALL + 1
    assert lines[-1] == "warning: there are more warnings, which are not shown: see worker_warnings in the traces"


def test_text_of_a_warning_is_inert_and_cut() -> None:
    warnings = HookWarnings()
    warnings.add(KEY, ["hook:a: \x1b[31m\n::error::x" + "y" * 10_000])
    (line,) = warnings.lines(KEY)
    assert line.startswith("warning: ask  good  hook:a: \\x1b[31m ::error::xyyy")
    assert len(line) < 400


def test_a_sweep_tells_what_its_hooks_warned_of_on_standard_error(tmp_path: Path) -> None:
    small_pack(tmp_path)
    (tmp_path / "h.py").write_text(
        "class H:\n    name = 'h'\n    def on_run_scored(self, ctx): raise ValueError('no \\x1b[31m')\n"
        "    def on_scenario_end(self, ctx): ctx.warn('the end of ' + ctx.scenario.id)\n"
    )
    ended = wt("run", "shop.yaml", "--hook", "h.py:H", folder=tmp_path)
    assert ended.code == 0
    assert ended.out == "PASS ask  good  2/2\nPASS buy  good  2/2\n2 batches: 2 PASS; runs: 4 PASS; evidence in runs\n"
    assert sorted(ended.err.splitlines()) == [
        "warning: ask  good  hook:h: on_run_scored raised ValueError: no \\x1b[31m  (in 2 runs)",
        "warning: buy  good  hook:h: on_run_scored raised ValueError: no \\x1b[31m  (in 2 runs)",
        "warning: hook:h: the end of ask",
        "warning: hook:h: the end of buy",
    ]

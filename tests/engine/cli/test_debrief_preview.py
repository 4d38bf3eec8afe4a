"""``wt debrief preview`` shows what a debrief would say, without any agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from windtunnel.engine.cli.debrief import command
from windtunnel.hooks.debrief.sample import sample_score, sample_trace
from windtunnel.schemas.codec import encode_pretty
from windtunnel.schemas.errors import UsageFault
from windtunnel.schemas.records import Trace
from windtunnel.schemas.scores import Score

SAMPLE = """\
debrief environment_first, when: failed_layers
  (holds: this run would be debriefed)

This run has been scored: FAIL. Nothing you say now changes that.
- outcome: mentions "ops@bluewing.example": not in the reply
- trajectory: 
- constraint: 
- integrity:

1. Did any tool return an error, an odd shape, or lack a capability? Quote it.
2. Was anything you needed missing?
3. What would you do differently?

Answer each question under its number.

then, at most 3 of:
- when 'error' in reply: Quote that error exactly.
"""  # noqa: W291


def preview(*arguments: str) -> str:
    result = CliRunner().invoke(command, ["preview", *arguments], catch_exceptions=False, standalone_mode=False)
    return result.stdout


def save(folder: Path, trace: Trace, score: Score | None) -> str:
    (folder / "20260302T080000000000Z_01234567.json").write_bytes(encode_pretty(trace))
    if score is not None:
        (folder / "20260302T080000000000Z_01234567.score.json").write_bytes(encode_pretty(score))
    return str(folder / "20260302T080000000000Z_01234567.json")


def fault_of(*arguments: str) -> str:
    with pytest.raises(UsageFault) as caught:
        preview(*arguments)
    return str(caught.value)


def test_without_a_trace_a_sample_run_is_shown() -> None:
    assert preview("environment_first") == SAMPLE


def test_a_saved_run_is_shown_and_its_text_is_inert(tmp_path: Path) -> None:
    score = sample_score()
    score.layers["outcome"] = replace(score.layers["outcome"], detail="said \x1b[2J and {{ 7 * 7 }}")
    shown = preview("environment_first", "--trace", save(tmp_path, sample_trace(), score))
    assert "- outcome: said \\x1b[2J and {{ 7 * 7 }}\n" in shown


def test_a_template_whose_condition_does_not_hold_says_so(tmp_path: Path) -> None:
    score = replace(sample_score(), verdict="PASS", failed_layers=[])
    shown = preview("environment_first", "--trace", save(tmp_path, sample_trace(), score))
    assert shown.startswith("debrief environment_first, when: failed_layers\n  (does not hold for this run)\n")


def test_a_trace_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.json")
    assert fault_of("environment_first", "--trace", missing) == (
        f"{missing} cannot be read: No such file or directory; name a trace of a finished run"
    )
    torn = tmp_path / "torn.json"
    torn.write_text('{"schema_version": 1, "run_')
    assert fault_of("environment_first", "--trace", str(torn)).startswith(f"{torn} is not a trace: ")


def test_a_sidecar_is_not_a_trace(tmp_path: Path) -> None:
    save(tmp_path, sample_trace(), sample_score())
    sidecar = str(tmp_path / "20260302T080000000000Z_01234567.score.json")
    assert fault_of("environment_first", "--trace", sidecar) == (
        f"{sidecar} is a sidecar; name the trace itself: <stem>.json"
    )


def test_a_trace_without_its_score_cannot_be_debriefed(tmp_path: Path) -> None:
    trace = save(tmp_path, sample_trace(), None)
    beside = trace.replace(".json", ".score.json")
    assert fault_of("environment_first", "--trace", trace) == (
        f"{beside} cannot be read: No such file or directory; name a score of a finished run"
    )


def test_the_score_of_another_run_is_refused(tmp_path: Path) -> None:
    trace = save(tmp_path, sample_trace(), replace(sample_score(), run_id="f" * 32))
    beside = trace.replace(".json", ".score.json")
    assert fault_of("environment_first", "--trace", trace) == (
        f"{beside} is the score of another run than {trace}; name a trace with its own score"
    )


def test_an_unknown_template_tells_what_there_is() -> None:
    assert fault_of("short") == (
        "wt debrief preview: there is no debrief template 'short'; "
        "there are: environment_first, or name a path to a file"
    )

"""A leak between runs or batches is a warning and an artifact that names the keys; a probe that fails is never silent."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from kit.endpoint import Answer, Endpoint, Request, calls, message, tool_call
from kit.wt import Ended, environment, evidence, sweep_record, traces, wt
from windtunnel.schemas.catalog import artifact_faults

PACK = """\
kind: pack
schema_version: 1
name: leaky
agents:
  keeper: {runtime: scripted, script: [{do: [{call: {tool: keep, args: {}}}, {say: Kept.}]}]}
tools:
  keep: {effect: draft, python: "keep.py:keep"}
scenarios:
  first: {turns: [Keep it.], runs: 2, expect: {outcome: [{type: contains, value: Kept}]}}
  second: {turns: [Keep it.], runs: 1, expect: {outcome: [{type: contains, value: Kept}]}}
"""
KEEP = """\
import os
from pathlib import Path

def keep():
    folder = Path(__file__).parent / "memory"
    folder.mkdir(exist_ok=True)
    number = len(list(folder.iterdir()))
    (folder / f"{number}.txt").write_text(os.environ.get("KEPT", "tea"))
    return "kept"
"""
STATE = "import json, pathlib; print(json.dumps({p.name: p.read_text() for p in pathlib.Path('memory').glob('*')}))"


def desk(folder: Path, probe: str, pack: str = PACK) -> None:
    (folder / "pack.yaml").write_text(pack + (f"state_probe: {probe}\n" if probe else ""))
    (folder / "keep.py").write_text(KEEP)
    (folder / "state.py").write_text(STATE)


def warnings(folder: Path) -> list[list[str]]:
    found = [trace["worker_warnings"] for trace in sorted(traces(folder / "runs"), key=lambda trace: trace["started_at"])]
    return [[line for line in lines if line.startswith("hook:")] for lines in found]


def violations(folder: Path) -> list[dict[str, Any]]:
    found = [json.loads(path.read_text()) for path in sorted((folder / "runs").rglob("*.violation.json"), key=lambda p: p.name)]
    assert [artifact_faults("state_violation", each) for each in found] == [[] for _ in found]
    return found


def run(folder: Path, *words: str, **env: str) -> Ended:
    return wt("run", ".", "--hook", "state_probe", *words, folder=folder, env=environment(**env))


@pytest.mark.parametrize("probe", ["{files: [memory/*]}", "{command: [python3, state.py]}"])
def test_what_a_run_leaves_is_told_in_the_next_one_and_in_the_next_batch(tmp_path: Path, probe: str) -> None:
    desk(tmp_path, probe)
    assert run(tmp_path, "--jobs", "8").code == 0
    key = "memory/" if "files" in probe else ""
    assert warnings(tmp_path) == [
        [],
        [f"hook:state_probe: the reset did not restore the state: a run of this batch left {key}0.txt changed"],
        [f"hook:state_probe: the reset did not restore the state: an earlier batch left {key}0.txt, {key}1.txt changed"],
    ]
    first, second = violations(tmp_path)
    assert (first["scope"], first["changed"], first["changes"][0]["change"]) == ("batch", [f"{key}0.txt"], "added")
    assert (second["scope"], second["changed"]) == ("sweep", [f"{key}0.txt", f"{key}1.txt"])
    assert first["baseline"] == second["baseline"]
    assert first["baseline"]["run_id"] == min(traces(tmp_path / "runs"), key=lambda trace: trace["started_at"])["run_id"]


def test_a_reset_that_restores_the_state_leaves_no_word(tmp_path: Path) -> None:
    desk(tmp_path, "{command: [echo, '{\"rows\": 3}']}")
    ended = run(tmp_path)
    assert (ended.code, ended.err, violations(tmp_path), sweep_record(tmp_path / "runs")["warnings"]) == (0, "", [], [])


def test_secrets_are_masked_in_what_is_told(tmp_path: Path) -> None:
    def answer(asked: Request) -> Answer:
        return message("Kept.") if asked.messages[-1]["role"] == "tool" else calls(tool_call("keep", {}))

    with Endpoint(answer) as endpoint:
        agent = f"{{runtime: openai, base_url: '{endpoint.base_url}', model: m, api_key: '{{{{ secret(env.KEPT) }}}}'}}"
        desk(tmp_path, "{command: [python3, state.py]}", re.sub("keeper: .*", f"keeper: {agent}", PACK))
        assert run(tmp_path, KEPT="open-sesame-1234").code == 0
    assert violations(tmp_path)[0]["changes"] == [{"key": "0.txt", "change": "added", "after": "***"}]
    assert b"open-sesame" not in b"".join(evidence(tmp_path / "runs").values())


@pytest.mark.parametrize(
    ("probe", "told"),
    [
        ("{command: [sleep, '600'], timeout_s: 0.2}", "the command `sleep 600` did not end within 0.2 s; "
         "make it quicker, or raise state_probe.timeout_s (at most 120)"),
        ("{command: [python3, -c, 'print(\"x\" * 100_000_000)'], timeout_s: 60}", "the command `python3 -c 'print(\"x\" * "
         "100_000_000)'` printed more than 4,194,304 bytes; let it give less: counts, or digests"),
        ("{command: [echo, three rows]}", "the command `echo 'three rows'` printed no JSON, it begins with 'three rows'; "
         "let it give a JSON object, such as {\"rows\": 3}"),
    ],
    ids=["hangs", "100 MB", "no mapping"],
)
def test_a_probe_that_fails_is_named_in_every_run_and_at_the_end(tmp_path: Path, probe: str, told: str) -> None:
    desk(tmp_path, probe)
    ended = run(tmp_path)
    assert ended.code == 0
    line = f"hook:state_probe: the state after this run's reset is not known: {told}"
    assert warnings(tmp_path) == [[line]] * 3
    assert sweep_record(tmp_path / "runs")["warnings"] == [
        "hook:state_probe: 3 of 3 looks at the state failed; the warnings of the runs say why",
        "hook:state_probe: nothing was compared: a leak shows in the run after it, so make two runs at least (--runs 2)",
    ]


def test_one_run_alone_is_told_to_be_too_few(tmp_path: Path) -> None:
    desk(tmp_path, "{files: [memory/*]}")
    ended = run(tmp_path, "--scenario", "second")
    assert ended.err == (
        "warning: hook:state_probe: nothing was compared: a leak shows in the run after it, "
        "so make two runs at least (--runs 2)\n"
    )


def test_globs_that_never_match_are_told(tmp_path: Path) -> None:
    desk(tmp_path, "{files: [memroy/*]}")
    assert run(tmp_path).err == (
        "warning: hook:state_probe: the state was empty at every look, so nothing was compared; "
        "is it the right place to look at?\n"
    )


def test_a_pack_without_a_probe_is_a_fault_before_anything_runs(tmp_path: Path) -> None:
    desk(tmp_path, "")
    ended = run(tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "pack.yaml: hook 'state_probe' has nothing to look at: the pack has no `state_probe:`; "
        "declare one (command, url or files), or leave the hook out\n"
    )
    assert not (tmp_path / "runs").exists()


def test_a_hook_of_ones_own_needs_a_name_and_a_look(tmp_path: Path) -> None:
    desk(tmp_path, "")
    (tmp_path / "mine.py").write_text(dedent("""\
        from windtunnel.hooks import StateProbeHook

        class Mine(StateProbeHook):
            name = "mine"

            def __init__(self):
                self.looks = 0

            async def capture_state(self):
                self.looks += 1
                if self.looks == 3:
                    raise OSError("the store is away")
                return {"looks": self.looks, "same": [1, 2]}

        class Blind(StateProbeHook):
            name = "blind"
    """))
    assert wt("run", ".", "--hook", "mine.py:Mine", folder=tmp_path).code == 0
    assert warnings(tmp_path) == [
        [],
        ["hook:mine: the reset did not restore the state: a run of this batch left looks changed"],
        ["hook:mine: the state after this run's reset is not known: OSError: the store is away"],
    ]
    (told,) = violations(tmp_path)
    assert (told["hook"], told["changes"]) == ("mine", [{"key": "looks", "change": "changed", "before": 1, "after": 2}])
    assert [path.name.partition(".")[2] for path in (tmp_path / "runs").rglob("*.violation.json")] == ["mine.violation.json"]
    ended = wt("run", ".", "--hook", "mine.py:Blind", folder=tmp_path)
    assert ended.code == 2
    assert "hook 'mine.py:Blind': the class could not be instantiated without arguments: TypeError: " in ended.err
    assert "capture_state" in ended.err

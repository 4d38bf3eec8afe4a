"""Hooks observe: with them or without, healthy or broken, the evidence, the scores and the ledger are the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kit.wt import environment, evidence, small_pack, wt

SEED = ("--deterministic", "7", "--agent", "*")


def run(folder: Path, name: str, *words: str, **env: str) -> dict[str, bytes]:
    ended = wt("run", small_pack(folder), "--runs-dir", folder / name, *SEED, *words, folder=folder, env=environment(**env))
    assert ended.code == 1, ended
    return evidence(folder / name)


def without_warnings(files: dict[str, bytes]) -> dict[str, Any]:
    """Traces without their warnings; scores and ledger as they are; hooks' own sidecars left out."""
    kept: dict[str, Any] = {}
    for name, data in files.items():
        stem, _, rest = name.rpartition("/")[2].partition(".")
        if rest == "json" and "_" in stem:
            kept[name] = {key: value for key, value in json.loads(data).items() if key != "worker_warnings"}
        elif rest == "score.json" or name.endswith(".ndjson"):
            kept[name] = data
    return kept


def test_the_same_seed_gives_the_same_bytes_twice(tmp_path: Path) -> None:
    first = run(tmp_path, "a")
    assert first == run(tmp_path, "b")
    assert len(first) == 2 * 2 * 2 * 2 + 1  # scenarios, agents, runs, trace and score; the ledger


def test_another_seed_gives_other_ids(tmp_path: Path) -> None:
    one = run(tmp_path, "a")
    ended = wt("run", small_pack(tmp_path), "--runs-dir", tmp_path / "b", "--agent", "*", "--deterministic", "8", folder=tmp_path)
    assert ended.code == 1
    assert not one.keys() & {name for name in evidence(tmp_path / "b") if name != "ledger.ndjson"}


def test_the_number_of_jobs_changes_no_byte(tmp_path: Path) -> None:
    assert run(tmp_path, "a", "--jobs", "1") == run(tmp_path, "b", "--jobs", "16")


def test_a_silent_hook_changes_no_byte(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("class Silent:\n    name = 'silent'\n    def on_run_scored(self, ctx): ctx.trace, ctx.score\n")
    assert run(tmp_path, "a") == run(tmp_path, "b", "--hook", "silent.py:Silent")


def test_a_hook_package_that_is_merely_installed_changes_no_byte(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "loud-1.0.dist-info").mkdir(parents=True)
    (site / "loud-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n")
    (site / "loud-1.0.dist-info" / "entry_points.txt").write_text("[windtunnel.hooks]\nloud = loud:Loud\n")
    (site / "loud.py").write_text("raise SystemExit('imported though nobody asked')\n")
    assert run(tmp_path, "a") == run(tmp_path, "b", PYTHONPATH=str(site))


@pytest.mark.parametrize("hook", ["debrief", "asks"])
def test_a_hook_that_speaks_to_the_agent_changes_no_evidence(tmp_path: Path, hook: str) -> None:
    plain, hooked = run(tmp_path, "a"), run(tmp_path, "b", "--hook", hook)
    assert without_warnings(plain) == without_warnings(hooked)
    assert len(hooked) > len(plain)


@pytest.mark.parametrize(("hook", "leaves"), [("timeline", 8), ("usage", 1), ("otel", 0)])
def test_a_hook_that_observes_every_call_changes_no_byte_of_evidence(tmp_path: Path, hook: str, leaves: int) -> None:
    env = {"OTEL_TRACES_EXPORTER": "none"}
    plain, hooked = run(tmp_path, "a", **env), run(tmp_path, "b", "--hook", hook, **env)
    assert plain == {name: data for name, data in hooked.items() if f".{hook}." not in name}
    assert len(hooked) == len(plain) + leaves


HOSTILE = {
    "raises": "raise ValueError('no')",
    "raises what has no text": "class E(Exception):\n            def __str__(self): raise self\n        raise E()",
    "exits": "raise SystemExit(0)",
    "gives up as a generator does": "raise GeneratorExit",
    "recurses": "self.on_run_scored(ctx)",
    "returns nonsense": "return object()",
    "changes what it sees": "ctx.trace.turns.clear(); ctx.trace.world.clear(); ctx.score.layers.clear(); ctx.scenario.tags.append('x')",
    "moves the process": "import os, sys; os.chdir('/'); os.environ.clear(); sys.stdout = None; sys.stderr = None",
    "closes the outputs": "import os; os.close(1); os.close(2)",
    "renames itself": "self.name = 'other'; type(self).name = '../../evil'",
    "deletes itself": "del type(self).on_run_scored",
    "hangs": "import threading; threading.Event().wait()",
    "leaves a thread": "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()",
    "emits nonsense": "ctx.emit_artifact({'a': float('nan')})",
    "emits much": "ctx.emit_artifact({'a': 'x' * (2 << 20)})",
    "keeps its context": "globals().setdefault('kept', []).append(ctx); [c.warn('late') for c in kept[:-1]]",
    "draws random numbers": "import random; random.seed(1); random.random()",
}


@pytest.mark.parametrize("behaviour", HOSTILE)
def test_no_behaviour_of_a_hook_changes_evidence_score_or_exit_code(tmp_path: Path, behaviour: str) -> None:
    (tmp_path / "hostile.py").write_text(
        f"class Hostile:\n    name = 'hostile'\n    def on_run_scored(self, ctx):\n        {HOSTILE[behaviour]}\n"
    )
    plain = run(tmp_path, "a")
    hooked = run(tmp_path, "b", "--hook", "hostile.py:Hostile", WT_HOOK_TIMEOUT_S="0.5")
    assert without_warnings(plain) == without_warnings(hooked)


HOSTILE_TO_CALLS = {
    "raises": ("", "raise ValueError('no')"),
    "raises what has no text": ("", "class E(Exception):\n            def __str__(self): raise self\n        raise E()"),
    "exits": ("", "raise SystemExit(0)"),
    "gives up as a generator does": ("", "raise GeneratorExit"),
    "recurses": ("", "getattr(self, 'deeper')()"),
    "returns nonsense": ("", "return object()"),
    "refuses": ("", "from windtunnel.hooks import Refuse; return Refuse('no')"),
    "changes what it is sent": ("**fields", "[value.clear() for value in fields.values() if isinstance(value, dict)]"),
    "moves the process": ("", HOSTILE["moves the process"]),
    "closes the outputs": ("", HOSTILE["closes the outputs"]),
    "renames itself": ("", HOSTILE["renames itself"]),
    "deletes itself": ("", "[delattr(type(self), name) for name in list(vars(type(self))) if '_call' in name]"),
    "hangs": ("", HOSTILE["hangs"]),
    "leaves a thread": ("", HOSTILE["leaves a thread"]),
    "draws random numbers": ("", HOSTILE["draws random numbers"]),
    "keeps what it is sent": ("**fields", "globals().setdefault('kept', []).append(fields)"),
}


@pytest.mark.parametrize("behaviour", HOSTILE_TO_CALLS)
def test_no_behaviour_of_a_hook_that_hears_calls_changes_evidence_score_or_exit_code(tmp_path: Path, behaviour: str) -> None:
    takes, action = HOSTILE_TO_CALLS[behaviour]
    events = ("pre_tool_call", "post_tool_call", "pre_api_request", "post_api_request")
    methods = "".join(f"    def {event}(self, {takes}):\n        {action}\n" for event in events)
    (tmp_path / "hostile.py").write_text(f"class Hostile:\n    name = 'hostile'\n    def deeper(self): self.deeper()\n{methods}")
    plain = run(tmp_path, "a")
    hooked = run(tmp_path, "b", "--hook", "hostile.py:Hostile", WT_HOOK_TIMEOUT_S="0.5")
    assert without_warnings(plain) == without_warnings(hooked)


def test_a_hook_that_only_hears_calls_changes_no_byte(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text(
        "class Silent:\n    name = 'silent'\n    def pre_tool_call(self, args): pass\n    async def post_api_request(self, **fields): pass\n"
    )
    assert run(tmp_path, "a") == run(tmp_path, "b", "--hook", "silent.py:Silent")

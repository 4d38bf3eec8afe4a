"""timeline and usage keep what happened beside the run: each event once, sums that do not grow, and no other word."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from kit.observed import everything
from kit.wt import Ended, environment, small_pack, wt
from windtunnel.engine.cli.hooks import SAMPLE_PACK
from windtunnel.hooks.activation import activate
from windtunnel.hooks.events import EVENTS
from windtunnel.hooks.hook_set import HookSet
from windtunnel.hooks.run_log import MOST_ENTRIES
from windtunnel.hooks.trial import TrialChannel
from windtunnel.hooks.trial_payload import trial_facts, trial_payload
from windtunnel.hooks.usage import MOST_ROWS
from windtunnel.schemas.catalog import artifact_faults

PACK = SAMPLE_PACK.name


def artifact(folder: Path, pattern: str) -> dict[str, Any]:
    (path,) = (folder / "runs").rglob(pattern)
    found: dict[str, Any] = json.loads(path.read_text())
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which everything happens, observed."""
    folder = tmp_path_factory.mktemp("whole")
    with everything(folder, "timeline", "debrief", "usage") as result:
        assert result.exit_code == 0
    return folder


def test_a_timeline_has_every_event_of_the_run_in_its_order(whole: Path) -> None:
    timeline = artifact(whole, "*.timeline.json")
    assert artifact_faults("timeline", timeline) == []
    assert [
        (entry["kind"], entry.get("aux_task") or entry["name"], entry.get("status"), entry.get("retry_count"))
        for entry in timeline["entries"]
    ] == [
        ("point", "on_run_start", None, None),
        ("aux", "simulated_user", "ok", 0),
        ("model", "small", "error", 0),
        ("model", "small", "ok", 1),
        ("tool", "look", "ok", None),
        ("tool", "ship", "blocked", None),
        ("tool", "luk", "error", None),
        ("model", "small", "ok", 0),
        ("stream", "", "ok", None),
        ("aux", "llm_rubric", "ok", 0),
        ("point", "on_run_scored", None, None),
        ("aux", "debrief", "ok", 0),
        ("aux", "debrief", "ok", 0),
        ("point", "on_run_end", None, None),
    ]
    times = [entry["at_ms"] for entry in timeline["entries"]]
    assert times == sorted(times)
    assert all(("duration_ms" in entry) == (entry["kind"] != "point") for entry in timeline["entries"])
    assert timeline["more"] == 0
    assert timeline["events"]["pre_tool_call"] == timeline["events"]["post_tool_call"] == 3


def test_a_timeline_knows_sizes_and_no_text(whole: Path) -> None:
    timeline = artifact(whole, "*.timeline.json")
    look = next(entry for entry in timeline["entries"] if entry["name"] == "look")
    assert (look["args_bytes"], look["result_chars"], look["effect"], look["turn"]) == (15, 14, "read", 1)
    model = [entry for entry in timeline["entries"] if entry["kind"] == "model"][-1]
    assert (model["messages"], model["tools"], model["input_tokens"], model["output_tokens"]) == (6, 2, 20, 5)
    assert "lamp" not in json.dumps(timeline).replace('"scenario_id": "lamps"', "")


def test_usage_sums_by_agent_and_task(whole: Path) -> None:
    usage = artifact(whole, "*.usage.pack.json")
    assert artifact_faults("usage", usage) == []
    told = ("agent", "aux_task", "calls", "attempts", "retries", "errors", "input_tokens", "output_tokens", "attempts_without_usage")
    assert [tuple(row[name] for name in told) for row in usage["models"]] == [
        ("careful", "", 2, 3, 1, 1, 31, 12, 1),
        ("careful", "debrief", 2, 2, 0, 0, 0, 0, 2),
        ("owl", "llm_rubric", 1, 1, 0, 0, 30, 4, 0),
        ("visitor", "simulated_user", 1, 1, 0, 0, 9, 3, 0),
    ]
    assert [(row["agent"], row["calls"], row["errors"], row["blocked"]) for row in usage["tools"]] == [("careful", 3, 1, 1)]
    assert all(row["seconds"] > 0 for row in usage["models"])


def two_packs(folder: Path, name: str, *hooks: str) -> Ended:
    small_pack(folder)
    (folder / "other.yaml").write_text((folder / "shop.yaml").read_text().replace("name: shop", "name: other"))
    return wt("run", "shop.yaml", "other.yaml", "--agent", "*", "--deterministic", "7", "--runs-dir", name, *hooks,
              folder=folder, env=environment())


def test_two_packs_are_one_usage_and_nothing_else_is_printed(tmp_path: Path) -> None:
    plain, observed = two_packs(tmp_path, "a"), two_packs(tmp_path, "b", "--hook", "usage", "--hook", "timeline")
    assert plain.code == observed.code == 1
    assert (plain.out.replace("evidence in a", ""), plain.err) == (observed.out.replace("evidence in b", ""), observed.err)
    (path,) = (tmp_path / "b").glob("*.usage*.json")
    rows = json.loads(path.read_text())["models"]
    assert [(row["pack"], row["agent"]) for row in rows] == [
        ("other", "bad"), ("other", "good"), ("shop", "bad"), ("shop", "good"),
    ]


def test_the_same_seed_gives_the_same_timelines(tmp_path: Path) -> None:
    for name in ("a", "b"):
        two_packs(tmp_path, name, "--hook", "timeline", "--hook", "usage")
    first, second = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.timeline.json")}
        for name in ("a", "b")
    )
    assert first == second
    assert len(first) == 16


class Observed:
    """Hooks of the sample pack that are told of events by hand."""

    def __init__(self, *names: str) -> None:
        self.hooks: HookSet = activate(names, [SAMPLE_PACK], {}, Path())
        self.channel = TrialChannel(may_converse=False)

    def tell(self, *events: tuple[str, dict[str, Any]]) -> None:
        async def told() -> None:
            for event, given in events:
                await self.hooks.calls.tell(event, {**EVENTS[event].sample, **given}, self.channel.fault)

        asyncio.run(told())

    def fire(self, point: str, **given: Any) -> list[dict[str, Any]]:
        payload = trial_payload(EVENTS[point], given)
        self.hooks.fire(point, None if point == "on_pack_end" else PACK, trial_facts(point, payload), self.channel)
        assert [hook.faults for hook in self.channel.hooks.values() if hook.faults] == []
        return [artifact["payload"] for hook in self.channel.hooks.values() for artifact in hook.artifacts]


def test_a_timeline_that_is_full_counts_the_rest() -> None:
    observed, run_id = Observed("timeline"), "a" * 32
    calls = [
        (event, {"run_id": run_id, "tool_call_id": f"c-{n}", "name": "x\u0001" * 200, "effect": "read"})
        for n in range(MOST_ENTRIES + 10) for event in ("pre_tool_call", "post_tool_call")
    ]
    observed.tell(*calls)
    (timeline,) = observed.fire("on_run_end", run_id=run_id)
    assert artifact_faults("timeline", timeline) == []
    assert (len(timeline["entries"]), timeline["more"]) == (MOST_ENTRIES, 11)  # on_run_end found no room either
    assert timeline["events"] == {"on_run_end": 1, "post_tool_call": MOST_ENTRIES + 10, "pre_tool_call": MOST_ENTRIES + 10}


def test_a_call_whose_end_was_not_seen_has_no_duration_and_a_call_of_no_run_is_nobodys() -> None:
    observed, run_id = Observed("timeline"), "b" * 32
    observed.tell(("pre_tool_call", {"run_id": run_id}), ("pre_tool_call", {"run_id": ""}), ("post_api_request", {"run_id": run_id}))
    (timeline,) = observed.fire("on_run_end", run_id=run_id)
    call, end = timeline["entries"]
    assert (call["name"], "duration_ms" in call, end["name"]) == ("client_lookup", False, "on_run_end")


def test_a_run_that_is_over_leaves_nothing_behind() -> None:
    observed = Observed("timeline")
    for n in range(3):
        observed.tell(("pre_tool_call", {"run_id": f"{n:032x}"}))
    observed.fire("on_run_end", run_id=f"{0:032x}")
    observed.fire("on_pack_end")
    timelines = observed.fire("on_run_end", run_id=f"{1:032x}")
    assert [entry["name"] for entry in timelines[-1]["entries"]] == ["on_run_end"]


def test_what_usage_keeps_does_not_grow_with_the_runs() -> None:
    observed = Observed("usage")
    observed.tell(*[("post_api_request", {"run_id": f"{n:032x}", "request_id": f"r{n}"}) for n in range(300)])
    observed.tell(*[("post_tool_call", {"agent": f"a{n}", "tool_call_id": f"c{n}"}) for n in range(MOST_ROWS + 7)])
    (usage,) = observed.fire("on_pack_end")
    (row,) = usage["models"]
    assert (row["calls"], row["input_tokens"], row["seconds"]) == (300, 412 * 300, 252.15)
    assert (len(usage["tools"]), usage["more"]) == (MOST_ROWS, 7)


@pytest.mark.parametrize("name", ["timeline", "usage"])
def test_a_knob_that_nothing_reads_is_a_fault(name: str) -> None:
    with pytest.raises(Exception, match=f"WT_{name.upper()}_MAX is set, and hook '{name}' does not know it; it has no settings"):
        activate([name], [SAMPLE_PACK], {f"WT_{name.upper()}_MAX": "3"}, Path())

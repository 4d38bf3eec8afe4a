"""A scored run is debriefed in its own session, and what it comes to is kept, however it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kit.channel import KeptChannel, scored_facts
from kit.packs import small_pack
from windtunnel.hooks import HookConfigError
from windtunnel.hooks.activation import activate
from windtunnel.hooks.channel import ConverseError
from windtunnel.hooks.debrief.sample import sample_score, sample_trace
from windtunnel.schemas.catalog import artifact_faults
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.hook_documents import DebriefTemplate, FollowUp, Question
from windtunnel.schemas.records import Trace
from windtunnel.schemas.scores import Score

PROMPT = """\
This run has been scored: FAIL. Nothing you say now changes that.
- outcome: mentions "ops@bluewing.example": not in the reply
- trajectory: 
- constraint: 
- integrity:

1. Did any tool return an error, an odd shape, or lack a capability? Quote it.
2. Was anything you needed missing?
3. What would you do differently?

Answer each question under its number."""  # noqa: W291

REPLY = """\
1. Yes, an error: "query: give at least one letter". And "access denied".
2. No.
3. I would look again."""


def debriefed(
    channel: KeptChannel,
    pack: Pack,
    *,
    env: Mapping[str, str] | None = None,
    score: Score | None = None,
    trace: Trace | None = None,
    **scenario: Any,
) -> dict[str, Any] | None:
    """The artifact that the built-in hook leaves, checked against its schema; None where it was not due."""
    hooks = activate(["debrief"], [pack], env or {}, pack.path.parent)
    hooks.fire("on_run_scored", pack.name, scored_facts(trace, score, **scenario), channel)
    hooks.close()
    assert channel.faults.lines() == []
    assert channel.warned == []
    if not channel.emitted:
        return None
    [(hook, point, artifact, label)] = channel.emitted
    assert (hook, point, label) == ("debrief", "on_run_scored", None)
    assert isinstance(artifact, dict)
    assert artifact_faults("debrief_artifact", artifact) == []
    return artifact


def short(**keys: Any) -> DebriefTemplate:
    ask = keys.pop("ask", (Question(about="environment", question="Quote any error."),))
    return DebriefTemplate(name="short", ask=ask, **keys)


def with_short(folder: Path, **keys: Any) -> Pack:
    return small_pack(folder, debriefs={"short": short(**keys)}, hook_settings={"debrief": {"template": "short"}})


def verdict(name: str, failed: list[str]) -> Score:
    return replace(sample_score(), verdict=name, failed_layers=failed)  # type: ignore[arg-type]


def test_a_failed_run_is_asked_and_its_answers_are_kept(tmp_path: Path) -> None:
    channel = KeptChannel(answer=lambda text: REPLY if text == PROMPT else "It said 'query: give at least one letter'.")
    artifact = debriefed(channel, small_pack(tmp_path))
    assert artifact is not None
    assert artifact.pop("duration_ms") >= 0
    assert artifact == {
        "schema_version": 2,
        "run_id": "0123456789abcdef0123456789abcdef",
        "scenario_id": "sample_scenario",
        "agent": "sample_agent",
        "model": "sample-model",
        "verdict": "FAIL",
        "failed_layers": ["outcome"],
        "reasons": {
            "outcome": 'mentions "ops@bluewing.example": not in the reply',
            "trajectory": "",
            "constraint": "",
            "integrity": "",
        },
        "template": "environment_first",
        "prompt": PROMPT,
        "reply": REPLY,
        "follow_ups": [{"prompt": "Quote that error exactly.", "reply": "It said 'query: give at least one letter'."}],
        "sections": [
            {
                "n": 1,
                "about": "environment",
                "text": 'Yes, an error: "query: give at least one letter". And "access denied".',
            },
            {"n": 2, "about": "blockers", "text": "No."},
            {"n": 3, "about": "steering", "text": "I would look again."},
        ],
        "quotes": [
            {"text": "query: give at least one letter", "witnessed": True},
            {"text": "access denied", "witnessed": False},
        ],
        "tools_disabled": False,
        "timed_out": False,
        "error": None,
    }


@pytest.mark.parametrize(
    ("score", "when", "on", "due"),
    [
        (verdict("PASS", []), "failed_layers", None, False),
        (verdict("PASS", []), "failed_layers", "failed", False),
        (verdict("PASS", []), "failed_layers", "all", True),
        (verdict("FAIL", ["outcome"]), "failed_layers", None, True),
        (verdict("ERROR", []), "failed_layers", None, True),  # DESIGN 4: debriefed too while the session lives
        (verdict("INVALID", []), "failed_layers", None, True),
        (verdict("ERROR", []), "'outcome' in failed_layers", None, False),
        (verdict("FAIL", ["trajectory"]), "'outcome' in failed_layers", None, False),
        (verdict("FAIL", ["trajectory"]), "'outcome' in failed_layers", "all", True),
    ],
)
def test_when_decides_unless_all_runs_are_asked_for(
    score: Score, when: str, on: str | None, due: bool, tmp_path: Path
) -> None:
    env = {} if on is None else {"WT_DEBRIEF_ON": on}
    channel = KeptChannel(answer=str.upper)
    artifact = debriefed(channel, with_short(tmp_path, when=when), env=env, score=score)
    assert (artifact is not None) is due
    assert len(channel.asked) == due


def test_a_converse_turn_that_times_out_leaves_an_artifact_that_says_so(tmp_path: Path) -> None:
    env = {"WT_HOOK_TIMEOUT_S": "0.5", "WT_HOOK_CONVERSE_TIMEOUT_S": "0.01"}
    artifact = debriefed(KeptChannel(), small_pack(tmp_path), env=env)
    assert artifact is not None
    assert (artifact["prompt"], artifact["reply"], artifact["timed_out"]) == (PROMPT, "", True)
    assert artifact["error"] == "converse got no reply within 0.01 s"
    assert artifact["sections"] == artifact["quotes"] == artifact["follow_ups"] == []


def test_an_agent_that_fails_in_a_follow_up_leaves_what_it_said_before(tmp_path: Path) -> None:
    def answer(text: str) -> str:
        if text == PROMPT:
            return "an error"
        raise ConverseError("status 500: overloaded")

    artifact = debriefed(KeptChannel(answer=answer), small_pack(tmp_path))
    assert artifact is not None
    assert (artifact["reply"], artifact["timed_out"]) == ("an error", False)
    assert artifact["error"] == "status 500: overloaded"
    assert artifact["follow_ups"] == [{"prompt": "Quote that error exactly.", "reply": ""}]


def test_at_most_three_follow_ups_are_asked_each_over_the_last_reply(tmp_path: Path) -> None:
    follow_ups = (
        FollowUp(question="one", when="reply == 'first'"),
        FollowUp(question="never", when="reply == 'first'"),
        FollowUp(question="two after {{ reply }}"),
        FollowUp(question="three"),
        FollowUp(question="four"),
    )
    replies = iter(["first", "second", "third", "fourth"])
    channel = KeptChannel(answer=lambda _text: next(replies))
    artifact = debriefed(channel, with_short(tmp_path, follow_ups=follow_ups))
    assert artifact is not None
    assert artifact["follow_ups"] == [
        {"prompt": "one", "reply": "second"},
        {"prompt": "two after second", "reply": "third"},
        {"prompt": "three", "reply": "fourth"},
    ]


def test_a_reply_is_text_and_is_never_rendered(tmp_path: Path) -> None:
    hostile = "{{ 7 * 7 }}{% for x in y %} \ud800"
    channel = KeptChannel(answer=lambda _text: hostile)
    artifact = debriefed(channel, with_short(tmp_path, follow_ups=(FollowUp(question="You said: {{ reply }}"),)))
    assert artifact is not None
    assert artifact["reply"] == "{{ 7 * 7 }}{% for x in y %} \\ud800"
    assert artifact["follow_ups"][0]["prompt"] == "You said: {{ 7 * 7 }}{% for x in y %} \\ud800"


def test_a_reply_without_end_is_cut_visibly_and_the_artifact_still_fits(tmp_path: Path) -> None:
    channel = KeptChannel(answer=lambda _text: "1. " + "\x01" * 5_000_000)
    follow_ups = (FollowUp(question="a"), FollowUp(question="b"), FollowUp(question="c"))
    artifact = debriefed(channel, with_short(tmp_path, follow_ups=follow_ups))
    assert artifact is not None
    assert artifact["reply"].endswith("… [cut, 5000003 characters in all]")


def test_a_prompt_is_bounded_and_no_question_is_cut_away(tmp_path: Path) -> None:
    channel = KeptChannel(answer=str.upper)
    artifact = debriefed(channel, with_short(tmp_path, preamble="{{ vars.long }}"), vars={"long": "x" * 200_000})
    assert artifact is not None
    assert len(artifact["prompt"]) < 17_000
    assert artifact["prompt"].endswith("x… [cut, 200000 characters in all]\n\n1. Quote any error.")


def test_a_prompt_that_would_ask_without_end_is_not_sent(tmp_path: Path) -> None:
    ask = tuple(Question(about="environment", question="y" * 4000) for _ in range(9))
    channel = KeptChannel(answer=str.upper)
    artifact = debriefed(channel, with_short(tmp_path, ask=ask))
    assert artifact is not None
    assert artifact["error"] == "the template failed: the prompt has 36,075 characters, at most 32,768; ask less"
    assert channel.asked == []


def test_a_template_that_fails_at_run_time_leaves_an_artifact_that_says_why(tmp_path: Path) -> None:
    channel = KeptChannel(answer=str.upper)
    artifact = debriefed(channel, with_short(tmp_path, preamble="{{ case.family }}"))
    assert artifact is not None
    assert artifact["error"] == (
        "the template failed: {{ case.family }}: there is no 'family': the mapping is empty; "
        "ask `is defined`, or write `| default(...)`"
    )
    assert artifact["prompt"] == artifact["reply"] == ""
    assert channel.asked == []


def test_the_environment_picks_the_template_over_the_pack(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "kind: debrief\nschema_version: 1\nname: mine\nask: [{about: environment, question: Mine?}]\n"
    )
    pack = with_short(tmp_path)
    channel = KeptChannel(answer=str.upper)
    artifact = debriefed(channel, pack, env={"WT_DEBRIEF_TEMPLATE": "mine.yaml"})
    assert artifact is not None
    assert (artifact["template"], artifact["prompt"]) == ("mine", "1. Mine?")
    own = debriefed(KeptChannel(answer=str.upper), pack)
    assert own is not None
    assert own["template"] == "short"


@pytest.mark.parametrize(
    ("env", "settings", "text"),
    [
        ({"WT_DEBRIEF_ON": "always"}, {}, "WT_DEBRIEF_ON is 'always'; it takes one of: failed, all"),
        ({}, {"on": True}, "desk.yaml: hook_settings.debrief.on is 'True'; it takes one of: failed, all"),
        ({"WT_DEBRIEF_TEMPLAT": "x"}, {}, "WT_DEBRIEF_TEMPLAT is set, and nothing reads it; "
                                          "did you mean WT_DEBRIEF_TEMPLATE?"),
        ({}, {"templat": "x"}, "desk.yaml: hook_settings.debrief.templat is set, and nothing reads it; "
                               "did you mean hook_settings.debrief.template?"),
        ({"WT_DEBRIEF_TEMPLATE": ""}, {}, "WT_DEBRIEF_TEMPLATE is '': a template is a name or a path"),
        ({}, {"template": 3}, "desk.yaml: hook_settings.debrief.template: a template is a name or a path"),
        ({}, {"template": "shrt"}, "desk.yaml: hook_settings.debrief.template: there is no debrief template 'shrt'; "
                                   "did you mean 'short', or name a path to a file"),
    ],
)  # fmt: skip
def test_a_knob_that_is_not_sensible_is_a_fault(
    env: dict[str, str], settings: dict[str, Any], text: str, tmp_path: Path
) -> None:
    pack = small_pack(tmp_path, debriefs={"short": short()}, hook_settings={"debrief": settings})
    with pytest.raises(HookConfigError) as caught:
        activate(["debrief"], [pack], env, tmp_path)
    assert str(caught.value) == text


def test_each_pack_has_its_own_template(tmp_path: Path) -> None:
    desk, shop = with_short(tmp_path), replace(small_pack(tmp_path, "shop"))
    hooks = activate(["debrief"], [desk, shop], {}, tmp_path)
    channel = KeptChannel(answer=str.upper)
    for name in ("desk", "shop"):
        hooks.fire("on_run_scored", name, scored_facts(sample_trace()), channel)
    hooks.close()
    assert [artifact["template"] for _, _, artifact, _ in channel.emitted] == ["short", "environment_first"]

"""Make the tree of a run: turns and helpers are agents that were invoked; below them model attempts and tool calls.

Names and attributes are those of OpenTelemetry's GenAI conventions (development status; read at
github.com/open-telemetry/semantic-conventions-genai in 2026); what these do not know begins with ``windtunnel.``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from ...schemas.codec import UNSET
from ...schemas.hook_views import AgentInfo
from ...schemas.records import Trace, Turn
from ...schemas.scores import Score
from ..run_log import Heard, RunLog
from .calls import CallSpans, error_type, messages, text_parts
from .span import Attributes, Span, known


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What is known of a run that is over. ``providers``: the runtime of each agent of the pack."""

    run_id: str
    session_id: str
    pack: str
    scenario_id: str
    agent: AgentInfo
    elapsed_ms: float
    providers: Mapping[str, str]
    trace: Trace | None = None
    score: Score | None = None
    content: bool = False


def run_span(facts: RunFacts, log: RunLog) -> Span:
    """The run as a span, with all that was heard of it below."""
    root = Span(
        name=f"run {facts.scenario_id}", at_ms=0.0, end_ms=facts.elapsed_ms, attributes=known({
            "windtunnel.run_id": facts.run_id, "windtunnel.pack": facts.pack, "windtunnel.scenario": facts.scenario_id,
            "gen_ai.agent.name": facts.agent.id, "gen_ai.conversation.id": facts.session_id,
            "windtunnel.entries_dropped": log.more or None,
        }),
    )
    calls = CallSpans(facts.providers, facts.agent, log.entries, end_ms=facts.elapsed_ms, content=facts.content)
    turns = {turn.n: _turn_span(facts, facts.trace, turn) for turn in facts.trace.turns} if facts.trace else {}
    helpers = list(_helper_spans(log.entries, calls))
    for heard in log.entries:
        if heard.kind in ("tool", "model"):
            _home(heard, turns, helpers, root).hold(calls.span(heard))
    for span in sorted([*turns.values(), *helpers], key=lambda each: each.at_ms):
        root.hold(span)
    _tell_score(root, facts)
    return root


def _turn_span(facts: RunFacts, trace: Trace, turn: Turn) -> Span:
    began = _since(trace.started_at, turn.started_at)
    attributes = {
        "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": facts.agent.id,
        "gen_ai.agent.description": facts.agent.description, "gen_ai.conversation.id": facts.session_id,
        "gen_ai.request.model": facts.agent.model, "windtunnel.turn": turn.n,
    }
    if turn.usage:
        attributes["gen_ai.usage.input_tokens"] = turn.usage.input_tokens
        attributes["gen_ai.usage.output_tokens"] = turn.usage.output_tokens
    if turn.finish_reason:
        attributes["gen_ai.response.finish_reasons"] = [turn.finish_reason]
    if facts.content:
        attributes["gen_ai.input.messages"] = messages("user", turn.user)
        if turn.reply is not UNSET:
            attributes["gen_ai.output.messages"] = messages("assistant", str(turn.reply), turn.finish_reason or "stop")
        if facts.agent.system_prompt:
            attributes["gen_ai.system_instructions"] = text_parts(facts.agent.system_prompt)
    error = str(turn.error) if turn.error is not UNSET else ""
    return Span(
        name=f"invoke_agent {facts.agent.id}", at_ms=began, end_ms=began + turn.seconds * 1000,
        attributes=known(attributes),
        error_type="" if not error else "timeout" if turn.timed_out is True else error_type(error),
        error_text=error if facts.content else "",
    )


def _helper_spans(entries: Iterable[Heard], calls: CallSpans) -> Iterable[Span]:
    """One for each question to a helper or in a debrief, with its attempts below."""
    spans: dict[str, Span] = {}
    for heard in entries:
        if heard.kind != "aux":
            continue
        attempt = calls.span(heard)
        began = heard.began
        if began["aux_id"] not in spans:
            spans[began["aux_id"]] = Span(
                name=f"invoke_agent {began['agent']}", at_ms=attempt.at_ms, end_ms=attempt.end_ms, attributes=known({
                    "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": began["agent"],
                    "gen_ai.conversation.id": began["session_id"], "gen_ai.request.model": began["model"],
                    "windtunnel.aux_task": began["aux_task"], "windtunnel.aux_id": began["aux_id"],
                }),
            )
        span = spans[began["aux_id"]]
        span.hold(attempt)
        span.error_type, span.error_text = attempt.error_type, attempt.error_text  # as the last attempt ended
    yield from spans.values()


def _home(heard: Heard, turns: Mapping[int, Span], helpers: Iterable[Span], root: Span) -> Span:
    """Where a call of the agent's own belongs: its turn. A tool that is called in a debrief belongs to that."""
    at_ms = heard.began["at_ms"]
    for helper in helpers:
        if helper.attributes["windtunnel.aux_task"] == "debrief" and helper.at_ms <= at_ms <= helper.end_ms:
            return helper
    return turns.get(heard.began["turn"], root)


def _tell_score(root: Span, facts: RunFacts) -> None:
    """The verdict, each layer as an evaluation, and a bench error as an error of the run."""
    if facts.trace is not None:
        root.attributes["windtunnel.run_number"] = facts.trace.run_number
    score = facts.score
    verdict = score.verdict if score is not None else "ERROR"
    root.attributes["windtunnel.verdict"] = verdict
    if score is None or verdict == "ERROR":
        error = facts.trace.errors[0] if facts.trace is not None and facts.trace.errors else None
        root.error_type = error.kind if error is not None else "bench"
        root.error_text = error.message if error is not None and facts.content else ""
    if score is None:
        return
    for name, layer in score.layers.items():
        if layer.passed is not None:
            told: Attributes = known({
                "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.label": "pass" if layer.passed else "fail",
                "gen_ai.evaluation.score.value": float(layer.passed),
                "gen_ai.evaluation.explanation": layer.detail if facts.content else None,
            })
            root.events.append(("gen_ai.evaluation.result", told))


def _since(start: str, instant: str) -> float:
    """Milliseconds between two instants of one clock."""
    return (datetime.fromisoformat(instant) - datetime.fromisoformat(start)).total_seconds() * 1000

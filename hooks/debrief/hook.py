"""Ask a scored agent why, environment first, and keep its answers beside the trace. Nothing reads them to decide."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.errors import TemplateFault
from ...schemas.facts import score_facts
from ...schemas.hook_documents import DebriefTemplate
from ...schemas.records import Trace
from ...schemas.scores import Score
from ...schemas.templates import holds
from ..channel import ConverseError, ConverseTimeout
from ..context import HookContext
from ..facts import context_names
from .prompt import MOST_FOLLOW_UPS, is_asked, render_prompt, render_question
from .quotes import check_quotes
from .sections import split_sections
from .template import DEFAULT_WHEN

SCHEMA_VERSION = 2
# Together these keep any artifact under 1 MiB, also where every character takes six bytes of JSON.
MOST_REPLY_CHARS = 32_768
MOST_FOLLOW_UP_CHARS = 8192
MOST_REASON_CHARS = 4000
_UNDECIDED = ("ERROR", "INVALID")


class DebriefHook:
    """The built-in hook ``debrief`` with the template of one pack."""

    name = "debrief"

    def __init__(self, template: DebriefTemplate, *, always: bool = False) -> None:
        self._template = template
        self._always = always

    def on_run_scored(self, ctx: HookContext) -> None:
        if ctx.trace is None or ctx.score is None:
            return
        names = context_names(ctx)
        if self._always or is_due(self._template, ctx.score, names):
            ctx.emit_artifact(_Debrief(self._template, ctx.trace, ctx.score).hold(ctx, names))


def is_due(template: DebriefTemplate, score: Score, names: Mapping[str, Any]) -> bool:
    """``when`` decides; where it is the default, runs that could not be judged count as failed (DESIGN 4)."""
    if template.when == DEFAULT_WHEN and score.verdict in _UNDECIDED:
        return True
    return holds(template.when, names)


@dataclass(slots=True)
class _Debrief:
    """One conversation, and the artifact that it comes to however it ends."""

    template: DebriefTemplate
    trace: Trace
    score: Score
    prompt: str = ""
    replies: list[str] = field(default_factory=list)
    follow_ups: list[dict[str, str]] = field(default_factory=list)
    timed_out: bool = False
    error: str | None = None

    def hold(self, ctx: HookContext, names: dict[str, Any]) -> dict[str, Any]:
        started = time.perf_counter()
        try:
            self._ask(ctx, names)
        except ConverseTimeout as error:
            self.timed_out, self.error = True, str(error)
        except ConverseError as error:
            self.error = str(error)
        except TemplateFault as error:
            self.error = f"the template failed: {error}"
        return self._artifact(round((time.perf_counter() - started) * 1000))

    def _ask(self, ctx: HookContext, names: dict[str, Any]) -> None:
        self.prompt = render_prompt(self.template, names)
        self.replies.append(clean_text(ctx.converse(self.prompt), MOST_REPLY_CHARS))
        for follow_up in self.template.follow_ups:
            if len(self.follow_ups) == MOST_FOLLOW_UPS:
                break
            seen = {**names, "reply": self.replies[-1]}
            if is_asked(follow_up, seen):
                self._follow(ctx, render_question(follow_up.question, seen))

    def _follow(self, ctx: HookContext, prompt: str) -> None:
        kept = {"prompt": prompt, "reply": ""}
        self.follow_ups.append(kept)
        kept["reply"] = clean_text(ctx.converse(prompt), MOST_FOLLOW_UP_CHARS)
        self.replies.append(kept["reply"])

    def _artifact(self, duration_ms: int) -> dict[str, Any]:
        reply = self.replies[0] if self.replies else ""
        facts = score_facts(self.score)
        return {
            "schema_version": SCHEMA_VERSION,
            "run_id": self.trace.run_id,
            "scenario_id": self.trace.scenario_id,
            "agent": self.trace.agent,
            "model": self.trace.model,
            "verdict": facts["verdict"],
            "failed_layers": facts["failed_layers"],
            "reasons": {layer: clean_text(reason, MOST_REASON_CHARS) for layer, reason in facts["reasons"].items()},
            "template": self.template.name,
            "prompt": self.prompt,
            "reply": reply,
            "follow_ups": self.follow_ups,
            "sections": split_sections(reply, self.template.ask),
            "quotes": check_quotes(self.replies, self.trace.calls),
            "tools_disabled": False,
            "timed_out": self.timed_out,
            "duration_ms": duration_ms,
            "error": None if self.error is None else clean_text(self.error, MOST_REASON_CHARS),
        }

"""Render what a debrief asks: bounded, with every question numbered and none ever cut away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...schemas.bounded import clean_text
from ...schemas.errors import TemplateFault
from ...schemas.hook_documents import DebriefTemplate, FollowUp
from ...schemas.templates import holds, render_text

MOST_PREAMBLE_CHARS = 16_384
MOST_QUESTION_CHARS = 4096
MOST_PROMPT_CHARS = 32_768
MOST_FOLLOW_UPS = 3
_NUMBERED = "Answer each question under its number."


def render_prompt(template: DebriefTemplate, names: Mapping[str, Any]) -> str:
    """The preamble, cut visibly where it is too long, then the numbered questions. Raises TemplateFault."""
    preamble = clean_text(render_text(template.preamble, names).strip(), MOST_PREAMBLE_CHARS)
    questions = [f"{n}. {render_question(item.question, names)}" for n, item in enumerate(template.ask, 1)]
    parts = [preamble, "\n".join(questions), _NUMBERED if len(questions) > 1 else ""]
    prompt = "\n\n".join(part for part in parts if part)
    if len(prompt) > MOST_PROMPT_CHARS:
        raise TemplateFault(f"the prompt has {len(prompt):,} characters, at most {MOST_PROMPT_CHARS:,}; ask less")
    return prompt


def render_question(question: str, names: Mapping[str, Any]) -> str:
    """One question or follow-up. Raises TemplateFault."""
    return clean_text(render_text(question, names).strip(), MOST_QUESTION_CHARS)


def is_asked(follow_up: FollowUp, names: Mapping[str, Any]) -> bool:
    """Whether the condition over the last ``reply`` holds. Raises TemplateFault."""
    return follow_up.when is None or holds(follow_up.when, names)

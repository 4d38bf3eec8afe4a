"""Templates and conditions, as the other wings use them: rendering, the check at load, and settings with variables."""

from __future__ import annotations

from .rendering import evaluate, holds, is_template, render_text, render_value
from .template_names import template_faults
from .template_settings import env_names, render_setting

__all__ = [
    "env_names",
    "evaluate",
    "holds",
    "is_template",
    "render_setting",
    "render_text",
    "render_value",
    "template_faults",
]

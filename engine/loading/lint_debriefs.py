"""The debrief template that ``hook_settings`` picks exists and holds."""

from __future__ import annotations

import os
from pathlib import Path

from ...hooks.debrief.library import built_in_templates, load_template
from ...schemas.nearest import did_you_mean
from .built import Built
from .files import is_reference


def lint_debriefs(built: Built) -> None:
    """Add a fault where the template is unknown, and those of its document where it is a file."""
    node = built.root.down("hook_settings", "debrief", "template")
    if node is None or not isinstance(node.value, str):
        return
    known = [*built.ids("debriefs"), *built_in_templates()]
    if is_reference(node.value):
        source = node.tree.files.beside(node.value, node.mark)
        if os.path.isfile(source.path):
            load_template(Path(source.path), source.shown, built.problems)
    elif node.value not in known:
        remedy = did_you_mean(node.value, known, what="debriefs")
        node.fault(f"there is no debrief '{node.value}'", f"{remedy} A file is named as file://path.")

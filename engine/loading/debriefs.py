"""Build the debriefs that are written in a pack."""

from __future__ import annotations

from ...hooks.debrief.template import build_entry
from ...schemas.hook_documents import DebriefTemplate
from .node import Node
from .templates import Members


def debriefs_from(node: Node | None, known: Members) -> dict[str, DebriefTemplate]:
    """Every debrief that holds, by its id."""
    found = {}
    for name, entry in node.entries() if node else ():
        if entry.whole:
            tree = entry.tree
            template = build_entry(entry.value, tree.marks, entry.path, tree.problems, name=name, known=known)
            if template is not None:
                found[name] = template
    return found

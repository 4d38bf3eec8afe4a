"""The skeleton a pack names exists and compiles; the points it adds are those that hooks may use."""

from __future__ import annotations

import os

from ...hooks.points import POINTS
from ..skeleton.compile import load_skeleton
from ..skeleton.load import skeleton_path
from .built import Built
from .files import is_reference
from .node import Node


def lint_skeleton(built: Built) -> tuple[str, ...] | None:
    """The skeleton's own points; None, with faults, where it does not exist or does not hold."""
    node = built.root.get("skeleton")
    place = node or Node(built.root.tree, None, ("skeleton",))
    if node is not None and is_reference(node.value) and not os.path.isfile(built.pack.skeleton):
        return None  # told where files are read
    if skeleton_path(built.pack.skeleton, built.problems, place.mark, place.path) is None:
        return None
    skeleton = load_skeleton(built.pack.skeleton, built.problems, _shown(node))
    return None if skeleton is None else tuple(point for point in skeleton.points() if point not in POINTS)


def _shown(node: Node | None) -> str:
    """The path as its reader would type it; "" for a built-in one."""
    if node is None or not is_reference(node.value):
        return ""
    return node.tree.files.beside(node.value, node.mark).shown

"""Find a debrief template by the name or path that a user gives."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ...schemas.hook_documents import DebriefTemplate
from ...schemas.nearest import nearest
from ...schemas.problems import Problems
from ...schemas.reader import read_document
from ...schemas.shape import check_shape, kind_of
from ..errors import HookConfigError
from .template import build_template

BUILT_IN = Path(__file__).resolve().parents[2] / "packs" / "debriefs"
DEFAULT = "environment_first"
_FILE = "file://"


def built_in_templates() -> dict[str, Path]:
    """Every built-in template by its name."""
    return {path.stem: path for path in sorted(BUILT_IN.glob("*.yaml"))}


def load_template(path: Path, shown: str, problems: Problems) -> DebriefTemplate | None:
    """Read a document of kind ``debrief``; None, with faults, where it does not hold."""
    document = read_document(path, shown, problems)
    kind = None if document is None else kind_of(document, problems)
    if document is None or kind is None:
        return None
    if kind != "debrief":
        remedy = "name a document of kind debrief"
        problems.add(document.marks.value(("kind",)), "kind", f"a debrief is meant, this is a {kind}", remedy)
        return None
    return build_template(document, problems) if check_shape(document, "debrief", problems) else None


def find_template(
    asked: str, *, said: str, folder: Path, own: Mapping[str, DebriefTemplate] | None = None
) -> DebriefTemplate:
    """The template that ``asked`` means: an entry of a pack's ``debriefs:``, a built-in, or a path from ``folder``.

    ``said`` is where it was asked for, as the user knows it. Raises HookConfigError for a name that is not known,
    DocumentFault for a document that does not hold.
    """
    if own and asked in own:
        return own[asked]
    built_in = built_in_templates()
    if asked in built_in:
        return _load(built_in[asked], f"{asked}.yaml")
    if asked.startswith(_FILE) or "/" in asked or asked.endswith((".yaml", ".yml")):
        named = asked.removeprefix(_FILE)
        if not os.path.exists(folder / named):
            raise HookConfigError(f"{said}: there is no file {str(folder / named)[:400]!r}; name a debrief document")
        return _load(folder / named, named)
    known = sorted({*built_in, *(own or ())})
    near = nearest(asked, known)
    hint = f"did you mean {near!r}" if near else f"there are: {', '.join(known)}"
    raise HookConfigError(f"{said}: there is no debrief template {asked[:80]!r}; {hint}, or name a path to a file")


def _load(path: Path, shown: str) -> DebriefTemplate:
    problems = Problems()
    template = load_template(path, shown, problems)
    problems.raise_if_any()
    assert template is not None  # noqa: S101 - a template that is not built has left a problem
    return template

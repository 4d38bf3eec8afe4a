"""Check any document: packs with all they name, and skeletons, debriefs and parts on their own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ...hooks.debrief.template import build_template
from ...schemas.catalog import DOCUMENTS
from ...schemas.collector import collector_paused
from ...schemas.counted import counted
from ...schemas.documents import Pack
from ...schemas.input_file import read_input
from ...schemas.marks import Document
from ...schemas.problems import Mark, Problems, Source
from ...schemas.reader import read_document
from ...schemas.shape import check_shape
from ..skeleton.compile import load_skeleton
from .find import PACK_FILE, pack_file
from .kinds import checked_kind
from .load import pack_from
from .resolve import unset_variables
from .sampling_slips import sampling_slips

ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth knowing that is no fault."""

    mark: Mark
    text: str

    def __str__(self) -> str:
        return f"{self.mark}: note: {self.text}"


@dataclass(slots=True)
class Validation:
    """What validating came to; ``sound`` maps each document without a fault to what it is."""

    problems: Problems = field(default_factory=Problems)
    notes: list[Note] = field(default_factory=list)
    sound: dict[str, str] = field(default_factory=dict)


def validate_paths(paths: Iterable[str | Path], env: Mapping[str, str] | None = None) -> Validation:
    """Check every document that the paths mean; nothing is run, and no environment but ``env`` is looked at."""
    found = Validation()
    seen: set[str] = set()
    for path in paths:
        for file, shown in _documents(Path(path), os.fspath(path), found):
            if os.path.abspath(file) not in seen:
                seen.add(os.path.abspath(file))
                with collector_paused():
                    _validate(Path(os.path.abspath(file)), shown, found, env)
    return found


def _documents(path: Path, shown: str, found: Validation) -> list[tuple[Path, str]]:
    """A file; a folder's ``pack.yaml``; or else every pack and every other document below a folder."""
    file, shown_file = pack_file(path, shown)
    if file == path or file.is_file():
        return [(file, shown_file)]
    listed = list(_below(path))
    if not listed:
        remedy = f"name a document, or a folder with {PACK_FILE} or other documents in it"
        found.problems.add(Mark(Source(path, shown)), "", "holds no document", remedy)
    return [(each, os.path.join(shown, os.path.relpath(each, path))) for each in listed]


def _below(folder: Path) -> Iterable[Path]:
    """A folder with a pack means that pack and what it names; other folders are looked into."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if PACK_FILE in files:
            folders.clear()
            yield Path(root, PACK_FILE)
            continue
        for name in sorted(files):
            if name.endswith(ENDINGS) and _is_ours(Path(root, name)):
                yield Path(root, name)


def _is_ours(path: Path) -> bool:
    """Whether a YAML file says that it is of one of our kinds; others may lie beside it."""
    try:
        start = read_input(path, 4096).decode("utf-8", "replace")
    except OSError:
        return False
    told = (line.removeprefix("kind:") for line in start.splitlines() if line.startswith("kind:"))
    return any(kind.partition("#")[0].strip(" \"'") in DOCUMENTS for kind in told)


def _validate(path: Path, shown: str, found: Validation, env: Mapping[str, str] | None) -> None:
    problems = Problems()
    document = read_document(path, shown, problems)
    kind = None if document is None else checked_kind(document, tuple(DOCUMENTS), problems)
    if document is not None and kind is not None:
        what = _check(document, kind, problems, found, env)
        if not problems:
            found.sound[shown] = what
    found.problems.extend(problems.all())


def _check(document: Document, kind: str, problems: Problems, found: Validation, env: Mapping[str, str] | None) -> str:
    """Add the faults of one document, and say what it is."""
    name = str(document.data.get("name", "")) if isinstance(document.data, dict) else ""
    if kind == "pack":
        pack = pack_from(document, problems)
        if pack is None:
            return ""
        found.notes.extend(_unset(pack, env))
        found.notes.extend(Note(mark, told) for mark, told in sampling_slips(pack))
        return _told(pack)
    if kind == "skeleton":
        load_skeleton(os.fspath(document.source.path), problems, document.source.shown)
    elif kind == "debrief":
        if check_shape(document, "debrief", problems):
            build_template(document, problems)
    else:
        check_shape(document, kind, problems, partial=True)
        return "part of a pack: its shape holds, the rest is checked with a pack that takes it"
    return f"{kind} {name}"


def _told(pack: Pack) -> str:
    held = ((len(pack.bare_ids), "scenario"), (len(pack.agents), "agent"), (len(pack.tools), "tool"))
    return f"pack {pack.name}: " + ", ".join(counted(number, word) for number, word in held)


def _unset(pack: Pack, env: Mapping[str, str] | None) -> Iterable[Note]:
    for agent in pack.agents.values():
        for name in unset_variables(agent, os.environ if env is None else env):
            yield Note(agent.mark, f"agent '{agent.id}' needs the variable {name}, which is not set")

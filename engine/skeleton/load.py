"""Read a skeleton by name (``packs/skeletons/NAME.yaml``) or by path into steps that know their place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...schemas.marks import Document
from ...schemas.nearest import did_you_mean
from ...schemas.problems import KeyPath, Mark, Problems, Source
from ...schemas.reader import read_document
from ...schemas.shape import check_shape
from .steps import LOOPS, LoopStep, PointStep, Skeleton, StageStep, Step

BUILT_IN = Path(__file__).resolve().parents[2] / "packs" / "skeletons"


def skeleton_names() -> tuple[str, ...]:
    """The names of the built-in skeletons."""
    return tuple(sorted(path.stem for path in BUILT_IN.glob("*.yaml")))


def skeleton_path(name_or_path: str, problems: Problems, mark: Mark | None = None, path: KeyPath = ()) -> Path | None:
    """The file of a built-in skeleton, or the path itself; a fault (at ``mark``) where neither exists."""
    known = skeleton_names()
    found = BUILT_IN / f"{name_or_path}.yaml" if name_or_path in known else Path(name_or_path)
    if found.is_file():
        return found
    remedy = did_you_mean(name_or_path, known, what="built in")
    problems.add(mark or Mark(Source(found, name_or_path)), path, f"there is no skeleton '{name_or_path}'", remedy)
    return None


def read_skeleton(name_or_path: str, problems: Problems, shown: str = "") -> Skeleton | None:
    """Read and shape-check a skeleton; its order is not yet checked (see ``compile``)."""
    path = skeleton_path(name_or_path, problems)
    if path is None:
        return None
    document = read_document(path, shown or str(name_or_path if path == Path(name_or_path) else path), problems)
    if document is None or not check_shape(document, "skeleton", problems):
        return None
    return skeleton_from(document)


def skeleton_from(document: Document) -> Skeleton:
    """Turn a document that is sound in shape into steps."""
    data = document.data
    return Skeleton(
        name=data["name"],
        batch=_steps(document, data["batch"], ("batch",)),
        sweep=_steps(document, data.get("sweep", ["each_batch", {"point": "on_pack_end"}]), ("sweep",)),
    )


def _steps(document: Document, items: Sequence[Any], path: KeyPath) -> tuple[Step, ...]:
    return tuple(_step(document, item, (*path, index)) for index, item in enumerate(items))


def _step(document: Document, item: Any, path: KeyPath) -> Step:
    mark = document.marks.value(path)
    if isinstance(item, str):
        return LoopStep(name=item, mark=mark) if item in LOOPS else StageStep(name=item, mark=mark)
    ((name, value),) = item.items()
    if name == "point":
        return PointStep(name=value, mark=mark)
    if name in LOOPS:
        return LoopStep(name=name, body=_steps(document, value or (), (*path, name)), mark=mark)
    return StageStep(name=name, params=value or {}, mark=mark)

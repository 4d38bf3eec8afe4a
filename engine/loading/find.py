"""Find a pack by what a user types: a path, or the name of a built-in or an installed pack."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from ...hooks.loader import in_import_time
from ...schemas.errors import UsageFault
from ...schemas.nearest import did_you_mean

GROUP = "windtunnel.scenario_packs"
PACK_FILE = "pack.yaml"
BUILT_IN = Path(__file__).resolve().parents[2] / "packs"


def pack_file(path: Path, shown: str) -> tuple[Path, str]:
    """A folder means its ``pack.yaml``."""
    try:
        is_folder = path.is_dir()
    except (OSError, ValueError):
        is_folder = False
    return (path / PACK_FILE, os.path.join(shown, PACK_FILE)) if is_folder else (path, shown)


def built_in_packs() -> dict[str, Path]:
    """Every built-in pack by its name."""
    return {path.parent.name: path for path in sorted(BUILT_IN.glob(f"*/{PACK_FILE}"))}


def installed_packs() -> dict[str, EntryPoint]:
    """Every installed pack by its name; none is imported."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def find_pack(name_or_path: str | Path) -> Path:
    """The file of a pack. A path wins over a built-in, a built-in over an installed one. Raises UsageFault."""
    text = os.fspath(name_or_path)
    try:
        path = Path(text)
        if path.exists():
            return _in_folder(path, text) if path.is_dir() else path
    except (OSError, ValueError):
        raise UsageFault(f"{text[:80]!r} is no path; name a pack, or a file or folder that holds one") from None
    built_in = built_in_packs()
    if text in built_in:
        return built_in[text]
    installed = installed_packs()
    if text in installed:
        return _installed_file(text, installed[text])
    names = did_you_mean(text, [*built_in, *installed], what="packs")
    raise UsageFault(f"there is no pack '{text[:200]}', neither as a path nor by name; {names}")


def _in_folder(folder: Path, shown: str) -> Path:
    found = folder / PACK_FILE
    if not found.exists():
        where = "here" if shown == "." else f"in {shown[:200]}"
        remedy = "name a pack, or a folder that holds one; `wt list packs` tells which need no path"
        raise UsageFault(f"there is no {PACK_FILE} {where}; {remedy}")
    return found


def _installed_file(name: str, entry: EntryPoint) -> Path:
    """What the entry point is or returns: a path, or a module whose folder holds a ``pack.yaml``."""
    try:
        found = in_import_time(entry.load)
        if callable(found):
            found = in_import_time(found)
        if isinstance(found, ModuleType):
            found = Path(str(found.__file__)).parent
        path = pack_file(Path(found), name)[0]
    except Exception as error:
        raise UsageFault(
            f"pack '{name}' ({entry.value}) cannot be loaded: {type(error).__name__}: {str(error)[:200]}; "
            f"mend or uninstall the package that brings it"
        ) from error
    if not path.is_file():
        raise UsageFault(
            f"pack '{name}' ({entry.value}) has no file {path}; mend or uninstall the package that brings it"
        )
    return path

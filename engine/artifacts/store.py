"""The runs directory: where each file goes, and that no name is ever taken twice."""

from __future__ import annotations

from pathlib import Path

from ...schemas.codec import encode
from ...schemas.errors import UsageFault
from ...schemas.sweeps import Aggregate
from .files import append_line, write_first
from .names import LEDGER, numbered


class RunsDirectory:
    """A directory that several processes may share; its path is taken once, so that nobody moves it."""

    def __init__(self, root: Path) -> None:
        """Make the directory. Raises UsageFault where it cannot be made or written."""
        self.root = root.absolute()
        self._folders: dict[tuple[str, str, str], Path] = {}
        self._reached: dict[tuple[Path, str], int] = {}
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            probe = self.root / f".probe.{id(self)}.tmp"
            probe.touch()
            probe.unlink()
        except OSError as fault:
            raise UsageFault(
                f"--runs-dir {root}: cannot be written ({fault.strerror or fault}); name a directory that can"
            ) from None

    def batch_folder(self, pack: str, scenario: str, agent: str) -> Path:
        """``<runs>/<pack>/<scenario>/<agent>``, made where it is missing. Raises OSError."""
        key = pack, scenario, agent
        folder = self._folders.get(key)
        if folder is None:
            folder = self.root.joinpath(*key)
            folder.mkdir(parents=True, exist_ok=True)
            self._folders[key] = folder
        return folder

    def claim(self, folder: Path, name: str, suffix: str, data: bytes) -> str:
        """Write ``name + suffix``, or ``name-2 + suffix`` and so on where taken; the name used. Raises OSError."""
        plain = f"{name}{suffix}"
        begin = self._reached.get((folder, plain), 1)
        used = write_first(folder, (f"{free}{suffix}" for free in numbered(name, begin)), data).removesuffix(suffix)
        if used != name:  # a name given a thousand times is not looked for half a million times
            self._reached[folder, plain] = int(used.rpartition("-")[2]) + 1
        return used

    def append_ledger(self, row: Aggregate) -> None:
        """Add a batch's row to the ledger. Raises OSError."""
        append_line(self.root / LEDGER, encode(row))

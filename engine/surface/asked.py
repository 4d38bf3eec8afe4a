"""What one `wt surface` command is asked, and where it works."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...schemas.documents import Pack
from ..loading.find import find_pack
from ..loading.load import load_packs
from ..options import RunOptions
from .golden import default_place


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """``golden`` None: the place that follows from the pack. Of ``options``, the selection and ``json`` count."""

    packs: tuple[str, ...]
    options: RunOptions
    golden: Path | None
    store_text: bool = False
    env: Mapping[str, str]
    folder: Path
    scratch: Path

    def loaded(self) -> tuple[Pack, ...]:
        """Raises DocumentFault and UsageFault."""
        return load_packs(map(find_pack, self.packs))

    def place(self, number: int, pack: Pack) -> Path:
        """Where the golden file of a pack is, as users would write it."""
        return self.golden or default_place(self.packs[number], pack)

    def remedy(self, number: int, *, store_text: bool = False) -> str:
        """The command that records what is asked about."""
        words = ["wt", "surface", "record", self.packs[number]]
        for flag, values in (("--agent", self.options.agents), ("--scenario", self.options.scenarios)):
            words += [word for value in values for word in (flag, value)]
        words += ["--out", str(self.golden)] if self.golden is not None else []
        return shlex.join([*words, *(["--store-text"] if store_text else [])])

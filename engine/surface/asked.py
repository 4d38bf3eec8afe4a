"""What one `wt surface` command is asked, and where it works."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from ...schemas.codec import encode
from ...schemas.documents import Pack
from ..added_agents import AddedAgent, AgentOptions, flag_of
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

    def loaded(self) -> dict[str, Pack]:
        """The packs by what they were called, each once. Raises DocumentFault and UsageFault."""
        named: dict[Path, str] = {}
        for name in self.packs:
            named.setdefault(find_pack(name), name)
        return dict(zip(named.values(), load_packs(named, agents=self.options.added_agents), strict=True))

    def place(self, named: str, pack: Pack) -> Path:
        """Where the golden file of a pack is, as users would write it."""
        return self.golden or default_place(named, pack)

    def remedy(self, named: str, *, store_text: bool = False) -> str:
        """The command that records what is asked about."""
        words = ["wt", "surface", "record", named]
        for flag, values in (("--agent", self.options.agents), ("--scenario", self.options.scenarios)):
            words += [word for value in values for word in (flag, value)]
        words += [word for added in self.options.added_agents for word in _words_of(added)]
        words += ["--out", str(self.golden)] if self.golden is not None else []
        return shlex.join([*words, *(["--store-text"] if store_text else [])])


def _words_of(added: AddedAgent) -> Iterator[str]:
    """An agent of the command line, as it was said there."""
    if not isinstance(added, AgentOptions):
        yield from ("--agent-file", os.fspath(added))
        return
    for member in fields(added):
        value, flag = getattr(added, member.name), flag_of(member.name)
        if isinstance(value, Mapping):
            for key, each in value.items():
                yield from (flag, f"{key}={each if isinstance(each, str) else encode(each).decode()}")
        elif value:
            yield from (flag, os.fspath(value))

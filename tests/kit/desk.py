"""A folder of documents, written as text and loaded under the names that users would type."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from windtunnel.engine.loading.find import BUILT_IN
from windtunnel.engine.loading.load import load_pack
from windtunnel.schemas.documents import Pack
from windtunnel.schemas.errors import DocumentFault

HEAD = """\
kind: pack
schema_version: 1
name: desk
default_agent: careful
agents:
  careful: {runtime: scripted, script: [{do: [{say: hello}]}]}
"""
SCENARIO = """\
scenarios:
  greets:
    turns: [hi]
    expect: {outcome: [{type: contains, value: hello}]}
"""


class Desk:
    """The folder; paths are relative to it, as if typed there."""

    def write(self, name: str, text: str | bytes) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return path

    def pack(self, *parts: str) -> Path:
        """Write ``pack.yaml``: a head with one agent, then the parts; with a scenario unless a part has its own."""
        told = [dedent(part) for part in parts]
        if not any(part.startswith("scenarios:") for part in told):
            told.append(SCENARIO)
        return self.write("pack.yaml", "".join([HEAD, *told]))

    def load(self, *parts: str) -> Pack:
        return load_pack(self.pack(*parts))

    def faults(self, *parts: str) -> list[str]:
        """Every fault of the pack, as users read them."""
        path = self.pack(*parts) if parts else "pack.yaml"
        with pytest.raises(DocumentFault) as caught:
            load_pack(path)
        return [str(problem) for problem in caught.value.problems]

    def load_from(self, path: Path) -> Pack:
        return load_pack(path)

    def standard_skeleton(self) -> str:
        """The text of the skeleton that packs use by default."""
        return (BUILT_IN / "skeletons" / "standard.yaml").read_text()

    def read(self, name: str) -> str:
        return Path(name).read_text()

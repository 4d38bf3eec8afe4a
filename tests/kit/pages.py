"""Pages of documentation as what they promise: blocks that can be run, saved, or held against what was printed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
_BLOCK = re.compile(r"(?:^<!-- (?P<note>[^\n]*?) -->\n)?^```(?P<language>[\w-]*)\n(?P<text>.*?)^```$", re.M | re.S)
_NAMED = re.compile(r"# (?P<file>[\w./-]+\.\w+)(?: .*)?$", re.M)
_MASKS = (
    (re.compile(r"\b\d{8}T\d{12}Z(_[0-9a-f]{8})?"), "STEM"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "SHA256"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "ID"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT[\d:.]+Z"), "INSTANT"),
    (re.compile(r"\b\d+\.\d{3} s\b"), "N s"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block. ``note`` is the comment on the line above it; ``file`` the name that its first line gives it."""

    language: str
    text: str
    note: str
    file: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for found in _BLOCK.finditer(text):
        named = _NAMED.match(found["text"])
        yield Block(
            language=found["language"],
            text=found["text"],
            note=found["note"] or "",
            file=named["file"] if named else "",
            line=text.count("\n", 0, found.start()) + 1,
        )


def masked(text: str) -> str:
    """Output with what differs from run to run taken out."""
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def readme_command(beginning: str, base_url: str) -> list[str]:
    """The one command of the README that begins so, as words, with another endpoint."""
    lines = README.read_text("utf-8").splitlines()
    (line,) = (line for line in lines if line.startswith(beginning))
    words = shlex.split(line)
    words[words.index("--base-url") + 1] = base_url
    return words

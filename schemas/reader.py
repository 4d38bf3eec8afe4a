"""Read a YAML document strictly and safely: whatever the bytes are, the answer is data with places, or faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # what its CLoader is made of

from .collector import collector_paused
from .composer import Composer, Unreadable
from .input_file import read_input
from .marks import Document
from .problems import MOST_PER_FILE, Mark, Problems, Source
from .slips import BRACES, TAB, explain

LARGEST_FILE = 16 * 1024 * 1024
UTF_8_BOM = b"\xef\xbb\xbf"
OTHER_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
# Control characters, and the line breaks of YAML 1.1 that other readers take for text.
_UNFIT = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_document(path: Path, shown: str, problems: Problems) -> Document | None:
    """Read the file at ``path``; faults are told under the name ``shown``. None where nothing can be read."""
    source = Source(path, shown)
    try:
        content = read_input(path, LARGEST_FILE)
    except OSError as error:
        problems.add(
            Mark(source), "", f"cannot be read: {error.strerror or error}", "name a file that exists and may be read"
        )
        return None
    if len(content) > LARGEST_FILE:
        problems.add(Mark(source), "", "the file is larger than 16 MiB", "move data to CSV or JSONL files")
        return None
    return read_text_document(content, source, problems)


def read_text_document(text: bytes, source: Source, problems: Problems) -> Document | None:
    """Read a document from its bytes. Faults of syntax end the reading; all others are told at once."""
    decoded = _decoded(text, source, problems)
    if decoded is None:
        return None
    composer = Composer(decoded, source, problems)
    try:
        _compose(decoded, composer)
        if "\t" in decoded:
            _refuse_tabs(decoded, source, problems)
    except yaml.YAMLError as error:
        line, column, message, remedy = explain(error, decoded.splitlines())
        if not (composer.slipped and (message, remedy) == BRACES):
            problems.add(Mark(source, line + 1, column + 1), composer.path(), message, remedy)
        return None
    except Unreadable:
        return None
    return composer.document()


def _compose(text: str, composer: Composer) -> None:
    next_event = CParser(text).get_event
    handlers, end = composer.handlers, yaml.StreamEndEvent
    with collector_paused():
        while (kind := type(event := next_event())) is not end:
            handlers[kind](event)


def _decoded(content: bytes, source: Source, problems: Problems) -> str | None:
    for bom, name in OTHER_BOMS:
        if content.startswith(bom):
            problems.add(Mark(source), "", f"the file is {name}", "save it as UTF-8")
            return None
    content = content.removeprefix(UTF_8_BOM)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        column = len(before.rpartition(b"\n")[2].decode("utf-8"))
        mark = Mark(source, before.count(b"\n") + 1, column + 1)
        problems.add(mark, "", f"byte 0x{content[error.start]:02x} is not UTF-8", "save the file as UTF-8")
        return None
    unfit = _UNFIT.search(text)
    if unfit is not None:
        code = f"U+{ord(unfit[0]):04X}"
        remedy = "leave it out, or write its escape in double quotes"
        problems.add(_mark_at(text, unfit.start(), source), "", f"the character {code} may not stand here", remedy)
        return None
    if text.startswith("\ufeff"):
        problems.add(Mark(source), "", "the file begins with two byte order marks", "leave one out")
        return None
    return text


def _mark_at(text: str, index: int, source: Source) -> Mark:
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return Mark(source, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _refuse_tabs(text: str, source: Source, problems: Problems) -> None:
    """Tell each tab that is neither in a scalar nor in a comment: YAML takes some for space, and nobody sees them."""
    gaps = (
        start + gap.start()
        for start, end in _between_scalars(text)
        for gap in re.finditer(r"#[^\r\n]*|(\t+)", text[start:end])
        if gap[1]
    )
    for index in islice(gaps, MOST_PER_FILE):  # to find the place of each takes time
        problems.add(_mark_at(text, index, source), "", *TAB)


def _between_scalars(text: str) -> Iterator[tuple[int, int]]:
    parser, at = CParser(text), 0
    while not isinstance(token := parser.get_token(), yaml.StreamEndToken):
        if isinstance(token, yaml.ScalarToken):
            yield at, token.start_mark.index
            at = token.end_mark.index
    yield at, len(text)

"""Tell which names a template or expression uses, in every branch, without running or compiling it."""

from __future__ import annotations

import re
from functools import lru_cache

from .errors import TemplateFault
from .sandbox import GLOBALS, SANDBOX
from .sandbox_syntax import parse_expression, parse_template
from .template_walk import Reader, Use, Uses

_DOTTED = re.compile(r"\{\{ *([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?(?:\.[A-Za-z_]\w*|\[-?[0-9]+\])* *\}\}", re.ASCII)
_RESERVED = "true false none True False None not and or is in if else"
_WORDS = frozenset(_RESERVED.split()).union(GLOBALS)


@lru_cache(maxsize=16_384)
def uses_of(source: str, expression: bool) -> Uses:
    """Read once; a text that does not parse has its fault and no uses."""
    simple = None if expression or "\n" in source else _simple(source)
    if simple is not None:
        return simple
    try:
        tree = parse_expression(SANDBOX, source) if expression else parse_template(SANDBOX, source)
    except TemplateFault as fault:
        return Uses(faults=[str(fault)])
    reader = Reader(many_lines="\n" in source)
    reader.visit(tree)
    return reader.uses


def _simple(source: str) -> Uses | None:
    """The uses of a text with nothing but ``{{ name.member }}`` in it, where a parser would be slow; else None."""
    found = [match.groups("") for match in _DOTTED.finditer(source)]
    rest = _DOTTED.sub("", source)
    if any(mark in rest for mark in ("{{", "{%", "{#")) or any(name in _WORDS for name, _ in found):
        return None
    return Uses(found=[Use(name, member, "", 1) for name, member in found])

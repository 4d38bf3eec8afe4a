"""The filters that make text and numbers: Jinja's own, with what they would make counted first."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from jinja2 import filters as jinja

from .errors import PatternFault, TemplateFault
from .patterns import TIMEOUT_S, find_all
from .sandbox_data import kind_of, pay_for, small, text_of, weigh
from .sandbox_meter import LARGEST_TEXT, current
from .sandbox_methods import TEXT_METHODS, replace
from .sandbox_operators import percent

LONGEST_WRAPPED = 20_000
LONGEST_DIGITS = 4_300
MOST_PLACES = 300


def _on_text(change: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that only ever sees text, and makes about as much."""

    def changed(value: Any, *args: Any, **kwargs: Any) -> Any:
        return pay_for(change(text_of(value), *args, **kwargs))

    return changed


def _center(text: str, width: int = 80) -> Any:
    return TEXT_METHODS["center"](text, width)


def _indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    size = len(width) if isinstance(width, str) else max(0, small(width, LARGEST_TEXT))
    current.meter.make(len(text) + size * (text.count("\n") + len(text.splitlines()) + 1))
    return jinja.do_indent(text, width, first, blank)


def _truncate(text: str, length: int = 255, killwords: bool = False, end: str = "...", leeway: int = 5) -> str:
    if length < len(end):
        raise TemplateFault(f"truncate to {length} leaves no room for {end!r}; use a longer length")
    if len(text) <= length + leeway:
        return text
    kept = text[: length - len(end)]
    return (kept if killwords else kept.rsplit(" ", 1)[0]) + end


def _wordwrap(
    text: str, width: int = 79, break_long_words: bool = True, wrapstring: str = "\n", break_on_hyphens: bool = True
) -> str:
    if len(text) > LONGEST_WRAPPED:
        raise TemplateFault(f"wordwrap takes at most {LONGEST_WRAPPED} characters; wrap less")
    breaks = len(text) // max(1, int(width)) + text.count(" ") + text.count("\n") + 1
    current.meter.make(len(text) + len(wrapstring) * breaks)
    return jinja.do_wordwrap(_PLAIN, text, width, break_long_words, wrapstring, break_on_hyphens)


def _replace(text: str, old: Any, new: Any, count: int | None = None) -> str:
    return replace(text, text_of(old), text_of(new), -1 if count is None else count)


def _format(text: str, *args: Any, **kwargs: Any) -> str:
    if args and kwargs:
        raise TemplateFault("format takes values by place or by name, not both; use one kind")
    return percent(text, kwargs or args)


def _int(value: Any, default: Any = 0, base: int = 10) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_DIGITS:
        return default
    return jinja.do_int(text_of(value) if isinstance(value, str) else value, default, base)


def _float(value: Any, default: Any = 0.0) -> Any:
    return default if isinstance(value, str) and len(value) > LONGEST_DIGITS else jinja.do_float(value, default)


def _round(value: Any, precision: int = 0, method: Any = "common") -> Any:
    return jinja.do_round(value, small(precision, MOST_PLACES), method)


def _tojson(value: Any, indent: int | None = None) -> str:
    """JSON as it is written elsewhere: no escapes for HTML, letters of any language as they are."""
    weight = weigh(value, LARGEST_TEXT)
    current.meter.make(weight + (0 if indent is None else weight * small(indent, 8)))
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    except (TypeError, ValueError) as error:
        raise TemplateFault(f"tojson: {error}; use data that JSON has") from None


def _urlencode(value: Any) -> str:
    pairs = value.items() if isinstance(value, dict) else value if isinstance(value, list | tuple) else None
    weigh(value, LARGEST_TEXT)
    if pairs is None:
        return _quoted(value, "/")
    return "&".join("=".join(_quoted(part, "") for part in pair) for pair in pairs)


def _quoted(value: Any, safe: str) -> str:
    return quote(text_of(value).encode("utf-8", "replace"), safe=safe)


def _find_all(value: Any, pattern: Any) -> list[str]:
    """Every match of the pattern in the text, from left to right."""
    if not isinstance(pattern, str):
        raise TemplateFault(f"find_all takes a pattern, not {kind_of(pattern)}; write it as text")
    try:
        current.meter.look_at_clock()
        found = find_all(pattern, text_of(value), timeout_s=min(TIMEOUT_S, current.meter.seconds_left))
    except PatternFault as fault:
        raise TemplateFault(str(fault)) from None
    current.meter.make_items(len(found))
    return found


def _escape(text: str) -> str:
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ('"', "&#34;")):
        text = replace(text, plain, escaped)
    return text


_PLAIN: Any = type("_Newline", (), {"newline_sequence": "\n"})()  # all that wordwrap asks of an environment

TEXT_FILTERS: dict[str, Callable[..., Any]] = {
    **{name: _on_text(getattr(jinja, f"do_{name}")) for name in ("capitalize", "lower", "title", "upper", "wordcount")},
    "center": _on_text(_center),
    "e": _on_text(_escape),
    "escape": _on_text(_escape),
    "filesizeformat": jinja.do_filesizeformat,
    "find_all": _find_all,
    "float": _float,
    "format": _on_text(_format),
    "indent": _on_text(_indent),
    "int": _int,
    "replace": _on_text(_replace),
    "round": _round,
    "string": text_of,
    "tojson": _tojson,
    "trim": _on_text(TEXT_METHODS["strip"]),
    "truncate": _on_text(_truncate),
    "urlencode": _urlencode,
    "wordwrap": _on_text(_wordwrap),
    "abs": abs,
}

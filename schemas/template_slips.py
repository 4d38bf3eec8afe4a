"""Say what a template or expression that does not parse probably got wrong, in the words of people who write packs."""

from __future__ import annotations

import re

from .nearest import nearest

Said = tuple[str, str]  # what is wrong, and what to do

LITERAL = "write literal braces between {% raw %} and {% endraw %}"
_TAGS = ("if", "elif", "else", "endif", "for", "endfor", "set", "endset", "raw", "endraw", "macro", "endmacro", "with",
         "endwith")  # fmt: skip
_WORDS = ("and", "or", "not", "in", "is", "if", "else")
_CURLY = "“”„‘’‚«»"
_INSTEAD = {"&": "write `and`", "!": "write `not`", "?": "write `a if condition else b`"}


def explain_syntax(problem: str, source: str, *, expression: bool) -> Said:
    """``problem`` is what the parser says."""
    found = _character(problem) or _operator(problem, source) or _ending(problem, source)
    return found or (problem, "mend it" if expression else f"mend it, or {LITERAL}")


def _character(problem: str) -> Said | None:
    """A character that begins no word of an expression."""
    told = re.match(r"unexpected char (?P<quoted>'.+?'|\".+?\") at (?P<at>\d+)$", problem)
    if not told:
        return None
    char, place = told["quoted"][1:-1], f"at character {int(told['at']) + 1}"
    if char in ('"', "'", "\\'"):
        return f"the quotation mark {place} is never closed", "close it"
    if char in _CURLY:
        return f"{char} {place} is no quotation mark of expressions", "write \" or '"
    return f"'{char}' {place} means nothing here", _INSTEAD.get(char, "leave it out, or put it in quotes")


def _operator(problem: str, source: str) -> Said | None:
    """An operator of another language."""
    if "unexpected '='" in problem:
        return "a single = compares nothing", "write =="
    if "got '|'" in problem and "||" in source:
        return "|| means nothing here", "write `or`"
    word = re.match(r"unexpected '(?P<word>\w+)' after the expression", problem)
    if word and word["word"].lower() in _WORDS:
        return f"'{word['word']}' means nothing here", f"write it in small letters: {word['word'].lower()}"
    return None


def _ending(problem: str, source: str) -> Said | None:
    """Something that is never closed, closes nothing, or is empty."""
    if "expected 'end of print statement'" in problem and "end of template" in problem:
        return "a {{ is never closed", f"close it with }}}}, or {LITERAL}"
    if problem == "unexpected '}'" and re.search(r"\{\{[^{}]*\}(?!\})", source):
        return "a {{ is closed with one }", f"close it with }}}}, or {LITERAL}"
    if block := re.search(r"needs to be closed is '(?P<name>\w+)'", problem):
        return f"a {{% {block['name']} %}} is never closed", f"add {{% end{block['name']} %}}"
    if tag := re.match(r"Encountered unknown tag '(?P<name>\w+)'", problem):
        return _tag(tag["name"])
    if problem == "Expected an expression, got 'end of print statement'":
        return "{{ }} holds nothing", "write an expression in it, or leave it out"
    closing = re.search(r"end of template, expected '(?P<char>[\])}])'", problem)
    if closing:
        return f"a closing {closing['char']} is missing", "add it"
    if "end of template" in problem:
        return "it ends too early: something is missing after its last word", "finish it"
    return None


def _tag(name: str) -> Said:
    if name in _TAGS:
        return f"{{% {name} %}} stands where nothing that it belongs to is open", "leave it out, or open that before it"
    near = nearest(name, _TAGS)
    return f"unknown tag '{name}'", f"did you mean '{near}'?" if near else f"mend it, or {LITERAL}"

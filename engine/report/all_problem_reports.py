"""The one table of ways to tell faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..loading.validate import Validation
from . import problems_github, problems_json, problems_text

PROBLEM_REPORTS: Mapping[str, Callable[[Validation], Iterator[str]]] = {
    "text": problems_text.lines,
    "json": problems_json.lines,
    "github": problems_github.lines,
}

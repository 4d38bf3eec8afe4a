"""The end of a selftest: certificates and what checks are worth, the exit code they come to, and the outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from ...schemas.codec import UNSET, encode_pretty
from ...schemas.selftests import SelftestResults
from ..options import RunOptions
from ..report.outputs import clear_outputs, write_outputs
from ..scopes import SweepScope
from .certify import certify
from .junit import selftest_junit
from .notebook import Notebook
from .selection import Subject
from .worth import worth_of_checks

FAILED = ("GOLDEN_FAILED", "POISON_PASSED")


class SelftestEnding:
    """``results`` are whole once the sweep is over; their exit code is set by ``code``."""

    def __init__(self, subjects: Sequence[Subject], notebook: Notebook, *, mutate: bool) -> None:
        self._subjects = subjects
        self._notebook = notebook
        self._mutate = mutate

    def begin(self, options: RunOptions) -> None:
        clear_outputs(options)

    def exit_code(self, sweep: SweepScope) -> int:
        return code_of(self.found)

    def write(self, sweep: SweepScope, code: int) -> Sequence[str]:
        return write_outputs(
            sweep.options, code,
            junit=lambda: selftest_junit(self.found),
            json=lambda code: encode_pretty(self.results(sweep.sweep_id, code)),
        )

    def results(self, sweep: str, code: int) -> SelftestResults:
        """The results with the exit code that the sweep really came to."""
        return replace(self.found, sweep=sweep, exit_code=code)

    @cached_property
    def found(self) -> SelftestResults:
        """Made once: nothing is played any more."""
        played = self._notebook.played
        return SelftestResults(
            sweep="", exit_code=0, certificates=[certify(subject, played) for subject in self._subjects],
            checks=list(worth_of_checks(self._subjects, played)) if self._mutate else UNSET,
        )


def code_of(results: SelftestResults) -> int:
    """1: a golden failed, a poison passed, or no poison needs a check; 3: something is not certified; else 0."""
    verdicts = {certificate.verdict for certificate in results.certificates}
    checks = results.checks if isinstance(results.checks, list) else []
    if verdicts.intersection(FAILED) or any(check.worth == "unneeded" for check in checks):
        return 1
    return 3 if "UNCERTIFIED" in verdicts else 0

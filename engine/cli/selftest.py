"""``wt selftest``: certify that the checks of scenarios can hold and can fail, before anyone trusts them."""

from __future__ import annotations

from typing import Any

import click

from ..options import RunOptions
from .run_words import some_words
from .supervised import leave

EPILOG = """\b
Examples:
  wt selftest first_flight                     the built-in example
  wt selftest . --scenario 'refund_*'          some scenarios of the pack in this folder
  wt selftest --built-in --mutate              every built-in pack; and is each check needed?

\b
CERTIFIED      golden passes and each poison fails
GOLDEN_FAILED  golden does not pass: the checks ask for what a good agent does not do
POISON_PASSED  a poison passes: the checks let it through
UNCERTIFIED    no references, or one that broke: nothing shows what the checks are worth

\b
Exit codes: 0 all certified; 1 GOLDEN_FAILED, POISON_PASSED or a check that no poison
needs; 2 usage or document fault; 3 UNCERTIFIED or evidence is missing; 70 a bug of ours;
130/143 interrupted.
"""


@click.command(epilog=EPILOG)
@some_words("packs", "scenarios", "tags", "jobs", "runs_dir", "junit", "json", "deterministic")
@click.option("--built-in", is_flag=True, help="All built-in packs, and those that are named.")
@click.option("--mutate", is_flag=True, help="Drop each check in turn: report those that no poison needs.")
def command(packs: tuple[str, ...], built_in: bool, mutate: bool, **words: Any) -> None:
    """Play the golden and poison references of PACKs (. if left out) against the live tools, world and checks.

    Golden must pass, each poison must fail. The evidence is kept below --runs-dir, apart from every agent's.
    """
    leave("selftest_child", "selftest_packs", packs, RunOptions(**words), built_in=built_in, mutate=mutate)

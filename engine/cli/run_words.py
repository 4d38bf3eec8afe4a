"""The words that ``wt run``, ``wt plan`` and ``wt selftest`` share, written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ..options import DEFAULT_JOBS
from .agent_words import agent_words

F = TypeVar("F", bound=Callable[..., Any])



class NamedPath(click.Path):
    """A path that says something: an empty one, of a variable that is not set perhaps, would mean this folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return (
            self.fail("an empty path names nothing", param, ctx) if value == "" else super().convert(value, param, ctx)
        )


FILE = NamedPath(path_type=Path)
WORDS: Mapping[str, Callable[[Any], Any]] = {
    "packs": click.argument("packs", nargs=-1, metavar="[PACK]..."),
    "scenarios": click.option(
        "--scenario", "scenarios", multiple=True, metavar="GLOB", help="Only scenarios whose id matches; repeatable."
    ),
    "tags": click.option(
        "--tag", "tags", multiple=True, metavar="T", help="Only scenarios with this tag (any of them, if repeated)."
    ),
    "agents": click.option(
        "--agent", "agents", multiple=True, metavar="GLOB", help="These agents instead of the default one; repeatable."
    ),
    "added_agents": agent_words(FILE),
    "hooks": click.option(
        "--hook",
        "hooks",
        multiple=True,
        metavar="NAME",
        help="Activate a hook: built-in, declared in the pack, installed, module:attr or file.py:attr; "
        "repeatable, in firing order.",
    ),
    "runs": click.option("--runs", type=int, metavar="N", help="Runs of each scenario, instead of what the pack says."),
    "jobs": click.option(
        "--jobs", type=int, default=DEFAULT_JOBS, show_default=True, metavar="N", help="Runs at once."
    ),
    "label": click.option("--label", default="", metavar="L", help="A word kept with the results, such as a commit."),
    "runs_dir": click.option(
        "--runs-dir", type=FILE, default=Path("runs"), show_default=True, metavar="DIR", help="Where the evidence goes."
    ),
    "skeleton": click.option("--skeleton", default="", metavar="S", help="Another run skeleton: a name or a path."),
    "junit": click.option("--junit", type=FILE, metavar="FILE", help="Also write JUnit XML."),
    "json": click.option("--json", type=FILE, metavar="FILE", help="Also write the results as JSON."),
    "deterministic": click.option(
        "--deterministic", type=int, metavar="SEED", help="Take ids, times and random numbers from this seed."
    ),
    "store_text": click.option(
        "--store-text", is_flag=True, help="Keep the text of what the agent is shown, not its hashes alone."
    ),
}


def run_words(command: F) -> F:
    """Give a command the argument and options of a sweep; they are the fields of RunOptions, and ``packs``."""
    return some_words(*WORDS)(command)


def some_words(*names: str) -> Callable[[F], F]:
    """Give a command those of the words that mean something to it, by the names of their fields."""

    def give(command: F) -> F:
        for name in reversed(names):
            command = WORDS[name](command)
        return command

    return give

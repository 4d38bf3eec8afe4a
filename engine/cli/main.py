"""The one error boundary of the command line, and the table of its commands; a command is imported when it is used."""

from __future__ import annotations

import importlib
import platform
import shlex
import sys
import traceback
from collections.abc import Sequence

import click

from ... import __version__
from ...schemas.errors import WindTunnelError

# name -> (module beside this one, what `wt --help` says of it)
COMMANDS = {
    "run": ("run", "run scenarios and gate on the result"),
    "validate": ("validate", "check packs, skeletons and debriefs"),
    "plan": ("plan", "print what a run would do, step by step"),
    "list": ("list", "list packs, agents, scenarios, hooks, checks and more"),
    "show": ("show", "show one run: turns, calls, score"),
    "debrief": ("debrief", "preview a debrief template"),
    "schema": ("schema", "print the JSON Schema of a document or sidecar"),
    "init": ("init", "write a small commented pack to start from"),
}

BUG = """wt: this is a bug in Wind Tunnel, not in your pack. Please report it with the lines between the rulers.
------------------------------------------------------------------------
windtunnel {version}, Python {python}, {platform}
wt {arguments}
{traceback}------------------------------------------------------------------------
"""


class LazyGroup(click.Group):
    """Knows its commands by name, and imports the one that is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f".{COMMANDS[name][0]}", __package__)
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog="""\b
Start with:
  wt run first_flight --agent '*' --hook debrief
  wt init my_pack
""")
@click.version_option(package_name="windtunnel-engine", prog_name="wt", message="%(prog)s %(version)s")
def cli() -> None:
    """Reliability testing of tool-using LLM agents: unittest for agents, declared in YAML."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. Nothing that is expected shows a traceback."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        cli.main(args=words, prog_name="wt", standalone_mode=True)  # leaves by SystemExit
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the boundary
        return _boundary(error, words)


def _boundary(error: Exception, words: Sequence[str]) -> int:
    if isinstance(error, WindTunnelError):
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stderr.write(bug_report(error, words))
    return 70


def bug_report(error: BaseException, words: Sequence[str]) -> str:
    """A report that can be pasted into an issue as it is."""
    return BUG.format(
        version=__version__, python=platform.python_version(), platform=platform.platform(),
        arguments=shlex.join(words), traceback="".join(traceback.format_exception(error)),
    )


if __name__ == "__main__":
    sys.exit(main())

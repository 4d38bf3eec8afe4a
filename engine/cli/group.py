"""The commands behind ``wt``, each imported when it is used."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from difflib import get_close_matches

import click

from ...schemas.errors import UsageFault
from .front import COMMANDS, HELP_WORDS, help_page, version_line


class LazyGroup(click.Group):
    """Knows its commands by name; its help is the front page."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f".{cmd_name}", __package__).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = get_close_matches(args[0].casefold(), COMMANDS, n=1)
            remedy = f"did you mean '{near[0]}'?" if near else f"commands: {', '.join(COMMANDS)}"
            raise UsageFault(f"there is no command {args[0]!r}; {remedy}")
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        return help_page().rstrip("\n")


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(version_line(), nl=False)
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": list(HELP_WORDS)})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def cli() -> None:
    """Reliability testing of tool-using LLM agents: unittest for agents, declared in YAML."""


def run(words: Sequence[str]) -> int:
    """Carry out the words and return the exit code; a fault in the words themselves is shown, and is 2."""
    try:
        with cli.make_context("wt", list(words)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as fault:
        fault.show()
        return 2
    return 0


def complete(words: Sequence[str]) -> None:
    """Answer a shell that asks for completions (``_WT_COMPLETE``). Leaves by SystemExit."""
    cli.main(args=list(words), prog_name="wt")

"""The front page: ``wt --help`` and ``wt --version`` in words that cost no import, not even click's."""

from __future__ import annotations

from ... import __version__

# name -> what the front page says of it; the module beside this one that holds it has the same name
COMMANDS = {
    "run": "run scenarios and gate on the result",
    "validate": "check packs, skeletons and debriefs",
    "plan": "print what a run would do, step by step",
    "selftest": "certify that the checks of scenarios can hold and can fail",
    "doctor": "look whether a pack can be benched here",
    "surface": "record what agents are shown, and tell what has changed",
    "list": "list packs, agents, scenarios, hooks, checks and more",
    "show": "show one run: turns, calls, score",
    "hooks": "list events, hooks and guards; try a hook on an event",
    "debrief": "preview a debrief template",
    "schema": "print the JSON Schema of a document or sidecar",
    "init": "write a small commented pack to start from",
}
HELP_WORDS = ("-h", "--help")

PAGE = """\
Usage: wt [OPTIONS] COMMAND [ARGS]...

  Reliability testing of tool-using LLM agents: unittest for agents, declared
  in YAML.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
{commands}

Start with:
  wt run first_flight --agent '*' --hook debrief
  wt init my_pack
  wt COMMAND --help          options and examples of a command
"""


def help_page() -> str:
    """All that ``wt --help`` prints."""
    width = max(map(len, COMMANDS))
    return PAGE.format(commands="\n".join(f"  {name:<{width}}  {told}" for name, told in COMMANDS.items()))


def version_line() -> str:
    """All that ``wt --version`` prints."""
    return f"wt {__version__}\n"


def front_page(words: list[str]) -> str | None:
    """The answer to words that need no command; None for all others."""
    if len(words) == 1 and words[0] in HELP_WORDS:
        return help_page()
    return version_line() if words == ["--version"] else None

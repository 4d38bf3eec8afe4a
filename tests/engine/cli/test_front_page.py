"""What ``wt`` says of itself costs nearly nothing, and a word it does not know gets a hint."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from kit.wt import Ended, environment, wt
from windtunnel.engine.cli.front import COMMANDS, help_page
from windtunnel.engine.cli.group import cli

from .conftest import Told

HELP = """\
Usage: wt [OPTIONS] COMMAND [ARGS]...

  Reliability testing of tool-using LLM agents: unittest for agents, declared
  in YAML.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
  run       run scenarios and gate on the result
  validate  check packs, skeletons and debriefs
  plan      print what a run would do, step by step
  selftest  certify that the checks of scenarios can hold and can fail
  doctor    look whether a pack can be benched here
  surface   record what agents are shown, and tell what has changed
  list      list packs, agents, scenarios, hooks, checks and more
  show      show one run: turns, calls, score
  hooks     list events, hooks and guards; try a hook on an event
  debrief   preview a debrief template
  schema    print the JSON Schema of a document or sidecar
  init      write a small commented pack to start from

Start with:
  wt run first_flight --agent '*' --hook debrief
  wt init my_pack
  wt COMMAND --help          options and examples of a command
"""


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_is_one_page(told: Told, word: str) -> None:
    assert told(word) == Ended(code=0, out=HELP, err="")


def test_version_is_one_line(told: Told) -> None:
    assert told("--version") == Ended(code=0, out="wt 0.1.0\n", err="")
    assert told("--version", "run") == Ended(code=0, out="wt 0.1.0\n", err="")


def test_no_word_at_all_is_a_usage_fault_that_shows_the_page(told: Told) -> None:
    ended = told()
    assert (ended.code, ended.out) == (2, "")
    assert help_page().strip() in ended.err


@pytest.mark.parametrize(("words", "err"), [
    (("rnu",), "there is no command 'rnu'; did you mean 'run'?\n"),
    (("Validate",), "there is no command 'Validate'; did you mean 'validate'?\n"),
    (("fly",), f"there is no command 'fly'; commands: {', '.join(COMMANDS)}\n"),
    (("a\x1b[31m\nb",), f"there is no command 'a\\x1b[31m\\nb'; commands: {', '.join(COMMANDS)}\n"),
])
def test_an_unknown_command_is_told_with_the_nearest_one(told: Told, words: tuple[str, ...], err: str) -> None:
    assert told(*words) == Ended(code=2, out="", err=err)


@pytest.mark.parametrize(("words", "hint"), [
    (("run", "--scenaro", "x"), "--scenario"),
    (("run", "--jobs", "many"), "'many' is not a valid integer"),
    (("validate", "x", "--format", "xml"), "'xml' is not one of 'text', 'json', 'github'"),
    (("debrief", "preveiw"), "preveiw"),
    (("--bogus",), "--bogus"),
])
def test_words_that_a_command_does_not_take_are_2(told: Told, words: tuple[str, ...], hint: str) -> None:
    ended = told(*words)
    assert (ended.code, ended.out) == (2, "")
    assert hint in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_shows_examples(told: Told, name: str) -> None:
    ended = told(name, "--help")
    assert ended.code == 0
    assert f"Examples:\n    wt {name}" in ended.out
    assert name in cli.list_commands(cli.make_context("wt", [], resilient_parsing=True))


LOADED = """
import json, sys
before = set(sys.modules)
from windtunnel.engine.cli.main import main
main(sys.argv[1:])
new = {name for name in set(sys.modules) - before if name.partition(".")[0] not in sys.stdlib_module_names}
print(json.dumps(sorted(new)), file=sys.stderr)
"""


def loaded(*words: str) -> list[str]:
    """The modules outside the standard library that a command has loaded."""
    process = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True, env=environment())
    names: list[str] = json.loads(process.stderr.splitlines()[-1])
    return names


def test_the_front_page_loads_next_to_nothing() -> None:
    assert loaded("--help") == loaded("--version") == [
        "windtunnel", "windtunnel.engine", "windtunnel.engine.cli", "windtunnel.engine.cli.front", "windtunnel.engine.cli.main",
    ]


def test_the_help_of_run_loads_click_and_little_else() -> None:
    names = loaded("run", "--help")
    assert {name.partition(".")[0] for name in names} == {"click", "windtunnel"}
    working = ("windtunnel.hooks", *(f"windtunnel.engine.{part}" for part in ("loading", "runtimes", "scoring", "skeleton", "tools", "world")))
    assert [name for name in names if name.startswith(working)] == []


def shell(folder: Path, line: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("wt ", f"{sys.executable} -m windtunnel.engine.cli.main ")
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment(**env), capture_output=True, text=True,
                          check=False, timeout=60)


@pytest.mark.parametrize("words", ["--help", "list checks", "run --help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_cannot_be_written_is_3_and_no_bug(tmp_path: Path, words: str, unbuffered: str) -> None:
    full = shell(tmp_path, f"wt {words} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (full.returncode, full.stderr) == (3, "wt: the output cannot be written: No space left on device\n")
    gone = shell(tmp_path, f"exec 3> >(exec true); wait $!; wt {words} >&3", PYTHONUNBUFFERED=unbuffered)
    assert (gone.returncode, gone.stderr) == (3, "")


@pytest.mark.parametrize("words", ["--help", "list checks"])
def test_closed_streams_lead_nowhere(tmp_path: Path, words: str) -> None:
    closed = shell(tmp_path, f"wt {words} <&- >&- 2>&-")
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, "", "")


def test_a_narrow_encoding_loses_no_line(tmp_path: Path) -> None:
    listed = wt("list", "agents", "gr\xfcn.yaml", folder=tmp_path, env=environment(PYTHONIOENCODING="ascii"))
    assert (listed.code, listed.out) == (2, "")
    assert "gr\\xfcn.yaml" in listed.err

"""Every snippet of the README and the guides is what it seems: commands run, documents hold, output is the output.

A page is played from top to bottom in one empty folder. A block whose first line is ``# name.ext`` is saved under that
name. ``yaml`` without a name is a part of a pack: the starter pack includes it. ``sh`` is run; a ``text`` block right
after it is what it prints, ``diff`` is applied. A comment above a block says more: ``exits N``, ``does not hold``,
``run by ...``. CONTRIBUTING.md is played in a copy of this tree.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from kit.pages import Block, blocks, masked
from windtunnel.engine.cli.main import main

ROOT = Path(__file__).parents[1]
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGES = {"sh", "yaml", "python", "text", "json", "csv", "diff", "toml"}
PART = "kind: pack_part\nschema_version: 1\n"


class Player:
    """Plays one page in one folder."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.printed = ""
        self.parts = 0
        bin_folder = folder / ".bin"
        bin_folder.mkdir()
        (bin_folder / "wt").write_text(f"#!/bin/sh\nexec {sys.executable} -m windtunnel.engine.cli.main \"$@\"\n")
        (bin_folder / "wt").chmod(0o755)
        path = f"{bin_folder}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.env = {"PATH": path, "HOME": str(folder), "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                    "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "GITHUB_SHA": "0" * 40}

    def move_into(self, copy: Path) -> None:
        """Go on in a copy of this tree that is imported in its place."""
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "dist", "runs", "__pycache__", "*.egg-info"))
        self.folder = copy
        self.env["PYTHONPATH"] = str(copy.parent)

    def play(self, block: Block) -> None:
        if block.note.startswith(("run by", "tests")):
            return
        if block.file:
            self.save(block)
        elif block.language == "yaml":
            self.include(block)
        elif block.language == "sh":
            self.run(block)
        elif block.language == "diff":
            self.patch(block)
        elif block.language == "text":
            assert masked(block.text) == masked(self.printed), self.place(block)
        elif block.language == "python":
            exec(compile(block.text, self.place(block), "exec"), {"__name__": "snippet"})  # noqa: S102 - our own page
        else:
            pytest.fail(f"{self.place(block)}: a block of {block.language} needs a name, or a comment above it")

    def place(self, block: Block) -> str:
        return f"{self.page.relative_to(ROOT)}:{block.line}"

    def save(self, block: Block) -> None:
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        if block.language == "yaml" and block.note != "does not hold":
            self.hold(path, block)

    def hold(self, path: Path, block: Block) -> None:
        """A document of ours validates; the steps of a workflow can be taken."""
        document = yaml.safe_load(block.text)
        if "kind" in document:
            self.validate(path, block)
        for job in document.get("jobs", {}).values():
            for step in job["steps"]:
                command = step.get("run", "")
                if command.startswith("wt "):
                    done = self.shell(command)
                    assert done.returncode == 0, f"{self.place(block)}: {command}\n{done.stdout}{done.stderr}"

    def patch(self, block: Block) -> None:
        """Apply a diff: ``+++ path``, then hunks whose context and old lines stand in that file exactly once."""
        _, path, *hunks = re.split(r"^\+\+\+ (.+)\n|^@@.*\n", block.text, flags=re.M)
        file = self.folder / path
        for hunk in filter(None, hunks):
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if line[0] in " -")
            new = "".join(line[1:] for line in lines if line[0] in " +")
            text = file.read_text("utf-8")
            assert text.count(old) == 1, f"{self.place(block)}: {path} holds this {text.count(old)} times:\n{old}"
            file.write_text(text.replace(old, new), "utf-8")

    def include(self, block: Block) -> None:
        """The starter pack with this part holds."""
        self.parts += 1
        folder = self.folder / f".part{self.parts}"
        shutil.copytree(ROOT / "packs" / "templates" / "starter", folder)
        (folder / "snippet.part.yaml").write_text(PART + block.text, "utf-8")
        pack = folder / "pack.yaml"
        pack.write_text(pack.read_text("utf-8").replace("\ndefault_agent:", "\ninclude: [snippet.part.yaml]\ndefault_agent:"))
        self.validate(pack, block)

    def validate(self, path: Path, block: Block) -> None:
        done = self.shell(f"wt validate {path}")
        assert done.returncode == 0, f"{self.place(block)}: {done.stdout}"

    def run(self, block: Block) -> None:
        done = self.shell(block.text)
        self.printed = done.stdout
        wanted = int(block.note.removeprefix("exits ")) if block.note.startswith("exits ") else 0
        assert done.returncode == wanted, f"{self.place(block)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, f"{self.place(block)}: {done.stderr}"

    def shell(self, commands: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_snippet_of_the_page_holds(page: Path, tmp_path: Path) -> None:
    player = Player(page, tmp_path)
    if page.name == "CONTRIBUTING.md":
        player.move_into(tmp_path / "windtunnel")
    for block in blocks(page):
        assert block.language in LANGUAGES, f"{player.place(block)}: say what this block is"
        player.play(block)


def test_a_page_that_is_wrong_is_found_out(tmp_path: Path) -> None:
    page = ROOT / "docs" / "wrong.md"
    player = Player(page, tmp_path)
    bad = {
        "sh": "wt validate nothing.yaml\n",
        "yaml": "scenarios: {s: {turns: [hi]}}\n",
        "text": "this was never printed\n",
        "json": "{}\n",
    }
    for language, text in bad.items():
        with pytest.raises((AssertionError, pytest.fail.Exception)):
            player.play(Block(language=language, text=text, note="", file="", line=1))


def test_the_command_line_of_the_pages_is_this_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("wt ")

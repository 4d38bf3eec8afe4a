"""``wt init DIR``: a small commented pack that validates, runs green, and is easy to change."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from ...schemas.catalog import bundle
from ...schemas.codec import encode_pretty
from ...schemas.errors import UsageFault
from ..report.inert import inert

STARTER = Path(__file__).resolve().parents[2] / "packs" / "templates" / "starter"
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
EPILOG = """\b
Examples:
  wt init my_pack && wt run my_pack
"""


@click.command(epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
def command(folder: Path) -> None:
    """Write a small pack into DIR: pack.yaml, a data file, a debrief, and the JSON Schemas for your editor."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageFault(f"{folder}: is not empty, and nothing is ever overwritten; name a new folder")
        shutil.copytree(STARTER, folder, dirs_exist_ok=True)
        _name_after(folder)
        schemas = folder / ".wt"
        schemas.mkdir()
        for kind in ("pack", "pack_part", "skeleton", "debrief"):
            (schemas / f"{kind}.v1.json").write_bytes(encode_pretty(bundle(kind)))
    except OSError as fault:
        raise UsageFault(f"{folder}: cannot be written ({fault.strerror or fault}); name a folder that can") from None
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            click.echo(inert(f"wrote {path}"))
    click.echo(inert(f"next: wt run {folder}"))


def _name_after(folder: Path) -> None:
    """Call the pack as its folder is called, where that can be a pack's name."""
    name = folder.resolve().name.lower().replace(" ", "_")
    if SLUG.match(name):
        pack = folder / "pack.yaml"
        pack.write_text(pack.read_text("utf-8").replace("\nname: my_pack\n", f"\nname: {name}\n"), "utf-8")

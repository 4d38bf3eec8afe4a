"""``wt schema``: print the JSON Schema of a document or sidecar, or write all of them for an editor."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.catalog import bundle, file_name, kinds
from ...schemas.codec import encode_pretty
from ...schemas.errors import EvidenceMissing, UsageFault
from ...schemas.nearest import did_you_mean
from ..report.inert import inert

EPILOG = """\b
Examples:
  wt schema                                    the kinds there are
  wt schema pack                               one self-contained schema, to standard output
  wt schema --out .wt                          all of them as files; then begin a pack with
                                               # yaml-language-server: $schema=./.wt/pack.v1.json
"""


@click.command(epilog=EPILOG, short_help="print the JSON Schema of a document or sidecar")
@click.argument("kind", required=False)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write to files in this folder.")
def command(kind: str | None, out: Path | None) -> None:
    """Print the JSON Schema of KIND, complete in one document; without KIND, list the kinds."""
    if kind is not None and kind not in kinds():
        raise UsageFault(f"there is no schema of kind '{kind}'; {did_you_mean(kind, kinds(), what='kinds')}")
    chosen = kinds() if kind is None else (kind,)
    if out is not None:
        for name in chosen:
            click.echo(inert(_write(out, name)))
    elif kind is None:
        click.echo("\n".join(chosen))
    else:
        click.echo(encode_pretty(bundle(kind)).decode(), nl=False)


def _write(folder: Path, kind: str) -> str:
    path = folder / file_name(kind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_pretty(bundle(kind)))
    except OSError as error:
        raise EvidenceMissing(
            f"{path} cannot be written: {error.strerror}; name a folder that may be written to"
        ) from None
    return str(path)

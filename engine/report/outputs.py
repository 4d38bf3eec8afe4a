"""Write the outputs that were asked for beside the evidence; one that cannot be written is missing evidence.

What an earlier sweep left under the same name is removed before the first run: a stale report must not look new.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...schemas.bounded import describe_error
from ...schemas.errors import UsageFault
from ..artifacts import files
from ..options import RunOptions


def clear_outputs(options: RunOptions) -> None:
    """Remove stale outputs. Raises UsageFault where one cannot be written at all."""
    if options.junit is not None and options.junit == options.json and not _is_passed_on(options.junit):
        raise UsageFault(f"--junit and --json both name {options.junit}; give each a file of its own")
    for flag, path in (("--junit", options.junit), ("--json", options.json)):
        if path is None:
            continue
        refuse_no_place(flag, path)
        try:
            if not _is_passed_on(path):
                path.unlink(missing_ok=True)
        except OSError as fault:
            raise _no_place(flag, path, fault.strerror) from None


def refuse_no_place(flag: str, path: Path) -> None:
    """Raises UsageFault where no file can be at all: in place of a folder, or in one that is not there."""
    try:
        if path.is_dir():
            raise _no_place(flag, path, "it is a folder")
        if not path.parent.is_dir():
            raise _no_place(flag, path, "there is no such folder")
    except OSError as fault:  # a name that is too long
        raise _no_place(flag, path, fault.strerror) from None


def _no_place(flag: str, path: Path, why: str | None) -> UsageFault:
    return UsageFault(f"{flag} {path}: cannot be written ({why}); name a file in a folder that exists")


def write_outputs(
    options: RunOptions, exit_code: int, *, json: Callable[[int], bytes], junit: Callable[[], bytes] | None = None
) -> list[str]:
    """Return one line for each requested output that could not be written; ``json`` is told the exit code.

    ``junit`` is None where a command has no ``--junit``.
    """
    lost: list[str] = []
    if options.junit is not None and junit is not None:
        lost += _write("--junit", options.junit, junit)
    if options.json is not None:
        code = 3 if lost and exit_code == 0 else exit_code
        lost += _write("--json", options.json, lambda: json(code))
    return lost


def put(path: Path, data: bytes) -> None:
    """Write a file whole in the place of one that may be there, or into a pipe or device. Raises OSError."""
    (files.pass_on if _is_passed_on(path) else files.replace)(path, data)


def _write(flag: str, path: Path, content: Callable[[], bytes]) -> list[str]:
    try:
        put(path, content())
    except OSError as fault:
        return [f"{flag} {path}: could not be written: {describe_error(fault)}"]
    return []


def _is_passed_on(path: Path) -> bool:
    """Whether this is a pipe or a device, such as /dev/stdout: written into, never removed or replaced."""
    given_on = path.is_symlink() and path.parts[1:2] == ("dev",)  # /dev/stdout, which may lead to a file
    return path.exists() and not path.is_dir() and (given_on or not path.is_file() or path.parts[1:2] == ("proc",))

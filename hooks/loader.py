"""Find an object by ``module:attr`` or ``path/to/file.py:attr``."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from ..schemas.bounded import describe_error
from ..schemas.nearest import nearest
from .errors import HookConfigError
from .in_time import Late, in_time

T = TypeVar("T")

IMPORT_S = 60.0  # a large library takes some seconds
_LOCKS: dict[str, threading.RLock] = {}


def load_object(reference: str, folder: Path) -> object:
    """Import ``module:attr`` or run ``path/to/file.py:attr`` (relative to ``folder``) and return what ``attr`` names.

    ``attr`` may be dotted. A module is looked for in ``folder`` last, after everything that is installed. A file is
    run once in a process, however often it is named. Raises HookConfigError, with the cause, for all but ^C, and for
    an import that is not done after ``IMPORT_S`` seconds.
    """
    try:
        return in_import_time(lambda: object_at(reference, folder))
    except TimeoutError as late:
        raise _not_loaded(reference, late) from None


def in_import_time(load: Callable[[], T]) -> T:
    """What ``load()`` returns or raises. Raises TimeoutError where it is not done after ``IMPORT_S`` seconds."""
    try:
        return in_time(load, IMPORT_S)
    except Late:
        raise TimeoutError(f"not done after {IMPORT_S:g} s; leave long work to the call") from None


def object_at(reference: str, folder: Path) -> object:
    """As ``load_object``, for a caller that has a deadline of its own."""
    place, colon, attribute = reference.rpartition(":")
    if not colon or not place or not all(part.isidentifier() for part in attribute.split(".")):
        raise HookConfigError(f"{reference!r} names no object; write module:attr or path/to/file.py:attr")
    if place.endswith(".py") or "/" in place:
        module = _file(reference, folder / place)
    else:
        module = _module(reference, place, folder)
    return _attribute(reference, module, attribute)


def _module(reference: str, name: str, folder: Path) -> ModuleType:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing runs foreign code, which may raise anything
        raise _not_loaded(reference, error) from error


def _file(reference: str, path: Path) -> ModuleType:
    path = path.resolve()
    name = f"_wt_file_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    with _LOCKS.setdefault(name, threading.RLock()):  # whoever comes second must not see a module that is half made
        return sys.modules[name] if name in sys.modules else _run(reference, path, name)


def _run(reference: str, path: Path, name: str) -> ModuleType:
    if not path.is_file():
        raise HookConfigError(f"{reference!r} could not be loaded: there is no file {path}; name one that exists")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise HookConfigError(f"{reference!r} could not be loaded: {path.name} is not a Python file (.py); name one")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up there
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _not_loaded(reference, error) from error
    return module


def _attribute(reference: str, module: ModuleType, attribute: str) -> object:
    found: object = module
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except KeyboardInterrupt:
            raise
        except AttributeError as error:
            near = nearest(part, [name for name in dir(found) if not name.startswith("_")])
            hint = f"; did you mean {near!r}?" if near else ""
            raise HookConfigError(f"{reference!r} could not be loaded: there is no {part!r} in it{hint}") from error
        except BaseException as error:  # a module's __getattr__ and properties are foreign code
            raise _not_loaded(reference, error) from error
    return found


def _not_loaded(reference: str, error: BaseException) -> HookConfigError:
    return HookConfigError(f"{reference!r} could not be loaded: {describe_error(error)}")

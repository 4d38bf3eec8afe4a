"""Make and read an object of somebody else's: whatever that raises, but an interrupt, is a HookConfigError."""

from __future__ import annotations

from typing import Any

from ..schemas.bounded import describe_error
from .errors import HookConfigError
from .loader import in_import_time


def instance_of(loaded: object, whose: str) -> object:
    """The object itself; a class is instantiated without arguments. ``whose`` names it: ``hook 'notes'``."""
    if not isinstance(loaded, type):
        return loaded
    try:
        return in_import_time(loaded)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a constructor may raise anything
        raise HookConfigError(
            f"{whose}: the class could not be instantiated without arguments: {describe_error(error)}; "
            "give its parameters defaults, or name an instance of it"
        ) from error


def attribute_of(thing: object, attribute: str, whose: str) -> Any:
    """The attribute, None where there is none."""
    try:
        return getattr(thing, attribute, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # so may a property
        raise _unreadable(whose, attribute, error) from error


def attributes_of(thing: object, whose: str) -> list[str]:
    """The names of all its attributes."""
    try:
        return [attribute for attribute in dir(thing) if isinstance(attribute, str)]
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # so may `__dir__`
        raise _unreadable(whose, "its attributes", error) from error


def _unreadable(whose: str, what: str, error: BaseException) -> HookConfigError:
    return HookConfigError(f"{whose}: {what} could not be read: {describe_error(error)}")

"""The one codec: records and plain data to strict UTF-8 JSON and back, or a CodecFault that names the place.

NaN, infinity, lone surrogates, endless digits and objects of other kinds are refused: none of them ever reaches a file.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping
from typing import Any, TypeVar, overload

import msgspec
from msgspec import UNSET, UnsetType

from .errors import CodecFault
from .problems import KeyPath, dotted

__all__ = [
    "UNSET",
    "CodecFault",
    "UnsetType",
    "canonical",
    "decode",
    "decode_foreign",
    "encode",
    "encode_pretty",
    "to_plain",
]

T = TypeVar("T")

# The stdlib writes the canonical form, so that anyone can verify a digest with it alone. It need not look for circles:
# it is given what `to_plain` has copied.
_canonical = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True, check_circular=False
).encode


def to_plain(obj: object) -> Any:
    """Turn records into dicts and lists, a copy throughout; members that are UNSET are left out."""
    try:
        return msgspec.to_builtins(obj, str_keys=True, enc_hook=_plain_text)
    except (TypeError, ValueError, RecursionError) as error:
        raise CodecFault(_why_not(obj, error)) from None


def encode(obj: object) -> bytes:
    """One line of JSON in the order of the members."""
    try:
        data = msgspec.json.encode(obj, enc_hook=_plain_text)
        if b"null" in data and msgspec.json.decode(data) != (plain := to_plain(obj)):
            _canonical(plain)  # msgspec writes NaN as null, and this says so
    except (TypeError, ValueError, RecursionError) as error:
        raise CodecFault(_why_not(obj, error)) from None
    return data


def encode_pretty(obj: object) -> bytes:
    """JSON for people: indented by two, with a newline at the end."""
    return msgspec.json.format(encode(obj), indent=2) + b"\n"


def canonical(obj: object) -> bytes:
    """The form that digests are made of: sorted keys, no spaces, UTF-8, numbers as Python's ``json`` writes them."""
    try:
        return _canonical(to_plain(obj)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CodecFault(_why_not(obj, error)) from None


@overload
def decode(data: bytes | str, type_: type[T]) -> T: ...
@overload
def decode(data: bytes | str, type_: Any = Any) -> Any: ...
def decode(data: bytes | str, type_: Any = Any) -> Any:
    """Read strict JSON into a record or plain data. Raises CodecFault."""
    try:
        return msgspec.json.decode(data, type=type_)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise CodecFault(f"not the JSON that was expected: {error}") from None


def decode_foreign(data: bytes | str) -> Any:
    """Read JSON as endpoints and tools really send it: NaN, lone surrogates and huge numbers come through as they are.

    What comes out is for ``bounded.clean_value``, not for a file. Raises CodecFault.
    """
    with contextlib.suppress(msgspec.MsgspecError, ValueError, RecursionError):
        return msgspec.json.decode(data)  # most of it is strict, and this is several times as fast
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig", "replace")
        return json.loads(text, parse_int=_whole_number)
    except (ValueError, RecursionError) as error:
        raise CodecFault(f"not JSON: {error}") from None


def _plain_text(obj: object) -> str:
    if isinstance(obj, str):
        return str(obj)
    raise TypeError(f"{type(obj).__name__} has no form in JSON")


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) <= 1000 else digits


def _why_not(obj: object, error: Exception) -> str:
    """Name the first place that JSON cannot hold; walked only once the encoder has refused."""
    found = _first_fault(obj, (), set())
    if found is None:
        return f"cannot be written as JSON: {error}"
    path, why = found
    return f"{dotted(path)}: {why}" if path else why


def _first_fault(value: object, path: KeyPath, above: set[int]) -> tuple[KeyPath, str] | None:
    if isinstance(value, str):
        return (path, "text with a lone surrogate cannot be written as JSON") if _has_surrogate(value) else None
    if isinstance(value, float):
        return None if math.isfinite(value) else (path, f"{value} is not a JSON number")
    if isinstance(value, int):
        return (path, "a whole number of too many digits") if value.bit_length() > 14_000 else None
    if value is None or value is UNSET:
        return None
    if id(value) in above:
        return path, "the value contains itself"
    if len(above) > 200:
        return path, "nested too deeply"
    return _first_fault_inside(value, path, above | {id(value)})


def _first_fault_inside(value: object, path: KeyPath, above: set[int]) -> tuple[KeyPath, str] | None:
    members: Any
    if isinstance(value, list | tuple):
        members = enumerate(value)
    elif isinstance(value, Mapping):
        members = value.items()
    elif hasattr(value, "__dataclass_fields__"):
        members = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
    else:
        return path, f"{type(value).__name__} has no form in JSON"
    for key, member in members:
        if not isinstance(key, str | int):
            return path, f"the key {key!r:.60} is not text"
        found = _first_fault(key, path, above) or _first_fault(member, (*path, key), above)
        if found:
            return found
    return None


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False

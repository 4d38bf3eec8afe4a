"""Decide how long to wait before an attempt is made again: what the endpoint asked for, or longer every time."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT_S = 60.0
FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 8.0


def pause(attempt: int, asked_s: float | None, draw: random.Random) -> float | None:
    """Seconds to wait after attempt number ``attempt`` (from 1); None: the endpoint asks for more than we wait.

    Jitter keeps runs that were refused together from coming back together; it never cuts what was asked for.
    """
    if asked_s is not None:
        return None if asked_s > LONGEST_WAIT_S else asked_s + draw.uniform(0, 0.25)
    backoff = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** min(attempt - 1, 16))
    return backoff * draw.uniform(0.5, 1.0)


def asked_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """``Retry-After`` (RFC 9110, 10.2.3: seconds or an HTTP date) or ``retry-after-ms``; None without a sound one.

    A date is read against the answer's own ``Date``, so that the two clocks need not agree.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("Retry-After", "").strip()
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    until = _http_date(value)
    if until is None:
        return None
    return max(0.0, (until - (_http_date(headers.get("Date", "")) or now)).total_seconds())


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _http_date(value: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

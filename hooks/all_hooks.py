"""The table of the hooks that are built in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..schemas.documents import Pack
from .debrief.configure import debrief_for

Maker = Callable[[Pack, Mapping[str, Any], Mapping[str, str], Path], object]
"""Makes the hook of one pack from (pack, settings, environment, folder of the call)."""

BUILT_IN: Mapping[str, Maker] = {
    "debrief": debrief_for,
}

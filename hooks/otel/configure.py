"""Make the hook ``otel``, or say what to install."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...schemas.documents import Pack
from ..errors import HookConfigError
from ..plain import OfPack, refuse_knobs
from ..settings import read_choice
from .hook import OtelHook

CONTENT = "WT_OTEL_CONTENT"
REMEDY = "pip install 'windtunnel-engine[otel]'"


def otel_hook(env: Mapping[str, str], _folder: Path) -> OfPack:
    """One hook for all packs. Raises HookConfigError without the extra ``[otel]``, or an exporter that is asked for."""
    try:
        sdk = importlib.import_module(".sdk", __package__)
    except ImportError as error:
        told = f"hook 'otel' needs OpenTelemetry's SDK, which is not installed ({error})"
        raise HookConfigError(f"{told}; {REMEDY}") from None
    hook = OtelHook(sdk.SdkSender(sdk.exporters_by(env), env))

    def of_pack(pack: Pack, settings: Mapping[str, Any]) -> OtelHook:
        refuse_knobs(hook.name, ("content",), pack, settings, env)
        hook.observe(pack, content=_content(pack, settings, env))
        return hook

    return of_pack


def _content(pack: Pack, settings: Mapping[str, Any], env: Mapping[str, str]) -> bool:
    given = settings.get("content", "0")
    if isinstance(given, bool):
        return given
    said = CONTENT if CONTENT in env else f"{pack.shown}: hook_settings.otel.content"
    return read_choice(given, said, ("0", "1")) == "1"

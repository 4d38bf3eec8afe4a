"""Sound documents are read without jsonschema, which takes long to import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GOOD = Path(__file__).parents[1] / "examples" / "good"
PACKS = Path(__file__).parents[2] / "packs"
PROGRAM = """
import sys
from pathlib import Path
from windtunnel.schemas.problems import Problems
from windtunnel.schemas.reader import read_document
from windtunnel.schemas.shape import check_shape

for name in sys.argv[1:]:
    problems = Problems()
    document = read_document(Path(name), name, problems)
    assert check_shape(document, document.data["kind"], problems)
print("jsonschema" in sys.modules)
"""


def test_sound_documents_need_no_jsonschema() -> None:
    paths = [str(path) for path in sorted(GOOD.glob("*.yaml")) if path.stem != "every_key"]
    paths += [str(path) for path in sorted(PACKS.glob("*/pack.yaml"))]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *paths], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

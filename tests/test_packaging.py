"""What is built holds every package with its data and nothing else, and runs where it is installed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from kit.pages import blocks, masked

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WINGS = ("schemas", "hooks", "engine")
PASTES = shutil.ignore_patterns(".git", ".venv", "build", "dist", "runs", "__pycache__", "*.egg-info", ".*_cache", ".hypothesis")


def sources(root: Path = ROOT) -> list[Path]:
    found = [path for wing in WINGS for path in sorted((root / wing).rglob("*.py"))]
    return [root / "__init__.py", *found]


def files(root: Path, *folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((root / folder).rglob("*"))]
    return [path for path in found if path.is_file() and "__pycache__" not in path.parts]


def test_no_package_is_forgotten() -> None:
    folders = {path.parent.relative_to(ROOT) for path in sources()}
    there = {".".join(("windtunnel", *folder.parts)) for folder in folders}
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == there


def test_every_folder_of_code_is_a_package() -> None:
    assert [str(path.parent) for path in sources() if not (path.parent / "__init__.py").exists()] == []


def test_what_is_imported_is_what_the_project_depends_on() -> None:
    """An extra may bring what one optional part imports; referencing comes with jsonschema, whose interface takes it."""
    homes = packages_distributions()
    imported = {name for path in sources() for name in imports(path)} - {"windtunnel", "referencing", *sys.stdlib_module_names}
    needed = distributions(PROJECT["project"]["dependencies"])
    extras = {name: distributions(lines) for name, lines in PROJECT["project"]["optional-dependencies"].items()}
    allowed = needed.union(*(lines for name, lines in extras.items() if name != "dev"))
    found = {name: {home.lower() for home in homes.get(name, ())} for name in imported}
    assert {name for name, home in found.items() if not home & allowed} == set(), "is imported, and no dependency brings it"
    assert needed - set().union(*found.values()) == set(), "is a dependency, and nothing imports it"


def distributions(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~\[; ]", requirement)[0].lower() for requirement in requirements}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True, check=False,
                          timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module", name="built")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of this tree, its sdist in ``dist``, and the wheel that is built from that sdist alone."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT, folder / "tree", ignore=PASTES)
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", folder / "tree", cwd=folder)
    return folder


@pytest.mark.slow
def test_the_wheel_holds_code_schemas_and_packs_and_nothing_else(built: Path) -> None:
    (wheel,) = (built / "dist").glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tree = built / "tree"
    data = [tree / "py.typed", *(tree / "schemas").glob("*.json"), *files(tree, "packs")]
    assert held == {f"windtunnel/{path.relative_to(tree)}" for path in (*sources(tree), *data)}


@pytest.mark.slow
def test_the_sdist_holds_the_tests_and_the_docs(built: Path) -> None:
    (sdist,) = (built / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    tree = built / "tree"
    wanted = [str(path.relative_to(tree)) for path in files(tree, "tests", "docs", ".ci")]
    assert sorted({*wanted, "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"} - held) == []


@pytest.mark.slow
def test_the_wheel_runs_in_a_fresh_environment(built: Path, tmp_path: Path) -> None:
    (wheel,) = (built / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    run(tmp_path / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    done = run(tmp_path / "venv/bin/wt", "run", "first_flight", cwd=tmp_path)
    assert done.stdout == (
        "PASS where_is_my_bag  careful  3/3\n"
        "PASS bag_of_somebody_else  careful  3/3\n"
        "2 batches: 2 PASS; runs: 6 PASS; evidence in runs\n"
    )
    assert run(tmp_path / "venv/bin/wt", "init", "mine", cwd=tmp_path).stdout.endswith("next: wt run mine\n")
    run(tmp_path / "venv/bin/wt", "run", "mine", cwd=tmp_path)
    assert run(tmp_path / "venv/bin/pip", "check", cwd=tmp_path).stdout == "No broken requirements found.\n"


@pytest.mark.slow
def test_the_first_command_of_the_readme_does_all_its_own_set_up(tmp_path: Path) -> None:
    """It is an editable install too: the tree itself is what runs."""
    command, shown = [block.text for block in blocks(ROOT / "README.md") if block.note == "run by tests/test_packaging.py"]
    shutil.copytree(ROOT, tmp_path / "tree", ignore=PASTES)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path / "tree", env=env, capture_output=True, text=True,
                          check=False, timeout=600)
    assert masked(done.stdout) == masked(shown), done.stderr
    python = tmp_path / "tree/.venv/bin/python"
    where = run(python, "-c", "import windtunnel.engine as engine; print(engine.__file__)", cwd=tmp_path)
    assert where.stdout == f"{tmp_path}/tree/engine/__init__.py\n"


def test_the_test_command_of_the_readme_is_the_one_that_ci_takes() -> None:
    (command,) = [block.text for block in blocks(ROOT / "README.md") if block.note == "tests"]
    assert command.rstrip().endswith(".venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest -n auto")
    assert "/^<!-- tests -->$/" in (ROOT / ".ci/run").read_text("utf-8")

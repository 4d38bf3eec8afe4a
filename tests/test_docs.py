"""The reference is what the code says, links lead somewhere, and the reading order counts what there is."""

from __future__ import annotations

import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest
from windtunnel.docs.generate import COUNTED, differing, lines_of
from windtunnel.docs.schema_tables import anchor
from windtunnel.engine import __all__ as public
from windtunnel.engine.cli.front import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def test_the_reference_is_in_step_with_the_code() -> None:
    assert differing() == [], "run python -m windtunnel.docs.generate"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    lost = []
    for target, heading in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
        if "://" in target:
            continue
        path = page if not target else page.parent / target
        if not path.exists() or (heading and heading not in anchors(path)):
            lost.append(f"{target}#{heading}")
    assert lost == []


def anchors(page: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), re.M)}


def test_the_reading_order_counts_the_lines_that_there_are() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    told = {found["path"]: int(found["lines"]) for found in COUNTED.finditer(text)}
    off = {path: lines for path, lines in told.items() if abs(lines_of(path) - lines) > max(5, lines // 10)}
    assert told, "CONTRIBUTING.md has no reading order"
    assert off == {}, "run python -m windtunnel.docs.generate"


def test_the_readme_tells_every_command_in_the_words_of_its_help() -> None:
    rows = re.findall(r"^\| `wt (\w+)` \| (.+?) \|", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert rows == list(COMMANDS.items())


def test_the_readme_tells_every_function_for_python() -> None:
    """Its results come with them, and `a` stands for async: neither is listed."""
    (line,) = re.findall(r"`from windtunnel.engine import (.+?)`", (ROOT / "README.md").read_text("utf-8"), re.S)
    named = set(re.split(r",\s+", line))
    assert {name for name in public if name.islower() and not name.startswith("arun_")} - named == set()
    assert named <= set(public)


def test_every_page_of_the_reference_is_listed_for_readers() -> None:
    listed = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md") if page.name != "README.md"]
    assert [page for page in pages if f"]({page})" not in listed] == []


def test_every_file_that_contributing_names_is_there() -> None:
    named = set(re.findall(r"`((?:engine|hooks|schemas|packs|tests|docs)/[\w/.]+)`",
                           FENCE.sub("", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))))
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


def test_every_module_of_the_engine_has_its_layer() -> None:
    """import-linter would let a module that no layer names import what it likes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = [one for one in project["tool"]["importlinter"]["contracts"] if one["name"] == "Within the engine"]
    layered = {name.strip(" ()") for layer in contract["layers"] for name in re.split("[:|]", layer)}
    modules = {".".join(path.relative_to(ROOT / "engine").with_suffix("").parts) for path in (ROOT / "engine").rglob("*.py")}
    modules = {name.removesuffix(".__init__") for name in modules} - {"__init__", "skeleton", "surface", "sweep"}
    assert sorted(name for name in modules if not {name, name.partition(".")[0]} & layered) == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("windtunnel", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(list(TopologicalSorter(imports).static_order())) == len(imports)  # CycleError tells the cycle

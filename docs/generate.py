"""Write docs/reference from the schemas and tables of the code: ``python -m windtunnel.docs.generate [--check]``.

The line counts of the reading order in CONTRIBUTING.md are brought up to date along with it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from windtunnel.engine.scoring.all_checks import ALL_CHECKS
from windtunnel.engine.skeleton.contracts import FACT_MEANING, LOOP_CONTRACTS
from windtunnel.engine.skeleton.contracts import POINTS as CONTRACTS
from windtunnel.engine.stages.all_stages import STAGES
from windtunnel.hooks.events import EVENTS
from windtunnel.hooks.points import POINTS
from windtunnel.schemas.catalog import file_name
from windtunnel.schemas.names import MEANINGS, PLACES, SHAPES
from windtunnel.schemas.registry import ARTIFACTS, resolve

from .schema_tables import Sections, cell, described, table

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "reference"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
COUNTED = re.compile(r"(?P<head>^\d+\. `(?P<path>[^`]+)` \()(?P<lines>\d+)(?= lines\))", re.M)
MARKS = "A `*` marks a key that must be there."
CHECK_KEYS = ("type", "name", "when", "gate", "of")


def documents(file: str, *pointers: str, also: str = "") -> str:
    """A page of a kind of document: its own schema, and what that leads to within ``also``."""
    sections = Sections(here=(file, *also.split()))
    for pointer in ("", *pointers):
        sections.add(f"{file}#{pointer}")
    return f"{MARKS}\n\n{sections.text()}"


def pack_part() -> str:
    keys = resolve("pack_part.v1.json#")["properties"]
    named = ", ".join(f"`{key}`" for key in keys if key not in ("$schema", "kind", "schema_version", "meta"))
    return f"{resolve('pack_part.v1.json#')['description']} It may hold: {named}; see [pack](pack.md).\n"


def sidecars() -> str:
    files = [file_name(kind) for kind in ARTIFACTS]
    sections = Sections(here=files)
    for file in files:
        sections.add(f"{file}#")
    return f"{MARKS} Readers must expect further keys.\n\n{sections.text()}"


def words() -> str:
    told = [
        "Every mapping of a document takes `meta:` and keys that begin with `x-`; they are never read. The top level\n"
        "takes `$schema` too, for editors.\n"
    ]
    for name, schema in resolve("common.v1.json#")["$defs"].items():
        said = [schema.get("description") or f"A {schema['type']} above {schema['exclusiveMinimum']}."]
        if "pattern" in schema:
            said.append(f"Pattern: `{schema['pattern']}`.")
        if "maxLength" in schema:
            said.append(f"At most {schema['maxLength']} characters.")
        if "maximum" in schema:
            said.append(f"At most {schema['maximum']}.")
        told.append(f"## {name.replace('_', ' ')}\n\n{' '.join(said)}\n")
    return "\n".join(told)


def checks() -> str:
    variants = [resolve(branch["$ref"]) for branch in resolve("check.v1.json#")["oneOf"]]
    shared = {key: described(schema) for key, schema in variants[0]["properties"].items() if key in CHECK_KEYS}
    return "\n".join([
        "`not-` before a type inverts it, and `trajectory:` before a type that looks at calls is an alias.",
        "Every check takes these keys, `of` where its section says so:\n",
        table(("key", "meaning"), [(f"`{key}`", cell(meaning)) for key, meaning in shared.items()]),
        *map(check, variants),
    ])


def check(variant: Mapping[str, Any]) -> str:
    """The section of one schema of checks; several types may share it."""
    types = [name for name in variant["properties"]["type"]["enum"] if not name.startswith(("not-", "trajectory:"))]
    told = [f"## {', '.join(types)}\n"]
    for name in types:
        told.append(f"- `{name}`: {ALL_CHECKS[name].summary if name in ALL_CHECKS else variant['description']}")
    own = {key: each for key, each in variant["properties"].items() if key not in CHECK_KEYS}
    sections = Sections()
    if own:
        sections.kind({"properties": own, "required": variant.get("required", [])}, types[0])
        told.append("\n" + sections.text().partition("\n\n")[2])
    if "of" in variant["properties"]:
        told.append("It looks at `of`, by default the last reply.\n")
    return "\n".join(told)


def names() -> str:
    told = [table(("place", "names"), [(place.what, " ".join(f"`{name}`" for name in sorted(place.names)))
                                       for place in PLACES.values()])]
    told.append("## What the names hold\n")
    told.append(table(("name", "holds"), [(f"`{name}`", cell(told)) for name, told in MEANINGS.items()]))
    told.append("## Shapes\n\nA fact that is absent is an absent key, never null.\n")
    told.append(table(("shape", "keys"), [(f"`{shape}`", " ".join(f"`{key}`" for key in keys))
                                          for shape, keys in SHAPES.items()]))
    return "\n".join(told)


def stages() -> str:
    told = [table(("stage", "does", "level", "needs", "not after", "gives", "ends"), [
        (f"`{stage.name}`", cell(stage.summary), stage.contract.level, _facts(stage.contract.needs),
         _facts(stage.contract.bars), _facts(stage.contract.gives), _facts(stage.contract.ends))
        for stage in STAGES.values()])]
    for stage in STAGES.values():
        if stage.parameters:
            told.append(f"## Parameters of {stage.name}\n")
            told.append(table(("parameter", "meaning"), [(f"`{k}`", cell(v)) for k, v in stage.parameters.items()]))
    told.append("## Loops\n")
    told.append(table(("loop", "does", "needs", "gives"), [
        (f"`{name}`", loop.when, _facts(loop.needs), _facts(loop.gives)) for name, loop in LOOP_CONTRACTS.items()]))
    told.append("## Facts\n")
    told.append(table(("fact", "means"), [(f"`{fact}`", meaning) for fact, meaning in FACT_MEANING.items()]))
    return "\n".join(told)


def points() -> str:
    return table(("point", "fires", "must hold", "must not hold", "a hook sees"), [
        (f"`{point.name}`", point.fires, _facts(CONTRACTS[point.name].needs), _facts(CONTRACTS[point.name].bars),
         " ".join(f"`{member}`" for member in point.members)) for point in POINTS.values()])


def events() -> str:
    told = [
        "Lifecycle points send a context, which [points](points.md) tells. Call events send the fields of their\n"
        "samples, always all of them; a hook receives those that its method declares. Calls of one event that happen\n"
        "at once are told apart by its identity.\n",
        table(
            ("event", "sends", "identity", "deadline", "when a subscriber fails"),
            [
                (
                    f"`{event.name}`",
                    " ".join(f"`{name}`" for name in sorted(event.sample)),
                    f"`{event.identity}`",
                    f"{event.timeout_s or 30:g} s" if event.bounded else "none",
                    "closed: it counts as a refusal" if event.policy else "open: it is reported, and nothing changes",
                )
                for event in EVENTS.values()
            ],
        ),
        "## Samples\n",
    ]
    for event in EVENTS.values():
        if event.name not in POINTS:
            sample = json.dumps(dict(sorted(event.sample.items())), indent=2, ensure_ascii=False)
            told.append(f"### {event.name}\n\n```json\n{sample}\n```\n")
    return "\n".join(told)


def _facts(facts: Iterable[str]) -> str:
    return " ".join(f"`{fact}`" for fact in FACT_MEANING if fact in facts) or "-"


IN_A_PACK = "agent.v1.json world.v1.json tool.v1.json scenario.v1.json hook.v1.json state_probe.v1.json"
PAGES: Mapping[str, tuple[str, Callable[[], str]]] = {
    "pack": ("The pack document", lambda: documents("pack.v1.json", also=IN_A_PACK)),
    "pack_part": ("The pack_part document", pack_part),
    "skeleton": ("The skeleton document", lambda: documents("skeleton.v1.json")),
    "debrief": ("The debrief document", lambda: documents("debrief.v1.json", "/$defs/inline")),
    "checks": ("Checks", checks),
    "perturbations": ("Perturbations", lambda: documents("perturbation.v1.json")),
    "names": ("Names in templates and expressions", names),
    "json_schema": ("JSON Schema in documents", lambda: documents("json_schema.v1.json", "/$defs/input")),
    "stages": ("Stages, loops and facts", stages),
    "points": ("Points", points),
    "events": ("Events", events),
    "sidecars": ("The JSON files of the runs directory", sidecars),
    "words": ("Words of these tables", words),
}


def pages() -> dict[str, str]:
    """Every page by its file's name, as it has to be."""
    said = "<!-- Made by docs/generate.py from the code; change the descriptions there. -->"
    return {f"{name}.md": f"{said}\n# {title}\n\n{make().rstrip()}\n" for name, (title, make) in PAGES.items()}


def differing() -> list[str]:
    """The pages that are not as they have to be, missing and left over ones too."""
    wanted = pages()
    found = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    return sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))


def recounted(text: str) -> str:
    """A text with a reading order, with the counts that hold now."""
    return COUNTED.sub(lambda found: f"{found['head']}{lines_of(found['path'])}", text)


def lines_of(path: str) -> int:
    return len((ROOT / path).read_text("utf-8").splitlines())


def main(arguments: list[str]) -> int:
    """Write what differs; with ``--check`` only tell it, and return 1."""
    stale = differing()
    if "--check" in arguments:
        for name in stale:
            print(f"docs/reference/{name} is out of step: run python -m windtunnel.docs.generate")
        return 1 if stale else 0
    FOLDER.mkdir(exist_ok=True)
    wanted = pages()
    for name in stale:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], "utf-8")
        else:
            (FOLDER / name).unlink()
        print(f"wrote docs/reference/{name}" if name in wanted else f"removed docs/reference/{name}")
    CONTRIBUTING.write_text(recounted(CONTRIBUTING.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

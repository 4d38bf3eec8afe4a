"""Scripts that cannot be played are refused when the pack is loaded, with the place inside the script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kit.drive import Bench, openai_bench, scripted_bench
from windtunnel.engine.runtimes.all_runtimes import runtime_named
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.problems import Problems

HINT = "(a script that means to call wrongly says `unchecked: true`)"
AT = "desk.yaml:3:5: agents.careful.script[0].do[0].call"


def faults_of(bench: Bench) -> list[str]:
    """Every fault of the bench's agent, as users read it."""
    problems = Problems()
    runtime_named(bench.agent.runtime).check(bench.agent, bench.pack, problems)
    return [str(problem) for problem in problems]


def calling(tool: str, args: Mapping[str, Any] | None = None, **more: Any) -> list[str]:
    """The faults of a script that makes one call."""
    call = {"tool": tool, **({} if args is None else {"args": args}), **more}
    return faults_of(scripted_bench({"do": [{"call": call}]}, case={"item": "tea"}))


def test_a_sound_script_has_no_fault() -> None:
    assert calling("client_lookup", {"query": "Bluewing"}) == []
    assert calling("clock", {}) == []
    assert calling("clock") == []
    assert calling("order", {"item": "tea", "count": 2}) == []


def test_a_tool_that_is_not_declared_is_refused_with_the_nearest_name() -> None:
    assert calling("client_lokup", {"query": "x"}) == [
        f"{AT}.tool: there is no tool 'client_lokup'; did you mean 'client_lookup'? {HINT}"
    ]


def test_a_missing_argument_is_named() -> None:
    assert calling("order", {"item": "tea"}) == [
        f"{AT}.args: the tool 'order' needs the argument 'count'; add it {HINT}"
    ]
    assert calling("client_lookup") == [
        f"{AT}.args: the tool 'client_lookup' needs the argument 'query'; add it {HINT}"
    ]


def test_an_argument_that_the_tool_has_not_is_named() -> None:
    assert calling("order", {"item": "tea", "count": 1, "nota": "x"}) == [
        f"{AT}.args.nota: the tool 'order' has no argument 'nota'; did you mean 'note'? {HINT}"
    ]
    assert calling("clock", {"zone": "CET"}) == [
        f"{AT}.args.zone: the tool 'clock' has no argument 'zone'; there is none {HINT}"
    ]


def test_literal_arguments_are_held_against_the_tools_schema() -> None:
    (number, word) = calling("order", {"item": "coffee", "count": 0})
    assert number.startswith(f"{AT}.args.count: ")
    assert word.startswith(f"{AT}.args.item: ")
    assert "'tea'" in word
    (kind,) = calling("client_lookup", {"query": 7})
    assert kind.startswith(f"{AT}.args.query: ")
    assert kind.endswith(f"; write a value that the tool takes {HINT}")


def test_the_type_of_a_template_is_not_known_before_it_is_rendered() -> None:
    assert calling("order", {"item": "{{ case.item }}", "count": "{{ turn }}"}) == []


def test_text_from_a_file_is_a_literal() -> None:
    (fault,) = calling("order", {"item": Inert("{{ case.item }}"), "count": 1})
    assert fault.startswith(f"{AT}.args.item: ")


def test_an_unchecked_call_may_be_wrong_in_every_way() -> None:
    assert calling("no_such_tool", {"anything": [1]}, unchecked=True) == []
    assert calling("order", {"cost": 1}, unchecked=True) == []


def test_every_text_of_a_script_is_checked_against_its_names() -> None:
    bench = scripted_bench(
        {
            "when": "usr == 'x'",
            "do": [
                {"say": "{% if turn %}{{ vars.clint }}{% endif %}"},
                {"call": {"tool": "client_lookup", "args": {"query": "{{ case.nam }}"}}},
            ],
        },
        debrief="{{ verdict }}",
        vars={"client": "Bluewing"},
        case={"name": "Ana"},
    )
    places = [fault.split(": ")[1] for fault in faults_of(bench)]
    assert places == [
        "agents.careful.debrief",
        "agents.careful.script[0].do[0].say",
        "agents.careful.script[0].do[1].call.args.query",
        "agents.careful.script[0].when",
    ]


def test_text_from_a_file_is_no_template() -> None:
    assert faults_of(scripted_bench({"do": [{"say": Inert("{{ no.such.name }} {% %}")}]})) == []


def test_all_names_of_a_script_pass() -> None:
    names = ("user", "turn", "turns", "calls", "session_id", "vars", "case", "now", "run_number", "result", "results")
    text = " ".join(f"{{{{ {name} }}}}" for name in names)
    assert faults_of(scripted_bench({"do": [{"say": text}]}, debrief=text)) == []


def test_an_openai_agent_keeps_to_its_sampling() -> None:
    bench = openai_bench("http://127.0.0.1:8080/v1", sampling={"temperature": 0, "messages": [], "stream": True})
    assert faults_of(bench) == [
        f"desk.yaml:3:5: agents.careful.sampling.{key}: '{key}' is set by the bench itself; {remedy}"
        for key, remedy in (("messages", "take it out of sampling"), ("stream", "write `stream: true` beside model"))
    ]


def test_an_address_that_is_written_out_is_checked() -> None:
    assert faults_of(openai_bench("127.0.0.1:8080")) == [
        "desk.yaml:3:5: agents.careful.base_url: base_url '127.0.0.1:8080' is not an address of an endpoint; "
        "write it like http://127.0.0.1:8080/v1"
    ]
    assert faults_of(openai_bench("{{ env.OPENAI_BASE_URL }}")) == []


def test_a_prompt_is_checked_against_its_names() -> None:
    text = "{{ vars.client }} {{ case.name }} {{ now }} {{ env.HOME | default('') }}"
    bench = openai_bench("http://127.0.0.1:8080/v1", system_prompt=f"{text} {{{{ user }}}}")
    bench.names = {"vars": {"client": "Bluewing"}, "case": {"name": "Ana"}}
    (fault,) = faults_of(bench)
    assert fault.startswith("desk.yaml:3:5: agents.careful.system_prompt: ")
    assert "'user'" in fault
    quiet = openai_bench("http://127.0.0.1:8080/v1", system_prompt=Inert("{{ user }}"))
    assert faults_of(quiet) == []

from __future__ import annotations

from kit.desk import Desk

MODEL = "tools: {look: {effect: read, input: {}, text: x}}\nguards: {g: {refuse_when: 'false', reason: no}}\n"


def agents(text: str) -> str:
    return f"kind: pack_part\nschema_version: 1\nagents:\n{text}"


def test_an_agent_inherits_deeply_and_lists_are_replaced(desk: Desk) -> None:
    desk.write(
        "agents.yaml",
        agents(
            "  base:\n"
            "    runtime: openai\n"
            "    description: The first.\n"
            "    role: helper\n"
            "    gate: false\n"
            "    guards: [g]\n"
            "    base_url: http://127.0.0.1:1/v1\n"
            "    model: m\n"
            "    sampling: {temperature: 0, stop: [a, b]}\n"
            "  child: {extends: base, sampling: {stop: [c], seed: 1}}\n"
            "  grandchild: {extends: child, description: The last., role: subject, gate: true, guards: [], model: n}\n"
        ),
    )
    pack = desk.load("include: [agents.yaml]\n", MODEL)
    child, grandchild = pack.agents["child"], pack.agents["grandchild"]
    assert (child.runtime, child.description, child.role, child.gate, child.guards) == (
        "openai",
        "The first.",
        "helper",
        False,
        ("g",),
    )
    assert child.settings == {
        "base_url": "http://127.0.0.1:1/v1",
        "model": "m",
        "sampling": {"temperature": 0, "stop": ["c"], "seed": 1},
    }
    assert (grandchild.description, grandchild.role, grandchild.gate, grandchild.guards) == (
        "The last.",
        "subject",
        True,
        (),
    )
    assert grandchild.settings["model"] == "n"
    assert pack.agents["base"].settings["sampling"] == {"temperature": 0, "stop": ["a", "b"]}


def test_an_inherited_file_is_looked_for_beside_the_document_that_names_it(desk: Desk) -> None:
    desk.write("parts/soul.md", "of the part")
    desk.write(
        "parts/a.yaml",
        agents("  base: {runtime: openai, base_url: 'http://x/v1', model: m, system_prompt: file://soul.md}\n"),
    )
    desk.write("b.yaml", agents("  child: {extends: base}\n"))
    pack = desk.load("include: [parts/a.yaml, b.yaml]\n")
    assert pack.agents["child"].settings["system_prompt"] == "of the part"


def test_agents_that_extend_nobody_or_each_other_are_told_once(desk: Desk) -> None:
    desk.write(
        "a.yaml",
        agents("  one: {extends: two}\n  two: {extends: one}\n  three: {extends: one}\n  four: {extends: carefull}\n"),
    )
    assert desk.faults("include: [a.yaml]\n") == [
        "a.yaml:5:18: agents.two.extends: agents extend each other in a circle: one -> two -> one; "
        "let one of them stand on its own",
        "a.yaml:7:19: agents.four.extends: there is no agent 'carefull' to extend; did you mean 'careful'?",
    ]


def test_what_the_whole_agent_lacks_or_does_not_know_is_told_after_merging(desk: Desk) -> None:
    desk.write("a.yaml", agents("  odd: {extends: careful, model: m}\n  base: {extends: odd}\n"))
    assert desk.faults("include: [a.yaml]\n") == [
        "a.yaml:4:27: agents.odd.model: unknown key 'model'; known here: debrief, description, extends, gate, guards, "
        "role, runtime, script"
    ]


def test_a_fault_that_is_inherited_is_told_where_it_is_written(desk: Desk) -> None:
    desk.write("a.yaml", agents("  base: {extends: careful, guards: [gg]}\n  child: {extends: base}\n"))
    assert desk.faults("include: [a.yaml]\n", MODEL) == [
        "a.yaml:4:37: agents.base.guards[0]: there is no guard 'gg'; guards: g"
    ]


def test_headers_that_begin_with_x_are_inherited_and_free_keys_are_not(desk: Desk) -> None:
    desk.write(
        "a.yaml",
        agents(
            "  base:\n"
            "    runtime: openai\n"
            "    base_url: http://x/v1\n"
            "    model: m\n"
            "    x-note: mine\n"
            "    meta: {a: 1}\n"
            "    headers: {x-api-key: k, meta: n}\n"
            "  child: {extends: base, headers: {other: o}}\n"
        ),
    )
    pack = desk.load("include: [a.yaml]\n")
    assert pack.agents["child"].settings == {
        "base_url": "http://x/v1",
        "model": "m",
        "headers": {"other": "o", "x-api-key": "k", "meta": "n"},
    }

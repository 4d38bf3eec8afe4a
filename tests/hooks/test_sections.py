"""A reply that numbers its answers is split; any other stays whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from windtunnel.hooks.debrief.sections import split_sections
from windtunnel.schemas.hook_documents import Question

ASK = (
    Question(about="environment", question="a"),
    Question(about="blockers", question="b"),
    Question(about="steering", question="c"),
)
THREE = [
    {"n": 1, "about": "environment", "text": "No."},
    {"n": 2, "about": "blockers", "text": "Nothing."},
    {"n": 3, "about": "steering", "text": "Look first."},
]


@pytest.mark.parametrize(
    "reply",
    [
        "1. No.\n2. Nothing.\n3. Look first.",
        "1) No.\n2) Nothing.\n3) Look first.",
        "(1) No.\n(2) Nothing.\n(3) Look first.\n",
        "**1.** No.\n\n**2.** Nothing.\n\n**3.** Look first.",
        "**1**\nNo.\n**2**\nNothing.\n**3**\nLook first.",
        "## 1:\nNo.\n## 2:\nNothing.\n## 3:\nLook first.",
        "Q1: No.\nQ2: Nothing.\nQ3: Look first.",
        "1. No. 2. Nothing. 3. Look first.",
        "Sure: (1) No. (2) Nothing. (3) Look first.",
        "1. No. 2. Nothing.\n3. Look first.",
        "Here you are.\r\n1. No.\r\n2. Nothing.\r\n3. Look first.\r\n",
    ],
)
def test_numbered_answers_are_split_however_they_are_numbered(reply: str) -> None:
    assert split_sections(reply, ASK) == THREE


def test_a_list_inside_an_answer_stays_part_of_it() -> None:
    reply = "1. No.\n2. Two things:\n1. a name\n2. a date\n3. Look first."
    assert [section["text"] for section in split_sections(reply, ASK)] == [
        "No.",
        "Two things:\n1. a name\n2. a date",
        "Look first.",
    ]


def test_a_number_inside_a_sentence_begins_no_answer() -> None:
    reply = "1. It needs version 2. or later, and costs 3. 2. No. 3. Look first."
    assert [section["text"] for section in split_sections(reply, ASK)] == [
        "It needs version 2. or later, and costs 3.",
        "No.",
        "Look first.",
    ]


def test_an_answer_that_was_left_out_has_no_section() -> None:
    assert [section["n"] for section in split_sections("1. No.\n3. Look first.", ASK)] == [1, 3]


@pytest.mark.parametrize("reply", ["", "No error at all.", "2. Nothing.", "In 2026 it was", "10. ten", "1.5 is it"])
def test_a_reply_without_numbers_has_no_sections(reply: str) -> None:
    assert split_sections(reply, ASK) == []


@given(st.text(alphabet="123.)(*# \nab:"))
def test_no_reply_breaks_the_split(reply: str) -> None:
    numbers = [section["n"] for section in split_sections(reply, ASK)]
    assert numbers == sorted(set(numbers))

"""``number`` reads a number in every way that it can be meant, and says which way held."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.judged import call, check, told, trace
from windtunnel.engine.scoring.readings import readings
from windtunnel.engine.scoring.units import currency_before

READ = [
    ("It is 20.", ["20"]),
    ("20, thanks", ["20"]),
    ("1,234.5", ["1234.5"]),
    ("1.234,5", ["1234.5"]),
    ("1'234.5", ["1234.5"]),
    ("1’234’567", ["1234567"]),
    ("1 234,5", ["1", "1234.5", "234.5"]),
    ("1\u202f234,5", ["1234.5"]),
    ("1\u00a0234\u00a0567", ["1234567"]),
    ("12,34,567.89", ["1234567.89"]),
    ("1,234", ["1.234", "1234"]),
    ("1.234", ["1.234", "1234"]),
    ("0.500", ["0.500"]),
    ("12.50", ["12.50"]),
    ("1,234,567", ["1234567"]),
    ("1,2,3", ["1", "2", "3"]),
    ("1.2.3", []),
    ("192.168.1.10", []),
    ("v1.2.3-4", ["4"]),
    ("-5", ["-5"]),
    ("−5", ["-5"]),
    ("a -5 b", ["-5"]),
    ("- 5 eggs", ["5"]),
    ("5-10", ["5", "10"]),
    ("5–10", ["5", "10"]),
    ("x –5", ["5", "-5"]),
    ("-$5", ["-5"]),
    ("$-5", ["-5"]),
    ("+5", ["5"]),
    ("ORD-7001", ["7001"]),
    ("H2O", []),
    ("7f3a9", []),
    ("20kg", ["20"]),
    ("20x30", ["20", "30"]),
    ("EUR49.90", ["49.90"]),
    ("約20円", ["20"]),
    ("٤٩", ["49"]),
    ("２０", ["20"]),
    ("10²", ["10"]),
    ("½", []),
    (".5", ["0.5"]),
    ("1e3", ["1E+3"]),
    ("12_345", ["12345"]),
    ("3rd", ["3"]),
    ("2026-03-02", ["2026", "3", "2"]),
    ("**20**", ["20"]),
    ("", []),
    ("7\n000", ["7", "0"]),
]


@pytest.mark.parametrize(("text", "values"), READ)
def test_numbers_are_read_as_people_write_them(text: str, values: list[str]) -> None:
    assert [str(reading.value) for reading in readings(text, currency_before())] == values


@pytest.mark.parametrize(
    ("reply", "keys", "passed", "detail"),
    [
        (
            "It costs 49,90 EUR.",
            {"value": 49.9, "unit": "EUR", "tolerance": 0},
            True,
            'number 49.9 EUR: "49,90 EUR" in the reply reads as 49.90',
        ),
        (
            "It costs €49.90.",
            {"value": 49.9, "unit": "EUR"},
            True,
            'number 49.9 EUR: "49.90" in the reply reads as 49.90',
        ),
        (
            "That is 4.50 euros.",
            {"value": 4.5, "unit": "EUR"},
            True,
            'number 4.5 EUR: "4.50 euros" in the reply reads as 4.50',
        ),
        (
            "It costs 49.90 USD.",
            {"value": 49.9, "unit": "EUR"},
            False,
            "number 49.9 EUR: no number in EUR in the reply",
        ),
        (
            "It costs 480 EUR.",
            {"value": 49.9, "unit": "EUR"},
            False,
            "number 49.9 EUR: not in the reply, which has 480 with EUR",
        ),
        (
            "EUR 5 of **20** EUR",
            {"value": 20, "unit": "EUR"},
            True,
            'number 20 EUR: "20** EUR" in the reply reads as 20',
        ),
        ("about 1,234 rows", {"value": 1234}, True, 'number 1234: "1,234" in the reply reads as 1234'),
        ("about 1,234 m", {"value": 1.234, "unit": "m"}, True, 'number 1.234 m: "1,234 m" in the reply reads as 1.234'),
        ("rows 1 2 3 4 5 6 7", {"value": 9}, False, "number 9: not in the reply, which has 1, 2, 3, 4, 5 and more"),
        ("none", {"value": 9}, False, "number 9: no number in the reply"),
        ("It is 2026.", {"value": 20}, False, "number 20: not in the reply, which has 2026"),
        (
            "3.1416",
            {"value": 3.14, "tolerance": 0.01},
            True,
            'number 3.14 ± 0.01: "3.1416" in the reply reads as 3.1416',
        ),
        ("3.1416", {"value": 3.14}, False, "number 3.14: not in the reply, which has 3.1416"),
        ("20 ms", {"value": 20, "unit": "m"}, False, "number 20 m: no number in m in the reply"),
        ("1 hour", {"value": 1, "unit": "hours"}, True, 'number 1 hours: "1 hour" in the reply reads as 1'),
        ("a 14-day trial", {"value": 14, "unit": "days"}, True, 'number 14 days: "14-day" in the reply reads as 14'),
        ("20 %", {"value": 20, "unit": "%"}, True, 'number 20 %: "20 %" in the reply reads as 20'),
        ("−5 °C", {"value": -5, "unit": "°C"}, True, 'number -5 °C: "−5 °C" in the reply reads as -5'),
        ("-5", {"value": 5}, False, "number 5: not in the reply, which has -5"),
    ],
)
def test_the_finding_says_which_number_held_or_which_were_there(
    reply: str, keys: dict[str, Any], passed: bool, detail: str
) -> None:
    assert told(trace(reply), check("number", **keys)) == (passed, detail)
    assert told(trace(reply), check("not-number", **keys))[0] is not passed


def test_value_and_unit_may_come_from_a_case() -> None:
    made = check("number", value="{{ case.price }}", unit="{{ case.unit }}")
    assert told(trace("4,50 €"), made, case={"price": "4.5", "unit": "EUR"})[0] is True
    assert told(trace("4,50 €"), made, case={"price": "four", "unit": "EUR"}) == (
        "error",
        'number four EUR: value is no number: "four" (text)',
    )


@pytest.mark.parametrize("value", [True, "NaN", "inf", None, [1]])
def test_what_is_no_number_is_an_error_of_the_grader(value: Any) -> None:
    assert told(trace("1"), check("number", value=value))[0] == "error"


def test_a_number_that_of_gives_is_a_number() -> None:
    assert told(trace("x", calls=[call("t", {"n": 0})]), check("number", of="calls[0].args.n", value=0))[0] is True


def test_endless_digits_and_exponents_neither_hang_nor_raise() -> None:
    reply = "9" * 60_000 + " " + "1 " * 20_000 + "1e9999 " + "1," * 5_000 + "-" * 5_000
    assert told(trace(reply), check("number", value=7))[0] is False


@given(st.decimals(min_value=-(10**12), max_value=10**12, allow_nan=False, places=2), st.sampled_from(["{:,}", "{}"]))
def test_a_number_is_found_however_its_thousands_and_decimals_are_written(value: Decimal, form: str) -> None:
    english = form.format(value)
    swiss = english.replace(",", "’")
    german = english.translate(str.maketrans(",.", ".,"))
    french = english.translate(str.maketrans(",.", "\u202f,"))
    for written in (english, swiss, german, french, german.replace("-", "−")):
        found = [reading.value for reading in readings(f"So: {written} EUR.", currency_before())]
        assert value in found, (written, found)


@given(st.text(alphabet="0123456789.,'’ -−–eExX$€EUR\u00a0", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for reading in readings(text, currency_before()):
        assert reading.value.is_finite()
        assert 0 <= reading.start <= reading.digits < reading.end <= len(text)

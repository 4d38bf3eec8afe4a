"""Secrets are masked in text and data, and too short ones are refused."""

from __future__ import annotations

import json

import pytest
from windtunnel.schemas.errors import UsageFault
from windtunnel.schemas.secrets import Secrets


@pytest.fixture
def secrets() -> Secrets:
    found = Secrets()
    found.add("TOKEN", "abcdefgh")
    return found


def test_a_secret_is_masked_wherever_it_stands(secrets: Secrets) -> None:
    assert secrets.mask("Bearer abcdefgh, abcdefghi") == "Bearer ***, ***i"


def test_a_secret_is_masked_in_nested_values_and_keys(secrets: Secrets) -> None:
    assert secrets.mask_value({"xabcdefgh": ["abcdefgh", {"n": 1}], "t": ("abcdefgh",)}) == {
        "x***": ["***", {"n": 1}],
        "t": ["***"],
    }


def test_a_longer_secret_is_masked_before_one_inside_it(secrets: Secrets) -> None:
    secrets.add("LONGER", "abcdefgh-and-more")
    assert secrets.mask("abcdefgh-and-more") == "***"


def test_a_secret_is_masked_in_json_text_too(secrets: Secrets) -> None:
    secrets.add("QUOTED", 'pass"word\n1')
    assert secrets.mask(json.dumps({"t": 'pass"word\n1'})) == '{"t": "***"}'


def test_a_line_end_around_a_secret_does_not_show_it(secrets: Secrets) -> None:
    secrets.add("FROM_FILE", "qwertyuiop\n")
    assert secrets.mask("qwertyuiop") == "***"


@pytest.mark.parametrize("shown", [
    "Error: no route for abcdefghij",
    "Error: no route for abcdefgh… [cut, 52428800 characters in all]",
    "Error: no route for abcdefghijk-lmnop… [cut, 52428800 characters in all]",
])
def test_what_a_cut_left_of_a_secret_is_masked(shown: str) -> None:
    found = Secrets()
    found.add("TOKEN", "abcdefghijk-lmnop")
    assert found.mask(shown).removesuffix("… [cut, 52428800 characters in all]") == "Error: no route for ***"


@pytest.mark.parametrize("shown", [
    "GET /v1?key=p%C3%A4ss+word%2F1%22 failed", "GET /v1?key=p%C3%A4ss%20word%2F1%22 failed",
    'GET /v1?key=p\\u00e4ss word/1\\" failed', "GET /v1?key=päss word/1\" failed",
])
def test_a_secret_is_masked_as_addresses_and_ascii_json_write_it(shown: str) -> None:
    found = Secrets()
    found.add("TOKEN", 'päss word/1"')
    assert found.mask(shown) == "GET /v1?key=*** failed"


def test_a_secret_of_several_lines_is_masked_on_one_line_too() -> None:
    found = Secrets()
    found.add("PEM", "-----BEGIN\nabc\ndef\n")
    assert found.mask("ValueError: -----BEGIN abc def is no key") == "ValueError: *** is no key"


def test_a_secret_that_is_a_number_is_masked_as_a_number() -> None:
    found = Secrets()
    found.add("PIN", "12345678")
    assert found.mask_value({"pin": 12345678, "n": 1234567, "ok": True}) == {"pin": "***", "n": 1234567, "ok": True}


def test_a_secret_that_is_no_text_is_masked_however_its_bytes_are_shown() -> None:
    found = Secrets()
    found.add("TOKEN", b"abcdefgh\xff".decode("utf-8", "surrogateescape"))
    assert [found.mask(shown) for shown in ("abcdefgh\udcff", "abcdefgh\\udcff", "abcdefgh\ufffd")] == ["***"] * 3


def test_two_keys_that_differ_in_a_secret_alone_are_both_kept(secrets: Secrets) -> None:
    secrets.add("OTHER", "ijklmnop")
    assert secrets.mask_value({"abcdefgh": 1, "ijklmnop": 2}) == {"***": 1, "***'": 2}


def test_without_secrets_a_value_is_given_back_as_it_is() -> None:
    value = {"a": [1]}
    assert Secrets().mask_value(value) is value
    assert not Secrets()


def test_a_short_secret_is_a_fault_that_names_the_variable() -> None:
    with pytest.raises(UsageFault) as caught:
        Secrets().add("PIN", "1234")
    assert str(caught.value) == (
        "the secret in variable PIN has 4 characters: a secret needs at least 8; "
        "set PIN to a longer one, or drop secret(...) where it is no secret"
    )

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

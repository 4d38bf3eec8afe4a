"""Settings of agents: variables where they are declared, secrets masked, defaults not."""

from __future__ import annotations

from typing import Any

import pytest
from windtunnel.schemas.documents import Inert
from windtunnel.schemas.errors import TemplateFault
from windtunnel.schemas.secrets import Secrets
from windtunnel.schemas.templates import env_names, render_setting

ENV = {"TOKEN": "abcdefgh", "OTHER": "ijklmnop", "PIN": "1234", "URL": "http://127.0.0.1", "EMPTY": ""}


def rendered(value: Any) -> tuple[Any, str]:
    """The setting, and what is then left of a text that holds every variable."""
    secrets = Secrets()
    found = render_setting(value, {"vars": {"v": 1}}, ENV, secrets)
    return found, secrets.mask("abcdefgh ijklmnop http://127.0.0.1 fallback-text")


NOTHING_HIDDEN = "abcdefgh ijklmnop http://127.0.0.1 fallback-text"


@pytest.mark.parametrize(
    ("value", "found", "masked"),
    [
        ("{{ env.URL }}/v1", "http://127.0.0.1/v1", NOTHING_HIDDEN),
        ("{{ env.NOT_SET | default('x') }}", "x", NOTHING_HIDDEN),
        ("Bearer {{ secret(env.TOKEN) }}", "Bearer abcdefgh", "*** ijklmnop http://127.0.0.1 fallback-text"),
        ("{{ secret(env.NOT_SET | default('fallback-text')) }}", "fallback-text", NOTHING_HIDDEN),
        ("{{ secret(env.TOKEN | default('none')) }}", "abcdefgh", "*** ijklmnop http://127.0.0.1 fallback-text"),
        ("{{ secret(env['TOKEN'] ~ '-' ~ env.OTHER) }}", "abcdefgh-ijklmnop", "*** *** http://127.0.0.1 fallback-text"),
        ("{{ secret(env.NOT_SET | default(env.OTHER)) }}", "ijklmnop", "abcdefgh *** http://127.0.0.1 fallback-text"),
        (
            {"a": ["{{ vars.v }}", 5, None], "b": Inert("{{ env.URL }}")},
            {"a": [1, 5, None], "b": "{{ env.URL }}"},
            NOTHING_HIDDEN,
        ),
    ],
)
def test_a_setting_takes_variables_and_hides_secrets(value: Any, found: Any, masked: str) -> None:
    assert rendered(value) == (found, masked)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            "{{ env.NOT_SET }}",
            "{{ env.NOT_SET }}: the variable NOT_SET is not set; set it, or write env.NOT_SET | default(...)",
        ),
        (
            "{{ secret(env.NOT_SET) }}",
            "{{ secret(env.NOT_SET) }}: the variable NOT_SET is not set; set it, or write env.NOT_SET | default(...)",
        ),
        (
            "{{ secret(env.PIN) }}",
            "{{ secret(env.PIN) }}: the secret in variable PIN has 4 characters: a secret needs at least 8; "
            "set PIN to a longer one, or drop secret(...) where it is no secret",
        ),
        (
            "{{ secret(env.EMPTY) }}",
            "{{ secret(env.EMPTY) }}: the secret in variable EMPTY has 0 characters: a secret needs at least 8; "
            "set EMPTY to a longer one, or drop secret(...) where it is no secret",
        ),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(value: str, told: str) -> None:
    with pytest.raises(TemplateFault) as caught:
        rendered(value)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("{{ env.A }}{{ env['B'] }}", {"A", "B"}),
        ("{{ env.A | default('x') }}", set()),
        ("{{ secret(env.A | default('x')) }}", set()),
        ({"a": ["Bearer {{ secret(env.A) }}"], "b": ("{{ env.B }}",)}, {"A", "B"}),
        ("{% if env.A is defined %}{{ env.A }}{% endif %}{{ env.B }}", {"B"}),
        ("{{ env.A | default(env.B) }}", {"B"}),
        (Inert("{{ env.A }}"), set()),
        ("{{ broken", set()),
        (5, set()),
    ],
)
def test_the_variables_that_must_be_set_are_known_beforehand(value: Any, names: set[str]) -> None:
    assert env_names(value) == names

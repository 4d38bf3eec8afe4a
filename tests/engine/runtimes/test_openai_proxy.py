"""Which proxy is taken for which address."""

from __future__ import annotations

import pytest
from windtunnel.engine.runtimes.openai_proxy import is_loopback, proxy_for

ENV = {
    "HTTP_PROXY": "http://proxy.example:3128",
    "https_proxy": "proxy.example:3129",
    "HTTPS_PROXY": "http://other.example:1",
}


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LocalHost.",
        "a.localhost",
        "127.0.0.1",
        "127.9.8.7",
        "::1",
        "::ffff:127.0.0.1",
        "0.0.0.0",  # noqa: S104 - nothing is bound
        "127.1",
        "2130706433",
    ],
)
def test_loopback_addresses_are_known_in_every_form(host: str) -> None:
    assert is_loopback(host)
    shown = f"[{host}]" if ":" in host else host
    assert proxy_for(f"http://{shown}:8080/v1", {**ENV, "ALL_PROXY": "http://all.example:1"}) is None


@pytest.mark.parametrize(
    "host", ["localhost.example", "128.0.0.1", "10.0.0.1", "api.example", "::2", "notlocalhost", ""]
)
def test_other_addresses_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_a_proxy_goes_by_the_scheme_and_lower_case_wins() -> None:
    assert proxy_for("http://api.example/v1", ENV) == "http://proxy.example:3128"
    assert proxy_for("https://api.example/v1", ENV) == "http://proxy.example:3129"


def test_all_proxy_serves_where_the_scheme_has_none() -> None:
    assert proxy_for("https://api.example/v1", {"all_proxy": "http://all.example:1"}) == "http://all.example:1"
    assert proxy_for("https://api.example/v1", {}) is None


@pytest.mark.parametrize("no_proxy", ["*", "api.example", ".example", "other, API.example", "api.example:8443"])
def test_no_proxy_is_honoured(no_proxy: str) -> None:
    assert proxy_for("https://api.example:8443/v1", {**ENV, "NO_PROXY": no_proxy}) is None


def test_no_proxy_for_another_host_changes_nothing() -> None:
    assert proxy_for("https://api.example/v1", {**ENV, "no_proxy": "elsewhere.example"}) == "http://proxy.example:3129"

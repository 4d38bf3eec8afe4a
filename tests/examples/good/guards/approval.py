"""Guards of python_guards.yaml: plain functions and classes that answer None, or Refuse with a reason."""

from __future__ import annotations

from typing import Any

from windtunnel.hooks import Refuse


def no_sends_unread(tool: dict[str, Any], calls: list[dict[str, Any]]) -> Refuse | None:
    """Refuse to send anything before something was looked up."""
    if tool["effect"] == "external-send" and not any(call["effect"] == "read" for call in calls):
        return Refuse("Look it up before you send anything.")
    return None


class NoStrangers:
    """Refuse a recipient that is no client. A guard may ask for any of the fields, and set a deadline of its own."""

    timeout_s = 5

    def guard_tool_call(self, args: dict[str, Any], world: dict[str, list[dict[str, Any]]]) -> Refuse | None:
        known = {client["email"] for client in world["clients"]}
        if args.get("to", next(iter(known))) not in known:
            return Refuse(f"{args['to']} is no client of ours.")
        return None

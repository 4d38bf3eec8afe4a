"""Hold a mapping or list that is still open, and put into it what was read."""

from __future__ import annotations

from typing import Any

from .marks import Branch


class _Sign:
    """Stands where a key would, and is none."""


NO_KEY = _Sign()  # a key comes next
MERGE = _Sign()  # the key was <<
DROPPED = _Sign()  # the key was refused; its value is read and left out


class Frame:
    """An open mapping or list, with the place of all that it holds."""

    __slots__ = ("anchor", "branch", "is_key", "key", "key_place", "merges", "value")

    def __init__(self, value: Any, branch: Branch, anchor: str | None, *, is_key: bool = False) -> None:
        self.value = value
        self.branch = branch
        self.anchor = anchor
        self.is_key = is_key  # it stands where only text may, and is read to be dropped
        self.key: Any = NO_KEY
        self.key_place: Any = None
        self.merges: list[tuple[Any, Branch]] | None = None

    @property
    def wants_key(self) -> bool:
        return self.key is NO_KEY and self.branch.keys is not None

    def take(self, value: Any, node: Any) -> None:
        """The next entry of a list, or the value of the last key."""
        if self.branch.keys is None:
            self.value.append(value)
            self.branch.items.append(node)
            return
        key, self.key = self.key, NO_KEY
        if type(key) is str:
            self.value[key] = value
            self.branch.items[key] = node
            self.branch.keys[key] = self.key_place

    def merge(self) -> None:
        """Lay the mapping's own keys over the merged ones; of those, the first that has a key wins. Shallow."""
        assert self.branch.keys is not None  # noqa: S101 - only a mapping can have met the key <<
        own = dict(self.value), dict(self.branch.items), dict(self.branch.keys)
        for value, node in reversed(self.merges or []):
            self._lay(value, node.items, node.keys or {})
        self._lay(*own)

    def _lay(self, value: dict[str, Any], items: dict[str, Any], keys: dict[str, Any]) -> None:
        self.value.update(value)
        self.branch.items.update(items)
        self.branch.keys = {**(self.branch.keys or {}), **keys}

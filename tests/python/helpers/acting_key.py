# SPDX-License-Identifier: Apache-2.0
"""A key of Map and Dict that acts while it is compared."""

from __future__ import annotations

from collections.abc import Callable


class Key:
    """Equal to keys of the same name; acts before each comparison and, if told so, each hash."""

    act: Callable[[], object] | None = None
    act_in_hash = False

    def __init__(self, name: object, hash: int = 1) -> None:
        self.name = name
        self.hash = hash

    def __eq__(self, other: object) -> bool:
        if Key.act is not None:
            Key.act()
        return isinstance(other, Key) and self.name == other.name

    def __hash__(self) -> int:
        if Key.act_in_hash and Key.act is not None:
            Key.act()
        return self.hash

    def __repr__(self) -> str:
        return f"Key({self.name!r})"

    @classmethod
    def calm(cls) -> None:
        """Let no key act any more."""
        cls.act = None
        cls.act_in_hash = False

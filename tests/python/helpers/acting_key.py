# SPDX-License-Identifier: Apache-2.0
"""Keys of Map and Dict and elements of sequences that act while they are compared."""

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


class Slips:
    """Leaves its container when it is compared, as `leave` says, and acts when it is dropped."""

    def __init__(self, leave: Callable[[], object], act: Callable[[], object], equal: bool) -> None:
        self.leave, self.act, self.equal = leave, act, equal

    def __eq__(self, other: object) -> bool:
        self.leave()
        return self.equal

    __hash__ = object.__hash__

    def __del__(self) -> None:
        self.act()


class Element:
    """Compares as told."""

    def __init__(self, answer: bool, act: Callable[[], object] = lambda: None) -> None:
        self.answer = answer
        self.act = act

    def __eq__(self, other: object) -> bool:
        self.act()
        return self.answer

    def __lt__(self, other: object) -> bool:
        self.act()
        return self.answer

    __hash__ = None  # type: ignore[assignment]

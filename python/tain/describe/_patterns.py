# SPDX-License-Identifier: Apache-2.0
"""Patterns of C++ names, as the settings of ``python -m tain describe`` have them.

A pattern is the qualified name of a declaration. ``*`` stands for any characters, also ``::``;
``lib::f(int, double)`` names one overload. In a parameter list, a ``*`` after the name of a type is
that of a pointer. Spaces do not matter where C++ does not need them.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Generic, TypeVar

__all__ = [
    "Pattern",
    "Patterns",
    "PropertyRule",
    "Renames",
    "by_last_part",
    "last_part",
    "near",
    "normal_name",
]

V = TypeVar("V")

_SPACE = re.compile(r"(?<=[\w$])\s+(?=[\w$])|\s+")
_QUALIFIERS = re.compile(r"(?:\s*(?:\bconst|\bvolatile|\bnoexcept|&&?))+$")
_WILDCARD = "\0"


def normal_name(name: str) -> str:
    """Return a C++ name with the spaces that it needs, and without a leading ``::``."""
    name = _SPACE.sub(lambda space: " " if _between_words(space) else "", name.strip())
    return name.removeprefix("::")


def _between_words(space: re.Match[str]) -> bool:
    text, start, end = space.string, space.start(), space.end()
    if start == 0 or end >= len(text):
        return False
    return all(char.isalnum() or char in "_$" for char in (text[start - 1], text[end]))


def _list_at(name: str) -> int:
    """Return where the parameter list of a normal name begins, or -1: the name has none."""
    end = len(_unqualified(name))
    if not name.endswith(")", 0, end):
        return -1
    depth = 0
    for i in range(end - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(name[i], 0)
        if depth == 0:
            before = name[:i]
            unnamed = not before or before.endswith("::")  # (anonymous namespace)
            call = re.search(r"(?<!\w)operator$", before)  # operator() without a list
            return -1 if unnamed or call else i
    return -1


def _unqualified(name: str) -> str:
    """Return a name without the ``const`` or ``&`` after its parameter list."""
    shorter = _QUALIFIERS.sub("", name)
    return shorter if shorter.endswith(")") else name


@lru_cache(maxsize=4096)  # each name is compared with all patterns
def _forms(name: str) -> tuple[str, str, str]:
    """Return a name without its parameter list, with it (or ""), and with what follows it."""
    name = normal_name(name)
    at = _list_at(name)
    return (name[:at], _unqualified(name), name) if at >= 0 else (name, "", "")


class Pattern:
    """One pattern, compiled; it knows whether a declaration has matched it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.normal = normal_name(text)
        at = _list_at(self.normal)
        self._listed = at >= 0
        head, tail = (self.normal[:at], self.normal[at:]) if at >= 0 else (self.normal, "")
        # In a parameter list `char*` is a pointer, `*` and `lib::*` are any text.
        marked = head.replace("*", _WILDCARD) + re.sub(r"(?<![\w>*\]$])\*", _WILDCARD, tail)
        self._pieces = marked.split(_WILDCARD)
        self._qualified = self._listed and _unqualified(self.normal) != self.normal
        self.wildcards = len(self._pieces) - 1
        self.used = False

    def match(self, name: str) -> list[str] | None:
        """Return what the wildcards match in a name, or None: it does not match."""
        return self.match_forms(*_forms(name))

    def match_forms(self, plain: str, listed: str, qualified: str) -> list[str] | None:
        """Return what `match` does, for what `_forms` says of a name."""
        if not self._listed:
            return self._captured(plain)
        return self._captured(qualified if self._qualified else listed) if listed else None

    def _captured(self, name: str) -> list[str] | None:
        if not name.startswith(self._pieces[0]):
            return None
        first, *rest = self._pieces
        if not rest:
            return [] if name == first else None
        last = rest.pop()
        end = len(name) - len(last)
        if end < len(first) or not name.endswith(last):
            return None
        captured, at = [], len(first)
        for piece in rest:  # the first place of each piece: if a later one fits, this does
            found = name.find(piece, at, end)
            if found < 0:
                return None
            captured.append(name[at:found])
            at = found + len(piece)
        return [*captured, name[at:end]]


class Patterns(Generic[V]):
    """An ordered mapping of patterns to values.

    Parameters
    ----------
    items : mapping or iterable of pairs, optional
        The patterns and their values, in the order in which they are tried.
    """

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        pairs = items.items() if isinstance(items, Mapping) else items
        self._rules = [(Pattern(text), value) for text, value in pairs]

    def get(self, *names: str) -> V | None:
        """Return the value of the first pattern that matches one of the names, or None.

        All patterns that match are marked as used, also those that come too late.
        """
        found: V | None = None
        forms = [_forms(name) for name in names] if self._rules else []
        for pattern, value in self._rules:
            if found is not None and pattern.used:
                continue
            for form in forms:
                captured = pattern.match_forms(*form)
                given = None if captured is None else self._value(value, captured)
                if given is not None:
                    pattern.used = True
                    found = given if found is None else found
                    break
        return found

    def _value(self, value: V, captured: list[str]) -> V | None:
        return value

    def items(self) -> Iterator[tuple[str, V]]:
        """Return the patterns and their values, in order."""
        return ((pattern.text, value) for pattern, value in self._rules)

    def unused(self) -> list[str]:
        """Return the patterns that have matched nothing."""
        return [pattern.text for pattern, _ in self._rules if not pattern.used]

    def __bool__(self) -> bool:
        return bool(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Patterns) and list(self.items()) == list(other.items())

    def __hash__(self) -> int:
        return hash(tuple(pattern.text for pattern, _ in self._rules))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.items())!r})"


class Renames(Patterns[str]):
    """Patterns whose values are names, in which ``*`` is what the ``*`` of the pattern matched."""

    def _value(self, value: str, captured: list[str]) -> str | None:
        if "*" not in value:
            return value
        name = value.replace("*", captured[0])
        return name if name.isidentifier() else None  # `*` has matched `xml_node::child`


@dataclasses.dataclass(frozen=True)
class PropertyRule:
    """Member functions that become a property: ``"get*" = "set*"``.

    A pattern without ``::`` is compared with the name alone. Its last ``*`` is the part that getter
    and setter have in common, and begins a word: ``is*`` matches ``isOpen``, but not ``isolate``.

    Attributes
    ----------
    getter : str
        The pattern of the getters.
    setter : str or None
        The name of their setters, in which ``*`` is the common part; None: there is none.
    """

    getter: str
    setter: str | None = None
    _scope: Pattern | None = dataclasses.field(init=False, repr=False, compare=False)
    _last: Pattern = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        last = last_part(normal_name(self.getter))
        scope = normal_name(self.getter)[: -len(last)]
        object.__setattr__(self, "_scope", Pattern(scope) if scope else None)
        object.__setattr__(self, "_last", Pattern(last))

    @property
    def used(self) -> bool:
        """Whether a member function has matched."""
        return self._last.used

    def match(self, *names: str) -> tuple[str, str | None] | None:
        """Return the C++ name of the property and its setter, or None: no name matches."""
        for name in map(normal_name, names):
            at = _list_at(name)
            last = last_part(name[:at] if at >= 0 else name)
            captured = self._last.match(last + name[at:] if at >= 0 else last)
            scope = name[: name.rindex(last)] if at < 0 else name[: at - len(last)]
            if captured is None or (self._scope and self._scope.match(scope) is None):
                continue
            common = captured[-1] if captured else last
            prefix = last[: -len(common)] if captured and last.endswith(common) else ""
            if not common.strip("_") or (prefix[-1:].islower() and common[0].islower()):
                continue
            self._last.used = True
            setter = None if self.setter is None else last_part(self.setter.replace("*", common))
            return common.lstrip("_") if prefix else common, setter
        return None


def last_part(name: str) -> str:
    """Return ``c`` of ``a::b<x::y>::c``."""
    return re.split(r"::(?![^<]*>)", name)[-1]


def by_last_part(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names, sorted, by their last part: that of ``a::f(int)`` is ``f``."""
    found: dict[str, list[str]] = {}
    for name in sorted(set(map(normal_name, names))):
        found.setdefault(last_part(_forms(name)[0]), []).append(name)
    return found


def near(text: str, known: Mapping[str, list[str]]) -> str:
    """Return `` (near: a, b)`` with the names of `by_last_part` that a pattern may mean."""
    plain, listed, _ = _forms(text)
    bare = plain.replace("*", "").strip(":")
    last = last_part(bare)
    parts = difflib.get_close_matches(last, known, n=8, cutoff=0.7) if bare else []
    names = [name for part in parts for name in known[part]]
    ends = [name for name in names if name.endswith(f"::{normal_name(text)}")]
    overloads = [name for name in names if listed and name.startswith(f"{bare}(")]
    others = [name for name in names if listed or not _forms(name)[1]][:2000]
    close = difflib.get_close_matches(bare, others, n=3, cutoff=0.75)
    found = list(dict.fromkeys([*ends, *overloads, *close]))[:3]
    return f" (near: {', '.join(found)})" if found else ""

# SPDX-License-Identifier: Apache-2.0
"""Two graphs, part by part: which parts belong together, and which differ.

Objects that stand at the same place in both graphs are a pair, and the parts of a pair are paired
in turn, each pair of objects once. So the pairs are a graph of their own, perhaps with cycles. A
pair differs if it leads to a difference; that is found by going back from the differences, so
cycles and any depth are no matter.

Which elements of two sequences belong together is found by the first few lines of each. That is a
guess; whether what belongs together is equal is not.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from tain import Function, Tensor, structural_equal, tensor
from tain._checks import loaded
from tain._show.leaves import Unreadable, leaf_text, type_name
from tain._show.parts import ALL, Content, Entry, Part, content_of, identity_of, is_object
from tain._show.rows import pieces_of, rows_of

__all__ = ["MISSING", "Link", "Missing", "Pair", "compare"]

_LINES = 8  # of an element, by which its counterpart is found
_SEARCH = 10**6  # comparisons of elements; longer sequences are paired by position


class Missing:
    """Stands for the other side of a part that only one graph has."""

    def __repr__(self) -> str:
        return "<missing>"


MISSING: Final = Missing()


class Link(NamedTuple):
    """A part of a pair."""

    step: str  # as Part.step
    place: tuple[str, Any] | None  # as Part.place
    pair: Pair


class Pair:
    """A part of both graphs, or of one, if the other side is MISSING."""

    __slots__ = ("differs", "equal", "left", "links", "parents", "right")

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right
        self.differs = False
        self.equal = 0  # how many parts are equal, beside those in `links`
        self.links: list[Link] | None = None  # None if the difference is here
        self.parents: list[Pair] = []


def compare(left: Any, right: Any) -> Pair:
    """Return the pair of two graphs, whose `differs` and that of all pairs below is known."""
    comparison = _Comparison()
    root = comparison.pair(left, right)
    if root is None:
        root = Pair(left, right)
        root.links = []
        return root
    comparison.run()
    return root


class _Comparison:
    def __init__(self) -> None:
        self.known: dict[tuple[int, int], Pair] = {}
        self.waiting: list[Pair] = []
        self.differences: list[Pair] = []

    def pair(self, left: Any, right: Any) -> Pair | None:
        """Return the pair of two values; None if they are equal at first sight."""
        if left is not MISSING and right is not MISSING:
            of_left, of_right = content_of(left, 0), content_of(right, 0)
            if of_left is None and of_right is None:
                if _same_leaf(left, right):
                    return None
            elif of_left is not None and of_right is not None and type(left) is type(right):
                if of_left.total == of_right.total == 0:
                    return None
                return self.pair_of_objects(left, right)
        made = Pair(left, right)
        made.differs = True
        self.differences.append(made)
        return made

    def pair_of_objects(self, left: Any, right: Any) -> Pair | None:
        key = identity_of(left), identity_of(right)
        if key[0] == key[1]:
            return None
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = Pair(left, right)
            self.waiting.append(found)
        return found

    def run(self) -> None:
        while self.waiting:
            pair = self.waiting.pop()
            pair.links = []
            for part, left, right in _aligned(pair.left, pair.right):
                below = self.pair(left, right)
                if below is None:
                    pair.equal += 1
                    continue
                below.parents.append(pair)
                pair.links.append(Link(part.step, part.place, below))
        while self.differences:
            for parent in self.differences.pop().parents:
                if not parent.differs:
                    parent.differs = True
                    self.differences.append(parent)


def _same_leaf(left: Any, right: Any) -> bool:
    """Whether two values without parts are equal; foreign code that fails does not count."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if type(left) is Unreadable:
        return leaf_text(left, None) == leaf_text(right, None)
    try:
        # Of these structural comparison has its own rules: 0.0 is not -0.0, and nan equals nan.
        if isinstance(left, (float, Function, Tensor)):
            return bool(structural_equal(left, right))
        if type(left) is complex:
            return _same_leaf(left.real, right.real) and _same_leaf(left.imag, right.imag)
        numpy = loaded("numpy")  # without it no value is one of its
        if numpy is not None and isinstance(left, (numpy.ndarray, numpy.generic)):
            return _same_of_numpy(numpy, left, right)
        if hasattr(type(left), "__dlpack__"):  # of another array library
            return bool(structural_equal(tensor(left), tensor(right)))
        if bool(left == right):
            return True
        return is_object(left) and identity_of(left) == identity_of(right)
    except Exception:
        return False


def _same_of_numpy(numpy: Any, left: Any, right: Any) -> bool:
    """Whether two arrays, or two scalars, of numpy and of one class are equal, as tensors are."""
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if isinstance(left, numpy.generic):
        item = left.item()
        if type(item) is not type(left):
            return _same_leaf(item, right.item()) or _is_nothing(left, right)
        return bool(left == right) or _is_nothing(left, right)
    if type(left) is numpy.ndarray:
        try:
            tensors = tensor(left), tensor(right)
        except (TypeError, ValueError):  # tensors have no such elements: texts, dates, objects
            pass
        else:
            return bool(structural_equal(*tensors))
    return all(not compare(*pair).differs for pair in zip(left.flat, right.flat, strict=True))


def _is_nothing(left: Any, right: Any) -> bool:
    """Whether two scalars of numpy are both nan or not a time, which do not equal themselves."""
    return bool(left != left and right != right)


# ---------------------------------------------------------------- what belongs together

_Aligned = tuple[Part, Any, Any]  # where it is, left, right


def _aligned(left: Any, right: Any) -> list[_Aligned]:
    of_left, of_right = content_of(left, ALL), content_of(right, ALL)
    left_parts, right_parts = _compared(of_left), _compared(of_right)
    if of_left is not None and of_left.form == "elements":
        left_own, left_elements = _attributes_first(left_parts)
        right_own, right_elements = _attributes_first(right_parts)
        return _by_step(left_own, right_own) + _by_likeness(left_elements, right_elements)
    return _by_step(left_parts, right_parts)


def _attributes_first(parts: list[Part]) -> tuple[list[Part], list[Part]]:
    """Separate the attributes of a sequence from its elements."""
    count = sum(not part.step.startswith("[") for part in parts)
    return parts[:count], parts[count:]


def _compared(content: Content | None) -> list[Part]:
    return [] if content is None else [part for part in content.parts if not part.ignored]


def _by_step(lefts: list[Part], rights: list[Part]) -> list[_Aligned]:
    """Pair parts of equal names or keys, in the order of the left ones."""
    others: dict[str, list[Any]] = {}
    for part in reversed(rights):
        others.setdefault(_name_of(part), []).append(part.value)
    aligned: list[_Aligned] = []
    for part in lefts:
        same = others.get(_name_of(part))
        aligned.append((part, part.value, same.pop() if same else MISSING))
    for part in rights:
        same = others[_name_of(part)]
        if same:
            aligned.append((part, MISSING, same.pop()))
    return aligned


def _name_of(part: Part) -> str:
    """Return by what a field or an entry is found on the other side."""
    return _lines_of(part.value.key) if type(part.value) is Entry else part.step


def _by_likeness(lefts: list[Part], rights: list[Part]) -> list[_Aligned]:
    """Pair the elements of two sequences, so that insertions do not shift the others."""
    left_keys = [_lines_of(part.value) for part in lefts]
    right_keys = [_lines_of(part.value) for part in rights]
    begin, size = 0, min(len(lefts), len(rights))
    while begin < size and left_keys[begin] == right_keys[begin]:
        begin += 1
    end = 0
    while end < size - begin and left_keys[-1 - end] == right_keys[-1 - end]:
        end += 1
    left_end, right_end = len(lefts) - end, len(rights) - end
    aligned = _in_order(lefts[:begin], rights[:begin])
    if (left_end - begin) * (right_end - begin) > _SEARCH:
        aligned += _in_order(lefts[begin:left_end], rights[begin:right_end])
    else:
        matcher = SequenceMatcher(
            None, left_keys[begin:left_end], right_keys[begin:right_end], autojunk=False
        )
        for _, left, left_to, right, right_to in matcher.get_opcodes():
            aligned += _in_order(
                lefts[begin + left : begin + left_to], rights[begin + right : begin + right_to]
            )
    return aligned + _in_order(lefts[left_end:], rights[right_end:])


def _in_order(lefts: list[Part], rights: list[Part]) -> list[_Aligned]:
    return [
        (
            left or right,
            MISSING if left is None else left.value,
            MISSING if right is None else right.value,
        )
        for left, right in zip_longest(lefts, rights)
    ]


def _lines_of(value: Any) -> str:
    """Return the first lines of a value, by which its counterpart is found."""
    if content_of(value, 0) is None:
        return f"{type_name(value)} = {leaf_text(value, None)}"
    rows = rows_of(value, _LINES, ALL)
    return "\n".join("".join(text for _, text in pieces_of(row)) for row in rows)

# SPDX-License-Identifier: Apache-2.0
"""keys(), values() and items() of Map and Dict: set-like where those of dict are."""

from __future__ import annotations

import pytest

from tain import Dict, Map


def test_views_are_set_like() -> None:
    values = {"a": 1, "b": 2, "c": 3}
    mapping = Map(values)
    for view, plain, others in [
        (mapping.keys(), values.keys(), [{"a", "x"}, {"a", "b", "c"}, set(), ["a", "x"]]),
        (mapping.items(), values.items(), [{("a", 1), ("b", 5)}, set(values.items()), set()]),
    ]:
        assert view == plain
        assert plain == view
        assert view == set(plain)
        assert set(plain) == view
        assert len(view) == 3
        assert all(x in view for x in plain)
        assert "x" not in view
        for other in others:
            for op in ("__and__", "__or__", "__sub__", "__xor__"):
                assert getattr(view, op)(other) == getattr(plain, op)(other)
                assert type(getattr(view, op)(other)) is set
            if isinstance(other, set):
                for op in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
                    assert getattr(view, op)(other) == getattr(plain, op)(other)
                assert other & view == other & plain
                assert other - view == other - plain
            assert view.isdisjoint(other) == plain.isdisjoint(other)
        with pytest.raises(TypeError, match="unhashable type"):
            hash(view)
    assert mapping.values() != mapping.values()
    assert 2 in mapping.values()
    assert ("a", 1) in mapping.items()
    assert ("a", 2) not in mapping.items()
    assert "a" not in mapping.items()
    assert mapping.keys().mapping is mapping


def test_views_follow_the_container() -> None:
    mapping = Dict(a=1)
    keys, values, items = mapping.keys(), mapping.values(), mapping.items()
    mapping["b"] = 2
    assert list(keys) == ["a", "b"]
    assert list(values) == [1, 2]
    assert len(items) == 2
    assert repr(keys) == "KeysView(['a', 'b'])"
    assert repr(values) == "ValuesView([1, 2])"
    assert repr(items) == "ItemsView([('a', 1), ('b', 2)])"


@pytest.mark.bad_input
def test_views_cannot_be_made_by_hand() -> None:
    cls = type(Map().keys())
    with pytest.raises(TypeError):
        cls()
    with pytest.raises(TypeError):
        cls.isdisjoint(5, [])

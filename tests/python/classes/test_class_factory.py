# SPDX-License-Identifier: Apache-2.0
"""Classes made from records: place, bases, one for each type, and what they refuse."""

from __future__ import annotations

import pytest

import tain
from tain.types import testing as t


def test_name_module_and_documentation() -> None:
    assert (t.Point.__module__, t.Point.__qualname__) == ("tain.types.testing", "Point")
    assert repr(t.Point) == "<class 'tain.types.testing.Point'>"
    assert tain.type_info(t.Point).key == "testing.Point"


def test_bases_are_the_classes_of_the_parents() -> None:
    assert t.ChildConfig.__mro__ == (t.ChildConfig, t.Config, tain.Object, object)
    names = [cls.__name__ for cls in t.Depth8.__mro__]
    assert names == [f"Depth{n}" for n in range(8, 0, -1)] + ["Object", "object"]


def test_the_class_of_a_child_makes_that_of_its_parent(run) -> None:
    code = """
        import tain
        tain.testing.echo  # loads the library
        child = tain.get_class("testing.ChildConfig")
        assert child.__bases__ == (tain.get_class("testing.Config"),)
        print(child.__base__)
    """
    assert run(code) == "<class 'tain.types.testing.Config'>\n"


def test_instances_have_no_dict_until_python_extends_the_class() -> None:
    with pytest.raises(AttributeError):
        t.Point(1, 2).unknown = 1

    class Extended(t.Point):
        pass

    made = Extended(1, 2)
    made.unknown = 1
    assert vars(made) == {"unknown": 1}


def test_each_type_has_a_class_of_its_own() -> None:
    keys = tain.type_keys("testing.")
    classes = [tain.get_class(key) for key in keys]
    assert len(set(classes)) == len(keys) > 50
    assert [tain.get_class(key) for key in keys] == classes

# SPDX-License-Identifier: Apache-2.0
"""Which Python class stands for a type, and how long."""

from __future__ import annotations

import gc
import weakref

import pytest
from tain.types.testing import Point
from testing_functions import DROP, KEEP

import tain

pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_classes_die_with_their_objects() -> None:
    def make() -> weakref.ref:
        class Short(Point):
            pass

        KEEP(Short(1))
        return weakref.ref(Short)

    reference = make()
    gc.collect()
    assert reference() is not None
    DROP()
    gc.collect()
    assert reference() is None


T = tain.types.testing
Color, Access, Mode = T.Color, T.Access, T.Mode


def test_the_class_is_made_once() -> None:
    assert tain.get_class("testing.Color") is tain.types.testing.Color is Color

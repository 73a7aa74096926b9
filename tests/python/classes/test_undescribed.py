# SPDX-License-Identifier: Apache-2.0
"""Classes whose author described nothing: what their objects answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.bad_input


def test_a_class_without_a_description_says_so(run: Callable[..., str]) -> None:
    # In a process of its own: where the class of a child was made first, Python's text stands.
    out = run(
        """
        import tain
        from tain.types.testing import Undescribed
        bare = tain.testing.undescribed()
        for call in (lambda: bare.value, Undescribed):
            try:
                call()
            except (AttributeError, TypeError) as error:
                print(error)
        from tain.types.testing import UndescribedChild
        child = UndescribedChild()
        assert child.value == 3
        try:
            child.valeu
        except AttributeError as error:
            print(error)
        assert "__getattr__" not in dir(child)
        """
    )
    why = "no ObjectDef describes its C++ class"
    assert out.splitlines() == [
        f"'tain.types.testing.Undescribed' object has no attribute 'value': {why}, so Python "
        "knows neither fields nor methods of it",
        f"testing.Undescribed has no constructor: {why}",
        "'tain.types.testing.UndescribedChild' object has no attribute 'valeu'",
    ]

# SPDX-License-Identifier: Apache-2.0
"""Classes whose author described nothing: what their objects answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytestmark = pytest.mark.bad_input


def test_a_class_without_a_description_says_so(run: Callable[..., str]) -> None:
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
        class Below(Undescribed):
            @property
            def broken(self):
                raise AttributeError("its own")
        assert child.value == 3
        try:
            child.valeu
        except AttributeError as error:
            print(error)
        assert "__getattr__" not in dir(child)
        for obj in (bare, Below.__new__(Below)):
            try:
                obj.value  # the class of a described child does not change the text
            except AttributeError as error:
                print(error)
        class Above(UndescribedChild):
            pass
        for code in ("Above().valeu", "Below.__new__(Below).broken"):
            try:
                eval(code)
            except AttributeError as error:
                print(error)
        """
    )
    why = "no ObjectDef describes its C++ class"
    assert out.splitlines() == [
        f"'tain.types.testing.Undescribed' object has no attribute 'value': {why}, so Python "
        "knows neither fields nor methods of it",
        f"testing.Undescribed has no constructor: {why}",
        "'tain.types.testing.UndescribedChild' object has no attribute 'valeu'",
        f"'tain.types.testing.Undescribed' object has no attribute 'value': {why}, so Python "
        "knows neither fields nor methods of it",
        f"'Below' object has no attribute 'value': {why}, so Python "
        "knows neither fields nor methods of it",
        "'Above' object has no attribute 'valeu'",
        "its own",
    ]

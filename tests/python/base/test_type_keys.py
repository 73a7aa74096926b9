# SPDX-License-Identifier: Apache-2.0
"""Names of types: those that resemble a missing one, and the module of each."""

from __future__ import annotations

import pytest
from c_keys import register_key

import tain

MISSING = [
    ("testing.Piont", " Did you mean 'testing.Point', 'testing.Paint', 'testing.Pin'?"),
    ("testing.Ponit", " Did you mean 'testing.Point', 'testing.Paint', 'testing.Coin'?"),
    ("ffi.Arary", " Did you mean 'ffi.Array'?"),
    ("nothing.at_all.like_this", ""),
    ("testing.Point" + "x" * 200, ""),
]


@pytest.mark.bad_input
def test_the_nearest_names_are_shown(run) -> None:
    code = """
        import tain
        assert tain.testing.echo  # loads the library
        for key in {!r}:
            try:
                tain.get_class(key)
            except ValueError as error:
                print(error)
    """
    printed = run(code.format([key for key, _ in MISSING])).splitlines()
    assert printed == [
        f"no type is registered under the key '{key}'.{meant}" for key, meant in MISSING
    ]


@pytest.mark.parametrize(
    ("key", "module"),
    [
        ("testing.Point", "tain.types.testing"),
        ("ffi.Array", "tain"),
        ("TestingPlain", "tain.types"),
        ("test_type_keys.inner.Deep", "tain.types.test_type_keys.inner"),
    ],
)
def test_the_namespace_says_the_module(key: str, module: str) -> None:
    if key not in tain.type_keys(key):
        register_key(key)
    cls = tain.get_class(key)
    assert (cls.__module__, cls.__qualname__) == (module, key.rpartition(".")[2])


def test_names_without_a_type_load_what_announces_them(run) -> None:
    code = """
        import tain
        from tain import _core
        asked = []
        _core.set_on_missing(lambda kind, name: bool(asked.append((kind, name))))
        try:
            tain.get_class("some.Thing")
        except ValueError as error:
            print(error)
        print(asked)
    """
    assert run(code).splitlines() == [
        "no type is registered under the key 'some.Thing'.",
        "[('key', 'some.Thing')]",
    ]

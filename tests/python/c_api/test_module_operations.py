# SPDX-License-Identifier: Apache-2.0
"""Modules of other libraries, asked through the table that TainSetModuleOperations sets."""

from __future__ import annotations

import pytest

# The table holds for the whole process, so each test has one of its own.
BEGIN = """
import gc
import foreign_lib
import tain
foreign_lib.load("module_operations")
make, echo, is_dressed, living = (
    tain.get_global_func(f"theirs.{name}")
    for name in ("make_module", "echo", "is_dressed", "living")
)
module = make()
"""
LIBRARY = """
library = tain.cpp.load_inline(
    "own", cpp_sources="int add(int a, int b) { return a + b; }", functions=["add"]
)
"""


def test_what_a_module_says(run) -> None:
    assert run(
        BEGIN
        + """
print(isinstance(module, tain.Module), module.kind, module.type_key, module.is_runnable)
print(module.get_function("twice")(4), module.twice(5), module["twice"](6))
print(module.implements_function("twice"), module.implements_function("x"))
print(module.get_function("x"), module.get_function_doc("x"), module.get_function_metadata("x"))
print(module.find_function("twice") is not None, module.get_function_list())
"""
    ).splitlines() == [
        "True theirs theirs True",
        "8 10 12",
        "True False",
        "None a text None",
        "True []",
    ]


def test_what_a_module_raises_comes_out(run) -> None:
    assert (
        run(
            BEGIN
            + """
for use in (lambda: module.get_source(), lambda: module.x, lambda: module.twice("a")):
    try:
        use()
    except Exception as error:
        print(type(error).__name__, error)
"""
        )
        == "NotImplementedError theirs has no source\n"
        "AttributeError module of kind 'theirs' has no function 'x'.\n"
        "TypeError twice: an integer\n"
    )


@pytest.mark.parametrize("count", [1, 1000])
def test_the_object_is_the_same_everywhere(run, count: int) -> None:
    assert (
        run(
            BEGIN
            + f"""
for _ in range({count}):
    own = tain.Module()
    own.import_module(module)
    assert own.imports[0] is module and tain.List([module])[0] is module
    assert echo(module) is module and not is_dressed(module)
    own.clear_imports()
del module, own
gc.collect()
print(living())
"""
        )
        == "0\n"
    )


@pytest.mark.parametrize("count", [1, 1000])
def test_a_module_of_tain_is_dressed_for_their_functions(run, count: int) -> None:
    assert (
        run(
            BEGIN
            + LIBRARY
            + f"""
class Mine(tain.Module):
    kind = property(lambda self: "mine")

for own in (library, Mine(), tain.Module()):
    for _ in range({count}):
        assert is_dressed(own)
        assert echo(own) is own
own = tain.Module()
own.import_module(library)
assert own.imports[0] is library
del module, own
gc.collect()
print(living(), library.add(1, 2))
"""
        )
        == "0 3\n"
    )


def test_what_imports_what(run) -> None:
    """The table imports; a circle through both kinds of modules is refused where tain sees it."""
    assert (
        run(
            BEGIN
            + """
module.import_module(tain.Module())
module.clear_imports()
for own in (tain.Module(), module):
    try:
        own.import_module(own)
    except ValueError as error:
        print(error)
del own, module
gc.collect()
print(living())
"""
        )
        == "import_module: a module cannot import itself, but was given itself\n" * 2 + "0\n"
    )

# SPDX-License-Identifier: Apache-2.0
"""Constants, documentation and versions that C++ gives to namespaces."""

from __future__ import annotations

import importlib
import pydoc
import sys
import types
from collections.abc import Iterator

import pytest
from errors import raises
from python_calls import python_calls

import tain

SOURCE = """
enum class Mode { Fast, Slow };
struct Point : tain::Object { TAIN_OBJECT("constant_lib.Point", Point, tain::Object); };
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::EnumDef<Mode>("constant_lib.Mode").value("Fast", Mode::Fast).value("Slow", Mode::Slow);
  refl::ObjectDef<Point>().def_init<>();
  refl::GlobalDef()
      .def_doc("constant_lib", "Constants of a library.")
      .def_constant("constant_lib.PI", 3.14, "Half a turn.")
      .def_constant("constant_lib.__version__", "1.2.3")
      .def_constant("constant_lib.NAME", std::string("n") + "ame")
      .def_constant("constant_lib.COUNT", NUMBER)
      .def_constant("constant_lib.MODE", Mode::Slow)
      .def_constant("constant_lib.FLAG", true)
      .def_constant("constant_lib.LIST", tain::List<int>{1, 2})
      .def_constant("constant_lib.deep.E", 2.71)
      .def("constant_lib.f", [] { return 1; });
}"""


@pytest.fixture(scope="module")
def module() -> tain.Module:
    return tain.cpp.load_inline("constant_lib", cpp_sources=SOURCE.replace("NUMBER", "7"))


@pytest.fixture
def adopter(module: tain.Module) -> Iterator[types.ModuleType]:
    """Return a module that adopts the namespace."""
    adopter = sys.modules["constant_home"] = types.ModuleType("constant_home")
    tain.init_ffi_api("constant_lib", "constant_home")
    yield adopter
    del sys.modules["constant_home"]


NAMES = ["COUNT", "FLAG", "LIST", "MODE", "NAME", "PI"]


def check(space: object, cls: type) -> None:
    assert space.PI == 3.14 and type(space.PI) is float  # type: ignore[attr-defined]
    assert (space.NAME, space.COUNT) == ("name", 7)  # type: ignore[attr-defined]
    assert space.FLAG is True  # type: ignore[attr-defined]
    assert space.MODE is cls.Slow  # type: ignore[attr-defined]
    assert space.LIST is space.LIST  # type: ignore[attr-defined]
    assert list(space.LIST) == [1, 2]  # type: ignore[attr-defined]
    assert space.__version__ == "1.2.3"  # type: ignore[attr-defined]
    assert set(NAMES) <= set(dir(space))


def test_a_namespace_has_them(module: tain.Module) -> None:
    import tain.types.constant_lib as space

    check(space, space.Mode)
    assert space.deep.E == 2.71
    assert space.__doc__ == "Constants of a library."
    assert set(NAMES) <= set(space.__all__)
    assert python_calls(lambda: space.PI) == 0
    text = pydoc.render_doc(space, renderer=pydoc.plaintext)
    assert "Constants of a library." in text and "PI = 3.14" in text and "1.2.3" in text


def test_an_import_statement_finds_them(module: tain.Module) -> None:
    from tain.types.constant_lib import COUNT, PI

    assert (COUNT, PI) == (7, 3.14)


def test_a_module_that_adopts_them(adopter: types.ModuleType) -> None:
    check(adopter, adopter.Mode)
    assert adopter.__doc__ == "Constants of a library."
    assert set(NAMES) <= set(vars(adopter))


def test_what_a_module_says_of_itself_stays(module: tain.Module) -> None:
    own = sys.modules["constant_own"] = types.ModuleType("constant_own", "Mine.")
    own.__version__ = "9"  # type: ignore[attr-defined]
    tain.init_ffi_api("constant_lib", "constant_own")
    assert (own.__doc__, own.__version__) == ("Mine.", "9")
    del sys.modules["constant_own"]


def test_a_loaded_module_has_them(module: tain.Module) -> None:
    check(module, module.Mode)
    assert module.functions == ["constant_lib.f"]
    assert list(module.constants) == sorted(
        [f"constant_lib.{name}" for name in [*NAMES, "__doc__", "__version__", "deep.E"]]
    )
    library = tain.load_library(module.file)
    assert library.constants == tuple(module.constants)
    assert library.functions == ("constant_lib.f",)


def test_a_redefinition_is_seen(adopter: types.ModuleType) -> None:
    import tain.types.constant_lib as space

    for number in ("8", "7"):
        tain.cpp.load_inline("constant_lib", cpp_sources=SOURCE.replace("NUMBER", number))
        assert space.COUNT == adopter.COUNT == int(number)


def test_a_namespace_without_documentation() -> None:
    assert tain.types.testing.__doc__ == "The types and functions registered as testing.*"
    assert "The package of all that is registered" in str(tain.types.__doc__)


FAULTS = [
    ('.def_constant("", 1)', "name of a constant"),
    (".def_constant(nullptr, 1)", "name of a constant"),
    (
        '.def_constant("FAULTY.x", nullptr)',
        "FAULTY.x: the value of a constant is not null",
    ),
    (
        '.def_constant("FAULTY.x", 1).def_constant("FAULTY.x", 2)',
        "constant FAULTY.x is already registered by ",
    ),
    (
        '.def("FAULTY.x", [] {}).def_constant("FAULTY.x", 2)',
        "constant FAULTY.x: global function FAULTY.x is already registered: choose another name",
    ),
    (
        '.def_constant("FAULTY.x", 2).def("FAULTY.x", [] {})',
        "global function FAULTY.x: constant FAULTY.x is already registered: choose another name",
    ),
]


@pytest.mark.bad_input
def test_mistakes_are_faults_of_the_load() -> None:
    """Each unit is a source of one library, so that they are compiled once."""
    sources = []
    for i, (calls, _) in enumerate(FAULTS):
        text = calls.replace("FAULTY", f"faulty_constants{i}")
        sources.append(f"TAIN_REGISTER {{ tain::reflection::GlobalDef(){text}; }}")
    with pytest.raises(ImportError) as caught:
        tain.cpp.load_inline("faulty_constants", cpp_sources=sources)
    for i, (_, text) in enumerate(FAULTS):
        assert text.replace("FAULTY", f"faulty_constants{i}") in str(caught.value)
    assert (
        str(caught.value)
        .splitlines()[0]
        .endswith(
            " cannot be used, and what was registered with it is withdrawn (faulty_constants3.x, "
            "faulty_constants4.x, faulty_constants5.x):"
        )
    )
    with raises(
        ModuleNotFoundError,
        "No module named 'tain.types.faulty_constants3': no loaded library registers "
        "faulty_constants3.*, and no installed package announces 'faulty_constants3' as an entry "
        "point of the group 'tain.types'; first load the library that registers it",
    ):
        importlib.import_module("tain.types.faulty_constants3")

# SPDX-License-Identifier: Apache-2.0
"""The keys and names that a cell of C++ defines: found in one pass, whatever the cell has."""

from __future__ import annotations

import time

import pytest

from tain._notebook import _defined

CELLS = {
    'TAIN_OBJECT("demo.Point", PointObj, tain::Object);': ["demo.Point"],
    "TAIN_EXPORT(twice, [](int x) { return 2 * x; });": ["twice"],
    'refl::ObjectDef<PointObj>("demo.Point").def("norm", &f).def_rw("x", &g);': [
        "demo.Point",
        "norm",
    ],
    'EnumDef< demo::Color > ( "demo.Color" )': ["demo.Color"],
    'ErrorDef<std::map<int, int>>("demo.Error")': ["demo.Error"],
    "TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, AddOne); TVM_(x)": ["add_one"],
    '// .def("no")\n/* .def("no") */ .def("yes", 1) /* def("open")': ["yes"],
    'text("def(\\"no\\")"); .def("yes")': ["yes"],
    'ObjectDef<A>().def("method", ObjectDef<B>("demo.B"))': ["method", "demo.B"],
    'undef("no"), defs("no"), def(5), def': [],
}


@pytest.mark.parametrize("cell", CELLS)
def test_names(cell: str) -> None:
    assert _defined(cell) == CELLS[cell]


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "part",
    [
        *("ObjectDef<", "ObjectDef<A> ", "ObjectDef<A>(", "/*", '"\\', "def ", "def(", "def (   "),
        *("TVM_", "a", " ", "((", "def(a", '"', "//", "'"),
    ],
)
def test_the_time_is_that_of_the_text(part: str) -> None:
    start = time.process_time()
    _defined(part * (400_000 // len(part)))
    assert time.process_time() - start < 10

# SPDX-License-Identifier: Apache-2.0
"""What tain.Module has beside the members of its C++ class: pickling and `dir`."""

from __future__ import annotations

import copy
import pickle

import pytest
from errors import empty_text, moved_text, raises

import tain


class Shifter(tain.Module):
    """A module with a Python attribute and a C++ subclass's neighbours."""

    kind = "testing_shifter"

    def __init__(self, by: int = 1) -> None:
        super().__init__()
        self.by = by

    def get_function(self, name: str) -> object:
        return (lambda x: x + self.by) if name == "shift" else None

    def get_function_list(self) -> list[str]:
        return ["shift"]

    def save_to_bytes(self) -> bytes:
        return str(self.by).encode()


tain.register_module_loader(
    "testing_shifter", load_from_bytes=lambda data: Shifter(int(data)), override=True
)


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "use",
    [
        lambda module: module.kind,
        lambda module: module.some_function,
        lambda module: module["some_function"],
        lambda module: module(),
        lambda module: module.import_module(Shifter()),
        lambda module: module.export_library("x.so"),
        dir,
    ],
)
def test_modules_without_an_object(use) -> None:
    moved = tain.Module()
    carrier = moved._move()
    with raises(ValueError, moved_text("tain.Module")):
        use(moved)
    del carrier
    with raises(ValueError, empty_text("tain.Module")):
        use(tain.Module.__new__(tain.Module))


@pytest.mark.bad_input
def test_export_library_names_a_wrong_path() -> None:
    expected = "a path (str, bytes or os.PathLike)"
    with raises(TypeError, f"export_library: argument file: expected {expected}, got int (5)"):
        tain.Module().export_library(5)  # type: ignore[arg-type]


def test_dir_has_attributes_and_functions() -> None:
    names = dir(Shifter())
    assert {"shift", "by", "imports", "kind", "get_function"} <= set(names)
    assert names == sorted(names)


REGISTERED = """
enum class Op { ADD, SUB };
struct CellObj : tain::Object {
  int x;
  explicit CellObj(int x) : x(x) {}
  TAIN_OBJECT("shown_sheet.Cell", CellObj, tain::Object);
};
int total(int a) { return a + 1; }
int exported(int a) { return a + 2; }
TAIN_REGISTER {
  namespace refl = tain::reflection;
  refl::ObjectDef<CellObj>().def_init<int>(tain::arg("x")).def_ro("x", &CellObj::x);
  refl::EnumDef<Op>("shown_sheet.Op").value("ADD", Op::ADD).value("SUB", Op::SUB);
  refl::GlobalDef()
      .def("shown_sheet.total", total, tain::arg("a"))
      .def("shown_sheet.Cell", [](int x) { return x; });
}
"""


def test_the_module_of_a_library_shows_what_it_registered() -> None:
    module = tain.cpp.load_inline("shown_sheet", cpp_sources=REGISTERED, functions="exported")
    assert list(module.types) == ["shown_sheet.Cell"]
    assert list(module.enums) == ["shown_sheet.Op"]
    assert list(module.functions) == ["shown_sheet.Cell", "shown_sheet.total"]
    assert module.Cell is tain.get_class("shown_sheet.Cell")  # not the function of this name
    assert module.Op is tain.get_class("shown_sheet.Op")
    assert module.total is tain.get_global_func("shown_sheet.total")
    assert module.exported(1) == 3
    names = dir(module)
    assert {"Cell", "Op", "total", "exported", "types", "close"} <= set(names)
    assert len(names) == len(set(names))
    assert repr(module) == (
        f"<module {module.file}, with the types shown_sheet.Cell, the enums shown_sheet.Op, "
        "the functions shown_sheet.Cell, shown_sheet.total>"
    )
    text = "module of kind 'library' has no function 'missing' (it has exported)."
    with raises(AttributeError, text):
        module.missing  # noqa: B018


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_made_by_the_loader_of_the_kind(protocol: int) -> None:
    made = pickle.loads(pickle.dumps(Shifter(4), protocol))
    assert (type(made), made.shift(1)) == (Shifter, 5)


def test_copies_are_made_by_the_loader_of_the_kind() -> None:
    for made in (copy.copy(Shifter(4)), copy.deepcopy(Shifter(4))):
        assert (type(made), made.shift(1)) == (Shifter, 5)


def test_a_module_inside_of_other_objects_is_pickled() -> None:
    first, again = pickle.loads(pickle.dumps([module := Shifter(2), module]))
    assert first is again
    assert first.shift(1) == 3
    array = pickle.loads(pickle.dumps(tain.Array([Shifter(3)])))
    assert array[0].shift(1) == 4


@pytest.mark.bad_input
def test_a_list_of_functions_that_is_none() -> None:
    class Odd(tain.Module):
        def get_function_list(self) -> object:
            return 3

    with pytest.raises(TypeError) as caught:
        dir(Odd())
    assert str(caught.value) == "'int' object is not iterable"


@pytest.mark.bad_input
def test_a_kind_that_stands_for_the_library_is_not_saved() -> None:
    class Library(Shifter):
        kind = "_lib"

    text = (
        'a module of the kind "_lib" cannot be saved: that kind stands for the library in which '
        "modules are saved"
    )
    holder = Shifter()
    holder.import_module(Library())
    for module in (Library(), holder):
        with pytest.raises(ValueError) as caught:
            pickle.dumps(module)
        assert str(caught.value) == text

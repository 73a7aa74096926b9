# SPDX-License-Identifier: Apache-2.0
"""Exception classes that C++ describes with ErrorDef: importable, with fields."""

from __future__ import annotations

import copy
import pickle
import traceback

import pytest
from errors import check_passes_through, raises, raising
from tain.types.testing import ClosedError, CycleError, SheetError
from testing_functions import get

import tain


def test_they_are_importable_classes() -> None:
    assert CycleError.__mro__[1:3] == (SheetError, ValueError)
    assert ClosedError.__bases__ == (RuntimeError,)
    assert (CycleError.__module__, CycleError.__qualname__) == ("tain.types.testing", "CycleError")
    assert CycleError is tain.get_class("testing.CycleError") is tain.types.testing.CycleError
    assert CycleError.__doc__ == "A cell needs itself."
    assert CycleError.cells.__doc__ == "Array[str]: The cells of the cycle."
    assert type(CycleError.cells).__doc__ == "A field of an exception class."
    assert {"CycleError", "SheetError"} <= set(dir(tain.types.testing))


def test_thrown_in_cpp_caught_in_python() -> None:
    with raises(CycleError, "a cycle") as caught:
        get("throw_cycle")(7)
    assert type(caught.value) is CycleError
    assert (caught.value.row, list(caught.value.cells)) == (7, ["A1", "B2"])
    for parent in (SheetError, ValueError):
        with pytest.raises(parent):
            get("throw_cycle")(1)
    with raises(SheetError, "a sheet") as caught:
        get("throw_sheet")()
    assert type(caught.value) is SheetError
    with raises(ClosedError, "closed"):
        get("throw_closed")()


def test_raised_in_python_caught_in_cpp() -> None:
    def raises_cycle() -> None:
        raise CycleError("mine", row=3, cells=["C1", "C2"])

    def raises_sheet() -> None:
        raise SheetError("mine")

    class Special(CycleError):
        pass

    def raises_special() -> None:
        raise Special("special", row=4)

    def raises_closed() -> None:
        raise ClosedError

    catch = get("catch_defined")
    assert catch(raises_cycle) == "CycleError mine 3 C1 C2"
    assert catch(raises_sheet) == "SheetError mine 0"
    assert catch(raises_special) == "CycleError special 4"
    assert catch(raises_closed) == "ClosedError"
    assert catch(lambda: get("throw_cycle")(5)) == "CycleError a cycle 5 A1 B2"
    assert catch(lambda: [][0]) == "Error IndexError"
    assert catch(lambda: None) == "nothing"


class Unready:
    def __index__(self) -> int:
        raise ZeroDivisionError("not ready")


@pytest.mark.bad_input
def test_fields_that_cannot_cross_are_left_out() -> None:
    itself = CycleError("itself", row=1)
    itself.cells = itself
    one, other = CycleError("one", row=2), CycleError("other")
    one.cells, other.cells = other, one
    chain = CycleError("end", row=3)
    for _ in range(100_000):
        outer = CycleError("chain", row=4)
        outer.cells = chain
        chain = outer
    unready = CycleError("row", cells=["A1"])
    unready.row = Unready()
    catch = get("catch_defined")
    for error, text in (
        (itself, "CycleError itself 1"),
        (one, "CycleError one 2"),
        (chain, "CycleError chain 4"),
        (unready, "CycleError row 0 A1"),
    ):

        def fail(error: BaseException = error) -> None:
            raise error

        assert catch(fail).strip() == text
        assert tain.testing.echo([error])[0] is error
    while isinstance(chain.cells, CycleError):  # not by recursion
        chain, chain.cells = chain.cells, None


def test_an_exception_passes_through_cpp_as_the_same_object() -> None:
    made = CycleError("mine", row=3)
    made.note = "kept"

    def fail() -> None:
        raise made

    with pytest.raises(CycleError) as caught:
        get("pass_through")(fail)
    assert caught.value is made
    assert "in fail" in "".join(traceback.format_exception(caught.value))


@pytest.mark.bad_input
def test_fields_that_do_not_fit_keep_their_defaults() -> None:
    odd = CycleError("odd")
    odd.row, odd.cells = "no number", 5

    def fail() -> None:
        raise odd

    assert get("catch_defined")(fail) == "CycleError odd 0"
    odd.__traceback__ = None
    with raises(TypeError, "CycleError() got an unexpected keyword argument 'column'"):
        CycleError("odd", column=1)
    text = "CycleError() got an unexpected keyword argument 'rwo'. Did you mean 'row'?"
    with raises(TypeError, text):
        CycleError("odd", rwo=1)
    assert (CycleError("x").row, list(CycleError("x").cells)) == (0, [])


@pytest.mark.parametrize("again", [copy.copy, lambda e: pickle.loads(pickle.dumps(e))])
def test_copies_keep_the_fields(again) -> None:
    made = again(CycleError("x", row=2, cells=["a"]))
    assert (type(made), made.args, made.row, made.cells) == (CycleError, ("x",), 2, ["a"])


def test_a_new_build_redefines_the_class() -> None:
    source = """
    #include <tain/reflection/error_def.h>
    struct Own : std::exception {
      const char* what() const noexcept override { return "%s"; }
      int64_t %s = 1;
    };
    TAIN_REGISTER {
      tain::reflection::ErrorDef<Own>("rebuilt_error.Own", "%s").def_ro("%s", &Own::%s);
      tain::reflection::GlobalDef().def("rebuilt_error.fail", []() { throw Own(); });
    }
    """
    for text, field, parent in [("first", "a", "KeyError"), ("second", "b", "OSError")]:
        tain.cpp.load_inline(
            "rebuilt_error", cpp_sources=source % (text, field, parent, field, field)
        )
        from tain.types.rebuilt_error import Own, fail

        with pytest.raises(Own, match=text) as caught:
            fail()
        assert Own.__bases__[0].__name__ == parent
        assert getattr(caught.value, field) == 1


def test_a_class_of_python_that_has_another_parent_first() -> None:
    class KeyCycle(KeyError, CycleError):
        pass

    class Named(CycleError):
        def __init__(self, name: str) -> None:
            self.name = name

    def fail() -> None:
        raise error

    error: BaseException = KeyCycle("mine")
    assert (error.row, list(error.cells)) == (0, [])
    error.row = 9
    for each, text in (
        (error, "CycleError 'mine' 9"),
        (type("Both", (LookupError, SheetError), {})("sheet"), "SheetError sheet 0"),
        (Named("x"), "CycleError x 0"),
        (type("Late", (OSError, Named), {})("late"), "CycleError late 0"),
    ):
        error = each
        assert get("catch_defined")(fail) == text
        with pytest.raises(type(each)) as caught:
            get("pass_through")(fail)
        assert caught.value is each


def test_what_cpp_changes_before_it_throws_again_is_kept() -> None:
    made = CycleError("mine", cells=["A1"])
    made.row = "no number"
    made.note = "kept"

    def fail() -> None:
        raise made

    change = get("change_caught")
    with pytest.raises(CycleError) as caught:
        change(fail, "B2")
    assert caught.value is made
    assert (made.row, list(made.cells), made.note) == ("no number", ["A1", "B2"], "kept")
    cells = made.cells
    with pytest.raises(CycleError):
        change(fail)  # nothing is changed, so nothing is written
    assert made.cells is cells
    with pytest.raises(CycleError):
        change(lambda: change(fail, "C3"), "D4")
    assert list(made.cells) == ["A1", "B2", "C3", "D4"]
    sheet = SheetError("sheet", row=1)
    with pytest.raises(SheetError) as raised:
        change(lambda: (_ for _ in ()).throw(sheet), "wide")
    assert (raised.value is sheet, sheet.row) == (True, 4)
    made.__traceback__ = sheet.__traceback__ = None


def test_what_cpp_changes_of_an_exception_of_cpp_is_kept() -> None:
    change = get("change_caught")
    with raises(CycleError, "a cycle") as caught:
        change(lambda: change(lambda: get("throw_cycle")(7), "C3"), "D4")
    assert (caught.value.row, list(caught.value.cells)) == (7, ["A1", "B2", "C3", "D4"])
    direct = tain.get_global_func("testing.throw_cycle")
    with raises(TypeError, "testing.throw_cycle() missing argument 'row'"):
        change(direct, "E5")
    with raises(CycleError, "a cycle") as caught:
        change(tain.get_global_func("testing.bound_cycle"), "E5")
    assert list(caught.value.cells) == ["A1", "B2", "E5"]


def test_a_class_that_derives_from_bad_alloc() -> None:
    from tain.types.testing import ArenaError

    with raises(ArenaError, "the arena is full") as caught:
        get("throw_arena")()
    assert (caught.value.wanted, isinstance(caught.value, MemoryError)) == (64, True)


@pytest.mark.bad_input
def test_a_constructor_of_cpp_that_throws_loses_no_exception() -> None:
    from tain.types.testing import PickyError

    made = PickyError()
    assert get("catch_defined")(raising(made)) == "Error testing.PickyError"
    check_passes_through(made)


@pytest.mark.bad_input
def test_what_is_no_exception_goes_on_from_a_field() -> None:
    class Stopped(CycleError):
        @property
        def row(self) -> int:
            raise KeyboardInterrupt("stop")

        @row.setter
        def row(self, value: object) -> None:
            pass

    def fail() -> None:
        raise Stopped("late")

    with raises(KeyboardInterrupt, "stop"):
        get("pass_through")(fail)


@pytest.mark.bad_input
def test_containers_that_contain_themselves_are_left_out() -> None:
    cyclic: dict[str, object] = {}
    cyclic["self"] = [cyclic]
    error = CycleError("dict", row=5)
    error.cells = cyclic
    nested: object = []
    for _ in range(100_000):
        nested = [nested]
    deep = CycleError("deep", row=6)
    deep.cells = nested
    for each in (error, deep):

        def fail(each: BaseException = each) -> None:
            raise each

        assert get("catch_defined")(fail).strip() == f"CycleError {each} {each.row}"
        with pytest.raises(CycleError) as caught:
            get("pass_through")(fail)
        assert caught.value is each
        each.__traceback__ = None


@pytest.mark.bad_input
@pytest.mark.slow
def test_two_builds_of_a_class_with_one_name() -> None:
    """The classes have one name in C++ but not one layout: each library has its own records."""
    source = """
    #include <tain/reflection/error_def.h>
    #include <tain/stl.h>
    #include <string>
    #include <vector>
    struct Twice : std::exception { %s };
    struct Child : Twice {};
    std::string caught(const tain::Function& f) {
      try { f(); } catch (const Twice& error) { return std::string(error.%s); }
      return "";
    }
    TAIN_REGISTER {
      namespace refl = tain::reflection;
      refl::ErrorDef<Twice>("two_builds.Twice").def_ro("%s", &Twice::%s);
      refl::GlobalDef().def("two_builds.fail", []() { throw Twice(); })
        .def("two_builds.fail_child", []() { throw Child(); })
        .def("two_builds.caught", caught);
    }
    """
    functions = []
    for members, name in (
        ('std::string text = "of the first build, which has a long text";', "text"),
        ('std::vector<int64_t> n = std::vector<int64_t>(9); std::string other = "2";', "other"),
    ):
        tain.cpp.load_inline("two_builds", cpp_sources=source % (members, name, name, name))
        functions.append(
            [
                tain.get_global_func(f"two_builds.{each}")
                for each in ("fail", "fail_child", "caught")
            ]
        )
    from tain.types.two_builds import Twice

    first = "of the first build, which has a long text"
    for (fail, fail_child, caught), field, text in zip(
        functions, ("text", "other"), (first, "2"), strict=True
    ):
        for throw in (fail, fail_child):
            with pytest.raises(Twice) as raised:
                throw()
            assert getattr(raised.value, field) == text

        def raise_it(field: str = field) -> None:
            error = Twice("mine")
            setattr(error, field, "of Python")
            raise error

        assert caught(raise_it) in ("of Python", text)


FAULTS = [
    "bad_errors.Fields.args: the name belongs to Python, which keeps it for exceptions: give the "
    "field another name",
    "bad_errors.Fields.__cause__: the name belongs to Python, which keeps it for exceptions: give "
    "the field another name",
    "bad_errors.Fields.with_traceback: the name belongs to Python, which keeps it for exceptions: "
    "give the field another name",
    "bad_errors.Fields.a b: expected a name of letters, digits and '_' that Python can use for an "
    "attribute",
    "bad_errors.Fields: a field: the name is empty",
    "bad_errors.Fields.twice: the class has two fields of this name",
    "ValueError: the key is the name of an exception of Python: choose another, such as "
    "mylib.ValueError",
    "bad_errors.Same: another ErrorDef has this key: choose another",
    "testing.SheetError: another ErrorDef in ",
    "bad_errors.Object: a type or an enum has this key: choose another for the exception",
    "bad_errors.SameClass: another ErrorDef describes the same C++ class as bad_errors.Fields",
    "bad_errors.Orphan: expected an exception as its parent, got 'bad_errors.Missing', which no "
    "ErrorDef and no exception of Python has as its name.",
    "bad_errors.Near: expected an exception as its parent, got 'ValueErorr', which no ErrorDef and "
    "no exception of Python has as its name. Did you mean 'ValueError'?",
    "bad_errors.Unmade: expected an exception as its parent, got UnicodeDecodeError, which cannot "
    "be made from a message alone: use one of its bases",
    "bad_errors.Self: expected an exception as its parent, got itself: bad_errors.Self -> "
    "bad_errors.Self",
    "bad_errors.One: expected an exception as its parent, got itself: bad_errors.One -> "
    "bad_errors.Other -> bad_errors.One",
]


@pytest.mark.bad_input
def test_declarations_that_python_cannot_have_are_faults_of_the_load() -> None:
    with pytest.raises(ImportError) as caught:
        tain.cpp.load_inline(
            "bad_errors",
            cpp_sources="""
            #include <tain/tain.h>
            #include <tain/reflection/error_def.h>
            template <int n> struct E : std::exception { int64_t a = 0; };
            struct ObjectObj : tain::Object {
              TAIN_DECLARE_OBJECT_INFO("bad_errors.Object", ObjectObj, tain::Object);
            };
            TAIN_REGISTER {
              using namespace tain::reflection;
              ErrorDef<E<0>>("bad_errors.Fields").def_ro("args", &E<0>::a)
                .def_ro("__cause__", &E<0>::a).def_ro("with_traceback", &E<0>::a)
                .def_ro("a b", &E<0>::a).def_ro("", &E<0>::a)
                .def_ro("twice", &E<0>::a).def_rw("twice", &E<0>::a);
              ErrorDef<E<1>>("ValueError");
              ErrorDef<E<2>>("bad_errors.Same");
              ErrorDef<E<3>>("bad_errors.Same");
              ErrorDef<E<4>>("testing.SheetError");
              ObjectDef<ObjectObj>();
              ErrorDef<E<5>>("bad_errors.Object");
              ErrorDef<E<0>>("bad_errors.SameClass");
              ErrorDef<E<6>>("bad_errors.Orphan", "bad_errors.Missing");
              ErrorDef<E<7>>("bad_errors.Near", "ValueErorr");
              ErrorDef<E<8>>("bad_errors.Unmade", "UnicodeDecodeError");
              ErrorDef<E<9>>("bad_errors.Self", "bad_errors.Self");
              ErrorDef<E<10>>("bad_errors.One", "bad_errors.Other");
              ErrorDef<E<11>>("bad_errors.Other", "bad_errors.One");
              ErrorDef<E<12>>("bad_errors.Child", "bad_errors.Parent");  // not yet described
              ErrorDef<E<13>>("bad_errors.Parent", "OSError");
            }
            """,
        )
    lines = str(caught.value).split("\n")
    for fault in FAULTS:
        found = [line for line in lines if line.startswith(f"  - {fault}")]
        assert len(found) == 1, fault
        if not fault.endswith("in "):
            assert found[0] == f"  - {fault}"
    assert sum(line.startswith("  - ") for line in lines) == len(FAULTS) + 1  # Other -> One
    assert not hasattr(tain.types, "bad_errors")

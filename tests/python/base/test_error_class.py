# SPDX-License-Identifier: Apache-2.0
"""Exception classes that C++ describes with ErrorDef: importable, with fields."""

from __future__ import annotations

import copy
import pickle
import traceback

import pytest
from errors import raises
from tain.types.testing import ClosedError, CycleError, SheetError
from testing_functions import get

import tain


def test_they_are_importable_classes() -> None:
    assert CycleError.__mro__[1:3] == (SheetError, ValueError)
    assert ClosedError.__bases__ == (RuntimeError,)
    assert (CycleError.__module__, CycleError.__qualname__) == ("tain.types.testing", "CycleError")
    assert CycleError is tain.get_class("testing.CycleError") is tain.types.testing.CycleError
    assert "A cell needs itself." in CycleError.__doc__
    assert "The cells of the cycle." in CycleError.__doc__
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
        chain = CycleError("chain", row=4, cells=chain)
    catch = get("catch_defined")
    for error, text in (
        (itself, "CycleError itself 1"),
        (one, "CycleError one 2"),
        (chain, "CycleError chain 4"),
        (CycleError("row", row=Unready(), cells=["A1"]), "CycleError row 0 A1"),
    ):

        def fail(error: BaseException = error) -> None:
            raise error

        assert catch(fail).strip() == text
        assert tain.testing.echo([error])[0] is error
    while chain.cells:  # not by recursion
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
    def fail() -> None:
        raise CycleError("odd", row="no number", cells=5)

    assert get("catch_defined")(fail) == "CycleError odd 0"
    with raises(TypeError, "CycleError() got an unexpected keyword argument 'column'"):
        CycleError("odd", column=1)
    assert (CycleError("x").row, CycleError("x").cells) == (None, None)


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


@pytest.mark.bad_input
def test_an_unknown_parent() -> None:
    tain.cpp.load_inline(
        "orphan_error",
        cpp_sources="""
        #include <tain/reflection/error_def.h>
        struct Orphan : std::exception {};
        TAIN_REGISTER {
          tain::reflection::ErrorDef<Orphan>("orphan_error.Orphan", "orphan_error.Missing");
          tain::reflection::GlobalDef().def("orphan_error.fail", []() { throw Orphan(); });
        }
        """,
    )
    text = (
        "orphan_error.Orphan: expected an exception as its parent, got 'orphan_error.Missing', "
        "which no ErrorDef and no exception of Python has as its name"
    )
    with raises(TypeError, text):
        tain.get_class("orphan_error.Orphan")
    with raises(TypeError, text):
        tain.get_global_func("orphan_error.fail")()

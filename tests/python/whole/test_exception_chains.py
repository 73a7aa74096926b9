# SPDX-License-Identifier: Apache-2.0
"""Exceptions that are chained deeply or in a circle, or whose classes are hostile, cross C++."""

from __future__ import annotations

import contextlib
import copy
import pickle
import subprocess
import sys
import traceback
from typing import Any

import pytest
from errors import raising
from tain.types.testing import CycleError, SheetError, TypedError
from testing_functions import get

import tain

DEEP = 100_000


def crossed(error: BaseException) -> BaseException:
    """Return what Python catches of an exception that passes through C++."""
    try:
        get("pass_through")(raising(error))
    except BaseException as caught:
        return BaseException.with_traceback(caught, None)
    raise AssertionError("nothing was raised")


def chain(link: str, count: int, cls: type[BaseException]) -> BaseException:
    """Return an exception with `count` causes or contexts, each of which has the next."""
    error = cls("the end")
    for i in range(count):
        outer = cls(i)
        setattr(outer, link, error)
        error = outer
    return error


def unchain(error: BaseException | None, link: str) -> int:
    """Take a chain apart, not by recursion, and return its length."""
    count = 0
    while error is not None:
        following = getattr(error, link)
        setattr(error, link, None)
        error, count = following, count + 1
    return count


@pytest.mark.bad_input
@pytest.mark.parametrize("link", ["__cause__", "__context__"])
@pytest.mark.parametrize("cls", [ValueError, SheetError])
def test_a_deep_chain_crosses(link: str, cls: type[BaseException]) -> None:
    error = chain(link, DEEP, cls)
    assert crossed(error) is error
    assert tain.testing.echo([error])[0] is error
    seen = get("catch_defined")(raising(error))
    assert seen in ("Error ValueError", f"SheetError {DEEP - 1} 0")
    error.__traceback__ = None
    try:
        printed = "".join(traceback.format_exception(error))
    except RecursionError:  # of Python's own module
        printed = f": {DEEP - 1}"
    assert f": {DEEP - 1}" in printed
    assert unchain(error, link) == DEEP + 1


@pytest.mark.bad_input
@pytest.mark.parametrize("link", ["__cause__", "__context__"])
def test_a_deep_chain_dies_without_recursion(link: str) -> None:
    error = crossed(chain(link, DEEP, CycleError))
    assert isinstance(error, CycleError)
    values = tain.Array([error])
    del error
    del values


PRINTED = """
import sys
import tain
from tain.types.testing import SheetError
error = SheetError("the end")
for i in range({count}):
    outer = SheetError(i, row=i)
    outer.{link} = error
    error = outer
if {cyclic}:
    at = error
    while getattr(at, "{link}") is not None:
        at = getattr(at, "{link}")
    at.{link} = error
def fail():
    raise error
tain.get_global_func("testing.pass_through")(fail)
"""


@pytest.mark.bad_input
@pytest.mark.slow
@pytest.mark.parametrize("link", ["__cause__", "__context__"])
@pytest.mark.parametrize(("count", "cyclic"), [(500, False), (3, True), (0, True)])
def test_an_uncaught_chain_is_printed(link: str, count: int, cyclic: bool) -> None:
    # Not a deep one: CPython 3.11 itself crashes when it prints any chain of 100,000 at exit.
    code = PRINTED.format(count=count, link=link, cyclic=cyclic)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1  # no signal
    assert done.stderr.splitlines()[-1].startswith(
        ("tain.types.testing.SheetError: ", "RecursionError: ")
    ), done.stderr[-500:]


@pytest.mark.bad_input
@pytest.mark.parametrize("link", ["__cause__", "__context__"])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_circle_crosses_and_is_printed(link: str, length: int) -> None:
    errors = [SheetError(str(i), row=i) for i in range(length)]
    for i, error in enumerate(errors):
        setattr(error, link, errors[(i + 1) % length])
    for error in errors:
        assert crossed(error) is error
        assert get("catch_defined")(raising(error)) == f"SheetError {error} {error.row}"
        error.__traceback__ = None
        assert f"SheetError: {error}" in "".join(traceback.format_exception(error))
    # While one of them is handled in Python, another passes through C++.
    try:
        raise errors[0]
    except SheetError:
        assert crossed(errors[-1]) is errors[-1]
    for error in errors:
        error.__cause__ = error.__context__ = error.__traceback__ = None


def with_member(**members: Any) -> type[BaseException]:
    return type("Hostile", (CycleError,), members)


def refuse(*_: object, **__: object) -> Any:
    raise ZeroDivisionError("hostile")


def endless(self: Any, *_: object) -> Any:
    return copy.copy(self)


HOSTILE: dict[str, dict[str, Any]] = {
    "__reduce__ raises": {"__reduce__": refuse},
    "__reduce_ex__ raises": {"__reduce_ex__": refuse},
    "__reduce__ gives no tuple": {"__reduce__": lambda self: 3},
    "__reduce__ gives text": {"__reduce__": lambda self: "no_such_name"},
    "__reduce__ gives a wrong class": {"__reduce__": lambda self: (int, ("x",))},
    "__reduce__ gives a wrong state": {"__reduce__": lambda self: (CycleError, ("x",), 7)},
    "__reduce_ex__ copies": {"__reduce_ex__": endless},
    "__reduce__ gives itself": {"__reduce__": lambda self: (copy.copy, (self,))},
    "__str__ raises": {"__str__": refuse},
    "__str__ gives no text": {"__str__": lambda self: 3},
    "__getattribute__ raises": {"__getattribute__": refuse},
    "__setattr__ raises": {"__setattr__": refuse},
    "__dict__ is a number": {"__dict__": 3},
    "__dict__ raises": {"__dict__": property(refuse)},
    "args raises": {"args": property(refuse)},
    "args are a number": {"args": 3},
    "__class__ is another": {"__class__": int},
    "a field is a method": {"row": refuse, "cells": refuse},
    "a field is a field of another class": {"row": TypedError.color, "cells": SheetError.row},
    "__eq__ and __hash__ raise": {"__eq__": refuse, "__hash__": refuse},
    "_tain_record is another": {"_tain_record": TypedError.__dict__["_tain_record"]},
}


REFUSALS = (
    *(ZeroDivisionError, RecursionError, TypeError),
    *(AttributeError, ValueError, pickle.PickleError),
)


@pytest.mark.bad_input
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_class_crosses(case: str) -> None:
    cls = with_member(**HOSTILE[case])
    made = cls("message")
    assert crossed(made) is made
    assert tain.testing.echo([made])[0] is made
    assert get("catch_defined")(raising(made)).startswith("CycleError ")
    with pytest.raises(CycleError) as caught:
        get("change_caught")(raising(made), "B2")
    assert caught.value is made
    for again in (copy.copy, copy.deepcopy, pickle.dumps):
        with contextlib.suppress(*REFUSALS):
            again(tain.Array([made]))
    BaseException.with_traceback(made, None)


@pytest.mark.bad_input
def test_a_class_of_errordef_that_somebody_changed() -> None:
    source = """
    #include <tain/reflection/error_def.h>
    struct Torn : std::exception {
      const char* what() const noexcept override { return "torn"; }
      int64_t a = 1;
    };
    TAIN_REGISTER {
      tain::reflection::ErrorDef<Torn>("torn_error.Torn").def_ro("a", &Torn::a);
      tain::reflection::GlobalDef()
          .def("torn_error.fail", []() { throw Torn(); })
          .def("torn_error.caught", [](const tain::Function& f) {
            try { f(); } catch (const Torn& e) { return e.a; }
            return int64_t{-1};
          });
    }
    """
    tain.cpp.load_inline("torn_error", cpp_sources=source)
    from tain.types.torn_error import Torn, caught, fail

    for name, value in (("_tain_record", 3), ("a", refuse), ("__init__", refuse), ("a", 5)):
        setattr(Torn, name, value)
        with pytest.raises(Exception, match=r"torn|hostile"):
            fail()
        error = Torn.__new__(Torn, "mine")
        error.a = 4
        assert caught(raising(error)) == 4
    for name in ("__init__", "_tain_record", "a"):
        delattr(Torn, name)
        with pytest.raises(Torn, match="torn") as found:
            fail()
        assert found.value.a == 1
    assert caught(raising(Torn("mine"))) == 1

# SPDX-License-Identifier: Apache-2.0
"""The contenders as objects with the same attributes: functions, types, containers."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import building
from rows import ARITIES

FUNCTIONS = [
    *("nop", "add_one", "echo_int", "echo_float", "echo_str", "echo_bytes", "echo_obj"),
    "echo_any",
    *("call_n", "make_array", "make_map", "take_ints", "copy_ints", "take_dicts"),
    *("fetch", "walk", *(f"arity{n}" for n in ARITIES)),
]
ARRAYS = ["array_view", "array_ref", "keep_array", "echo_array", "new_array", "eight_arrays"]
TORCH = ["array_view", "array_ref", "new_like", "eight_arrays"]  # of PyTorch's tensors
OWN = ["set_first"]  # only tain moves a container into a call
KEYWORDS = ["add", "kw1", "kw2", "kw4", "kw8"]  # functions of apache-tvm-ffi take no keywords
TYPES = ["Pair", "Fields", "Text", "Node", *(f"Level{depth}" for depth in range(9))]
VIRTUAL = ["Shape", "call_virtual"]  # methods that C++ calls and Python may override
BOXED = ["Leaf", "Tree", "Form"]  # classes of another library

# Types that Python defines: name -> fields.
DEFINED = {
    "Two": {"a": int, "b": int},
    "Four": {"a": int, "b": float, "c": str, "d": Any},
}

# tain's own job done by nanobind: what is known by its record only becomes Python's, with closures
# of nb::args and nb::kwargs, and with nanobind's own records.
GENERIC = ("nanobind_args", "nanobind_record")
# What they have of the above. No containers, no callbacks: those are not nanobind's.
GENERIC_FUNCTIONS = [
    *("nop", "add_one", "echo_int", "echo_float", "echo_str", "echo_obj", "echo_any"),
    *("make_array", *(f"arity{n}" for n in ARITIES), *KEYWORDS),
]
GENERIC_TYPES = ["Pair", "Fields", "Text", *(f"Level{depth}" for depth in range(9))]

# In the order of the table's columns.
NAMES = ("tain", "nanobind", *GENERIC, "pybind11", "tvm", "torch", "c")
PARTIAL = (*GENERIC, "torch")  # no rows with processes of their own


def _defined(base: type, define: Callable[[str], Callable[[type], type]]) -> dict[str, type]:
    """Return the types that Python defines; `define(key)` is the decorator."""
    return {
        name: define(f"bench.{name}")(
            type(name, (base,), {"__annotations__": fields, "__module__": __name__})
        )
        for name, fields in DEFINED.items()
    }


def _load_tain() -> SimpleNamespace:
    import tain

    tain.load_library(str(building.extension("tain")))
    names = (*FUNCTIONS, *KEYWORDS, *OWN, *ARRAYS, "new_like")
    made = {name: tain.get_global_func(f"bench.{name}") for name in names}
    for name in ("call_virtual", "sum_of_scaled"):
        made[name] = tain.get_global_func(f"bench.{name}")
    made |= {name: tain.get_class(f"bench.{name}") for name in (*TYPES, *BOXED, "Shape")}
    made |= _defined(tain.Object, tain.py_class)
    return SimpleNamespace(**made)


def _load_tvm() -> SimpleNamespace:
    import tvm_ffi
    from tvm_ffi.dataclasses import c_class, py_class

    tvm_ffi.load_module(str(building.extension("tvm")))
    names = (*FUNCTIONS, *ARRAYS, "new_like")
    made: dict[str, Any] = {name: tvm_ffi.get_global_func(f"bench.{name}") for name in names}
    parent: type = tvm_ffi.Object
    for name in ("KwPair", *TYPES):
        base = parent if name.startswith("Level") and name != "Level0" else tvm_ffi.Object
        made[name] = c_class(f"bench.{name}")(type(name, (base,), {"__module__": __name__}))
        parent = made[name]
    made |= _defined(tvm_ffi.Object, py_class)
    return SimpleNamespace(**made)


def _load_generic(name: str) -> SimpleNamespace:
    import tain

    tain.load_library(str(building.extension("tain")))
    module = building.load_module(building.extension(name))
    style = getattr(module, name.removeprefix("nanobind_"))
    made = {key: style.get_function(f"bench.{key}") for key in GENERIC_FUNCTIONS}
    made |= {key: style.get_class(f"bench.{key}") for key in GENERIC_TYPES}
    return SimpleNamespace(**made)


def _load_torch() -> SimpleNamespace:
    import torch

    torch.ops.load_library(str(building.extension("torch")))
    operators = {name: getattr(torch.ops.bench, name).default for name in TORCH}
    return SimpleNamespace(torch=SimpleNamespace(**operators))


def _load_extension(name: str) -> SimpleNamespace:
    module = building.load_module(building.extension(name))
    wanted = [*FUNCTIONS, *KEYWORDS, *TYPES, *VIRTUAL, *ARRAYS, "new_like"]
    wanted += ["SharedFields", "make_type", *BOXED, "sum_of_scaled"]
    made = {key: getattr(module, key) for key in wanted if hasattr(module, key)}
    if name == "c":  # Python's own stand in its column
        made |= _defined(object, lambda _: dataclasses.dataclass(slots=True))
    return SimpleNamespace(**made)


@cache
def load(name: str) -> SimpleNamespace | None:
    """Return a contender; None if it is not installed.

    Those that take PyTorch's tensors have an attribute `torch` with these functions.
    """
    try:
        if name == "tain":
            made = _load_tain()
        elif name == "tvm":
            made = _load_tvm()
        elif name == "torch":
            made = _load_torch()
        elif name in GENERIC:
            made = _load_generic(name)
        else:
            made = _load_extension(name)
    except ImportError as error:
        print(f"{name} is left out: {error}", file=sys.stderr)
        return None
    if name == "torch":
        return made
    if not hasattr(made, "SharedFields"):  # only nanobind has two kinds of object fields
        made.SharedFields = made.Fields
    if not hasattr(made, "KwPair"):  # only apache-tvm-ffi has two kinds of constructors
        made.KwPair = made.Pair
    if name not in GENERIC:  # whose echo_any takes no arrays
        made.array_any = made.echo_any
    if hasattr(made, "new_like"):
        made.torch = made
    return made

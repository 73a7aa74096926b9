# SPDX-License-Identifier: Apache-2.0
"""The contenders as objects with the same attributes: functions, types, containers."""

from __future__ import annotations

from types import SimpleNamespace

import building

FUNCTIONS = [
    *("nop", "add_one", "echo_int", "echo_float", "echo_str", "echo_bytes", "echo_obj"),
    *("call_n", "make_array", "make_map", "take_ints"),
    *(f"arity{n}" for n in range(9)),
]
TYPES = ["Pair", "Fields", *(f"Level{depth}" for depth in range(9))]

# In the order of the table's columns.
NAMES = ("tain", "nanobind", "pybind11", "tvm", "c")


def _load_tain() -> SimpleNamespace:
    import tain

    tain.load_library(
        str(building.build(building.EXT / "bench_tain.cc", building.toolkit("tain"), False))
    )
    made = {name: tain.get_global_func(f"bench.{name}") for name in FUNCTIONS}
    made |= {name: tain.get_class(f"bench.{name}") for name in TYPES}
    return SimpleNamespace(**made, Array=tain.Array)


def _load_tvm() -> SimpleNamespace:
    import tvm_ffi
    from tvm_ffi.dataclasses import c_class

    tvm_ffi.load_module(
        str(building.build(building.EXT / "bench_tvm.cc", building.toolkit("tvm"), False))
    )
    made = {name: tvm_ffi.get_global_func(f"bench.{name}") for name in FUNCTIONS}
    parent = tvm_ffi.Object
    for name in TYPES:
        base = parent if name.startswith("Level") and name != "Level0" else tvm_ffi.Object
        made[name] = c_class(f"bench.{name}")(type(name, (base,), {"__module__": __name__}))
        parent = made[name]
    return SimpleNamespace(**made, Array=tvm_ffi.Array)


def _load_extension(name: str) -> SimpleNamespace:
    module = building.load_module(f"bench_{name}", building.toolkit(name))
    wanted = [*FUNCTIONS, *TYPES, "SharedFields"]
    made = {key: getattr(module, key) for key in wanted if hasattr(module, key)}
    if hasattr(module, "IntVector"):
        made["Array"] = module.IntVector
    return SimpleNamespace(**made)


def load(name: str) -> SimpleNamespace | None:
    """Return a contender; None if it is not installed."""
    try:
        if name == "tain":
            made = _load_tain()
        elif name == "tvm":
            made = _load_tvm()
        else:
            made = _load_extension(name)
        if not hasattr(made, "SharedFields"):  # only nanobind has two kinds of object fields
            made.SharedFields = made.Fields
        return made
    except ImportError as error:
        print(f"{name} is left out: {error}")
        return None

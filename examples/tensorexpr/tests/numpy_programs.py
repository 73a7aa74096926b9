# SPDX-License-Identifier: Apache-2.0
"""A table of small programs and what numpy says of each, for the tests `test_numpy_*`.

Each test file has a `Table`. `Table.add` puts a program into it. The inputs are arrays, for which
`make` gets tensors of the same shapes and types; it returns the tensor, or the tensors, to compare
with what numpy says. `Table.check` runs a program, as a program of blocks or by its default
schedule, and compares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import tensorexpr
from tain.types.tensorexpr.te import _lower_schedule
from tensorexpr import te, tir

Make = Callable[..., Any]
Library = Callable[[int], Any]

SIGNED = ["int8", "int16", "int32", "int64"]
INTS = [*SIGNED, "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
PER_MODULE = 70  # programs in one library


class Program(NamedTuple):
    """How to make the tensors, what goes in, and what numpy says comes out."""

    make: Make
    inputs: list[np.ndarray]
    expected: list[np.ndarray]
    rtol: float
    shapes: list[tuple[Any, ...]]

    def arguments(self) -> tuple[list[Any], list[Any]]:
        """Return tensors for the inputs and for the results."""
        variables = {x: te.var(x) for shape in self.shapes for x in shape if isinstance(x, str)}
        ins = [
            te.placeholder([variables.get(x, x) for x in shape], str(a.dtype), f"in{k}")
            for k, (shape, a) in enumerate(zip(self.shapes, self.inputs, strict=True))
        ]
        made = self.make(*ins)
        return ins, list(made) if isinstance(made, tuple) else [made]

    def block_program(self) -> Any:
        ins, outs = self.arguments()
        return te.create_prim_func([*ins, *outs])

    def scheduled_program(self) -> Any:
        ins, outs = self.arguments()
        return _lower_schedule(te.create_schedule(outs[0].op), [*ins, *outs])


class Table:
    """Programs by name, and the random numbers that go into them."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self.rng = np.random.default_rng(0)

    def add(
        self,
        name: str,
        inputs: list[Any],
        make: Make,
        expected: Any,
        rtol: float = 0.0,
        shapes: str = "",
    ) -> None:
        """Put a program into the table; `shapes`, such as "n m, m", are symbolic."""
        assert name not in self.programs, name
        arrays = [np.ascontiguousarray(a) if np.ndim(a) else np.array(a) for a in inputs]
        results = list(expected) if isinstance(expected, tuple) else [expected]
        results = [np.asarray(x) for x in results]
        fixed = [a.shape for a in arrays]
        symbolic = [tuple(shape.split()) for shape in shapes.split(",")] if shapes else fixed
        self.programs[name] = Program(make, arrays, results, rtol, symbolic)

    def normal(self, *shape: int, dtype: str = "float32") -> np.ndarray:
        return self.rng.standard_normal(shape).astype(dtype)

    def integers(
        self, *shape: int, dtype: str = "int32", low: int = -9, high: int = 10
    ) -> np.ndarray:
        return self.rng.integers(0 if dtype[0] == "u" else low, high, shape).astype(dtype)

    def library(self) -> Library:
        """Return a function that gives the library with the program of a number.

        It builds a library when it is first needed.
        """
        built: dict[int, Any] = {}
        names = list(self.programs)

        def library(number: int) -> Any:
            begin = number - number % PER_MODULE
            if begin not in built:
                functions = {}
                for k, name in enumerate(names[begin : begin + PER_MODULE], begin):
                    functions[f"block_{k}"] = self.programs[name].block_program()
                    functions[f"scheduled_{k}"] = self.programs[name].scheduled_program()
                built[begin] = tensorexpr.build(tensorexpr.IRModule(functions))
            return built[begin]

        return library

    def check(self, name: str, how: str, library: Library) -> None:
        """Check that a program, "block" or "scheduled", does what numpy does."""
        program = self.programs[name]
        types = [str(tensor.dtype) for tensor in program.arguments()[1]]
        expected_types = [str(x.dtype) for x in program.expected]
        assert types == expected_types, f"{types} are not {expected_types}"
        given = [a.copy() for a in program.inputs]
        results = [unlike(x) for x in program.expected]
        number = list(self.programs).index(name)
        library(number)[f"{how}_{number}"](*given, *results)
        for result, expected in zip(results, program.expected, strict=True):
            if program.rtol:
                np.testing.assert_allclose(result, expected, rtol=program.rtol, atol=program.rtol)
            else:
                np.testing.assert_array_equal(result, expected)
                if expected.dtype.kind == "f":
                    zeros = expected == 0
                    np.testing.assert_array_equal(
                        np.signbit(result[zeros]), np.signbit(expected[zeros])
                    )
        for array, before in zip(given, program.inputs, strict=True):
            np.testing.assert_array_equal(array, before)


def unlike(x: np.ndarray) -> np.ndarray:
    """Return an array that is wrong everywhere, so that each element must be written."""
    flipped = ~x if x.dtype == bool else ~x.view(f"u{x.itemsize}")
    return np.array(flipped, order="C").view(x.dtype)


def elementwise(f: Make) -> Make:
    """Return the program that applies `f` to elements of tensors, with numpy's broadcasting."""

    def make(*tensors: Any) -> Any:
        rank = max(len(t.shape) for t in tensors)

        def element(tensor: Any, index: tuple[Any, ...]) -> Any:
            last = index[rank - len(tensor.shape) :]
            return tensor[
                tuple(0 if is_one(n) else i for i, n in zip(last, tensor.shape, strict=True))
            ]

        shape = [1] * rank
        for t in tensors:
            for k, n in enumerate(t.shape, rank - len(t.shape)):
                shape[k] = shape[k] if is_one(n) else n
        return te.compute(shape, lambda *i: f(*(element(t, i) for t in tensors)), name="result")

    return make


def is_one(extent: Any) -> bool:
    return isinstance(extent, tir.IntImm) and extent.value == 1


def edges(dtype: str) -> np.ndarray:
    """Return values at which arithmetic goes wrong, if it does."""
    if dtype == "bool":
        return np.array([False, True])
    if dtype in FLOATS:
        big = np.finfo(dtype).max
        values = [-np.inf, -big, -7.5, -2, -0.3, -0.0, 0.0, 0.3, 1, 3, 7.5, big, np.inf, np.nan]
        return np.array(values, dtype)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = {low, low + 1, high // 2, high - 1, high, 0, 1, 2, 3, 7, 10, 100}
    return np.array(sorted(values | ({-1, -2, -3, -7, -10, -100} if low < 0 else set())), dtype)

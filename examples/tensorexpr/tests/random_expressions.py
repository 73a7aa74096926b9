# SPDX-License-Identifier: Apache-2.0
"""Random expressions, and the value of an expression by rules that are written out here."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from random_cases import SEED, Case
from tain.types.tensorexpr.te import _lower_schedule
from tensorexpr import te, tir

ROWS = 16  # values of the variables that an expression is computed for

# ---------------------------------------------------------------- arithmetic, by itself

INTEGERS = ("int32", "int64", "uint8")
FLOATS = ("float32", "float64")
TYPES = (*INTEGERS, *FLOATS, "bool")
BITS = {"int32": 32, "int64": 64, "uint8": 8}


class InexactError(Exception):
    """A product of floats was rounded: the result depends on how the compiler fuses."""


def wrapped(value: int, dtype: str) -> int:
    """Return what an integer type keeps of a number."""
    bits = BITS[dtype]
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype != "uint8" and value >> (bits - 1) else value


def common_type(a: str, b: str) -> str:
    """Return the type to which operands are promoted."""
    order = ("bool", "uint8", "int32", "int64", "float32", "float64")
    return max(a, b, key=order.index)


def trunc_div(a: int, b: int) -> int:
    q = abs(a) // abs(b) if b else 0
    return -q if (a < 0) != (b < 0) else q


def power(a: int, b: int, dtype: str) -> int:
    if b < 0:
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
    return wrapped(pow(a, b, 1 << BITS[dtype]), dtype)


def of_integers(op: str, dtype: str, a: int, b: int) -> int:
    """Return the value of an operator of integers, which wraps around."""
    value = {
        "add": lambda: a + b,
        "sub": lambda: a - b,
        "mul": lambda: a * b,
        "floordiv": lambda: a // b if b else 0,
        "floormod": lambda: a % b if b else 0,
        "truncdiv": lambda: trunc_div(a, b),
        "truncmod": lambda: a - trunc_div(a, b) * b if b else 0,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
        "pow": lambda: power(a, b, dtype),
    }[op]()
    return wrapped(value, dtype)


def of_floats(op: str, dtype: str, a: Any, b: Any) -> Any:
    """Return the value of an operator of floats."""
    kind = getattr(np, dtype)
    a, b = kind(a), kind(b)
    if op in ("mul", "floordiv", "floormod") and np.isfinite(a) and np.isfinite(b):
        product = a * b
        if not np.isfinite(product) or Fraction(float(a)) * Fraction(float(b)) != Fraction(
            float(product)
        ):
            raise InexactError
    return kind(
        {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "div": lambda: a / b,
            "truncdiv": lambda: a / b,
            "floordiv": lambda: np.floor_divide(a, b),
            "floormod": lambda: np.remainder(a, b),
            "min": lambda: a if a <= b or a != a else b,
            "max": lambda: a if a >= b or a != a else b,
        }[op]()
    )


COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def converted(value: Any, source: str, to: str) -> Any:
    """Return a value in another type, as a cast of C has it."""
    if to == "bool":
        return bool(value != 0)
    if to in FLOATS:
        if source in INTEGERS or source == "bool":
            # One rounding: int64 to float32 does not pass through float64.
            return getattr(np, to)(np.int64(int(value)))
        return getattr(np, to)(value)
    return wrapped(int(value), to)


def apply(op: str, dtype: str, kinds: tuple[str, ...], args: list[Any]) -> Any:
    """Return the value of an operator of operands of these types; `dtype` is that of the value."""
    if op == "cast":
        return converted(args[0], kinds[0], dtype)
    if op == "select":
        return args[1] if args[0] else args[2]
    if op == "not":
        return not args[0]
    if op == "and":
        return bool(args[0] and args[1])
    if op == "or":
        return bool(args[0] or args[1])
    if op in COMPARISONS:
        return bool(COMPARISONS[op](*args))
    if op == "abs":
        return wrapped(abs(args[0]), dtype) if dtype in INTEGERS else abs(args[0])
    if op in ("floor", "ceil", "round"):
        return getattr(np, dtype)(
            {"floor": np.floor, "ceil": np.ceil, "round": np.rint}[op](args[0])
        )
    if kinds[0] == "bool":
        return bool(min(args) if op == "min" else max(args))
    return (of_integers if dtype in INTEGERS else of_floats)(op, dtype, *args)


# ---------------------------------------------------------------- expressions


@dataclass
class Tree:
    """An expression; the operands of an operator have one type unless the operator promotes."""

    op: str
    dtype: str
    args: list[Tree] = field(default_factory=list)
    value: Any = None  # of a constant; the name of a variable

    def __str__(self) -> str:
        if self.op in ("var", "const"):
            return f"{self.value}" if self.op == "var" else f"{self.dtype}({self.value})"
        return f"{self.op}:{self.dtype}({', '.join(map(str, self.args))})"


def names_in(tree: Tree) -> set[str]:
    """Return the names of the variables of an expression."""
    own = {tree.value} if tree.op == "var" else set()
    return own.union(*map(names_in, tree.args))


def value_of(tree: Tree, variables: dict[str, Any]) -> Any:
    """Return the value of an expression."""
    if tree.op == "var":
        return variables[tree.value]
    if tree.op == "const":
        return tree.value
    args = [value_of(one, variables) for one in tree.args]
    kinds = tuple(one.dtype for one in tree.args)
    if tree.op in ("cast", "select", "not", "and", "or"):
        return apply(tree.op, tree.dtype, kinds, args)
    together = tree.dtype
    if tree.op in COMPARISONS:
        together = common_type(*kinds)
    args = [converted(a, k, together) for a, k in zip(args, kinds, strict=True)]
    return apply(tree.op, tree.dtype, (together,) * len(args), args)


def constant(value: Any, dtype: str) -> Any:
    if dtype in FLOATS:
        return tir.const(float(value), dtype)
    return tir.IntImm(dtype, int(value))


BUILDERS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b,
    "floormod": lambda a, b: a % b,
    "truncdiv": tir.truncdiv,
    "truncmod": tir.truncmod,
    "min": tir.min,
    "max": tir.max,
    "pow": tir.pow,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "and": tir.all,
    "or": tir.any,
    "not": lambda a: ~a,
    "select": tir.Select,
    "abs": tir.abs,
    "floor": tir.floor,
    "ceil": tir.ceil,
    "round": tir.round,
}


def expression_of(tree: Tree, variables: dict[str, Any]) -> Any:
    """Return the same expression in the language that is tested."""
    if tree.op == "var":
        return variables[tree.value]
    if tree.op == "const":
        return constant(tree.value, tree.dtype)
    args = [expression_of(one, variables) for one in tree.args]
    if tree.op == "cast":
        return args[0].astype(tree.dtype)
    if tree.op == "select" and tree.value:
        return tir.if_then_else(*args)
    return BUILDERS[tree.op](*args)


NODES = {
    "Add": "add", "Sub": "sub", "Mul": "mul", "Div": "truncdiv", "Mod": "truncmod",
    "FloorDiv": "floordiv", "FloorMod": "floormod", "Min": "min", "Max": "max", "EQ": "eq",
    "NE": "ne", "LT": "lt", "LE": "le", "GT": "gt", "GE": "ge", "And": "and", "Or": "or",
}  # fmt: skip


def value_of_node(e: Any, variables: dict[str, Any]) -> Any:
    """Return the value of an expression of the language that is tested."""
    kind, dtype = type(e).__name__, str(e.dtype)
    if kind in ("Var", "SizeVar"):
        return variables[str(e.name)]
    if kind == "IntImm":
        return bool(e.value) if dtype == "bool" else int(e.value)
    if kind == "FloatImm":
        return getattr(np, dtype)(e.value)
    if kind == "Call":
        op = {"if_then_else": "select"}.get(str(e.op), str(e.op))
        parts = list(e.args)
    elif kind == "Cast":
        op, parts = "cast", [e.value]
    elif kind == "Not":
        op, parts = "not", [e.a]
    elif kind == "Select":
        op, parts = "select", [e.condition, e.true_value, e.false_value]
    else:
        op, parts = NODES[kind], [e.a, e.b]
    args = [value_of_node(one, variables) for one in parts]
    return apply(op, dtype, tuple(str(one.dtype) for one in parts), args)


VARIABLES = {
    "i": "int32", "j": "int32", "n": "int32", "r": "int32", "k": "int64", "u": "uint8",
    "x": "float32", "y": "float64", "b": "bool", "c": "bool",
}  # fmt: skip


def random_integer(rng: random.Random, dtype: str) -> int:
    bits = BITS[dtype]
    kind = rng.randrange(10)
    if kind < 5:
        return wrapped(rng.randint(-9, 9), dtype)
    if kind < 7:
        return wrapped(rng.choice((-1, 1)) * (1 << rng.randrange(bits)) + rng.randint(-1, 1), dtype)
    if kind < 9:
        return wrapped(rng.randint(-1000, 1000), dtype)
    return wrapped(rng.getrandbits(bits), dtype)


def random_value(rng: random.Random, dtype: str) -> Any:
    if dtype == "bool":
        return rng.random() < 0.5
    if dtype in FLOATS:
        return getattr(np, dtype)(rng.randint(-12, 12) / rng.choice((1, 1, 2, 4)))
    return random_integer(rng, dtype)


def random_tree(rng: random.Random, dtype: str, depth: int) -> Tree:
    """Return a random expression of a type."""
    if depth == 0 or rng.random() < 0.08:
        names = [name for name, kind in VARIABLES.items() if kind == dtype]
        if rng.random() < 0.65:
            return Tree("var", dtype, value=rng.choice(names))
        return Tree("const", dtype, value=random_value(rng, dtype))
    below = depth - 1

    def operand() -> Tree:
        """Return an operand that is promoted to the type."""
        if rng.random() < 0.8:
            return random_tree(rng, dtype, below)
        lower = [kind for kind in TYPES if kind != "bool" and common_type(kind, dtype) == dtype]
        return random_tree(rng, rng.choice(lower), below)

    if rng.random() < 0.15:
        condition = random_tree(rng, "bool", below)
        two = [random_tree(rng, dtype, below), random_tree(rng, dtype, below)]
        return Tree("select", dtype, [condition, *two], value=rng.random() < 0.5)
    if dtype == "bool":
        kind = rng.random()
        if kind < 0.55:
            of = rng.choice((*TYPES, "int32", "int64"))
            two = [random_tree(rng, of, below), random_tree(rng, of, below)]
            return Tree(rng.choice(list(COMPARISONS)), dtype, two)
        if kind < 0.65:
            return Tree("not", dtype, [random_tree(rng, dtype, below)])
        if kind < 0.72:
            return Tree("cast", dtype, [random_tree(rng, rng.choice(TYPES[:-1]), below)])
        two = [random_tree(rng, dtype, below), random_tree(rng, dtype, below)]
        return Tree(rng.choice(("and", "or", "min", "max")), dtype, two)
    if rng.random() < 0.1:
        sources = [one for one in TYPES if one != dtype and (dtype in FLOATS or one not in FLOATS)]
        return Tree("cast", dtype, [random_tree(rng, rng.choice(sources), below)])
    if rng.random() < 0.05:
        return Tree("abs", dtype, [random_tree(rng, dtype, below)])
    if dtype in FLOATS:
        if rng.random() < 0.1:
            return Tree(
                rng.choice(("floor", "ceil", "round")), dtype, [random_tree(rng, dtype, below)]
            )
        ops = ("add", "add", "sub", "sub", "mul", "div", "min", "max", "floordiv", "floormod")
    else:
        ops = ("add", "add", "add", "sub", "sub", "sub", "mul", "mul", "floordiv", "floordiv",
               "floormod", "floormod", "truncdiv", "truncmod", "min", "max", "pow")  # fmt: skip
    op = rng.choice(ops)
    first, second = operand(), operand()
    if op in ("mul", "floordiv", "floormod", "truncdiv", "truncmod") and rng.random() < 0.6:
        # Constants are what the rules are for; equal ones more so.
        number = rng.choice((2, 2, 3, 4, 4, 8, 16, rng.randint(-9, 99), 1 << rng.randrange(7)))
        second = Tree("const", dtype, value=converted(number, "int64", dtype))
        if rng.random() < 0.1:
            second = Tree("const", dtype, value=random_value(rng, dtype))
    if dtype not in (first.dtype, second.dtype):
        first = random_tree(rng, dtype, below)
    return Tree(op, dtype, [first, second])


def random_variables(rng: random.Random, row: int) -> dict[str, Any]:
    values = {name: random_value(rng, dtype) for name, dtype in VARIABLES.items()}
    values["n"] = abs(values["n"]) % (1 << 31)
    values["r"] = row
    return values


def is_same(a: Any, b: Any) -> bool:
    return bool(a == b) or (a != a and b != b)


# ---------------------------------------------------------------- cases


def expression_case(index: int) -> Case:
    """Return a program that computes an expression for some rows, and try `simplify` on it."""
    rng = random.Random(f"{SEED}/expressions/{index}")
    dtype = rng.choice((*TYPES, "int32", "int32", "int64"))
    tree = random_tree(rng, dtype, rng.randint(2, 5))
    case = Case(index, str(tree))
    rows = [random_variables(rng, row) for row in range(ROWS)]
    expected, valid = np.zeros(ROWS, dtype), np.ones(ROWS, bool)
    for row, values in enumerate(rows):
        try:
            expected[row] = value_of(tree, values)
        except (InexactError, OverflowError):
            valid[row] = False
    variables = {name: tir.Var(name, kind) for name, kind in VARIABLES.items()}
    variables["n"] = te.var("n")
    e = expression_of(tree, variables)
    if str(e.dtype) != dtype:
        case.failure = f"the expression has the type {e.dtype}, expected {dtype}"
        return case
    simple = tir.simplify(e)
    for what, made in (("the expression", e), ("simplify", simple)):
        for row, values in enumerate(rows):
            if not valid[row]:
                continue
            try:
                value = value_of_node(made, values)
            except InexactError:
                continue
            if not is_same(value, expected[row]):
                case.failure = (
                    f"{what}: {e}\n becomes {made}\n with {values}\n"
                    f" is {value!r}, expected {expected[row]!r}"
                )
                return case
    names = sorted(names_in(tree) - {"r"})
    tensors = {name: te.placeholder((ROWS,), VARIABLES[name], name=name) for name in names}

    def element(r: Any) -> Any:
        return expression_of(tree, {"r": r, **{name: tensors[name][r] for name in names}})

    out = te.compute((ROWS,), element, name="out")
    schedule = te.create_schedule(out.op)
    way = rng.choice(("plain", "vectorize", "split", "unroll"))
    stage, (axis,) = schedule[out], out.op.axis
    if way == "split":
        outer, inner = stage.split(axis, rng.choice((3, 4, 8)))
        stage.parallel(outer)
        stage.vectorize(inner)
    elif way != "plain":
        getattr(stage, way)(axis)
    case.text += f"\n way: {way}"
    case.function = _lower_schedule(schedule, [*(tensors[name] for name in names), out])
    case.inputs = [np.array([one[name] for one in rows], VARIABLES[name]) for name in names]
    case.expected, case.valid = [expected], valid
    return case

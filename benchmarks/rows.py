# SPDX-License-Identifier: Apache-2.0
"""What is timed: for each row a statement, what prepares it, and the target for tain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Row:
    """One operation, written once for all contenders; `m` is the contender."""

    group: str  # the part of the table
    name: str
    setup: str
    stmt: str
    # The most that tain may cost, relative to other contenders; from what was found possible.
    targets: Mapping[str, float] = field(default_factory=dict)
    count: int = 1  # operations that one statement does
    other: Mapping[str, str] = field(default_factory=dict)  # setups of single contenders
    stmts: Mapping[str, str] = field(default_factory=dict)  # statements of single contenders
    series: str = ""  # rows of one series show how a cost grows with their size
    size: int = 0
    needs: str = ""  # a module without which the row is left out


ARITIES = (*range(9), 12, 16)
_LETTERS = "abcdefghijklmnop"


def _nb(ratio: float) -> dict[str, float]:
    return {"nanobind": ratio}


def _calls() -> list[Row]:
    values = "; ".join(f"{name} = {i}" for i, name in enumerate(_LETTERS))
    by_type = [
        Row("calls by type", name, setup, stmt, targets)
        for name, setup, stmt, targets in (
            ("nop()", "f = m.nop", "f()", _nb(1.1)),
            ("add_one(1)", "f = m.add_one", "f(1)", _nb(1.15)),
            ("echo(int)", "f = m.echo_int", "f(7)", _nb(1.15)),
            ("echo(2**40)", "f = m.echo_int; x = 2**40", "f(x)", {}),
            ("echo(float)", "f = m.echo_float; x = 1.5", "f(x)", {}),
            ('echo("hello")', "f = m.echo_str; x = 'hello'", "f(x)", _nb(1.1)),
            ("echo(str of 40)", "f = m.echo_str; x = 'x' * 40", "f(x)", _nb(1.2)),
            ("echo(bytes of 40)", "f = m.echo_bytes; x = b'x' * 40", "f(x)", {}),
            ("echo(obj)", "f = m.echo_obj; x = m.Pair(1, 2)", "f(x)", _nb(1.35)),
            ("echo(Any, an object)", "f = m.echo_any; x = m.Pair(1, 2)", "f(x)", _nb(1.4)),
        )
    ]
    by_arity = [
        Row(
            "calls by arity",
            f"{n} argument{'' if n == 1 else 's'}",
            f"call = m.arity{n}; {values}",
            f"call({', '.join(_LETTERS[:n])})",
            series="arity",
            size=n,
        )
        for n in ARITIES
    ]
    keywords = [
        Row("keywords", "add(1), b by default", "f = m.add", "f(1)"),
        Row("keywords", "add(1, b=2)", "f = m.add", "f(1, b=2)"),
        Row("keywords", "add(a=1, b=2)", "f = m.add", "f(a=1, b=2)"),
        Row("keywords", "add(b=2, a=1)", "f = m.add", "f(b=2, a=1)"),
        Row("keywords", "Pair(a=1, b=2)", "P = m.KwPair", "P(a=1, b=2)"),
    ]
    for n in (1, 2, 4, 8):
        given = ", ".join(f"{name}={name}" for name in "abcdefgh"[:n])
        name = f"{n} keyword{'' if n == 1 else 's'}"
        setup = f"call = m.kw{n}; {values}"
        keywords.append(
            Row("keywords", name, setup, f"call({given})", series="keywords", size=n),
        )
    callback = Row(
        "calls by type",
        "callback from C++",
        "f = m.call_n; g = lambda x: x",
        "f(g, 100)",
        _nb(1.15),
        count=100,
    )
    return [*by_type, callback, *by_arity, *keywords]


_SUBCLASS = "class S(m.Pair):\n    pass\n"
_OWN_INIT = """class S(m.Pair):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.c = a
"""
# Classes of apache-tvm-ffi have no room for attributes unless they say so.
_OWN_INIT_TVM = _OWN_INIT.replace(":\n", ":\n    __slots__ = ('__dict__',)\n", 1)


def _objects() -> list[Row]:
    rows = [
        Row("construction", "Pair(1, 2)", "P = m.Pair", "P(1, 2)", _nb(1.15)),
        Row("construction", 'Text("hello")', "P = m.Text", "P('hello')"),
        Row("construction", "subclass(1, 2)", _SUBCLASS, "S(1, 2)"),
        Row(
            "construction",
            "subclass(1, 2), own __init__",
            _OWN_INIT,
            "S(1, 2)",
            {"nanobind": 1.3},
            other={"tvm": _OWN_INIT_TVM},
        ),
    ]
    alive = "p = m.Fields(); child = p.child"
    given = "p = m.Fields(); q = m.Fields().child"
    held = "p = m.Fields(); p.held = child = m.Pair(1, 2)"
    kept = "f = m.fetch; kept = f()"
    shared = "p = m.SharedFields()"
    rows += [
        Row("object fields and identity", name, setup, stmt, targets)
        for name, setup, stmt, targets in (
            # nanobind's intrusive objects keep their Python object, those of shared_ptr do not;
            # each row has the kind that can do the same as tain.
            ("p.child, wrapper made", shared, "p.child", _nb(1.0)),
            ("p.child, wrapper alive", alive, "p.child", _nb(1.0)),
            ("p.child = q", given, "p.child = q", {}),
            ("p.held, wrapper alive", held, "p.held", _nb(1.1)),
            ("fetch(), wrapper alive", kept, "f()", {}),
        )
    ]
    override = "f = m.call_virtual\nclass S(m.Shape):\n    def scaled(self, x):\n        return x\n"
    inherit = "f = m.call_virtual\nclass S(m.Shape):\n    pass\n"
    rows += [
        # nanobind and pybind11 by trampolines. Their Shape() itself is plain C++ without one.
        Row("virtual", name, setup + "\nshape = " + made, f"f(shape, {n})", targets, count=n)
        for name, setup, made, n, targets in (
            ("override called from C++", override, "S()", 100, _nb(1.15)),
            ("virtual call in C++", "f = m.call_virtual", "m.Shape()", 10_000, {}),
            ("the same, Python subclass", inherit, "S()", 100, {}),
        )
    ]
    rows += _boxes()
    rows += [
        # In the column of C: a dataclass with slots.
        Row("defined in Python", name, setup, stmt, targets)
        for name, setup, stmt, targets in (
            ("Two(1, 2)", "T = m.Two", "T(1, 2)", {"c": 1.5}),
            ("Two(a=1, b=2)", "T = m.Two", "T(a=1, b=2)", {"c": 1.5}),
            ("Four(1, 2.5, 'abc', x)", "T = m.Four; x = 'd'", "T(1, 2.5, 'abc', x)", {"c": 1.5}),
            ("two.a", "p = m.Two(1, 2)", "p.a", {}),
            ("two.a = 3", "p = m.Two(1, 2)", "p.a = 3", {}),
        )
    ]
    pair = "p = m.Pair(1, 2)"
    rows.append(Row("methods", "p.sum()", pair, "p.sum()", _nb(1.15)))
    rows.append(Row("methods", "p.plus(3)", pair, "p.plus(3)", _nb(1.15)))
    return rows


def _boxes() -> list[Row]:
    known = "t = m.Tree(); kept = (t.ref(), t.get(), t.member)"
    override = "f = m.sum_of_scaled\nclass P(m.Form):\n    def scaled(self, x):\n        return x\n"
    return [
        Row("classes of another library", name, setup, stmt, {"pybind11": 1.0}, count=n)
        for name, setup, stmt, n in (
            ("constructor", "L = m.Leaf", "L(1)", 1),
            ("result by reference, known to Python", known, "t.ref()", 1),
            ("result by reference, new to Python", "t = m.Tree()", "t.ref()", 1),
            ("result by shared_ptr, known to Python", known, "t.get()", 1),
            ("result by shared_ptr, new to Python", "t = m.Tree()", "t.get()", 1),
            ("new object by shared_ptr", "t = m.Tree()", "t.make()", 1),
            ("(shared_ptr, float), known to Python", known, "t.score()", 1),
            ("(shared_ptr, float), new object", "t = m.Tree()", "t.new_score()", 1),
            ("member of class type, known to Python", known, "t.member", 1),
            ("override called by C++", override + "p = P()", "f(p, 100)", 100),
        )
    ]


def _fields() -> list[Row]:
    rows = [
        Row("fields", "p.a", "p = m.Pair(1, 2)", "p.a", _nb(1.0)),
        Row("fields", "p.a = 3", "p = m.Pair(1, 2)", "p.a = 3", _nb(1.1)),
    ]
    values = {"flag": "True", "i32": "3", "i64": "3", "f64": "2.5", "text": "'text'"}
    kinds = {"flag": "bool", "i32": "int32", "i64": "int64", "f64": "double", "text": "str"}
    for name, value in values.items():
        setup = f"p = m.Fields(); x = {value}"
        rows += [
            Row("fields", f"read {kinds[name]}", setup, f"p.{name}", _nb(1.0)),
            Row("fields", f"write {kinds[name]}", setup, f"p.{name} = x", _nb(1.1)),
        ]
    for what, stmt in (("field", "p.v"), ("method", "p.get()")):
        rows += [
            Row(
                "inheritance",
                f"{what} at depth {depth}",
                f"p = m.Level{depth}()",
                stmt,
                series=f"{what} depth",
                size=depth,
            )
            for depth in range(9)
        ]
    return rows


# One row for each size: name, setup, statement, and the targets at 1000.
_GROWING: tuple[tuple[str, str, str, dict[str, float]], ...] = (
    (
        "list of {n} ints to Array",
        "f = m.take_ints; x = list(range({n}))",
        "f(x)",
        {"nanobind": 0.5, "tvm": 0.45},
    ),
    # nanobind and pybind11 by their casters: what only reads the list needs no bound vector.
    ("list of {n} ints, copied", "f = m.copy_ints; x = list(range({n}))", "f(x)", {}),
    ("sum(array of {n})", "x = m.make_array({n})", "sum(x)", _nb(0.6)),
    ("dict(map of {n})", "x = m.make_map({n})", "dict(x)", {"tvm": 0.087}),
    ("dict(map.items()) of {n}", "x = m.make_map({n})", "dict(x.items())", {}),
)


# What must cost as much for each element of many as of few.
_EACH = (
    ("an int of {n} to Array", "f = m.take_ints; x = list(range({n}))", "f(x)"),
    ("an element of sum(array of {n})", "x = m.make_array({n})", "sum(x)"),
)


def _containers() -> list[Row]:
    rows = [
        Row(
            "containers",
            name.format(n=n),
            setup.format(n=n),
            stmt,
            targets if n == 1000 else {},
            series=name,
            size=n,
        )
        for name, setup, stmt, targets in _GROWING
        for n in (1, 10, 100, 1000)
    ]
    rows.append(Row("containers", "array[5]", "x = m.make_array(1000)", "x[5]", _nb(1.2)))
    rows += [
        Row(
            "an element",
            name.format(n=n),
            setup.format(n=n),
            stmt,
            count=n,
            series=name,
            size=n,
        )
        for name, setup, stmt in _EACH
        for n in (10, 1000, 1_000_000)
    ]
    # The Array goes into the call and comes back: C++ changes it in place, or copies it first.
    moves = (
        ("moved", "x[0] = f(x[0]._move())"),
        ("copied, for Python holds it too", "f(x[0])"),
    )
    rows += [
        Row(
            "moving",
            f"Array of {n}, changed: {how}",
            f"f = m.set_first; x = [m.make_array({n})]",
            stmt,
            series=f"Array changed: {how}",
            size=n,
        )
        for how, stmt in moves
        for n in (10, 1000, 100_000)
    ]
    # C builds the same dicts again in Python's objects; the casters build vectors of std::map.
    record = "{'id': i, 'name': f'name {i}', 'score': i * 0.5}"
    rows += [
        Row(
            "nested data",
            f"list of {n} dicts to a container",
            f"f = m.take_dicts; x = [{record} for i in range({n})]",
            "f(x)",
            series="dicts",
            size=n,
        )
        for n in (10, 1000)
    ]
    return rows


GIGABYTE = 250_000_000  # floats


@cache
def vector(size: int) -> Any:
    """Return a numpy array of floats, one for all contenders. Nothing touches its memory."""
    import numpy

    return numpy.zeros(size, numpy.float32)


# What must cost as much for an array of any size. Each size is too large for an int that CPython
# keeps, because array_view returns it.
_PASSED = (
    ("array of {n} to TensorView", "array_view"),
    ("array of {n} through Any", "array_any"),
)


def _arrays() -> list[Row]:
    one = "import numpy; x = numpy.zeros(4, numpy.float32)"
    two = f"{one}; y = x.copy()"
    eight = f"{one}; {'; '.join(f'{name} = x.copy()' for name in _LETTERS[:8])}"
    all_of_them = f"call({', '.join(_LETTERS[:8])})"
    most = {"nanobind": 1.0, "tvm": 1.0}
    rows = [
        Row("arrays", name, setup, stmt, targets)
        for name, setup, stmt, targets in (
            ("float32 vector to TensorView", f"{one}; f = m.array_view", "f(x)", _nb(1.0)),
            (
                "float32 vector to TensorRef<const float, 1>",
                f"{one}; f = m.array_ref",
                "f(x)",
                _nb(1.0),
            ),
            ("array through Tensor", f"{one}; f = m.echo_array", "f(x)", {}),
            # nanobind, pybind11 and C pass the object on without a look at it.
            ("array through Any", f"{one}; f = m.array_any", "f(x)", {}),
            ("result of 3 floats", "f = m.new_array; f()", "f()", {}),
            ("eight arrays in one call", f"{eight}; call = m.eight_arrays", all_of_them, most),
        )
    ]
    rows += [
        Row("arrays", "array kept by C++", f"{two}; f = m.keep_array", "f(x); f(y)", count=2),
        # The result of the others is an array of numpy already.
        Row(
            "arrays",
            "result of 3 floats as an array of numpy",
            "from numpy import asarray, from_dlpack; f = m.new_array",
            "f()",
            stmts={"tain": "asarray(f())", "tvm": "from_dlpack(f())"},
        ),
    ]
    rows += [
        Row(
            "arrays",
            name.format(n=bytes_),
            f"from rows import vector; x = vector({size}); f = m.{function}",
            "f(x)",
            series=name,
            size=size,
        )
        for name, function in _PASSED
        for size, bytes_ in ((1000, "4 kB"), (GIGABYTE, "1 GB"))
    ]
    one = "import torch; x = torch.zeros(4)"
    eight = f"{one}; {'; '.join(f'{name} = x.clone()' for name in _LETTERS[:8])}"
    rows += [
        Row("arrays of PyTorch", name, setup, stmt, targets, needs="torch")
        for name, setup, stmt, targets in (
            ("torch vector to TensorView", f"{one}; f = m.torch.array_view", "f(x)", _nb(1.0)),
            (
                "torch vector to TensorRef<const float, 1>",
                f"{one}; f = m.torch.array_ref",
                "f(x)",
                _nb(1.0),
            ),
            ("torch tensor through Tensor", f"{one}; f = m.torch.echo_array", "f(x)", {}),
            ("result of 3 floats as a torch tensor", f"{one}; f = m.torch.new_like", "f(x)", {}),
            (
                "eight torch tensors in one call",
                f"{eight}; call = m.torch.eight_arrays",
                all_of_them,
                {**most, "torch": 1.0},
            ),
        )
    ]
    return rows


ROWS = [*_calls(), *_objects(), *_fields(), *_containers(), *_arrays()]

# What scale.py times for each number of objects: a chain of which Python holds the end, and a list.
SCALE: dict[str, tuple[str, ...]] = {
    "chain": ("build", "walk in Python", "walk in C++", "free"),
    "list": ("build", "read", "free"),
}

# The shapes of graphs that are measured at several sizes, and what is done with them.
GRAPHS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("tree", "ladder"),
    (
        *("structural_equal", "structural_hash", "save_binary", "load_binary"),
        *("save_json", "load_json", "visit in C++", "identity rewrite in C++"),
        *("visit in Python", "identity rewrite in Python"),
    ),
)

# How to sum up a series: the words, and whether the figure is the cost of one unit of size (or, for
# costs that should not grow, the largest size's cost over the smallest's).
GROWTH: dict[str, tuple[str, bool]] = {
    "arity": ("each further argument", True),
    "keywords": ("each further keyword", True),
    "field depth": ("field, depth 8 over depth 0", False),
    "method depth": ("method, depth 8 over depth 0", False),
    "list of {n} ints to Array": ("each further int to Array", True),
    "list of {n} ints, copied": ("each further int, copied", True),
    "sum(array of {n})": ("each further element of sum(array)", True),
    "dict(map of {n})": ("each further entry of dict(map)", True),
    "dict(map.items()) of {n}": ("each further entry of dict(map.items())", True),
    _EACH[0][0]: ("an int to Array, of a million over of 10", False),
    _EACH[1][0]: ("an element of sum(array), of a million over of 10", False),
    "dicts": ("each further dict to a container", True),
    _PASSED[0][0]: ("array to TensorView, 1 GB over 4 kB", False),
    _PASSED[1][0]: ("array through Any, 1 GB over 4 kB", False),
    "Array changed: moved": ("Array changed after a move, 100000 over 10 elements", False),
    "Array changed: copied, for Python holds it too": (
        "each further element of an Array that is copied",
        True,
    ),
} | {
    f"{kind}: {phase}": (f"{kind}: {phase}, most objects over fewest", False)
    for kind, phases in (SCALE | GRAPHS).items()
    for phase in phases
}

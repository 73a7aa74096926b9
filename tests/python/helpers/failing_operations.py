# SPDX-License-Identifier: Apache-2.0
"""Operations of the whole package, each as a function that makes what runs while memory fails.

`python -c "from failing_operations import *; main('core', 0)"`: see failing_memory.py.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import faulthandler
import gc
import inspect
import itertools
import pickle
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from failing_memory import Failing, run_all
from interpreter import FUNCTION_SURVIVES
from producers import Wrapped
from tain.types.testing import Actor, AllKinds, Node, Point, StdEdges, StlFields, Tree
from testing_functions import get

import tain
from tain import _core

Operation = Callable[[], Any]
OPERATIONS: dict[str, Callable[[], Operation]] = {}
count = itertools.count()


def fresh(prefix: str) -> str:
    return f"memory.{prefix}{next(count)}"


class Child(Node):
    def __init__(self, value: int = 0) -> None:
        super().__init__(value)
        self.extra = [1]


class Greeter(Actor):
    def greet(self, whom: str) -> str:
        return "hi " + whom


def node() -> Node:
    made = Node(1)
    made.next, made.payload = Node(2), {1: 2}
    made.items.append(1)
    return made


LONG = "a text that is longer than what fits into a value"
MANY = [1, 2.5, LONG, {"k": [1, (2, 3)]}, {"x"}, b"bytes " * 9, 10**40, print, ValueError("x")]


def always(operation: Operation) -> Callable[[], Operation]:
    """Nothing to prepare."""
    return lambda: operation


def given(make: Callable[[], Any], *operations: Callable[[Any], Any]) -> Callable[[], Operation]:
    """Operations on what is made without failures."""

    def prepare() -> Operation:
        value = make()
        return lambda: [operation(value) for operation in operations]

    return prepare


def assigned(name: str, value: Any) -> Callable[[Any], None]:
    return lambda target: setattr(target, name, value)


OPERATIONS["objects"] = always(lambda: (Point(1.0, 2.0), Node(value=3), Child(3), StlFields()))
OPERATIONS["fields"] = given(
    node, lambda n: (n.value, n.next, n.items, n.payload), assigned("value", 2),
    assigned("payload", {"a": [1, LONG]}), assigned("callback", print), assigned("next", None),
)  # fmt: skip
OPERATIONS["a wrong field"] = given(node, assigned("value", "abc"))
OPERATIONS["no field"] = given(node, assigned("valeu", 1))
OPERATIONS["repr"] = given(lambda: [node(), AllKinds(), tain.convert(MANY[:-2])], repr)
OPERATIONS["html"] = given(node, lambda n: n._repr_html_())
OPERATIONS["convert"] = always(lambda: tain.convert(MANY))
OPERATIONS["convert a large int"] = always(lambda: tain.convert([10**400]))
OPERATIONS["Array"] = given(
    lambda: tain.Array([1, 2, 3]),
    lambda a: (a[0], a[1:], a + a, list(a), 1 in a, a.index(2), a.count(1), hash(a)),
    lambda a: (a == a[:], a < a[1:], tain.Array(a), list(reversed(a)), tain.Array("abc")),
)
OPERATIONS["List"] = given(
    lambda: tain.List([1, 2, 3]), lambda a: a.append(4), lambda a: a.extend([LONG, 2]),
    lambda a: a.insert(0, 9), lambda a: a.pop(), lambda a: a.remove(9), lambda a: a.reverse(),
    lambda a: a.__setitem__(slice(0, 1), [5, 6]), lambda a: a.copy(), lambda a: a.clear(),
)  # fmt: skip
OPERATIONS["sort"] = given(lambda: tain.List([3, 1, 2]), lambda a: a.sort(), lambda a: sorted(a))
OPERATIONS["Map"] = given(
    lambda: tain.Map({"k": 1, LONG: 2}),
    lambda m: (m["k"], list(m), list(m.items()), list(m.values()), LONG in m, m.get("z")),
    lambda m: (m == {"k": 1}, m == tain.Map(dict(m)), hash(m), m.keys() & {"k"}),
)
OPERATIONS["Dict"] = given(
    lambda: tain.Dict({"k": 1, "l": 2}), lambda d: d.__setitem__(LONG, [1]),
    lambda d: d.update({i: i for i in range(20)}), lambda d: d.pop("k"),
    lambda d: d.setdefault("q", 1), lambda d: d.popitem(), lambda d: d.copy(), lambda d: d | {1: 2},
    lambda d: d.clear(),
)  # fmt: skip
OPERATIONS["no key"] = given(lambda: tain.Map({"k": 1}), lambda m: m["missing"])
OPERATIONS["keys"] = given(lambda: tain.Dict({(1, LONG): 1}), lambda d: d[(1, LONG)])
OPERATIONS["calls"] = always(lambda: (get("echo")([1, {"a": LONG}]), get("make_chain")(n=3)))
OPERATIONS["a wrong call"] = always(lambda: get("apply")())
OPERATIONS["a wrong argument"] = always(lambda: get("make_chain")("abc"))
OPERATIONS["a wrong name"] = always(lambda: get("make_chain")(m=1))
OPERATIONS["callbacks"] = given(lambda: lambda: LONG, lambda back: get("apply")(back))
OPERATIONS["a callback that raises"] = given(lambda: lambda: 1 / 0, lambda back: get("apply")(back))
OPERATIONS["overrides"] = given(Greeter, lambda a: a.introduce())
OPERATIONS["a new override"] = given(
    lambda: {"greet": lambda self, whom: LONG},
    lambda body: type("New", (Actor,), body)().introduce(),
)
OPERATIONS["copy"] = given(node, copy.copy, copy.deepcopy)
OPERATIONS["deepcopy of containers"] = given(
    lambda: tain.convert([{"a": [1, LONG]}, tain.List([tain.Dict({1: 2})])]), copy.deepcopy
)
OPERATIONS["pickle"] = given(lambda: [node(), Child(), tain.List([tain.Map({1: 2})])], pickle.dumps)
OPERATIONS["unpickle"] = given(
    lambda: pickle.dumps([node(), Child(), tain.List([tain.Map({1: 2})])]), pickle.loads
)
OPERATIONS["pickle a graph"] = given(
    lambda: get("make_chain")(40), lambda c: pickle.loads(pickle.dumps(c))
)
OPERATIONS["gc"] = given(
    lambda: [node(), get("make_ring")(5)], lambda n: n.clear(), lambda n: gc.collect()
)
OPERATIONS["gc of standard types"] = given(
    lambda: [StdEdges()], lambda n: assigned("vector", n)(n[0]), lambda n: n.clear(),
    lambda n: gc.collect(),
)  # fmt: skip
OPERATIONS["move"] = given(node, lambda n: get("echo")(n._move()))
OPERATIONS["standard types"] = given(
    lambda: lambda x: x,
    lambda back: repr(StlFields(numbers=[1, 2], table={LONG: [1.5]}, function=back)),
)
OPERATIONS["type keys"] = always(lambda: (tain.type_keys(), tain.list_global_func_names()))
OPERATIONS["no type"] = always(lambda: tain.get_class("testing.Noed"))
OPERATIONS["no function"] = always(lambda: tain.get_global_func("testing.ehco"))
OPERATIONS["type_info"] = always(
    lambda: [
        repr(x)
        for k in ("Node", "Actor")
        for x in (tain.type_info("testing." + k).fields, *tain.type_info("testing." + k).methods)
    ]
)
OPERATIONS["signature"] = always(lambda: (inspect.signature(Node), get("make_chain").__doc__))
OPERATIONS["devices"] = always(
    lambda: (repr(tain.dtype("float32x4")), tain.device("cuda:1"), repr(tain.cpu(0)))
)
OPERATIONS["counts"] = always(
    lambda: (_core.live_objects(), _core.live_instances(), _core.list_units(),
             _core.near_matches("Nod", ["Node", LONG]), _core.find_class("testing.Node"),
             _core.version(), _core.abi_version(), _core._collect_cycles())
)  # fmt: skip


def tree(value: int = 2) -> Tree:
    return Tree(Tree(None, None, value), None, 1)


OPERATIONS["save"] = given(tree, tain.save_json, tain.save_binary)
OPERATIONS["load"] = given(lambda: tain.save_json(tree()), tain.load_json)
OPERATIONS["load binary"] = given(lambda: tain.save_binary(tree()), tain.load_binary)
OPERATIONS["save containers"] = given(
    lambda: tain.Array([{"a": [1, 2.5, LONG, b"x", 10**30]}] * 3),
    lambda v: tain.load_json(tain.save_json(v)),
    lambda v: tain.load_binary(tain.save_binary(v)),
)
OPERATIONS["structural"] = given(
    lambda: (tree(2), tree(3)),
    lambda v: tain.structural_equal(*v),
    lambda v: tain.structural_hash(v[0]),
    lambda v: str(tain.first_mismatch(*v)),
    lambda v: tain.StructuralKey(v[0]) == tain.StructuralKey(v[1]),
    lambda v: tain.free_vars(v[0]),
)
OPERATIONS["diff"] = given(lambda: (tree(2), tree(3)), lambda v: str(tain.diff(*v)))
OPERATIONS["show"] = given(tree, tain.to_text, tain.to_html, tain.to_dot, tain.to_mermaid)
OPERATIONS["builtins"] = given(
    tree, tain.to_builtins, lambda v: tain.from_builtins(Tree, tain.to_builtins(v))
)
OPERATIONS["visit"] = given(
    tree,
    lambda v: tain.visit(v, lambda x: None),
    lambda v: tain.rewrite(v, lambda x: x),
    lambda v: tain.rewrite(v, lambda x: 7 if x == 2 else x),
)
OPERATIONS["replace"] = given(
    tree, lambda v: dataclasses.replace(v, value=5), dataclasses.asdict, copy.deepcopy, copy.copy
)
OPERATIONS["iterators"] = always(
    lambda: (list(get("count_to")(5)), get("sum_iterator")(get("count_to")(3)))
)
OPERATIONS["tensors of arrays"] = given(
    lambda: np.arange(6, dtype="float32").reshape(2, 3),
    lambda a: (tain.from_dlpack(a), get("tensor_identity")(a), repr(tain.from_dlpack(a))),
    lambda a: (tain.from_dlpack(a)[0], tain.from_dlpack(a).numpy(), tain.from_dlpack(a).tolist()),
    lambda a: np.from_dlpack(tain.from_dlpack(a)),
)
OPERATIONS["arrays by DLPack"] = given(
    lambda: Wrapped(np.arange(3.0)),
    lambda a: (get("echo")(a), get("tensor_sum")(a), tain.from_dlpack(a)),
)
OPERATIONS["tensors"] = given(
    lambda: tain.empty((3,), "float32"),
    lambda t: (t.copyto(tain.empty((3,), "float32")), memoryview(t), tain.save_binary(t)),
    lambda t: get("tensor_apply")(lambda x: x, t),
)


def ladder() -> tain.Array[Any]:
    """Arrays that share their elements."""
    part = tain.Array([1, LONG])
    for _ in range(4):
        part = tain.Array([part, part])
    return part


OPERATIONS["shared containers"] = given(
    lambda: (ladder(), ladder(), tain.Map({1: ladder()})),
    lambda v: (hash(v[0]), v[0] == v[1], v[0] < v[1], hash(v[2]), v[2] == tain.Map(v[2])),
)


def define_type() -> Operation:
    key = fresh("Type")
    fields = [
        ("a", "int", "doc", ["writable"], None),
        ("b", "Array[int]", "doc", ["writable", "default"], [1, 2]),
    ]
    return lambda: _core.define_type(key, "doc", "u", "f.py", tain.Object, ["eq", "hash"], fields)


def defined() -> str:
    key = fresh("Defined")
    fields = [("a", "int", "doc", ["writable"], None)]
    _core.define_type(key, "doc", "u", "f.py", tain.Object, [], fields)
    return key


def define_enum() -> Operation:
    class Color(enum.IntEnum):
        RED = 1
        BLUE = 2

    key = fresh("Color")
    return lambda: (_core.define_enum(key, LONG, "u", "f.py", Color, "int"),
                    _core.adopt_enum_class(key, Color))  # fmt: skip


def define_class() -> Operation:
    key = fresh("Class")

    def define() -> Any:
        class Defined(tain.Object):
            a: int
            b: list[int]

            def twice(self) -> int:
                return 2 * self.a

        Defined.__annotations__ = {"a": int, "b": list[int]}
        return tain.py_class(key)(Defined)(1, [2])

    return define


OPERATIONS["define_type"] = define_type
OPERATIONS["define_method"] = given(
    lambda: (defined(), "m", LONG, lambda self: 1, False),
    lambda given: _core.define_method(*given),
)
OPERATIONS["define_enum"] = define_enum
OPERATIONS["py_class"] = define_class
OPERATIONS["make a class"] = given(defined, tain.get_class)
OPERATIONS["register a class"] = given(
    defined, lambda key: tain.register_object(key)(type("Own", (tain.Object,), {"x": 1}))
)
OPERATIONS["register a function"] = given(
    lambda: (fresh("function"), lambda x: x), lambda given: tain.register_global_func(*given),
    lambda given: tain.remove_global_func(given[0]),
)  # fmt: skip
OPERATIONS["register an error"] = given(
    lambda: fresh("Kind"), lambda kind: tain.register_error(kind)(type("E", (ValueError,), {}))
)
OPERATIONS["init_ffi_api"] = given(
    lambda: type(sys)(fresh("module")), lambda m: _core.adopt_namespace(m.__name__, m.__name__)
)

# What CPython itself does not survive: its compiler in every version, making functions in some.
COMPILES = {"py_class"}
MAKE_FUNCTIONS = {
    "copy", "signature", "register a class", "register a function", "register an error",
}  # fmt: skip
LEFT_OUT = {"core": set(), "python": COMPILES | (set() if FUNCTION_SURVIVES else MAKE_FUNCTIONS)}


def main(part: str, mode: int, only: Iterable[str] = ()) -> None:
    faulthandler.enable()
    chosen = {
        name: operation
        for name, operation in OPERATIONS.items()
        if (not only or name in only) and name not in LEFT_OUT[part]
    }
    run_all(Failing(part), chosen, mode)

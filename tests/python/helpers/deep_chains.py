# SPDX-License-Identifier: Apache-2.0
"""Recursive operations over deep chains, each in a process of its own; run by test_recursion.py.

`python deep_chains.py CHAIN PLACE DEPTH` builds the chain once and prints, for each operation, what
came of it: `fine`, the class of the exception, or the signal that ended the process.
"""

from __future__ import annotations

import copy
import dataclasses
import gc
import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from tain.types.testing import Node, StdEdges

import tain

KIB = 1024


class Child(Node):
    """A Python subclass, so that each object of a chain has a wrapper with a state."""


def nested(make: Callable[[Any], Any], depth: int) -> Any:
    value = make(0)
    for _ in range(depth):
        value = make(value)
    return value


def children(depth: int) -> Child:
    head = Child(0)
    for _ in range(depth):
        node = Child(0)
        node.next, node.state = head, "x"
        head = node
    return head


@tain.py_class("deep.Value", eq=True, order=True, unsafe_hash=True)
class Value(tain.Object):
    next: Any = None


def values(depth: int) -> Value:
    return nested(Value, depth)


def vectors(depth: int) -> StdEdges:
    def around(below: Any) -> StdEdges:
        made = StdEdges()
        if below != 0:
            made.vector = [below]
        return made

    return nested(around, depth)


CHAINS: dict[str, Callable[[int], Any]] = {
    "objects": lambda depth: tain.get_global_func("testing.make_chain")(depth),
    "children": children,
    "values": values,
    "vectors": vectors,
    "Array": lambda depth: nested(lambda below: tain.Array([below]), depth),
    "List": lambda depth: nested(lambda below: tain.List([below]), depth),
    "Map": lambda depth: nested(lambda below: tain.Map({"k": below}), depth),
    "Dict": lambda depth: nested(lambda below: tain.Dict({"k": below}), depth),
    "mixed": lambda depth: nested(lambda below: tain.List([tain.Map({"k": below})]), depth // 2),
    "list": lambda depth: nested(lambda below: [below], depth),
    "dict": lambda depth: nested(lambda below: {"k": below}, depth),
}

# Python frees these by itself, and CPython 3.13.0 not on every stack.
OF_PYTHON_ALONE = ("list", "dict")


def rich(value: Any) -> None:
    """What rich does: it asks each object in turn."""
    if isinstance(value, (list, tuple, tain.Array, tain.List)):
        items = list(value)
    elif isinstance(value, (dict, tain.Map, tain.Dict)):
        items = list(value.values())
    else:
        shown = getattr(value, "__rich_repr__", lambda: ())()
        items = [part[1] if isinstance(part, tuple) else part for part in shown]
    for item in items:
        rich(item)


# Where IPython's printer itself raises something else at the limit: no handler can match the
# KeyError of its table, and the queue of its groups is no longer what its clean-up expects.
OF_PRINTER = {"pretty": KeyError, "remove": IndexError}


def pretty(value: Any) -> None:
    from IPython.lib import pretty as printer

    try:
        printer.pretty(value)
    except (KeyError, IndexError) as error:
        *_, (last, _) = traceback.walk_tb(error.__traceback__)
        code = last.f_code
        if code.co_filename != printer.__file__ or OF_PRINTER.get(code.co_name) is not type(error):
            raise
        raise RecursionError from error


def hashed(value: Any) -> None:
    with suppress(TypeError):  # a List is unhashable
        hash(value)


def as_key(value: Any) -> None:
    with suppress(TypeError):
        tain.Map({tain.Array([value]): 1})


def free(value: list[Any]) -> None:
    value.clear()
    gc.collect()


def in_payload(value: Any) -> None:
    node = Node()
    node.payload = value
    repr(node)
    copy.deepcopy(node)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "repr": lambda a, b: repr(a),
    "str": lambda a, b: str(a),
    "==": lambda a, b: a == b,
    "hash": lambda a, b: hashed(a),
    "copy": lambda a, b: copy.copy(a),
    "deepcopy": lambda a, b: copy.deepcopy(a),
    "pickle": lambda a, b: pickle.dumps(a),
    "unpickle": lambda a, b: pickle.loads(pickle.dumps(a)),
    "convert": lambda a, b: tain.convert(a),
    "a key": lambda a, b: as_key(a),
    "a field": lambda a, b: in_payload(a),
    "gc": lambda a, b: gc.collect(),
    "html": lambda a, b: a._repr_html_() if hasattr(a, "_repr_html_") else None,
}
ORDERED = {"values", "Array", "List", "mixed", "list"}
DATACLASSES = {"objects", "children", "values", "vectors"}
# What recurses in Python's own code, and what that is like for nested lists.
OF_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "asdict": lambda a, b: dataclasses.asdict(a),
    "rich": lambda a, b: rich(a),
    "pretty": lambda a, b: pretty(a),
}


def operations(chain: str) -> dict[str, Callable[[Any, Any], Any]]:
    chosen = dict(OPERATIONS)
    if chain in ORDERED:
        chosen["order"] = lambda a, b: a < b
    return chosen


def in_thread(run: Callable[[], None], stack: int) -> None:
    threading.stack_size(stack)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def outcome(run: Callable[[], Any], stack: int, limit: int) -> str:
    """Run in a child of this process: what came of it."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        said = ["nothing"]

        def guarded() -> None:
            sys.setrecursionlimit(limit)
            try:
                run()
                said[0] = "fine"
            except BaseException as error:
                said[0] = type(error).__name__
                if not isinstance(error, RecursionError):
                    traceback.print_exc(limit=3)

        if stack:
            in_thread(guarded, stack)
        else:
            guarded()
        os.write(into, said[0].encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    return said


def apply(operation: Callable[[Any, Any], Any], pair: list[Any]) -> None:
    operation(*pair)


def main(chain: str, stack: int, depth: int, limit: int, only: Iterable[str] = ()) -> None:
    make = CHAINS[chain]
    pair = [make(depth), make(depth)]
    for name, operation in operations(chain).items():
        if not only or name in only:
            said = outcome(partial(apply, operation, pair), stack, limit)
            print(f"{name}: {said}", flush=True)
    if chain not in OF_PYTHON_ALONE:
        print(f"free: {outcome(partial(free, pair), stack, 1000)}", flush=True)
    os._exit(0)


def survives(operation: str, depth: int, limit: int) -> int:
    """The smallest stack on which CPython comes through with nested lists of that depth."""
    lists = CHAINS["list"](depth)
    run = OF_PYTHON.get(operation) or OPERATIONS[operation]
    if operation == "asdict":

        @dataclasses.dataclass
        class Level:
            next: Any

        lists = nested(Level, depth)
    for stack in (128 * KIB << step for step in range(10)):
        if not outcome(lambda: run(lists, lists), stack, limit).startswith("signal"):
            return stack
    raise AssertionError(f"CPython does not come through {operation}")


def main_of_python(chain: str, operation: str, depth: int) -> None:
    stack = survives(operation, depth, 1000)
    value = CHAINS[chain](depth)
    run = OF_PYTHON[operation]
    print(
        outcome(lambda: run(value, value), stack, 1000), outcome(lambda: run(value, value), 0, 1000)
    )
    sys.stdout.flush()
    os._exit(0)

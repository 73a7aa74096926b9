# SPDX-License-Identifier: Apache-2.0
"""The random actions, and the one who picks them. A new kind of action is a function and a line."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import io
import operator
import pickle
import random
import sys
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from arrays import change_array, write_tensor
from bounds import use_bound
from class_trees import cyclic_garbage, mixed_class, replaced_method
from drops import asked_buffer, dropped_elements, lent_tensor, restored_state, shared_parts
from global_functions import UNBOUNDED, bounded_functions
from hostile import SMALL_INTS, TEXTS, Values, make_hostile, special_methods
from lent import lent_object
from saved import mutated_binary, mutated_json, saved_again
from shared import odd_text, piped_files, shared_graph
from walked import compared_graph, walked_graph

import tain
from tain import _core

#: Functions whose numbers say how much they do.
COUNTS = {
    *("call_n", "coins", "make_chain", "make_ring", "make_tree", "throw_deep", "throw_nested"),
    *("count_to", "fail_after"),
}
#: Functions of `_core` that replace the package's own hooks, by design.
HOOKS = {"set_on_missing", "_on_collection", "adopt_namespace", "adopt_enum_class"}
#: Functions of `_core` that write to a path; shared.py writes to pipes of its own.
WRITE_FILES = {"replace_file", "save_json_file", "save_binary_file"}
#: How deep actions may stand in actions.
NESTED = 4

UNARY: tuple[Callable[[Any], Any], ...] = (
    *(repr, str, hash, bool, len, iter, next, list, tuple, set, dict, sorted, sum, int, float),
    *(bytes, complex, abs, dir, vars, format, min, max, reversed, callable, type, id, any, all),
    *(operator.index, operator.neg, operator.invert, sys.getsizeof, sys.getrefcount, memoryview),
    *(gc.get_referents, gc.get_referrers, gc.is_tracked, weakref.getweakrefs, ascii, enumerate),
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    *(operator.eq, operator.ne, operator.lt, operator.ge, operator.add, operator.mul, operator.sub),
    *(operator.contains, operator.getitem, operator.delitem, operator.iadd, operator.imul),
    *(operator.or_, operator.and_, operator.xor, operator.matmul, operator.is_, isinstance),
    *(operator.ior, operator.iand, operator.countOf, operator.indexOf, issubclass, divmod),
)
#: Those that look at each element, and cannot be interrupted.
SEARCHES = {operator.contains, operator.countOf, operator.indexOf}
#: The length of a Tensor that they search in time.
SEARCHED = 10**6


class Fuzzer:
    """Runs one action after the other; an action may run others in its middle."""

    def __init__(
        self,
        rng: random.Random,
        log: Callable[[str], None],
        report: Callable[[BaseException], None],
        functions: dict[str, Any] | None = None,
    ) -> None:
        self.rng, self.log, self.report = rng, log, report
        self.values = Values(rng, self.act)
        self.table, self.unary = ACTIONS, UNARY
        self.state = threading.local()
        self.threads: list[threading.Thread] = []
        self.limits: dict[str, int] = {}
        self.succeeded: dict[str, int] = {}
        self.counter = 0
        self.suffix = ""
        self.functions = bounded_functions() if functions is None else functions
        self.names = sorted({*TEXTS, *(n for c in self.values.classes for n in dir(c))})

    def step(self) -> None:
        """One action; what it raises does not matter, except for a SystemError."""
        self.state.depth = getattr(self.state, "depth", 0) + 1
        try:
            action = self.rng.choice(self.table)
            who = getattr(self.state, "name", threading.get_ident() % 1000)
            self.log(f"{who} {'.' * self.state.depth}{action.__name__}")
            action(self)
            self.succeeded[action.__name__] = self.succeeded.get(action.__name__, 0) + 1
        except BaseException as e:
            self.report(e)
        finally:
            self.state.depth -= 1

    def act(self) -> None:
        """An action in the middle of another."""
        if getattr(self.state, "depth", 0) >= NESTED:
            return
        was_inside, self.state.inside = getattr(self.state, "inside", False), True
        try:
            self.step()
        finally:
            self.state.inside = was_inside

    @property
    def may_start_threads(self) -> bool:
        """Not in the middle of another action, or of CPython's own code.

        A `__del__` may run while the interpreter ends, and then waits for a new thread for ever, or
        in the module threading, whose locks it holds.
        """
        return not getattr(self.state, "inside", False)

    def note(self, *what: object) -> None:
        who = getattr(self.state, "name", "   ")
        words = " ".join(one if isinstance(one, str) else name_of(one) for one in what)
        self.log(f"{who} {words}")

    def allowed(self, what: str, most: int) -> bool:
        """Whether something that lives for ever may be made once more."""
        self.limits[what] = self.limits.get(what, 0) + 1
        return self.limits[what] <= most

    def fresh_name(self) -> str:
        self.counter += 1
        return f"fuzz.N{self.counter}{self.suffix}"

    def stop(self) -> None:
        for thread in self.threads:
            if thread.ident is not None:  # a signal may have come before it started
                thread.join()

    def tain_value(self) -> Any:
        """A value whose class tain made, if there is one."""
        found = [one for one in self.values.pool if isinstance(one, tain.Object)]
        return self.rng.choice(found) if found else self.values.tain_container(1)


def name_of(value: object) -> str:
    """Words for a value, without asking it anything."""
    return type(value).__name__


def call_function(f: Fuzzer) -> None:
    name = f.rng.choice(list(f.functions))
    function = f.functions[name]
    given = f.values.arguments_of(function)
    if name.rpartition(".")[2] in COUNTS:
        given = [f.rng.randrange(9) if hasattr(type(one), "__index__") else one for one in given]
    f.note(name, *given)
    f.values.keep(function(*given))


def call_with_keywords(f: Fuzzer) -> None:
    name = f.rng.choice([n for n in f.functions if n.rpartition(".")[2] not in COUNTS])
    function = f.functions[name]
    known = list(inspect.signature(function).parameters) if f.rng.randrange(3) else []
    names = f.rng.sample([*known, "x", "a", *TEXTS], f.rng.randint(1, 3))
    keywords = {one: f.values.any() for one in names}
    f.note(name, *keywords)
    given = f.values.several(2) if f.rng.randrange(2) else ()
    f.values.keep(function(*given, **keywords))


def call_method(f: Fuzzer) -> None:
    value = f.tain_value()
    name = f.rng.choice(dir(type(value)))
    if name in UNBOUNDED:
        return
    method = getattr(value, name)
    given = f.values.arguments_of(method) if f.rng.randrange(3) else f.values.several()
    f.note(value, name, *given)
    f.values.keep(method(*given))


def call_unbound(f: Fuzzer) -> None:
    """A method, descriptor or slot of one class with any receiver."""
    cls = f.rng.choice((*f.values.classes, *CORE_CLASSES))
    name = f.rng.choice(dir(cls))
    if name in UNBOUNDED:
        return
    given = f.values.several()
    f.note(cls.__name__, name, *given)
    f.values.keep(getattr(cls, name)(*given))


def use_descriptor(f: Fuzzer) -> None:
    cls = f.rng.choice(f.values.classes)
    name = f.rng.choice(list(cls.__dict__) or ["x"])
    found = cls.__dict__.get(name)
    receiver = f.values.any()
    f.note(cls.__name__, name, receiver)
    which = f.rng.randrange(3)
    if which == 0:
        f.values.keep(found.__get__(receiver, f.rng.choice((None, cls, type(receiver)))))
    elif which == 1:
        found.__set__(receiver, f.values.any())
    else:
        found.__delete__(receiver)


def get_attribute(f: Fuzzer) -> None:
    f.values.keep(getattr(f.tain_value(), f.rng.choice(f.names)))


def set_attribute(f: Fuzzer) -> None:
    value, name = f.tain_value(), f.rng.choice(f.names)
    if f.rng.randrange(3):
        name = f.rng.choice(dir(type(value)))
    new = f.values.any()
    f.note(value, name, new)
    setattr(value, name, new)


def delete_attribute(f: Fuzzer) -> None:
    value = f.tain_value()
    own = list(getattr(value, "__dict__", ()))
    delattr(value, f.rng.choice(own if own and f.rng.randrange(2) else f.names))


def construct(f: Fuzzer) -> None:
    cls = f.rng.choice(f.values.classes)
    given = f.values.arguments_of(cls)
    f.note(cls.__name__, *given)
    f.values.keep(cls(*given))


def construct_in_parts(f: Fuzzer) -> None:
    cls, other = f.rng.choice(f.values.classes), f.rng.choice((*f.values.classes, *CORE_CLASSES))
    made = f.values.keep(f.rng.choice((cls, other, object)).__new__(cls))
    f.note(cls.__name__, other.__name__)
    f.rng.choice((cls, other)).__init__(made, *f.values.arguments_of(cls))


def initialize_again(f: Fuzzer) -> None:
    value = f.tain_value()
    value.__init__(*f.values.arguments_of(type(value)))


def init_by_constructor(f: Fuzzer) -> None:
    value, maker = f.tain_value(), f.values.callback()
    if f.rng.randrange(2):  # what may succeed
        cls = f.rng.choice(f.values.classes)
        value, maker = cls.__new__(cls), lambda *_: cls(*f.values.arguments_of(cls))
    f.note(value, maker)
    value.__init_handle_by_constructor__(maker, *f.values.several())


def unary(f: Fuzzer) -> None:
    function, value = f.rng.choice(f.unary), f.tain_value()
    f.note(function, getattr(function, "__name__", "?"), value)
    f.values.keep(function(value))


def binary(f: Fuzzer) -> None:
    function = f.rng.choice(BINARY)
    given = [f.tain_value(), f.values.any()]
    f.rng.shuffle(given)
    if function in (operator.mul, operator.imul):
        given = [one if not isinstance(one, int) else f.rng.choice((0, 1, 2, -1)) for one in given]
    f.note(getattr(function, "__name__", "?"), *given)
    if function in SEARCHES:
        tensors = [one for one in given if type(one) is tain.Tensor and one.ndim]
        if any(one.shape[0] > SEARCHED for one in tensors):
            return
    f.values.keep(function(*given))


def set_item(f: Fuzzer) -> None:
    value, key, new = f.tain_value(), f.values.any(1), f.values.any()
    f.note(value, key, new)
    value[key] = new


def iterate(f: Fuzzer) -> None:
    it = iter(f.tain_value())
    for _ in range(f.rng.randrange(6)):
        f.values.keep(next(it))
        f.act()
    f.values.keep(it)


def use_container(f: Fuzzer) -> None:
    """A method of a container, as its users call it."""
    value = f.tain_value()
    names = [n for n in dir(type(value)) if not n.startswith("_") and n not in UNBOUNDED]
    if not names:
        return
    name = f.rng.choice(names)
    given = f.values.several(2)
    keywords = {"key": f.values.callback()} if name == "sort" else {}
    f.note(value, name, *given)
    f.values.keep(getattr(value, name)(*given, **keywords))


def pickled(f: Fuzzer) -> None:
    value = f.tain_value()
    f.values.keep(pickle.loads(pickle.dumps(value, f.rng.randint(0, 5))))


class KnownOnly(pickle.Unpickler):
    """Finds what a pickle of tain's values names, and nothing that a mutation could make up."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("tain") or (module, name) == ("copyreg", "_reconstructor"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(name)


def mutated_pickle(f: Fuzzer) -> None:
    data = bytearray(pickle.dumps(f.tain_value(), f.rng.randint(0, 5)))
    for _ in range(f.rng.randint(1, 6)):
        at = f.rng.randrange(len(data)) if data else 0
        which = f.rng.randrange(4)
        if which == 0 and data:
            data[at] = f.rng.randrange(256)
        elif which == 1:
            del data[at : at + f.rng.randrange(8)]
        elif which == 2:
            data[at:at] = data[f.rng.randrange(len(data) + 1) :][: f.rng.randrange(20)]
        else:
            data = data[: at + 1]
    f.values.keep(KnownOnly(io.BytesIO(bytes(data))).load())


def copied(f: Fuzzer) -> None:
    value = f.tain_value()
    make = f.rng.choice((copy.copy, copy.deepcopy, dataclasses.asdict, dataclasses.replace))
    f.note(make, value)
    f.values.keep(make(value))


def move(f: Fuzzer) -> None:
    f.values.keep(f.tain_value()._move())


def forget(f: Fuzzer) -> None:
    if f.values.pool:
        del f.values.pool[f.rng.randrange(len(f.values.pool))]


def forget_much(f: Fuzzer) -> None:
    if f.rng.randrange(20) == 0:
        f.values.pool.clear()


def collect(f: Fuzzer) -> None:
    gc.collect(f.rng.randrange(3))


def subclass(f: Fuzzer) -> None:
    base = f.rng.choice(f.values.classes)
    bases = (base,) if f.rng.randrange(4) else (base, f.rng.choice((object, *f.values.classes)))
    namespace = special_methods(f.values, 6) if f.rng.randrange(2) else {}
    if f.rng.randrange(4) == 0:
        namespace["__slots__"] = ("one", "two")
    for name in f.rng.sample(dir(base), 2):
        if not name.startswith("_"):
            namespace[name] = lambda *args, **kwargs: f.values.reaction(*args)
    f.note(*(one.__name__ for one in bases), *namespace)
    cls = types.new_class("Sub", bases, {}, lambda body: body.update(namespace))
    f.values.keep(cls)
    made = f.values.keep(cls(*f.values.arguments_of(base)))
    made.attribute = f.values.any()


def change_class(f: Fuzzer) -> None:
    value, other = f.tain_value(), f.tain_value()
    f.note(value, other)
    value.__class__ = type(other)


def change_a_class(f: Fuzzer) -> None:
    """Give a class of Python's another method, or other bases."""
    found = [one for one in f.values.pool if isinstance(one, type) and one.__name__ == "Sub"]
    if not found:
        return
    cls = f.rng.choice(found)
    if f.rng.randrange(4) == 0:
        cls.__bases__ = (f.rng.choice(f.values.classes),)
    else:
        setattr(cls, f.rng.choice(f.names), lambda *args, **kwargs: f.values.reaction(*args))


def weak_reference(f: Fuzzer) -> None:
    found = [one for one in f.values.pool if isinstance(one, weakref.ref)]
    if found and f.rng.randrange(2):
        f.values.keep(f.rng.choice(found)())
    else:
        f.values.keep(weakref.ref(f.tain_value(), lambda ref: f.values.reaction(ref)))


def keep_in_cpp(f: Fuzzer) -> None:
    which = f.rng.randrange(4)
    if which == 0:
        f.functions["testing.drop_kept"]()
    elif which == 1:
        f.values.keep(f.functions["testing.kept"](0))
    else:
        f.functions["testing.keep"](f.values.any())


def drop_in_thread(f: Fuzzer) -> None:
    f.functions["testing.drop_in_thread"](f.tain_value()._move())


def convert(f: Fuzzer) -> None:
    f.values.keep(tain.convert(f.values.any(3)))


def describe(f: Fuzzer) -> None:
    value = f.tain_value()
    inspect_one = f.rng.choice((
        tain.type_info, _core.type_info, lambda v: type(v).__doc__, lambda v: v._repr_html_(),
        lambda v: dir(v), lambda v: list(v.__rich_repr__()), lambda v: type(v).__annotations__,
    ))  # fmt: skip
    f.values.keep(inspect_one(value if f.rng.randrange(2) else type(value)))


def core_function(f: Fuzzer) -> None:
    name = f.rng.choice(CORE_FUNCTIONS)
    given = f.values.several()
    f.note("_core." + name, *given)
    f.values.keep(getattr(_core, name)(*given))


def core_class(f: Fuzzer) -> None:
    cls = f.rng.choice(CORE_CLASSES)
    given = f.values.several()
    f.note(cls.__name__, *given)
    f.values.keep(cls.__new__(cls, *given) if f.rng.randrange(2) else cls(*given))


def public_function(f: Fuzzer) -> None:
    name = f.rng.choice(PUBLIC_FUNCTIONS)
    given = f.values.several(3)
    f.note("tain." + name, *given)
    f.values.keep(getattr(tain, name)(*given))


def define_type(f: Fuzzer) -> None:
    if not f.allowed("py_class", 40):
        return
    kinds = ("int", "float", "str", "bool", "object", "tain.Object", "list[int]", "Nothing")
    annotations = {f.rng.choice("abcdef"): f.rng.choice(kinds) for _ in range(f.rng.randrange(5))}
    namespace = {"__annotations__": annotations, **special_methods(f.values, 3)}
    for name in annotations:
        if f.rng.randrange(2):
            namespace[name] = f.rng.choice((1, 1.5, "a", None, tain.field(default_factory=list)))
    base = f.rng.choice((tain.Object, tain.Object, *f.values.classes))
    options = {
        name: f.rng.randrange(2) == 0
        for name in ("eq", "order", "frozen", "unsafe_hash")
        if f.rng.randrange(3) == 0
    }
    f.note("py_class", base.__name__, *annotations.values(), *options)
    cls = tain.py_class(f.fresh_name(), **options)(type("P", (base,), namespace))
    f.values.classes.append(cls)
    f.values.keep(cls(*f.values.several(3)))


def register_class(f: Fuzzer) -> None:
    if not f.allowed("register_object", 15):
        return
    base = f.rng.choice((tain.Object, *f.values.classes))
    namespace = special_methods(f.values, 3)
    key = (
        tain.type_info(base).key if f.rng.randrange(2) else f.rng.choice(tain.type_keys("testing"))
    )
    f.note(key, base.__name__)
    f.values.keep(tain.register_object(key)(type("R", (base,), namespace)))


def register_function(f: Fuzzer) -> None:
    name = f.rng.choice(("fuzz.f", "fuzz.g", *TEXTS))
    if f.rng.randrange(3) == 0:
        tain.remove_global_func(name)
    else:
        tain.register_global_func(name, f.values.callback(), override=True)
        f.values.keep(tain.get_global_func(name))


def near_the_limit(f: Fuzzer) -> None:
    """An action with little of Python's stack left."""

    def down(n: int) -> None:
        if n > 0:
            down(n - 1)
        else:
            f.step()

    down(sys.getrecursionlimit() - f.rng.randrange(20, 200))


def in_thread(f: Fuzzer) -> None:
    if not f.may_start_threads:
        return
    f.threads = [one for one in f.threads if one.is_alive()]
    if len(f.threads) >= 3:
        return

    name = getattr(f.state, "name", None)

    def work() -> None:
        if name is not None:
            f.state.name = f"{name}+"
        for _ in range(f.rng.randrange(60)):
            f.step()

    thread = threading.Thread(target=work)
    f.threads.append(thread)
    thread.start()


def buffer(f: Fuzzer) -> None:
    view = memoryview(f.tain_value())
    if f.rng.randrange(2):
        view.release()
    f.values.keep(view)


def hostile_key(f: Fuzzer) -> None:
    """A container whose keys act when they are compared."""
    made = f.values.keep(f.rng.choice((tain.Dict, tain.Map, dict))())
    for _ in range(f.rng.randrange(12)):
        made[make_hostile(f.values)] = f.rng.choice(SMALL_INTS)


CORE_FUNCTIONS = sorted(
    name
    for name, found in vars(_core).items()
    if callable(found) and not isinstance(found, type) and name not in HOOKS | WRITE_FILES
)
CORE_CLASSES = tuple(found for found in vars(_core).values() if isinstance(found, type))
# What they write to a path or import would outlive the worker; saved.py saves.
NOT_CALLED = {"load_library", "_init_api", "init_ffi_api", "save_json", "save_binary"}
PUBLIC_FUNCTIONS = sorted(
    name for name in tain.__all__ if callable(getattr(tain, name)) and name not in NOT_CALLED
)


def use_array(f: Fuzzer) -> None:
    """A function of tensors with an array, in one of the ways to call it."""
    names = [name for name in f.functions if name.startswith("testing.tensor_")]
    name = f.rng.choice((*names, "testing.echo", "testing.apply", "testing.keep"))
    function: Any = f.functions[name]
    if f.rng.randrange(4) == 0:
        function = function.with_tensor_type(f.rng.choice((None, np.ndarray, tain.Tensor)))
    given = [f.values.array() if f.rng.randrange(3) else f.values.any(1) for _ in range(2)]
    if f.rng.randrange(2):
        given.pop()
    f.note(name, *given)
    f.values.keep(function(*given))


def changed_array(f: Fuzzer) -> None:
    change_array(f.values)


def written_tensor(f: Fuzzer) -> None:
    write_tensor(f.values)


def bounds(f: Fuzzer) -> None:
    use_bound(
        f.values, {n: g for n, g in f.functions.items() if n.rpartition(".")[2] not in COUNTS}
    )


ACTIONS: list[Callable[[Fuzzer], None]] = [
    *(call_function,) * 10, *(call_with_keywords,) * 2, *(call_method,) * 8, *(call_unbound,) * 4,
    *(use_descriptor,) * 3, *(get_attribute,) * 3, *(set_attribute,) * 4, delete_attribute,
    *(construct,) * 4, construct_in_parts, initialize_again, init_by_constructor, *(unary,) * 5,
    *(binary,) * 5, *(set_item,) * 3, *(iterate,) * 3, *(use_container,) * 8, *(pickled,) * 2,
    *(mutated_pickle,) * 2, *(copied,) * 2, *(move,) * 2, *(forget,) * 6, forget_much, collect,
    *(subclass,) * 2, change_class, change_a_class, *(weak_reference,) * 2, *(keep_in_cpp,) * 2,
    drop_in_thread, convert, *(describe,) * 2, *(core_function,) * 3, core_class,
    *(public_function,) * 2, define_type, register_class, register_function, near_the_limit,
    in_thread, buffer, *(hostile_key,) * 2, *(use_array,) * 3, changed_array, written_tensor,
    *(mutated_json,) * 2, *(mutated_binary,) * 2, saved_again, *(walked_graph,) * 3, compared_graph,
    *(lent_object,) * 3,
    *(dropped_elements,) * 4, restored_state, shared_parts, asked_buffer, lent_tensor,
    *(mixed_class,) * 2, *(replaced_method,) * 2, cyclic_garbage,
    *(shared_graph,) * 2, piped_files, odd_text,
    *(bounds,) * 3,
]  # fmt: skip

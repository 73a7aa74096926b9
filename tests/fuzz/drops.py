# SPDX-License-Identifier: Apache-2.0
"""Elements that change their container when they are compared or dropped, states whose objects act,
values whose parts are shared, buffers with any flags, and what is kept of lent tensors."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from typing import Any

from tain.types.testing import Node

import tain
from tain import _core


class Slips:
    """Leaves its container when it is compared, and acts when it is dropped."""

    def __init__(self, f: Any, box: Any) -> None:
        self.f, self.box = f, box

    def leave(self) -> None:
        with contextlib.suppress(IndexError, KeyError, ValueError, RuntimeError):
            change(self.f, self.box)

    def __eq__(self, other: object) -> bool:
        self.leave()
        return bool(self.f.rng.randrange(2))

    def __lt__(self, other: object) -> bool:
        self.leave()
        return bool(self.f.rng.randrange(2))

    def __hash__(self) -> int:
        return self.f.rng.randrange(2)  # type: ignore[no-any-return]

    def __del__(self) -> None:
        self.leave()


def change(f: Any, box: Any) -> None:
    """Change a List or Dict in one of the ways that drop something."""
    rng = f.rng
    which = rng.randrange(6)
    if which == 0:
        box.clear()
    elif which == 1 and isinstance(box, tain.List):
        del box[rng.randrange(3) :: rng.randint(1, 3)]
    elif which == 2:
        box.pop(rng.randrange(8)) if isinstance(box, tain.List) else box.popitem()
    elif which == 3:
        box[rng.randrange(8)] = None
    elif which == 4:
        box.extend([0] * 20) if isinstance(box, tain.List) else box.update(dict.fromkeys(range(20)))
    else:
        f.act()


SEARCHES: tuple[Callable[[Any, Any], Any], ...] = (
    lambda box, other: box == other,
    lambda box, other: box != other,
    lambda box, other: other in box,
    lambda box, other: list(box),
    lambda box, other: repr(box),
    lambda box, other: tain.structural_equal(box, other),
    lambda box, other: tain.structural_hash(box),
    lambda box, other: tain.save_json(box),
    lambda box, other: tain.to_builtins(box),
    lambda box, other: tain.diff(box, other),
    lambda box, other: box.copy(),
    lambda box, other: type(box)(box),
)
OF_LISTS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda box, other: box.remove(-1),
    lambda box, other: box.index(-1),
    lambda box, other: box.count(-1),
    lambda box, other: box.sort(),
    lambda box, other: box < other,
    lambda box, other: box.extend(box),
    lambda box, other: box.__setitem__(slice(1, 5), other),
    lambda box, other: box.__imul__(2),
)
OF_DICTS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda box, other: box.update(other),
    lambda box, other: box | other,
    lambda box, other: box.items() == other.items(),
    lambda box, other: box.pop(7),
    lambda box, other: box.setdefault(9, other),
    lambda box, other: dict(box),
)


def dropped_elements(f: Any) -> None:
    """Use a container whose elements change it when they are compared or dropped."""
    size = f.rng.choice((1, 2, 4, 5, 30))
    box: Any = tain.List() if f.rng.randrange(2) else tain.Dict()
    is_list = isinstance(box, tain.List)
    for i in range(size):
        value = Slips(f, box) if f.rng.randrange(3) == 0 else i
        if is_list:
            box.append(value)
        else:
            box[Slips(f, box) if f.rng.randrange(4) == 0 else i] = value
        del value
    others: list[Any] = [list(range(size)), tain.List(range(size)), tain.Array(range(size))]
    if not is_list:
        pairs = [(i, i) for i in range(size)]
        others = [dict(pairs), tain.Dict(pairs), tain.Map(pairs)]
    use = f.rng.choice((*SEARCHES, *(OF_LISTS if is_list else OF_DICTS)))
    f.note("dropped", type(box).__name__)
    use(box, f.rng.choice(others))


def restored_state(f: Any) -> None:
    """Restore objects whose `__setattr__` changes the state that is being read."""
    items: list[Any] = []
    state: dict[Any, Any] = {f"a{i}": i for i in range(f.rng.randrange(12))}

    def act(self: Any, name: str, value: Any) -> None:
        which = f.rng.randrange(5)
        if which == 0:
            items.clear()
        elif which == 1:
            state.clear()
        elif which == 2:
            items.append((f.values.any(1), {}, None))
        elif which == 3:
            state[f"b{len(state)}"] = f.values.any(1)
        else:
            f.act()

    cls = type("Acts", (Node,), {"__setattr__": act})
    for i in range(f.rng.randint(1, 30)):
        items.append((cls(i), {}, (None, state)) if f.rng.randrange(6) else f.values.any(1))
    if f.rng.randrange(2):
        Node(1).__setstate__((items, {}, None))
    else:
        f.values.keep(_core._rebuild_after(items, Node, {"value": 3}))


def shared_parts(f: Any) -> None:
    """Convert a value that has 2**60 ways to its end."""
    part: Any = f.values.any(1)
    for _ in range(60):
        which = f.rng.randrange(4)
        if which == 0:
            part = [part, part]
        elif which == 1:
            part = {"a": part, "b": part}
        elif which == 2:
            part = (part, f.values.scalar(), part)
        else:
            part = tain.convert([part, part])
    ways: tuple[Callable[[Any], Any], ...] = (
        *(tain.convert, tain.to_builtins, lambda x: tain.from_builtins(list[Any], x)),
        *(lambda x: tain.List([x, x]), lambda x: tain.Dict(a=x, b=x), tain.structural_hash),
        *(tain.save_binary, lambda x: f.functions["testing.echo"](x)),
        lambda x: f.functions["testing.echo_std_vector_int"]([x]),
    )
    f.rng.choice(ways)(part)


def asked_buffer(f: Any) -> None:
    """Ask whatever the fuzzer has for a buffer, with any flags, and read what comes."""
    source = f.values.array() if f.rng.randrange(3) else f.values.any(1)
    room = ctypes.create_string_buffer(256)
    take = ctypes.pythonapi.PyObject_GetBuffer
    take.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    release, copy = ctypes.pythonapi.PyBuffer_Release, ctypes.pythonapi.PyBuffer_ToContiguous
    release.argtypes = [ctypes.c_void_p]
    copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_char]
    flags = f.rng.randrange(0x200)
    if flags == 0x100:  # PyBUF_READ, for which alone CPython 3.13 raises a SystemError
        return
    f.note("buffer", str(flags), source)
    take(source, room, flags)
    try:
        length = ctypes.c_ssize_t.from_buffer(room, 2 * ctypes.sizeof(ctypes.c_void_p)).value
        if length < 1 << 20 and flags & 0x18 == 0x18:
            copy(ctypes.create_string_buffer(length + 1), room, length, b"C")
    finally:
        release(room)


def lent_tensor(f: Any) -> None:
    """Keep what a callback can make of a tensor that C++ lends, and use it afterwards."""
    kept: list[Any] = []
    makers: tuple[Callable[[Any], Any], ...] = (
        *(lambda x: x, lambda x: x[1:], tain.from_dlpack, lambda x: x.T, lambda x: x[None]),
        *(lambda x: tain.from_dlpack(x[1:])[::-1], lambda x: tain.from_dlpack(x.to_dlpack())),
        lambda x: tain.from_dlpack(x.__dlpack__(max_version=(1, 0))),
    )

    def keep(x: Any) -> Any:
        for _ in range(f.rng.randint(1, 4)):
            kept.append(f.rng.choice(makers)(x))
        if f.rng.randrange(3) == 0:
            f.act()
        return f.values.any(1) if f.rng.randrange(3) == 0 else None

    try:
        f.functions["testing.tensor_lend"](keep, f.rng.randint(1, 40))
    finally:
        for one in kept:
            f.values.keep(one)
            for use in (f.functions["testing.tensor_describe"], tain.structural_hash, bytes):
                with contextlib.suppress(ValueError, TypeError, BufferError):
                    use(one)

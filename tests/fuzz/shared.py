# SPDX-License-Identifier: Apache-2.0
"""Graphs whose parts are shared, files that are pipes, and saved text that is no UTF-8."""

from __future__ import annotations

import contextlib
import copy
import os
import pickle
import tempfile
import threading
from typing import Any

import tain

_LEVELS = 60
_OPERATIONS = (
    *(repr, hash, copy.deepcopy, tain.structural_hash, tain.free_vars, tain.to_text, tain.to_dot),
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: tain.load_json(tain.save_json(x)),
    lambda x: tain.load_binary(tain.save_binary(x)),
    lambda x: tain.visit(x, lambda part: None),
    lambda x: tain.rewrite(x, lambda part: part),
    lambda x: str(tain.AccessPath().key(x)),
    lambda x: tain.Map({x: 1})[x],
)
_COMPARISONS = (
    *(tain.structural_equal, tain.first_mismatch, lambda x, y: x == y, lambda x, y: x < y),
    lambda x, y: str(tain.diff(x, y)),
    lambda x, y: tain.Map({x: 1}).get(y),
    lambda x, y: x in tain.Array([y]),
)


def _ladder(f: Any, end: Any) -> Any:
    """Return a graph of few objects and very many paths."""
    rungs = (
        lambda x: tain.Array([x, x]),
        lambda x: tain.List([x, x]),
        lambda x: tain.Map({"a": x, 1: x}),
        lambda x: tain.Dict({"a": x, (1, 2): x}),
    )
    made = tain.Array([end])
    for _ in range(_LEVELS):
        made = f.rng.choice(rungs)(made)
    return made


def shared_graph(f: Any) -> None:
    """Operations whose time must not be that of all paths."""
    one = _ladder(f, f.values.any(1))
    f.note("ladder")
    if f.rng.randrange(2):
        f.rng.choice(_OPERATIONS)(one)
        return
    other = one if f.rng.randrange(3) == 0 else _ladder(f, f.values.any(1))
    f.rng.choice(_COMPARISONS)(one, other)


def piped_files(f: Any) -> None:
    """Save to a pipe, or load from it what another thread of Python writes."""
    if not f.may_start_threads:
        return
    data = tain.save_binary(tain.Array([1, "text", tain.Dict({2: b"x"})]))
    if f.rng.randrange(2):
        data = tain.save_json(tain.Array([1, [2.5]])).encode()
    data = data[: f.rng.randint(0, len(data))] + bytes(f.rng.choices(range(256), k=3))
    saves = f.rng.randrange(3) == 0
    load = f.rng.choice((tain.load_binary, lambda path: tain.load_json(_Path(path))))
    f.note("save" if saves else "load", len(data))
    with tempfile.TemporaryDirectory(prefix="tain-fuzz-") as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        # Whoever waits for the other side gets it from here.
        thread = threading.Thread(target=_read_all if saves else _write, args=(pipe, data))
        thread.start()
        try:
            if saves:
                tain.save_binary(f.values.any(1), pipe)
            else:
                f.values.keep(load(pipe))
        finally:
            # An exception before the pipe was opened would leave the thread waiting.
            os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
            thread.join(1)
            while thread.is_alive():
                os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
                thread.join(0.01)


def _write(pipe: str, data: bytes) -> None:
    with contextlib.suppress(OSError), open(pipe, "wb", buffering=0) as file:
        file.write(data)


def _read_all(pipe: str, _: bytes) -> None:
    with contextlib.suppress(OSError), open(pipe, "rb") as file:
        file.read()


class _Path:
    def __init__(self, path: str) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return self.path


def odd_text(f: Any) -> None:
    """Load text of any bytes, which must be refused or be read afterwards."""
    odd = (0x80, 0xC3, 0xED, 0xA0, 0xB2, 0xE2, 0xF0, 0xFF)
    text = bytes(f.rng.choices((65, *odd), (len(odd), *[1] * len(odd)), k=5))
    for data in (tain.save_binary("?????"), tain.save_binary(tain.Array(["?????", 1]))):
        f.note(text)
        loaded = tain.load_binary(data.replace(b"?????", text))
        repr(loaded)
        str(loaded)

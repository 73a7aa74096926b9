# SPDX-License-Identifier: Apache-2.0
"""Shows tain's values in gdb and lldb; ``python -m tain config --debugger`` prints its path.

In gdb ``source FILE``, in lldb ``command script import FILE``. It imports nothing of tain, and
reads memory alone: it calls no function of the program, so that it serves core dumps too. The
layouts are those of the binary contract (docs/contributing/binary_contract.md).
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

_MOST = 20  # elements of a container that are shown
_DEEPEST = 4  # containers inside each other that are shown
_HEADER = 24  # bytes of the header of an object
_NO_SLOT = (1 << 64) - 1
_IS_SMALL = 1 << 63
_HANDLES = (
    "Ref",
    "ObjectPtr",
    "ObjectRef",
    "Array",
    "List",
    "Map",
    "Dict",
    "Tuple",
    "Shape",
    "Tensor",
)
_CELLS = ("Any", "AnyView", "String", "Bytes", "Variant")
_NAMED = {67: "error", 68: "function", 73: "module", 74: "object of Python", 78: "big int"}
_DEVICES = {
    1: "cpu",
    2: "cuda",
    3: "cuda_host",
    4: "opencl",
    7: "vulkan",
    8: "metal",
    9: "vpi",
    10: "rocm",
    11: "rocm_host",
    12: "ext_dev",
    13: "cuda_managed",
    14: "oneapi",
    15: "webgpu",
    16: "hexagon",
    17: "maia",
    18: "trn",
}
_CODES = {0: "int", 1: "uint", 2: "float", 3: "handle", 4: "bfloat", 5: "complex", 6: "bool"}
# Data types whose names say how wide they are.
_NAMED_CODES = {
    7: "float8_e3m4",
    8: "float8_e4m3",
    9: "float8_e4m3b11fnuz",
    10: "float8_e4m3fn",
    11: "float8_e4m3fnuz",
    12: "float8_e5m2",
    13: "float8_e5m2fnuz",
    14: "float8_e8m0fnu",
    15: "float6_e2m3fn",
    16: "float6_e3m2fn",
    17: "float4_e2m1fn",
}


class _Memory:
    """The memory of a program, and the texts of the values in it."""

    def __init__(self, read: Callable[[int, int], bytes]) -> None:
        self._read = read

    def words(self, address: int, form: str) -> tuple[Any, ...]:
        return struct.unpack(form, self._read(address, struct.calcsize(form)))

    def any(self, cell: bytes, depth: int = 0) -> str:
        """Return the text of a value, given by its 16 bytes."""
        index, small, payload = struct.unpack("<iIQ", cell)
        if index == 0:
            return "None"
        if index == 1:
            return str(struct.unpack("<q", cell[8:])[0])
        if index == 2:
            return str(payload != 0)
        if index == 3:
            return str(struct.unpack("<d", cell[8:])[0])
        if index == 5:
            return _dtype(cell[8:12])
        if index == 6:
            kind, number = struct.unpack("<ii", cell[8:])
            return f"{_DEVICES.get(kind, kind)}:{number}"
        if index in (11, 12):
            return _text(cell[8 : 8 + min(small, 8)], index == 12)
        if index >= 64:
            return self.object(payload, depth)
        return f"{payload:#x} (kind {index})"

    def object(self, header: int, depth: int = 0) -> str:
        """Return the text of an object, given by the address of its header."""
        if header == 0:
            return "null"
        try:
            counts, index = self.words(header, "<Qi")
            cell = header + _HEADER
            if index in (65, 66):
                data, size = self.words(cell, "<QQ")
                shown = _text(self._read(data, min(size, 200)) if size else b"", index == 66)
                return shown if size <= 200 else f"{shown}... ({size} bytes)"
            if index in (71, 75):
                return self._sequence(cell, depth)
            if index in (72, 76):
                return self._map(cell, depth)
            if index == 69:
                data, size = self.words(cell, "<QQ")
                return str(self.words(data, f"<{min(size, _MOST)}q")) if size else "()"
            if index == 70:
                return self._tensor(cell)
        except Exception:  # of the debugger: memory that cannot be read
            return f"{header:#x} <unreadable>"
        kind = _NAMED.get(index, f"object of type {index}")
        return f"{kind} at {header:#x}, {counts & 0xFFFFFFFF} references"

    def _sequence(self, cell: int, depth: int) -> str:
        data, size = self.words(cell, "<Qq")
        if depth >= _DEEPEST:
            return "[...]"
        shown = [
            self.any(self._read(data + 16 * i, 16), depth + 1) for i in range(min(size, _MOST))
        ]
        return f"[{', '.join(shown)}{_rest(size)}]"

    def _map(self, cell: int, depth: int) -> str:
        (size,) = self.words(cell + 8, "<Q")
        if depth >= _DEEPEST:
            return "{...}"
        shown = []
        for at in self._items(cell):
            key, value = (self.any(self._read(at + 16 * i, 16), depth + 1) for i in (0, 1))
            shown.append(f"{key}: {value}")
            if len(shown) == _MOST:
                break
        return f"{{{', '.join(shown)}{_rest(size)}}}"

    def _items(self, cell: int) -> Iterator[int]:
        """Yield the addresses of the entries of a map, in order."""
        data, size, slots = self.words(cell, "<QQQ")
        if slots & _IS_SMALL:
            yield from range(data, data + 32 * min(size, 4), 32)
            return
        (slot,) = self.words(cell + 40, "<Q")
        for _ in range(min(size, _MOST)):
            if slot == _NO_SLOT:
                return
            # A block has a byte for each of its 16 slots, then the slots.
            at = data + slot // 16 * (16 + 16 * 48) + 16 + slot % 16 * 48
            yield at
            (slot,) = self.words(at + 40, "<Q")

    def _tensor(self, cell: int) -> str:
        data, kind, number, rank = self.words(cell, "<Qiii")
        dtype = _dtype(self._read(cell + 20, 4))
        (shape,) = self.words(cell + 24, "<Q")
        extents = self.words(shape, f"<{rank}q") if 0 < rank <= _MOST else ()
        where = f"{_DEVICES.get(kind, kind)}:{number}"
        return f"tensor of {dtype}, {list(extents)}, on {where}, data at {data:#x}"


def _rest(size: int) -> str:
    return f", ... ({size} in all)" if size > _MOST else ""


def _text(data: bytes, is_bytes: bool) -> str:
    if is_bytes:
        return repr(bytes(data))
    text = bytes(data).decode(errors="backslashreplace")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _dtype(data: bytes) -> str:
    code, bits, lanes = struct.unpack("<BBH", data)
    name = _NAMED_CODES.get(code) or f"{_CODES.get(code, f'code{code}_')}{bits}"
    if (code, bits) in ((3, 64), (6, 8)):
        name = _CODES[code]
    return name + (f"x{lanes}" if lanes > 1 else "")


def _kind_of(name: str) -> str:
    """Return the name of a class template of tain: ``Ref`` for ``tain::Ref<Point>``; else empty."""
    if not name.startswith("tain::"):
        return ""
    return name.removeprefix("tain::").partition("<")[0]


# ---------------------------------------------------------------- gdb


def _for_gdb(gdb: Any) -> None:
    def read(address: int, size: int) -> bytes:
        return bytes(gdb.selected_inferior().read_memory(address, size))

    memory = _Memory(read)

    def first(value: Any, wanted: Callable[[Any], bool]) -> Any:
        """Return the first base or member, at any depth, that is what is wanted."""
        while not wanted(value.type.strip_typedefs()):
            fields = value.type.strip_typedefs().fields()
            value = value[next(field for field in fields if hasattr(field, "bitpos"))]
        return value

    def header_of(value: Any) -> int:
        return int(first(value, lambda kind: kind.code == gdb.TYPE_CODE_PTR))

    def bytes_of(value: Any) -> bytes:
        cell = first(value, lambda kind: kind.name in ("TainAny", "TVMFFIAny"))
        numbers = (int(cell[name]) for name in ("type_index", "small_str_len", "v_uint64"))
        return struct.pack("<iIQ", *numbers)

    class Cell:
        def __init__(self, value: Any) -> None:
            self.value = value

        def to_string(self) -> str:
            return memory.any(bytes_of(self.value))

    class Handle(Cell):
        def to_string(self) -> str:
            return memory.object(header_of(self.value))

    class Pointer(Handle):
        """A handle of an object of C++: its members are shown too."""

        def children(self) -> Iterator[tuple[str, Any]]:
            header = header_of(self.value)
            if header == 0:
                return
            to = self.value.type.strip_typedefs().template_argument(0)
            try:
                base = gdb.lookup_type("tain::Object").pointer()
                pointer = gdb.Value(header).cast(base).cast(to.pointer())
                yield "object", pointer.cast(pointer.dynamic_type).dereference()
            except gdb.error:
                return  # the class is not complete where the program has stopped

    class Optional(Cell):
        def to_string(self) -> str:
            inner = self.value["slot_"]["value_"]
            name = inner.type.strip_typedefs().name or ""
            if name.startswith("std::optional"):
                return str(inner)
            if _kind_of(name) in _HANDLES:
                header = header_of(inner)
                return memory.object(header) if header else "nullopt"
            cell = bytes_of(inner)
            return memory.any(cell) if cell[:4] != b"\0\0\0\0" else "nullopt"

    def printer(value: Any) -> Any:
        kind = _kind_of(value.type.strip_typedefs().name or "")
        if kind in ("Ref", "ObjectPtr"):
            return Pointer(value)
        if kind in _HANDLES:
            return Handle(value)
        if kind in _CELLS:
            return Cell(value)
        return Optional(value) if kind == "Optional" else None

    gdb.pretty_printers.insert(0, printer)


# ---------------------------------------------------------------- lldb


def _raw(value: Any) -> bytes:
    lldb: Any = sys.modules["lldb"]
    data = value.GetNonSyntheticValue().GetData()
    return bytes(data.ReadRawData(lldb.SBError(), 0, data.GetByteSize()))


def _lldb_memory(value: Any) -> _Memory:
    lldb: Any = sys.modules["lldb"]

    def read(address: int, size: int) -> bytes:
        error = lldb.SBError()
        data = value.GetProcess().ReadMemory(address, size, error)
        if not error.Success():
            raise ValueError(error.GetCString())
        return bytes(data)

    return _Memory(read)


def lldb_handle(value: Any, _: object) -> str:
    """Return the text of a handle of an object."""
    return _lldb_memory(value).object(struct.unpack("<Q", _raw(value)[:8])[0])


def lldb_cell(value: Any, _: object) -> str:
    """Return the text of a value of 16 bytes."""
    return _lldb_memory(value).any(_raw(value)[:16])


def __lldb_init_module(debugger: Any, _: object) -> None:
    for names, function in ((_HANDLES, "lldb_handle"), (_CELLS, "lldb_cell")):
        pattern = f"^tain::({'|'.join(names)})(<.*>)?$"
        debugger.HandleCommand(f"type summary add -x '{pattern}' -F {__name__}.{function} -w tain")
    debugger.HandleCommand("type category enable tain")


if "gdb" in sys.modules:
    _for_gdb(sys.modules["gdb"])

# SPDX-License-Identifier: Apache-2.0
"""`CompileError`, and what it shows first and last: the first error that the compiler found."""

from __future__ import annotations

import re

__all__ = ["CompileError", "first_error"]

# The output of compilers for a line of a source: its place and the error.
_ERROR = re.compile(
    r"^(?P<place>.+?(?::\d+(?::\d+)?|\(\d+\))): (?P<text>(?:fatal )?error\b.*)$", re.M
)
# The line of the user that led to an error in a header: GCC names it before, Clang after the error.
_BEFORE = re.compile(r"^(?P<place>.+?:\d+(?::\d+)?): +(?:recursively )?required from here$", re.M)
_AFTER = re.compile(r"^(?P<place>.+?:\d+:\d+): note: in instantiation of .* requested here$", re.M)
# CMake's own errors: the text stands below, indented.
_CMAKE = re.compile(
    r"^CMake Error(?: \(dev\))?(?: at (?P<place>.+?:\d+)(?: \(.*\))?)?:"
    r"(?P<text>.*(?:\n(?:[ \t].*)?)*)$",
    re.M,
)
# A library that a build loads, to write its stub: the faults of its registration follow.
_FAULT = re.compile(
    r"^.* (?:cannot be used|made a mistake after it was loaded)(?:, and .*)?:\n  - (?P<text>.*)$",
    re.M,
)
# Otherwise, in this order: errors of the linker, which the compiler's own line about its exit
# follows, other errors, whatever is printed.
_OTHERS = (
    re.compile(
        r"^.*(?:undefined (?:reference|symbol)|multiple definition|duplicate symbol|cannot find"
        r"|unable to find).*$",
        re.M,
    ),
    re.compile(r"^.*\berror: .*$", re.M | re.I),
    re.compile(r"^.*\S.*$", re.M),
)


class CompileError(RuntimeError):
    """A source does not compile or link.

    The text begins with the first error; the command and its whole output follow. It ends with that
    error too, which is what a terminal shows.

    Attributes
    ----------
    name : str
        The name of the library.
    command : str
        The command line that failed, quoted for a shell.
    output : str
        The output of the compiler or linker.
    """

    __module__ = "tain.cpp"

    def __init__(self, name: str, command: str, output: str) -> None:
        super().__init__(name, command, output)
        self.name = name
        self.command = command
        self.output = output

    def __str__(self) -> str:
        first = first_error(self.output)
        output = self.output.rstrip("\n")
        last = "" if output.endswith(first) else f"\n\n{first}"
        return f"{first}\ntain.cpp: cannot build {self.name!r}\n$ {self.command}\n{output}{last}"


def first_error(output: str) -> str:
    """Return the first error in the output of a compiler or of CMake, with the line of the user."""
    of_cmake = _CMAKE.search(output)
    if of_cmake is not None:
        place = of_cmake["place"]
        text = " ".join(of_cmake["text"].split())
        return f"{place}: error: {text}" if place else f"CMake: error: {text}"
    error = _ERROR.search(output)
    fault = _FAULT.search(output) if error is None else None
    if fault is not None:
        return fault["text"]
    if error is None:
        found = (pattern.search(output) for pattern in _OTHERS)
        return next((match[0].strip() for match in found if match), "the compiler says nothing")
    following = _ERROR.search(output, error.end())
    places = [
        *_BEFORE.finditer(output, 0, error.start()),
        *_AFTER.finditer(output, error.end(), following.start() if following else len(output)),
    ]
    place = places[-1]["place"] if places else error["place"]
    return f"{place}: {error['text']}"

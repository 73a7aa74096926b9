# SPDX-License-Identifier: Apache-2.0
"""The cell magic ``%%tain`` of IPython and Jupyter: a cell of C++ that is compiled and loaded.

``%load_ext tain`` calls `load_ipython_extension`. A cell is a unit for `tain.cpp.load_inline`: run
again, it redefines what it registered. So the same cell needs the same name, also after an edit and
in another session; see `_Cells.name_of`.
"""

from __future__ import annotations

import argparse
import linecache
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Protocol

from IPython.core.error import UsageError

from tain import cpp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tain._values import Module

__all__ = ["load_ipython_extension", "unload_ipython_extension"]


class _Events(Protocol):
    def register(self, event: str, function: Callable[..., None]) -> None: ...
    def unregister(self, event: str, function: Callable[..., None]) -> None: ...


class _Shell(Protocol):
    """The part of IPython's shell that the magic needs."""

    events: _Events
    magics_manager: Any

    def register_magic_function(self, func: Any, magic_kind: str, magic_name: str) -> None: ...
    def push(self, variables: dict[str, Any]) -> None: ...


# ---------------------------------------------------------------- the line of the magic


class _Parser(argparse.ArgumentParser):
    """The options of the magic; mistakes are shown without a traceback."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%tain: {message}; %%tain? shows the options")


def _parser() -> _Parser:
    parser = _Parser(prog="%%tain", add_help=False, allow_abbrev=False)
    parser.add_argument("--name")
    parser.add_argument("--functions", nargs="+", action="extend", default=[])
    parser.add_argument("--cflags", action="append", default=[])
    parser.add_argument("--ldflags", action="append", default=[])
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--timeout", type=float)
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser


def _arguments(line: str) -> argparse.Namespace:
    try:
        words = shlex.split(line)
        return _parser().parse_args(_joined(words))
    except ValueError as error:  # of quotes
        raise UsageError(f"%%tain: {error}; %%tain? shows the options") from None


def _joined(words: list[str]) -> Iterator[str]:
    """Yield the words; `--cflags -O3` as one, because argparse takes `-O3` for an option."""
    remaining = iter(words)
    for word in remaining:
        following = next(remaining, None) if word in ("--cflags", "--ldflags") else None
        yield word if following is None else f"{word}={following}"


# ---------------------------------------------------------------- what a cell defines

# An open comment or string ends with the line or the cell, so that no character is looked at again.
_COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*(?:.*?\*/|.*)|("(?:\\.|[^"\\\n])*")|"(?:\\.|[^"\\\n])*', re.DOTALL
)
_BORDER = re.compile(r"[;{}()]")
# The functions and macros that define something of a key or name, which their arguments begin with.
_DEFINING = {"TAIN_OBJECT", "TAIN_EXPORT", "TAIN_REGISTER_GLOBAL", "def"}
_DEFINING_TEMPLATE = re.compile(r"\b(?:Object|Enum|Error)Def<")
_WORD = re.compile(r"\w*")
_NAME = re.compile(r'\s*"?([A-Za-z_][\w.]*)')


def _defined(source: str) -> list[str]:
    """Return the keys and names that a source seems to define, in order."""
    plain = _COMMENT_OR_STRING.sub(lambda found: found[1] or " ", source)
    names, start = [], 0
    for border in _BORDER.finditer(plain):
        if border[0] == "(" and _defines(plain[start : border.start()].rstrip()):
            name = _NAME.match(plain, border.end())
            if name is not None:
                names.append(name[1])
        start = border.end()
    return names


def _defines(callee: str) -> bool:
    """Return whether what stands before a parenthesis defines something."""
    if callee.endswith(">"):
        return _DEFINING_TEMPLATE.search(callee) is not None
    backwards = _WORD.match(callee[::-1])
    word = backwards[0][::-1] if backwards else ""
    return word in _DEFINING or (word.startswith("TVM_") and len(word) > len("TVM_"))


class _Cells:
    """The cells that were run, and the magic."""

    def __init__(self, shell: _Shell) -> None:
        self.shell = shell
        self.cell_id: str | None = None  # of the cell that runs, where the front end names cells
        self.raw = ""  # its text
        self.name_of_cell: dict[str, str] = {}
        self.unit_of_key: dict[str, str] = {}
        # The key of each name that a unit defines; the docstring of the magic is its help.
        self.magic = _magic_of(self)

    def before_cell(self, info: Any) -> None:
        """Remember which cell is run; IPython calls it."""
        self.cell_id = getattr(info, "cell_id", None)
        self.raw = getattr(info, "raw_cell", None) or ""

    def name_of(self, source: str, functions: list[str]) -> str:
        """Return the name of the unit for a cell whose line gives none.

        It is that of the cell that has registered one of the keys, because only the same unit may
        define a key again; else that of an earlier text of this cell; else one that is made of the
        first name which the cell defines.
        """
        defined = [*_defined(source), *functions]
        for key in defined:
            if key in self.unit_of_key:
                return self.unit_of_key[key]
        if self.cell_id is not None and self.cell_id in self.name_of_cell:
            return self.name_of_cell[self.cell_id]
        # A key first: a method has no dot in its name.
        first = next((key for key in defined if "." in key), defined[0] if defined else "")
        return f"cell_{re.sub('[^A-Za-z0-9_]', '_', first)}"[:200].rstrip("_")

    def line_of(self, source: str) -> int:
        """Return the number of a source's first line, as the front end counts the cell's lines."""
        before = self.raw.partition("%%tain")[0] if source and source.strip() in self.raw else ""
        return before.count("\n") + 2

    def run(self, line: str, source: str) -> None:
        """Compile, load, and put the names into the namespace."""
        given = _arguments(line)
        if not source.strip():
            raise UsageError("%%tain: expected C++ after the first line, got an empty cell")
        name = given.name or self.name_of(source, given.functions)
        label, first = f"<{name}>", self.line_of(source)
        # Errors show the lines of the cell. Without a time, linecache keeps them.
        lines = ["\n"] * (first - 1) + source.splitlines(keepends=True)
        linecache.cache[label] = (sum(map(len, lines)), None, lines, label)
        module = cpp.load_inline(
            name,
            cpp_sources=f'#line {first} "{label}"\n{source}',
            functions=given.functions or None,
            extra_cflags=_split("--cflags", given.cflags),
            extra_ldflags=_split("--ldflags", given.ldflags),
            extra_include_paths=given.include,
            verbose=given.verbose,
            timeout=given.timeout,
        )
        if self.cell_id is not None:
            self.name_of_cell[self.cell_id] = name
        for key in _keys(module):
            self.unit_of_key[key] = name
        self.shell.push(_names(module))


def _split(option: str, texts: list[str]) -> list[str]:
    try:
        return [word for text in texts for word in shlex.split(text)]
    except ValueError as error:
        raise UsageError(f"%%tain: {option}: {error}") from None


def _keys(module: Module) -> list[str]:
    library: Any = module  # the class of a library's module has more than Module
    return [*library.functions, *library.enums, *library.types]


def _names(module: Module) -> dict[str, Any]:
    """Return what a library defines by the last parts of the keys; a class wins over a function."""
    last = [key.rpartition(".")[2] for key in _keys(module)]
    names = {name: getattr(module, name) for name in [*last, *module.get_function_list()]}
    return {name: value for name, value in names.items() if name.isidentifier()}


def _shown_short(error: Exception) -> None:
    """Let IPython show an error without the frames of tain, which say nothing of the cell."""
    lines = f"{type(error).__name__}: {error}".splitlines()
    if isinstance(error, cpp.CompileError):
        lines = [lines[0], *_source_line(str(error)), *error.output.splitlines()]
    error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]


def _source_line(error: str) -> list[str]:
    """Return the line of the cell at the place with which an error begins, and a mark below it."""
    # Compilers do not show it, because there is no such file.
    place = re.match(r"(<\w+>):(\d+)(?::(\d+))?: ", error)
    if place is None or not (line := linecache.getline(place[1], int(place[2]))):
        return []
    shown = [f"{place[2]:>5} | {line.rstrip()}"]
    return [*shown, f"{'':>5} | {'^':>{place[3]}}"] if place[3] else shown


def _magic_of(cells: _Cells) -> Callable[[str, str], None]:
    # A function, because IPython shows its name and its docstring for `%%tain?`.
    def tain(line: str, cell: str) -> None:
        """Compile the C++ in the cell and load it; its names are then names of the notebook.

            %%tain [--name NAME] [--functions NAME ...] [--cflags FLAGS] [--ldflags FLAGS]
                   [--include FOLDER] [--timeout SECONDS] [-v]

        What the cell registers with ``TAIN_REGISTER`` or exports with ``TAIN_EXPORT`` is put into
        the namespace by the last part of its key: ``geometry.Point`` as ``Point``. It is in
        `tain.types` too. The compiler includes ``<tain/tain.h>`` before the cell. A cell that is
        run again defines anew what it has registered.

        --name NAME          the name of the library, an identifier. Without it, a cell that defines
                             a key again takes the place of the cell that has registered the key
        --functions NAME ... functions of the cell that need no registration
        --cflags FLAGS       options of the compiler, as in --cflags "-O3 -march=native"
        --ldflags FLAGS      options of the linker
        --include FOLDER     a folder of headers; may be given several times
        --timeout SECONDS    the time after which the compiler is ended
        -v, --verbose        print the commands, what they print, and the time
        """
        try:
            cells.run(line, cell)
        except UsageError:
            raise
        except (ImportError, OSError, RuntimeError, TypeError, ValueError) as error:
            _shown_short(error)
            raise

    return tain


# ---------------------------------------------------------------- the extension

_loaded: dict[int, _Cells] = {}  # by the id of the shell, which lives as long as the process


def load_ipython_extension(shell: _Shell) -> None:
    """Add the cell magic ``%%tain`` to IPython: what ``%load_ext tain`` calls.

    Parameters
    ----------
    shell : IPython.InteractiveShell
        The shell, also that of a Jupyter kernel.

    Examples
    --------
    >>> %load_ext tain  # doctest: +SKIP
    >>> %%tain --functions add_one  # doctest: +SKIP
    ... int add_one(int x) { return x + 1; }
    """
    unload_ipython_extension(shell)
    cells = _loaded[id(shell)] = _Cells(shell)
    shell.events.register("pre_run_cell", cells.before_cell)
    shell.register_magic_function(cells.magic, "cell", "tain")


def unload_ipython_extension(shell: _Shell) -> None:
    """Remove the cell magic: what ``%unload_ext tain`` calls.

    Parameters
    ----------
    shell : IPython.InteractiveShell
        The shell. It may never have had the magic.
    """
    cells = _loaded.pop(id(shell), None)
    if cells is not None:
        shell.events.unregister("pre_run_cell", cells.before_cell)
        shell.magics_manager.magics["cell"].pop("tain", None)

# SPDX-License-Identifier: Apache-2.0
"""The settings of ``python -m tain describe``: a TOML file, or a table of pyproject.toml.

The keys are the fields of `Settings`; what a pattern is, is said in _patterns.py.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, cast

from tain.describe._compile_commands import flags_of_compile_commands
from tain.describe._errors import SettingsError
from tain.describe._patterns import (
    Pattern,
    Patterns,
    PropertyRule,
    Renames,
    by_last_part,
    last_part,
    near,
    normal_name,
)

__all__ = [
    "Patterns",
    "PropertyRule",
    "Settings",
    "SettingsError",
    "flags_of_compile_commands",
    "from_mapping",
    "read",
    "with_options",
]


# ---- the settings --------------------------------------------------------------------------------

Returns = Literal["reference", "copy", "take"]
Outputs = Literal["out", "inout"]
_NONE: Patterns[bool] = Patterns()


@dataclasses.dataclass(frozen=True)
class Settings:
    """What the user says of the headers; docs/describing.md explains each key."""

    headers: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    std: str = "c++20"
    compiler: str = ""  # $CXX or c++
    compile_commands: Path | None = None
    namespaces: tuple[str, ...] = ()  # "" is the global namespace
    module: str = ""  # keys follow the namespaces
    include: Patterns[bool] = field(default_factory=Patterns)
    exclude: Patterns[bool] = field(default_factory=Patterns)
    rename: Patterns[str] = field(default_factory=Patterns)
    snake_case: bool = False
    ordinary_comments: bool = False
    property: tuple[PropertyRule, ...] = ()
    returns: Patterns[Returns] = field(default_factory=Patterns)
    outputs: Patterns[Outputs] = field(default_factory=Patterns)
    keep_alive: Patterns[tuple[tuple[int, int], ...]] = field(default_factory=Patterns)
    no_keep_alive: Patterns[bool] = field(default_factory=Patterns)
    release_gil: Patterns[bool] = field(default_factory=Patterns)
    not_none: Patterns[bool] = field(default_factory=Patterns)
    no_copy: Patterns[bool] = field(default_factory=Patterns)
    thread_safe: Patterns[bool] = field(default_factory=Patterns)
    iterable: Patterns[bool] = field(default_factory=Patterns)
    not_iterable: Patterns[bool] = field(default_factory=Patterns)
    overrides: bool | Patterns[bool] = True
    exceptions: dict[str, str] = field(default_factory=dict)
    instances: dict[str, str] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    functions: str = ""
    preamble: str = ""
    macros: Patterns[bool] = field(default_factory=Patterns)
    strict: bool = False

    def property_of(self, *names: str) -> tuple[str, str | None] | None:
        """Return the C++ name and the setter of the property that a getter is, or None."""
        found = [match for rule in self.property if (match := rule.match(*names))]
        return found[0] if found else None

    def overridable(self, *names: str) -> bool:
        """Return whether Python may override the virtual functions of a class."""
        if isinstance(self.overrides, bool):
            return self.overrides
        return self.overrides.get(*names) is not None

    def unused(self) -> list[str]:
        """Return a message for each pattern that has matched no declaration."""
        return [_unmatched(key, pattern) for key, pattern in self._unused()]

    def complaints(self, names: Iterable[str]) -> list[str]:
        """Return the messages of `unused`, with those of the names that are near."""
        names = {normal_name(name) for name in names}
        known = by_last_part(names)
        tables = {"members": self.members, "exceptions": self.exceptions}
        missing = [
            (key, text)
            for key, table in tables.items()
            for text in table
            if normal_name(text) not in names
        ]
        found = [*self._unused(), *missing]
        return [_unmatched(key, text) + near(text, known) for key, text in found]

    def _unused(self) -> Iterator[tuple[str, str]]:
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Patterns):
                yield from ((each.name, text) for text in value.unused())
        yield from (("property", rule.getter) for rule in self.property if not rule.used)


def _unmatched(key: str, pattern: str) -> str:
    return f"{key}: no declaration matches '{pattern}'"


# ---- reading values ------------------------------------------------------------------------------


def _got(value: object) -> str:
    """Return what a value is in TOML's words."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return repr(value)
    words = {list: "an array", tuple: "an array", dict: "a table", Patterns: "patterns"}
    return words.get(type(value), type(value).__name__)


class _Reader:
    """Turns the values of one mapping into those of `Settings`."""

    def __init__(self, where: str, folder: Path) -> None:
        self._where = where
        self._folder = folder

    def fail(self, key: str, text: str) -> SettingsError:
        return SettingsError(f"{self._where}: {key}: {text}")

    def expected(self, key: str, what: str, value: object) -> SettingsError:
        return self.fail(key, f"expected {what}, got {_got(value)}")

    def fields(self, data: Mapping[str, object]) -> dict[str, Any]:
        """Return the fields that the mapping sets."""
        found: dict[str, Any] = {}
        for key, value in data.items():
            if key not in _KEYS:
                raise SettingsError(f"{self._where}: unknown key '{key}'{_meant(key, _KEYS)}")
            found[key] = _KEYS[key](self, key, value)
        for key, opposite in _OPPOSITES:
            second = {normal_name(text) for text, _ in found.get(opposite, _NONE).items()}
            for text, _ in found.get(key, _NONE).items():
                if normal_name(text) in second:
                    raise self.fail(key, f"'{text}' is in {opposite} too: leave one out")
        return found

    def boolean(self, key: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self.expected(key, "true or false", value)
        return value

    def text(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.expected(key, "a string", value)
        return value

    def standard(self, key: str, value: object) -> str:
        if isinstance(value, str) and re.fullmatch(r"(c|gnu)\+\+\d\w", value):
            return value
        year = re.search(r"\d\w\Z", str(value))
        hint = f": write 'c++{year[0]}'" if year else ""
        raise self.fail(key, f"expected a standard such as 'c++20', got {_got(value)}{hint}")

    def module(self, key: str, value: object) -> str:
        text = self.text(key, value)
        if text and not all(part.isidentifier() for part in text.split(".")):
            hint = f": write '{text.replace('::', '.')}'" if "::" in text else ""
            raise self.fail(key, f"expected the name of a Python module, got '{text}'{hint}")
        return text

    def texts(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            hint = f': write ["{value}"]' if isinstance(value, str) else ""
            raise self.fail(key, f"expected an array of strings, got {_got(value)}{hint}")
        for each in value:
            if not isinstance(each, str) or not each.strip():
                raise self.expected(key, "an array of strings that are not empty", each)
        return tuple(value)

    def once(self, key: str, value: object) -> tuple[str, ...]:
        """Return texts of which none is there twice."""
        texts = self.texts(key, value)
        self._no_duplicates(key, texts)
        return texts

    def _no_duplicates(self, key: str, texts: Iterable[str]) -> None:
        seen: dict[str, str] = {}
        for text in texts:
            first = seen.get(normal_name(text))
            seen[normal_name(text)] = text
            if first is not None:
                same = "" if first == text else f", also as '{first}'"
                raise self.fail(key, f"'{text}' is there twice{same}: leave one out")

    def namespaces(self, key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
            return self.texts(key, value)  # which says what is wrong
        names = tuple(each.strip().removeprefix("::").removesuffix("::") for each in value)
        for name in names:
            if name and not all(part.isidentifier() for part in name.split("::")):
                hint = f": write '{name.replace('.', '::')}'" if "." in name else ""
                raise self.fail(key, f"expected the name of a namespace, got '{name}'{hint}")
        self._no_duplicates(key, names)
        return names

    def headers(self, key: str, value: object) -> tuple[str, ...]:
        paths = ((text, self._folder / text) for text in self.once(key, value))
        return tuple(str(path) if path.exists() else text for text, path in paths)

    def folders(self, key: str, value: object) -> tuple[str, ...]:
        return tuple(str(self._folder / text) for text in self.once(key, value))

    def path(self, key: str, value: object) -> Path:
        path = self._folder / (str(value) if isinstance(value, Path) else self.text(key, value))
        return path / "compile_commands.json" if path.is_dir() else path

    def pattern(self, key: str, text: str) -> str:
        normal = normal_name(text)
        if not normal:
            raise self.fail(key, "a pattern is empty")
        if "." in normal.replace("...", ""):
            raise self.fail(key, f"'{text}' is no C++ name: write '{text.replace('.', '::')}'")
        if normal.count("(") != normal.count(")"):
            raise self.fail(key, f"'{text}' has a parenthesis without its partner")
        return text

    def listed(self, key: str, value: object) -> Patterns[bool]:
        if isinstance(value, bool):
            hint = 'write ["*"] for all' if value else "leave the key out"
            raise self.fail(key, f"expected an array of patterns, got {_got(value)}: {hint}")
        return Patterns([(self.pattern(key, text), True) for text in self.once(key, value)])

    def override_classes(self, key: str, value: object) -> bool | Patterns[bool]:
        return value if isinstance(value, bool) else self.listed(key, value)

    def table(self, key: str, value: object) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self.expected(key, f"a table, as in {_EXAMPLES[key]}", value)
        self._no_duplicates(key, value)
        return value

    def named(self, key: str, value: object) -> dict[str, str]:
        """Return a table of strings: C++ names and texts."""
        table = self.table(key, value)
        return {self.pattern(key, name): self.entry(key, name, table[name]) for name in table}

    def entry(self, key: str, name: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.fail(key, f"'{name}': expected a string, got {_got(value)}")
        return value

    def exceptions(self, key: str, value: object) -> dict[str, str]:
        table = self.named(key, value)
        for name, kind in table.items():
            if not all(part.isidentifier() for part in kind.split(".")):
                raise self.fail(key, f"'{name}': expected an exception of Python, got '{kind}'")
        return table

    def instances(self, key: str, value: object) -> dict[str, str]:
        table = self.named(key, value)
        for name, given in table.items():
            if not name.rstrip().endswith(">"):
                raise self.fail(key, f"'{name}' has no arguments: write '{name}<int>' or such")
            if not given.isidentifier():
                raise self.fail(key, f"'{name}': expected a name in Python, got '{given}'")
        return table

    def renames(self, key: str, value: object) -> Patterns[str]:
        table = self.named(key, value)
        for text, name in table.items():
            if not name.replace("*", "x").isidentifier():
                raise self.fail(key, f"'{text}': expected a name in Python, got '{name}'")
            if "*" in name and (Pattern(text).wildcards != 1 or name.count("*") > 1):
                raise self.fail(key, f"'{text}': '{name}' needs one '*', and the pattern too")
        return Renames(table)

    def returns(self, key: str, value: object) -> Patterns[Returns]:
        table = self.named(key, value)
        for text, policy in table.items():
            if policy not in _POLICIES:
                wanted = "'reference', 'copy' or 'take'"
                hint = _meant(policy, _POLICIES)
                raise self.fail(key, f"'{text}': expected {wanted}, got '{policy}'{hint}")
        return Patterns(cast("dict[str, Returns]", table))

    def outputs(self, key: str, value: object) -> Patterns[Outputs]:
        table = self.named(key, value)
        for text, kind in table.items():
            if kind not in _KINDS:
                hint = _meant(kind, _KINDS)
                raise self.fail(key, f"'{text}': expected 'out' or 'inout', got '{kind}'{hint}")
        return Patterns(cast("dict[str, Outputs]", table))

    def keep_alive(self, key: str, value: object) -> Patterns[tuple[tuple[int, int], ...]]:
        found = {}
        for text, pairs in self.table(key, value).items():
            self.pattern(key, text)
            listed = pairs if isinstance(pairs, list) else []
            if len(listed) == 2 and not any(isinstance(each, list) for each in listed):
                listed = [listed]  # one pair
            if not listed or not all(_is_pair(pair) for pair in listed):
                wanted = "pairs of indices such as [[0, 1]]"
                raise self.fail(key, f"'{text}': expected {wanted}, got {pairs!r}")
            found[text] = tuple((first, second) for first, second in listed)
        return Patterns(found)

    def properties(self, key: str, value: object) -> tuple[PropertyRule, ...]:
        table = self.table(key, value)
        for text, given in table.items():
            self.pattern(key, text)
            setter = self.entry(key, text, given)
            if setter and not last_part(setter).replace("*", "x").isidentifier():
                raise self.fail(key, f"'{text}': expected the name of a setter, got '{setter}'")
            if setter.count("*") > 1 or ("*" in setter and not Pattern(text).wildcards):
                raise self.fail(key, f"'{text}': '{setter}' needs one '*', and the pattern too")
        return tuple(PropertyRule(text, cast("str", table[text]) or None) for text in table)


def _is_pair(pair: object) -> bool:
    if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
        return False
    return all(type(index) is int and index >= 0 for index in pair)


def _meant(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word.replace("-", "_").lower(), known, n=1)
    return f" (did you mean '{close[0]}'?)" if close else ""


_KINDS = ("out", "inout")
_POLICIES = ("reference", "copy", "take")
_OPPOSITES = (
    ("include", "exclude"),
    ("keep_alive", "no_keep_alive"),
    ("iterable", "not_iterable"),
)
_EXAMPLES = {
    "rename": '"lib::f" = "g"',
    "returns": '"lib::f" = "copy"',
    "outputs": '"lib::f" = "out"',
    "keep_alive": '"lib::f" = [[0, 1]]',
    "exceptions": '"lib::Error" = "ValueError"',
    "instances": '"lib::Vec<double>" = "Vecd"',
    "members": '"lib::A" = \'.def("f", &f)\'',
    "property": '{ "get*" = "set*", "lib::A::size" = "" }',
}
_KEYS: dict[str, Callable[[_Reader, str, object], Any]] = {
    **dict.fromkeys(("strict", "snake_case", "ordinary_comments"), _Reader.boolean),
    **dict.fromkeys(("compiler", "functions", "preamble"), _Reader.text),
    **dict.fromkeys(("include", "exclude", "no_keep_alive", "release_gil"), _Reader.listed),
    **dict.fromkeys(("not_none", "no_copy", "thread_safe", "macros"), _Reader.listed),
    **dict.fromkeys(("iterable", "not_iterable"), _Reader.listed),
    "headers": _Reader.headers,
    "include_dirs": _Reader.folders,
    "flags": _Reader.texts,
    "std": _Reader.standard,
    "compile_commands": _Reader.path,
    "namespaces": _Reader.namespaces,
    "module": _Reader.module,
    "rename": _Reader.renames,
    "property": _Reader.properties,
    "returns": _Reader.returns,
    "outputs": _Reader.outputs,
    "keep_alive": _Reader.keep_alive,
    "overrides": _Reader.override_classes,
    "exceptions": _Reader.exceptions,
    "instances": _Reader.instances,
    "members": _Reader.named,
}

# ---- files ---------------------------------------------------------------------------------------


def from_mapping(data: Mapping[str, object], where: str, folder: Path) -> Settings:
    """Return the settings that a mapping of TOML's values says.

    Parameters
    ----------
    data : mapping
        The keys and their values.
    where : str
        What the errors call the mapping: the name of the file.
    folder : Path
        What relative paths are relative to.
    """
    return Settings(**_Reader(where, folder).fields(data))


def read(path: str | Path, *, overrides: Mapping[str, object] | None = None) -> Settings:
    """Return the settings of a file.

    Parameters
    ----------
    path : path
        A pyproject.toml with the table ``[tool.tain.describe]``, or a file of its own, with the
        keys at its top level.
    overrides : mapping, optional
        Values of the command line, which replace those of the file; None is no value. Their
        relative paths are relative to the current folder.

    Raises
    ------
    SettingsError
        The file cannot be read, or says something wrong.
    """
    path = Path(path)
    where = str(path)
    data = _toml_of(path)
    if path.name == "pyproject.toml":
        where = f"{path}: [tool.tain.describe]"
        for key in ("tool", "tain", "describe"):
            inner = data.get(key)
            if not isinstance(inner, dict):
                hint = _meant(key, data)
                raise SettingsError(f"{path}: there is no table [tool.tain.describe]{hint}")
            data = inner
    elif "tool" in data:
        raise SettingsError(f"{where}: unknown key 'tool': the keys stand at the top of this file")
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    replaced = _Reader("the command line", Path.cwd()).fields(given)
    return dataclasses.replace(from_mapping(data, where, path.absolute().parent), **replaced)


def _toml_of(path: Path) -> dict[str, Any]:
    try:
        toml: Any = import_module("tomllib")
    except ModuleNotFoundError:  # before Python 3.11
        try:
            toml = import_module("tomli")
        except ModuleNotFoundError:
            raise SettingsError(
                f"{path}: reading TOML needs Python 3.11, or `pip install tomli`"
            ) from None
    try:
        return cast("dict[str, Any]", toml.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from None
    except (toml.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}") from None


def with_options(
    settings: Settings, *, include_dirs: Iterable[str] = (), flags: Iterable[str] = ()
) -> Settings:
    """Return settings with more include folders and options of the compiler."""
    return dataclasses.replace(
        settings,
        include_dirs=(*settings.include_dirs, *include_dirs),
        flags=(*settings.flags, *flags),
    )

# SPDX-License-Identifier: Apache-2.0
"""Describes a C++ library from its headers: writes the registration that one writes by hand.

``python -m tain describe include/geometry.h --namespace geometry -o geometry_tain.cc`` is this
module's `describe` with the options of a command line. The headers are read by Clang (the wheel
libclang-ng, which the extra ``tain[describe]`` installs); the file that is written compiles with
every C++20 compiler. docs/describing.md has the rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tain import libinfo
from tain.describe import _clang, _crossing, _plan, _read, _verify, _write
from tain.describe._clang import HeaderError
from tain.describe._model import Function, Headers
from tain.describe._outputs import apply_outputs
from tain.describe._rows import Plan
from tain.describe._settings import Settings, SettingsError, flags_of_compile_commands

__all__ = ["Description", "HeaderError", "Settings", "SettingsError", "describe"]


@dataclass(frozen=True)
class Description:
    """What `describe` made of the headers."""

    #: the registration
    text: str
    #: how many members cross
    crossed: int
    #: what is left out: the name with its scope, and the reason
    skipped: tuple[tuple[str, str], ...]
    #: how many members the settings exclude
    excluded: int
    #: the files that were read, in which a change makes a new description necessary
    files: tuple[str, ...]
    #: settings that had no effect, each with a suggestion
    complaints: tuple[str, ...] = ()


def describe(settings: Settings) -> Description:
    """Read headers and return their description.

    Raises
    ------
    HeaderError
        Clang refuses the headers; the message is Clang's.
    SettingsError
        The settings name something that is not there.
    ImportError
        libclang is not installed.
    """
    return _Describing(settings).run()


_TITLE = "Written by `python -m tain describe`. Change the headers or the settings, not this file."


class _Describing:
    def __init__(self, settings: Settings):
        self._settings = settings
        self._flags = [
            f"-std={settings.std}",
            *_clang.system_flags(settings.compiler or os.environ.get("CXX", "c++")),
            f"-I{libinfo.include_dir()}",
            *(f"-I{one}" for one in settings.include_dirs),
            *self._flags_of_build(),
            *settings.flags,
            "-DTAIN_DESCRIBE",
        ]
        self._session = _clang.Session(self._flags)
        self._includes = [_include_of(one, settings.include_dirs) for one in settings.headers]

    def _flags_of_build(self) -> list[str]:
        """Return the options of a compile_commands.json."""
        file = self._settings.compile_commands
        if file is None:
            return []
        return flags_of_compile_commands(file, next(iter(self._settings.headers), None))

    def run(self) -> Description:
        headers = self._read()
        apply_outputs(headers, self._settings)
        answers = self._ask(headers)
        refused: dict[str, str] = {}
        while True:
            plan = _plan.Planner(headers, answers, self._settings, refused).plan()
            _verify.verify(plan, self._pieces, self._session.parse)
            if not plan.refused:
                break
            refused |= plan.refused
        text = _write.text_of(self._pieces(plan))
        return Description(
            text=text,
            crossed=plan.crossed + sum(one.crossed for one in plan.classes),
            skipped=tuple(_all_skipped(plan)),
            excluded=plan.excluded,
            files=tuple(one for one in headers.files if not one.endswith("tain_describe.cc")),
            complaints=tuple(self._settings.complaints(_names_in(headers))),
        )

    def _pieces(self, plan: Plan) -> list[_write.Piece]:
        return _write.pieces_of(
            plan, self._includes, _TITLE, self._settings.preamble, self._settings.functions
        )

    def _head(self) -> str:
        """Return what all texts begin with, so that Clang reads the headers once."""
        lines = _write.head_of(self._includes, _TITLE)
        # Not a directive, which would belong to what Clang keeps.
        return "\n".join(lines) + "\nnamespace tain {}\n"

    def _read(self) -> Headers:
        """Return what the headers declare."""
        head = self._head() + self._settings.preamble + "\n"
        names = list(self._settings.instances.items())
        asked = [_read.instance_line(at, spelled, name) for at, (spelled, name) in enumerate(names)]
        unit = self._session.parse(head + "".join(f"{line}\n" for line in asked))
        wrong = unit.lines_with_errors()
        first = head.count("\n") + 1
        for at, (spelled, _) in enumerate(names):
            if first + at in wrong:
                raise SettingsError(f"instances: '{spelled}': {wrong[first + at]}")
        unit.check()
        return _read.Reader(
            unit,
            self._settings.namespaces,
            _folders(self._settings, unit.included()),
            names,
            ordinary_comments=self._settings.ordinary_comments,
        ).read()

    def _ask(self, headers: Headers) -> _crossing.Answers:
        questions = _plan.questions_of(headers)
        text, asked = questions.text()
        head = (
            f"{self._head()}#include <tain/internal/declared_facts.h>\n{self._settings.preamble}\n"
        )
        unit = self._session.parse(head + text)
        return _crossing.answers_of(unit, head.count("\n") + 1, list(asked.values()))


def _folders(settings: Settings, included: Iterable[str]) -> list[str]:
    """Return the folders of the headers."""
    wanted = [str(one) for one in settings.headers]
    folders = []
    for file in included:
        if any(file == one or file.endswith("/" + one.lstrip("./")) for one in wanted):
            folders.append(os.path.dirname(os.path.abspath(file)))
    return folders or [os.path.dirname(os.path.abspath(one)) for one in wanted]


def _include_of(header: str, folders: Sequence[str]) -> str:
    """Return a header as an #include names it: from a folder of the compiler's if it lies there."""
    path = Path(header)
    if not path.exists():
        return f"<{header}>"
    for folder in folders:
        try:
            return f'"{path.resolve().relative_to(Path(folder).resolve())}"'
        except ValueError:
            continue
    relative = os.path.relpath(header)
    return f'"{header if relative.startswith("..") else relative}"'


def _names_in(headers: Headers) -> set[str]:
    """Return the names of all that was seen, for suggestions."""
    names = {"::".join((*one.path, one.name)) for one in headers.classes}
    names |= {"::".join((*one.path, one.name)) for one in headers.enums}
    names |= {one.qualified for one in headers.functions}
    for class_ in headers.classes:
        names |= {one.qualified for one in class_.members if isinstance(one, Function) or one.name}
    return names


def _all_skipped(plan: Plan) -> Iterable[tuple[str, str]]:
    for one in plan.skipped:
        yield one.name, one.why
    for class_ in plan.classes:
        for member in class_.skipped:
            yield f"{class_.key}.{re.sub('^.*::', '', member.name)}", member.why

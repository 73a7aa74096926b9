# SPDX-License-Identifier: Apache-2.0
"""The input from which a library is made, and its digest."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tain import _core
from tain._checks import text_of
from tain.cpp import _cuda, _toolchain
from tain.cpp._files import hash_bytes, hash_file, hash_of_tain

__all__ = ["Recipe", "Source", "Tools", "language_of"]

_FORMAT = 2  # the version of records and of digests
_LANGUAGES = {
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP"), "c++"),
    ".c": "c",
    ".cu": "cuda",
}
_SUFFIXES = {"c++": ".cc", "c": ".c", "cuda": ".cu"}


def language_of(path: str) -> str:
    """Return the language of a file: "c++", "c" or "cuda".

    Raises
    ------
    ValueError
        The name does not end in a known way.
    """
    suffix = os.path.splitext(path)[1]
    if suffix not in _LANGUAGES:
        raise ValueError(
            f"sources: expected files that end in {', '.join(_LANGUAGES)}, got {path!r}"
        )
    return _LANGUAGES[suffix]


@dataclass(frozen=True)
class Source:
    """A source file, or the text of one."""

    language: str  # "c++", "c" or "cuda"
    path: str | None = None  # absolute
    text: str | None = None

    def file_name(self, name: str) -> str:
        """Return the name of the file to which the text is written."""
        return name + _SUFFIXES[self.language]

    def digest(self) -> str:
        """Return the hash of the content."""
        if self.path is not None:
            return hash_file(self.path)
        return hash_bytes((self.text or "").encode())


@dataclass(frozen=True)
class Tools:
    """The compilers of the languages in a recipe."""

    cxx: _toolchain.Toolchain
    cc: _toolchain.Toolchain | None
    cuda: _cuda.Cuda | None


@dataclass(frozen=True)
class Recipe:
    """The input from which a library is made."""

    name: str
    sources: tuple[Source, ...]
    cflags: tuple[str, ...] = ()
    cuda_cflags: tuple[str, ...] = ()
    ldflags: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()  # absolute

    def __post_init__(self) -> None:
        text_of("name", self.name)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.name):
            raise ValueError(
                f"name: expected an identifier of ASCII letters, digits and _, got {self.name!r}"
            )
        if len(self.name) > 200:
            raise ValueError(f"name: expected at most 200 characters, got {len(self.name)}")

    def find_tools(self) -> Tools:
        """Return the compilers that are needed."""
        languages = {source.language for source in self.sources}
        return Tools(
            _toolchain.find_toolchain(),
            _toolchain.find_c_compiler() if "c" in languages else None,
            _cuda.find_cuda() if "cuda" in languages else None,
        )

    def command(self, source: Source, tools: Tools) -> list[str]:
        """Return the command that compiles a source, without its input and output."""
        includes = [f"-I{path}" for path in self.include_paths]
        if source.language == "c":
            assert tools.cc is not None
            options = _toolchain.compile_options(tools.cc, "c")
            return [*tools.cc.command, *includes, *options, *self.cflags]
        unit = f'-DTAIN_UNIT_NAME="{self.name}"'
        if source.language == "cuda":
            assert tools.cuda is not None
            options = tools.cuda.compile_options(tools.cxx)
            return [*tools.cuda.command, *includes, *options, unit, *self.cuda_cflags]
        # A text defines the name itself, so that all texts can share a precompiled header.
        named = [unit] if source.text is None else []
        options = _toolchain.compile_options(tools.cxx, "c++")
        return [*tools.cxx.command, *includes, *options, *named, *self.cflags]

    def link_command(self, objects: Sequence[str], tools: Tools) -> list[str]:
        """Return the command that links objects, without its output."""
        cuda = tools.cuda.link_options() if tools.cuda else []
        command = [*tools.cxx.command, *objects, *cuda, *_toolchain.link_options()]
        return [*command, *self.ldflags]

    def digest(self, tools: Tools) -> str:
        """Return the hash of all input that is known before the compiler runs."""
        facts = [
            _FORMAT,
            tools.cxx,
            tools.cc,
            tools.cuda,
            _core.version(),
            _core.abi_version(),
            hash_of_tain(),
            [
                (source.path, source.digest(), self.command(source, tools))
                for source in self.sources
            ],
            self.link_command([], tools),
        ]
        return hash_bytes(json.dumps(facts).encode())

# SPDX-License-Identifier: Apache-2.0
"""The input from which a library is made, and its digest."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from tain import _core
from tain._checks import text_of
from tain.cpp import _cuda, _toolchain
from tain.cpp._files import hash_bytes, hash_file
from tain.cpp._installed import hash_of_tain

__all__ = ["Recipe", "Source", "Tools", "environment", "language_of"]

_FORMAT = 3  # the version of records and of digests
_LANGUAGES = {
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP"), "c++"),
    ".c": "c",
    ".cu": "cuda",
}
# Options and variables that name folders of headers, which compilers take for those of the system.
_SYSTEM_OPTIONS = ("-isystem", "-idirafter")
_SYSTEM_VARIABLES = ("C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
# Variables that decide what compilers find.
_VARIABLES = (*_SYSTEM_VARIABLES, "CPATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX")
_SUFFIXES = {"c++": ".cc", "c": ".c", "cuda": ".cu"}


def environment() -> dict[str, str]:
    """Return the variables of the environment that decide what compilers find."""
    return {name: os.environ.get(name, "") for name in _VARIABLES}


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
        if not (self.name.isascii() and self.name.isidentifier()):
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

    def system_folders(self) -> list[str]:
        """Return the user's folders whose headers compilers take for those of the system."""
        flags = [*self.cflags, *self.cuda_cflags]
        named = [
            folder
            for flag, following in zip(flags, [*flags[1:], ""], strict=False)
            for option in _SYSTEM_OPTIONS
            if flag.startswith(option)
            for folder in [flag[len(option) :] or following]
        ]
        listed = [os.environ.get(name, "").split(os.pathsep) for name in _SYSTEM_VARIABLES]
        folders = [*named, *(folder for folders in listed for folder in folders)]
        return [os.path.realpath(folder) for folder in folders if folder]

    def _linked_files(self) -> dict[str, str]:
        """Return the hashes of the files that the options of the linker name."""
        flags = self.ldflags
        folders = [flag[2:] for flag in flags if flag.startswith("-L") and len(flag) > 2]
        names = [flag[2:] for flag in flags if flag.startswith("-l") and len(flag) > 2]
        files = [flag for flag in flags if not flag.startswith("-")]
        for folder in folders:
            for name in names:
                known = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"]
                files += [os.path.join(folder, file) for file in known]
        return {file: hash_file(file) for file in files if os.path.isfile(file)}

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
            self._linked_files(),
            environment(),
        ]
        return hash_bytes(json.dumps(facts).encode())

# SPDX-License-Identifier: Apache-2.0
"""Cuts the code blocks out of a document of Markdown or plain text.

A document marks its code by fences, by notebook prompts (``In [3]:``) or by numbered lines; then
only what is marked is code. In other documents, code is what looks like code, line by line. Text
that was copied from a web page may have lost the indentation of its Python code: `restore_indents`
guesses it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Block", "cut", "restore_indents"]

_FENCE = re.compile(r"^\s*```\s*(\w*)")
_PROMPT = re.compile(r"^In \[[^]]*\]:\s*$")
_NUMBERED = re.compile(r"^\s*(\d+)\. ?(.*)$")
_RAISED = re.compile(r"^(\w+(?:Error|Exception|Interrupt): .*)$")
_QUOTED = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'")
_COMMENT = re.compile(r"(//|(?<!\S)#(?!include|define|if|endif)).*$", re.MULTILINE)
_OTHER_SCRIPT = re.compile(r"[\u2e80-\uffef]")

_LANGUAGES = {"py": "python", "c++": "cpp", "cc": "cpp", "c": "cpp", "bash": "sh", "shell": "sh"}
_LIKE_CPP = re.compile(
    r"^\s*(#\s*(include|define)\b|using |//|TVM_|\.set_body|(public|private|protected):|template ?<"
    r"|extern \"C\"|struct |class \w+[^:]*[{:]? ?\S*.*\{$)|(;|\{|\}|\}\);|\\)\s*$"
)
_CPP = re.compile(r"[;#]")
_PRINTED_SCRIPT = re.compile(r"^# from tvm\.script import")
_SCRIPT_LINE = re.compile(r"\bT\.|\bcompute\[|^#")
_LIKE_PYTHON = re.compile(
    r"^\s*(import \w|from [\w.]+ import |def \w+\(|@\w|return\b|assert\b|print\(|for .*:$|with .*:$"
    r"|[\w.\[\], ]+ \+?= \S|[\w.]+\([^;]*\)$|[\w.]+\(([^;]*[,(])?$|\"\"\")"
)
_LIKE_MAKE = re.compile(
    r"^([A-Z_]+ ?[:+]?= ?.*(\$|-\w)|ifeq |endif$|[\w./]+: [\w./]+\.(cc|cpp|c)$|\s*@?mkdir "
    r"|\s*\$\(CXX\)|-[ID]\S+$)"
)


@dataclass(frozen=True)
class Block:
    """One piece of code: its language, its text, and the error that the document shows for it."""

    kind: str  # python, cpp, make, sh, or text if it only looked like code
    text: str
    raises: str | None = None

    @property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return next((line.strip() for line in self.text.splitlines() if line.strip()), "")


def cut(text: str) -> list[Block]:
    """Return the code blocks of a document, in order."""
    lines = text.splitlines()
    if any(_FENCE.match(line) or _PROMPT.match(line) for line in lines):
        return list(_marked(lines))
    return list(_numbered(lines)) or list(_recognized(lines))


# ---------------------------------------------------------------- documents that mark their code


def _marked(lines: list[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        if fence := _FENCE.match(lines[at]):
            end = next(
                (i for i in range(at + 1, len(lines)) if lines[i].strip() == "```"), len(lines)
            )
            body = "\n".join(lines[at + 1 : end])
            language = fence[1].lower()
            yield Block(_LANGUAGES.get(language, language) or _kind_of(body), body)
            at = end + 1
        elif _PROMPT.match(lines[at]):
            end = next(
                (i for i in range(at + 1, len(lines)) if _starts_block(lines[i])), len(lines)
            )
            yield from _cell(lines[at + 1 : end])
            at = end
        else:
            at += 1


def _starts_block(line: str) -> bool:
    return bool(_FENCE.match(line) or _PROMPT.match(line))


def _cell(lines: list[str]) -> Iterator[Block]:
    """Yield the code at the start of some lines; prose follows it, or the error that it raises."""
    for end in range(len(lines), 0, -1):
        body = lines[:end]
        if not body[-1].strip() or _is_prose(body[-1]):
            continue
        if any(_RAISED.match(line) for line in body):
            continue
        if _parses("\n".join(body)):
            after = next((line for line in lines[end:] if line.strip()), "")
            raised = _RAISED.match(after)
            yield Block("python", "\n".join(body), raised[1] if raised else None)
            return


def _numbered(lines: list[str]) -> Iterator[Block]:
    """Yield the runs of lines of code that are numbered from 1."""
    run: list[str] = []
    for line in [*lines, ""]:
        found = _NUMBERED.match(line)
        if found and int(found[1]) == len(run) + 1:
            run.append(found[2])
            continue
        if run and not any(map(_is_prose, run)):
            yield _block_of(run)
        run = [found[2]] if found and found[1] == "1" else []


# ---------------------------------------------------------------- documents that do not


def _recognized(lines: list[str]) -> Iterator[Block]:
    """Yield the runs of lines that look like code of one language."""
    run: list[str] = []
    kind: str | None = None
    printed = False  # inside a program that a block has printed
    for line in [*lines, ""]:
        printed = bool(_PRINTED_SCRIPT.match(line) or (printed and _SCRIPT_LINE.search(line)))
        if printed:
            line = ""
        inside = bool(run) and _depth("\n".join(run)) > 0
        found = (
            kind if inside and not printed and not _is_prose(line) else _kind_of_line(line, kind)
        )
        if found is None or (kind is not None and found not in ("any", kind)):
            if found is None and run and _is_mention(run[-1], alone=len(run) == 1):
                run.pop()
            if run and kind is not None:
                yield _block_of(run, kind)
            run, kind = [], None
        if found is not None:
            run.append(line)
            kind = found if found not in ("any", "comment") else kind


def _kind_of_line(line: str, current: str | None) -> str | None:
    """Return the language of a line, `any` if it fits each, or None if it is prose."""
    if not line.strip() or _is_prose(line):
        return None
    if _is_comment(line):
        if line.lstrip().startswith("//"):
            return "cpp"
        return "any" if current != "cpp" else "comment"  # of the language that follows
    likes = [
        kind
        for kind, pattern in (("make", _LIKE_MAKE), ("cpp", _LIKE_CPP), ("python", _LIKE_PYTHON))
        if pattern.search(line)
    ]
    if current in likes:
        return current
    if "make" in likes and "python" in likes:  # an assignment
        return "make" if "$(" in line else "python"
    return likes[0] if likes else None


def _is_mention(line: str, *, alone: bool) -> bool:
    """Return whether a line before prose only names a function, as `pkg.f()`."""
    return bool(re.fullmatch(r"\w+(\.\w+)*\(\)" if alone else r"\w+(\.\w+)+\(\)", line.strip()))


def _is_comment(line: str) -> bool:
    return bool(re.match(r"\s*(//|#(?!\s*(include|define|if|endif)))", line))


def _is_prose(line: str) -> bool:
    """Return whether a line has words in another script, outside of strings and comments."""
    return bool(_OTHER_SCRIPT.search(_bare(line))) and "$(shell" not in line


def _bare(text: str) -> str:
    """Return code without its strings and comments."""
    return _COMMENT.sub("", _QUOTED.sub('""', text))


def _depth(text: str) -> int:
    """Return how many brackets are open at the end of a text."""
    bare = _bare(text)
    return sum(bare.count(x) for x in "([{") - sum(bare.count(x) for x in ")]}")


def _block_of(lines: list[str], kind: str | None = None) -> Block:
    text = "\n".join(lines)
    kind = kind or _kind_of(text)
    if kind == "python":
        text = restore_indents(text)
    is_text = not _parses(text) if kind == "python" else kind == "cpp" and not _CPP.search(text)
    return Block("text" if is_text else kind, text)


def _kind_of(text: str) -> str:
    if _parses(text) or _parses(restore_indents(text)):
        return "python"
    return "cpp" if _LIKE_CPP.search(text.splitlines()[-1]) or "#include" in text else "python"


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


# ---------------------------------------------------------------- indentation that was lost


@dataclass
class _Function:
    """A function whose body is being read."""

    name: str
    names: set[str]  # its parameters and local variables
    returns: bool  # whether a return statement of it follows
    has_parameters: bool
    lines: int = 0
    ended: bool = False

    def takes(self, line: str) -> bool:
        """Return whether a line belongs to the body."""
        if self.lines == 0:
            return True
        words = set(re.findall(r"\w+", line))
        if self.ended or self.name in words or re.match(r"(def|class|@)\b|@", line):
            return False
        if self.returns or not self.has_parameters:
            return True
        return bool(words & self.names)


def restore_indents(text: str) -> str:
    """Return Python code with the bodies of its functions indented, if it does not parse as it is.

    A body ends after its return statement, before the first use of the function's name, and before
    the next definition. A function with parameters and no return ends where a line names none of
    its parameters and variables. The body of `if` and its like is one statement.
    """
    if _parses(text):
        return text
    logical = _logical_lines(text)
    open_functions: list[_Function] = []
    out = []
    inner = 0  # 1 for the one statement after `if ...:` and its like
    for at, line in enumerate(logical):
        while open_functions and not inner and not open_functions[-1].takes(line):
            open_functions.pop()
        out.append("    " * (len(open_functions) + inner) + line)
        if open_functions and not line.startswith("#"):
            top = open_functions[-1]
            top.lines += 1
            top.ended = line.startswith("return") and not inner
            if assigned := re.match(r"([\w, ]+) = ", line):
                top.names |= set(re.findall(r"\w+", assigned[1]))
        inner = 1 if re.match(r"(if|for|while|with|else)\b.*:$", line) else 0
        if found := re.match(r"def (\w+)\((.*)\)[^()]*:", line):
            names = set(re.findall(r"\*{0,2}(\w+)", found[2]))
            returns = _returns(found[1], logical[at + 1 :])
            open_functions.append(_Function(found[1], names, returns, bool(names)))
    return "\n".join(out)


def _returns(name: str, following: list[str]) -> bool:
    """Return whether a return statement follows, before the next function or use of the name."""
    for at, line in enumerate(following):
        if line.startswith("return"):
            return True
        if (at > 0 and re.match(r"def |@", line)) or name in re.findall(r"\w+", line):
            return False
    return False


def _logical_lines(text: str) -> list[str]:
    """Return the lines of a text, with those inside brackets joined to the first."""
    logical: list[str] = []
    for line in text.splitlines():
        if logical and _depth(logical[-1]) > 0:
            logical[-1] += "\n" + line
        else:
            logical.append(line.strip())
    return logical

# SPDX-License-Identifier: Apache-2.0
"""Documentation from the comments of C++ declarations, with the commands of Doxygen.

`docs_of` splits a comment into what it says of the declaration, of each parameter, of the result
and of errors. A section ends where Doxygen ends it: at the next one, or at a blank line.
"""

from __future__ import annotations

import dataclasses
import re
import textwrap
from collections.abc import Callable, Mapping
from types import MappingProxyType

from tain.describe._comment_text import Blocks, lines_of, literal, paragraph

__all__ = ["Docs", "docs_of"]

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclasses.dataclass(frozen=True)
class Docs:
    """What a comment says.

    Attributes
    ----------
    text : str
        The paragraphs of the description, the brief one first.
    parameters : mapping of str to str
        The texts of parameters, by name.
    returns : str
        What is returned.
    raises : tuple of (str, str)
        The C++ classes of errors, and when they are thrown.
    hidden : bool
        The whole comment is internal: users do not see the declaration in documentation.
    sections : tuple of (str, str)
        The other sections, ``("Note", "...")``, in their order.
    """

    text: str = ""
    parameters: Mapping[str, str] = dataclasses.field(default_factory=dict)
    returns: str = ""
    raises: tuple[tuple[str, str], ...] = ()
    hidden: bool = False
    sections: tuple[tuple[str, str], ...] = ()

    def docstring(self, exceptions: Mapping[str, str] = _NOTHING) -> str:
        """Return all but the parameters as a docstring, with sections as Google has them.

        Parameters
        ----------
        exceptions : mapping, optional
            The names in Python of C++ classes of errors.
        """
        parts = [self.text]
        if self.returns:
            parts.append(f"Returns:\n{_indented(self.returns)}")
        if self.raises:
            lines = []
            for kind, text in self.raises:
                first, _, rest = f"{exceptions.get(kind, kind)}: {text}".partition("\n")
                lines.append(f"    {first}".rstrip(": "))
                lines += [_indented(_indented(rest))] if rest else []
            parts.append("\n".join(["Raises:", *lines]))
        parts += [f"{title}:\n{_indented(text)}" for title, text in self.sections]
        return "\n\n".join(part for part in parts if part)


def docs_of(raw: str | None, *, ordinary: bool = False) -> Docs:
    """Return what a comment says; no text is an error.

    Parameters
    ----------
    raw : str or None
        The comment as it stands in the source, or several that follow each other.
    ordinary : bool, optional
        Whether ``//`` and ``/* */`` count, which are no documentation for Doxygen.
    """
    if not raw:
        return Docs()
    parser = _Parser(marks=re.match(r"\s*(?:/\*[*!]|//[/!])", raw) is not None)
    for line in lines_of(raw, ordinary=ordinary):
        parser.feed(line)
    return parser.docs()


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ")


# ---- commands ------------------------------------------------------------------------------------

# Commands are not searched in code spans, and `\\` is no beginning of one.
_COMMAND = re.compile(
    r"""
      ``(?:[^`]|`(?!`))+`` | `[^`]+`
    | [\\@][\\@&$#<>%".|=-]
    | (?<!\w)[\\@](?P<name>[a-zA-Z]+|[{}])
    """,
    re.VERBOSE,
)
_RULE = re.compile(r"\s*([-=*/#~_+])\1{2,}\s*")
_FENCE = re.compile(r"\s*(```|~~~)")
_NAME = r"`?[*&]*[\w.:]+`?"
_LIST_WORDS = r"(?!(?:the|an|if|in|is|and|or|which|that|this|must|may|can|for|where|when)\b)"
_PARAMETER = re.compile(
    rf"\s*(?:\[[^\]]*\])?\s*({_NAME}(?:(?:,|\s*,\s+{_LIST_WORDS}){_NAME}(?![^\s,:]))*)\s*(.*)"
)
_KIND = re.compile(r"\s*`?(?:(?:if|when|on|a|an|the)\b(?=\s)|([\w:]+(?:<[^>\s]*>)?))`?[:,]?\s*(.*)")

_SECTIONS = {
    **dict.fromkeys(("note", "remark", "remarks"), "Note"),
    **dict.fromkeys(("see", "sa"), "See Also"),
    "warning": "Warning",
    "attention": "Attention",
    "since": "Since",
    "deprecated": "Deprecated",
    "pre": "Precondition",
    "post": "Postcondition",
    "invariant": "Invariant",
}
_DROPPED = {
    "author", "authors", "bug", "copyright", "date", "test", "todo", "tparam", "version",
    "xrefitem",
}  # fmt: skip
_DROPPED_LINES = {
    "addtogroup", "class", "concept", "def", "defgroup", "dir", "elseif", "enum", "example",
    "extends", "file", "fn", "headerfile", "if", "ifnot", "image", "implements", "include",
    "ingroup", "interface", "mainpage", "memberof", "name", "namespace", "property", "related",
    "relatedalso", "relates", "relatesalso", "showinitializer", "snippet", "struct", "typedef",
    "union", "var", "weakgroup",
}  # fmt: skip
_DROPPED_WORDS = {
    "callergraph", "callgraph", "else", "endif", "endinternal", "expandmacros", "hideinitializer",
    "nosubgrouping", "overload", "private", "privatesection", "protected", "public", "pure",
    "static", "tableofcontents", "{", "}",
}  # fmt: skip
# What stands between a command and the one that ends it, as it is.
_RAW = {
    **{name: f"end{name}" for name in ("code", "verbatim", "dot", "msc", "cond", "internal")},
    **{name: f"end{name}" for name in ("htmlonly", "latexonly", "xmlonly", "rtfonly", "manonly")},
    "docbookonly": "enddocbookonly",
    "startuml": "enduml",
}
_TITLES = {"par", "section", "subsection", "subsubsection", "paragraph"}
_COPIES = {"copydoc", "copybrief", "copydetails"}


@dataclasses.dataclass
class _Entry:
    """One section: its paragraphs, and the lines of the one that is read."""

    kind: str
    name: str = ""
    blocks: Blocks = dataclasses.field(default_factory=list)
    lines: list[str] = dataclasses.field(default_factory=list)
    marks: bool = True  # inline marks count
    aligned: bool = True  # the lines keep their indentation to each other

    def end(self) -> None:
        """End the paragraph."""
        if self.lines:
            code = self.kind == "text" and self.aligned
            self.blocks += paragraph(self.lines, code=code, marks=self.marks)
        self.lines = []

    def result(self) -> str:
        """Return the text of all paragraphs."""
        self.end()
        found: list[str] = []
        coded = False
        for code, text in self.blocks:
            if code and not coded:
                if found and found[-1].endswith(":"):
                    found[-1] += ":"
                else:
                    found.append("::")
            found.append(_indented(text) if code else text)
            coded = code
        return "\n\n".join(found)


class _Parser:
    """Reads the lines of a comment, in order."""

    def __init__(self, *, marks: bool) -> None:
        self._marks = marks
        self._body = _Entry("text", marks=marks)
        self._entries = [self._body]
        self._entry = self._body
        self._only_brief = (
            True  # after another section, indented text belongs to it, and is no code
        )
        self._blocks_in = 0  # \parblock: blank lines do not end the section
        self._internal = False
        self._raw: list[str] | None = None  # the lines of \code, and others that _RAW has
        self._raw_name = ""
        self._raw_end = re.compile("")

    def feed(self, line: str) -> None:
        """Read one line."""
        at: int | None = 0
        while at is not None:
            at = self._in_text(line, at) if self._raw is None else self._in_raw(line, at)

    # These read a line from an index, and return where the next of them goes on, or None.

    def _in_raw(self, line: str, at: int) -> int | None:
        assert self._raw is not None
        end = self._raw_end.search(line, at)
        self._raw.append(line[at:] if end is None else line[at : end.start()])
        if end is None:
            return None
        self._end_raw()
        return end.end() if line[end.end() : end.end() + 80].strip() else None

    def _end_raw(self) -> None:
        raw, self._raw = self._raw or [], None
        if self._raw_name in ("code", "verbatim"):
            if raw[0].strip():  # it begins beside the command: its indentation says nothing
                raw[0] = raw[0].strip()
                raw[1:] = textwrap.dedent("\n".join(raw[1:])).split("\n")
            self._entry.blocks += literal(raw)

    def _begin_raw(self, name: str, end: re.Pattern[str]) -> None:
        self._entry.end()
        self._raw, self._raw_name, self._raw_end = [], name, end

    def _in_text(self, line: str, at: int) -> int | None:
        if at == 0:
            if not line.strip() or _RULE.fullmatch(line):
                self._blank()
                return None
            fence = _FENCE.match(line)
            if fence and fence[1] not in line[fence.end() :]:
                self._begin_raw("code", re.compile(rf"^\s*{fence[1]}[`~]*"))
                return None
        name = ""  # the command whose text begins at the index
        for match in _COMMAND.finditer(line, at):
            if match["name"] not in _HANDLERS:
                continue
            if not self._command(name, line[at : match.start()]):
                return None
            name, at = match["name"], match.end()
            if name in _RAW:
                self._internal |= name in ("internal", "cond")
                options = re.compile(r"\{[^}]*\}|").match(line, at)
                self._begin_raw(name, re.compile(rf"[\\@]{_RAW[name]}\b"))
                return options.end() if options else at
        self._command(name, line[at:])
        return None

    def _command(self, name: str, text: str) -> bool:
        """Read a command, or no command, and its text; return whether the line goes on."""
        if not name:
            self._text(text)
            return True
        rest = _HANDLERS[name](self, name, text)
        if rest is not None:
            self._text(rest)
        return rest is not None

    def _text(self, text: str) -> None:
        if text.strip():
            if not self._entry.lines and not self._entry.aligned:
                text = text.strip()
            self._entry.lines.append(text.rstrip())

    def _blank(self) -> None:
        self._entry.end()
        if self._entry is not self._body and not self._blocks_in:
            self._entry = self._body
        self._entry.aligned = self._only_brief

    def _enter(self, kind: str, name: str = "") -> None:
        self._entry.end()
        self._blocks_in = 0
        self._entry = _Entry(kind, name, marks=self._marks, aligned=False)
        self._entries.append(self._entry)
        self._only_brief &= kind == "brief"

    # Each of these reads a command and the text to the next one, and returns what of the text
    # belongs to the section that is read now; None: the rest of the line does not count.

    def section(self, name: str, rest: str) -> str:
        self._enter("section", _SECTIONS[name])
        return rest

    def simple(self, name: str, rest: str) -> str:
        self._enter({"short": "brief", "brief": "brief"}.get(name, "returns"))
        return rest

    def dropped(self, name: str, rest: str) -> str:
        self._enter("drop")
        return rest

    def dropped_line(self, name: str, rest: str) -> None:
        """Drop the line."""

    def dropped_word(self, name: str, rest: str) -> str:
        if name == "{" and not self._entry.lines:
            self._entry.aligned = False
        return rest

    def parblock(self, name: str, rest: str) -> str:
        self._entry.end()
        self._blocks_in = max(0, self._blocks_in + (1 if name == "parblock" else -1))
        return rest

    def details(self, name: str, rest: str) -> str:
        self._entry.end()
        self._entry = self._body
        self._entry.end()
        self._entry.aligned = False
        return rest

    def title(self, name: str, rest: str) -> str:
        self.details(name, rest)
        words = rest.split(None, 1) if name != "par" else ["", rest]
        title = words[1].strip() if len(words) > 1 else ""
        if title:
            title = title if title.endswith((":", ".", "?", "!")) else f"{title}:"
        return title

    def item(self, name: str, rest: str) -> str:
        return f"- {rest.strip()}"

    def copy(self, name: str, rest: str) -> str:
        word, _, after = rest.strip().partition(" ")
        if word:
            self._text(f"See ``{word}``.")
        return after

    def parameter(self, name: str, rest: str) -> str:
        match = _PARAMETER.match(rest)
        if match is None:
            return self.dropped(name, rest)
        self._enter("param", match[1])
        return re.sub(r"^[-:,]+(?:\s+|$)", "", match[2])

    def retval(self, name: str, rest: str) -> str:
        value, *text = rest.split(None, 1) or [""]
        self._enter("retval", value)
        return text[0] if text else ""

    def throws(self, name: str, rest: str) -> str:
        match = _KIND.match(rest)
        kind = match[1] if match else None
        self._enter("raises", (kind or "").strip(":") or "Exception")
        return match[2] if match and kind else rest

    def docs(self) -> Docs:
        """Return what has been read."""
        if self._raw is not None:  # no command has ended it
            self._raw.append("")
            self._end_raw()
        texts = [(each.kind, each.name, each.result()) for each in self._entries]
        text = _joined([text for kind, _, text in texts if kind == "brief"])
        text = _joined([text, *(text for kind, _, text in texts if kind == "text")])
        returns = [text for kind, _, text in texts if kind == "returns" and text]
        values = [f"- ``{name}``: {text}" for kind, name, text in texts if kind == "retval"]
        named: dict[str, list[str]] = {}
        for kind, names, each in texts:
            if kind == "param" and each:
                shown = _one_line(each)
                for name in names.split(","):
                    named.setdefault(name.strip(" *&`:"), []).append(shown)
        parameters = {name: " ".join(each) for name, each in named.items()}
        sections = tuple((name, text) for kind, name, text in texts if kind == "section" and text)
        raises = tuple((name, _one_line(text)) for kind, name, text in texts if kind == "raises")
        visible = text or returns or values or parameters or sections or raises
        return Docs(
            text=text,
            parameters=parameters,
            returns=_joined([" ".join(returns), "\n".join(value.rstrip(": ") for value in values)]),
            raises=raises,
            hidden=self._internal and not visible,
            sections=sections,
        )


def _joined(texts: list[str]) -> str:
    return "\n\n".join(text for text in texts if text)


def _one_line(text: str) -> str:
    """Return a text without line breaks, if it has no lists and no code."""
    if "\n\n" in text or re.search(r"^(?:-|\d+\.) ", text, re.MULTILINE):
        return text
    return " ".join(text.split())


_HANDLERS: dict[str, Callable[[_Parser, str, str], str | None]] = {
    **dict.fromkeys(_SECTIONS, _Parser.section),
    **dict.fromkeys(("brief", "short", "return", "returns", "result"), _Parser.simple),
    **dict.fromkeys(_DROPPED, _Parser.dropped),
    **dict.fromkeys(_DROPPED_LINES, _Parser.dropped_line),
    **dict.fromkeys(_DROPPED_WORDS, _Parser.dropped_word),
    **dict.fromkeys(_TITLES, _Parser.title),
    **dict.fromkeys(_COPIES, _Parser.copy),
    **dict.fromkeys(_RAW, _Parser.dropped_line),  # which _in_text reads itself
    **dict.fromkeys(("throw", "throws", "exception", "exceptions"), _Parser.throws),
    **dict.fromkeys(("parblock", "endparblock"), _Parser.parblock),
    **dict.fromkeys(("li", "arg"), _Parser.item),
    "details": _Parser.details,
    "param": _Parser.parameter,
    "retval": _Parser.retval,
}

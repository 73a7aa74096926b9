# SPDX-License-Identifier: Apache-2.0
"""The text in C++ comments: without comment marks, and with reStructuredText for Doxygen's marks.

All work is linear in the length of the comment: no pattern begins to search what another search
from an earlier place has already read in vain.
"""

from __future__ import annotations

import html
import re

__all__ = ["Blocks", "inline", "lines_of", "literal", "paragraph"]

# What a text consists of: paragraphs and lists (False), code (True).
Blocks = list[tuple[bool, str]]

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def lines_of(raw: str, *, ordinary: bool = False) -> list[str]:
    """Return the lines of comments without their marks and without common indentation.

    Parameters
    ----------
    raw : str
        The comments, as they stand in the source.
    ordinary : bool, optional
        Whether comments count that are not documentation: ``//`` and ``/* */``.
    """
    raw = _SURROGATE.sub("\ufffd", _CONTROL.sub("", raw.replace("\r\n", "\n").replace("\r", "\n")))
    found: list[str] = []
    slashes: list[str] = []  # lines of // comments that follow each other
    block: list[str] | None = None  # the lines of a /* comment that has begun
    for line in raw.split("\n"):
        text: str = line.expandtabs(4).rstrip()
        if block is None:
            start = text.lstrip()
            if start.startswith("/*"):
                found += _dedented(slashes)
                slashes, block, text = [], [], start
            elif start.startswith("//"):
                if ordinary or re.match(r"///(?!/)|//!", start):
                    slashes.append(re.sub(r"^/{2,}!?<?|^//!<?", "", start))
                continue
            else:
                slashes.append(text)
                continue
        end = text.find("*/", 0 if block else 2)
        block.append(text if end < 0 else text[:end])
        if end >= 0:
            found += _of_block(block, ordinary)
            block = None
    if block is not None:
        found += _of_block(block, ordinary)
    return found + _dedented(slashes)


def _of_block(block: list[str], ordinary: bool) -> list[str]:
    mark = re.match(r"/\*(?:\*(?!\*)<?|!<?)?", block[0])
    assert mark is not None
    if not ordinary and mark[0] == "/*":
        return []
    first = block[0][mark.end() :].strip(" *")
    rest = block[1:]
    gutter = next((line for line in rest if line.strip()), "").lstrip().startswith("*")
    if gutter:
        rest = [re.sub(r"^\s*\*+", "", line) for line in rest]
    if rest:
        rest[-1] = rest[-1].rstrip(" *")
    return [first, *_dedented(rest)]


def _dedented(lines: list[str]) -> list[str]:
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[depth:].rstrip() for line in lines]


# ---- inline marks --------------------------------------------------------------------------------

_INLINE = re.compile(
    r"""
      ``(?P<code2>(?:[^`]|`(?!`))+)``
    | `(?P<code1>[^`]+)`
    | [\\@]f\$(?P<math>(?:(?![\\@]f\$).)*)[\\@]f\$
    | [\\@]f\[(?P<shown>(?:(?![\\@]f[\[\]]).)*)[\\@]f\]
    | (?<!\w)[\\@](?P<style>a|p|e|em|b|c)\s+(?P<word>\S+)
    | (?<!\w)[\\@](?:sub)?(?:ref|page)\s+(?P<ref>\S+)(?:[ ]"(?P<shown_ref>[^"]*)")?
    | (?<!\w)[\\@]link\s(?P<link>(?:(?![\\@](?:end)?link\b).)*)[\\@]endlink
    | (?P<gone>(?<!\w)[\\@](?:anchor|emoji)\s+\S+)
    | (?P<newline>[\\@]n(?![a-zA-Z]))
    | [\\@](?P<escape>::|---?|[\\@&$\#<>%".|=])
    | &(?P<entity>\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});
    | <(?P<close>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]*)(?:\s[^<>]*)?/?>
    """,
    re.VERBOSE | re.DOTALL,
)
_STYLES = {"b": "**", "strong": "**", "i": "*", "em": "*", "tt": "``", "code": "``", "kbd": "``"}
_TAGS = {
    **_STYLES,
    **dict.fromkeys(("br", "tr"), "\n"),
    **dict.fromkeys(("p", "hr", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"), "\n\n"),
    **dict.fromkeys(("ul", "ol", "table", "div", "pre"), "\n"),
    **dict.fromkeys(("a", "img", "span", "sub", "sup", "small", "center", "u", "s", "del"), ""),
    **dict.fromkeys(("td", "th"), " "),
    **dict.fromkeys(("li", "dt", "dd"), "\n- "),
}


def inline(text: str) -> str:
    """Return a text with the marks of Doxygen, HTML and Markdown as reStructuredText."""
    return _INLINE.sub(_replaced, text)


def _replaced(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if code := match["code2"] or match["code1"]:
        return f"``{' '.join(code.split())}``" if code.strip() else match[0]
    if math := match["math"] or match["shown"]:
        return f":math:`{' '.join(math.replace('`', chr(39)).split())}`"
    if style := match["style"]:
        return _styled(style, match["word"])
    if ref := match["ref"]:
        core, tail = _core(ref)
        return match["shown_ref"] or core + tail
    if (link := match["link"]) is not None:
        target, *shown = link.split(None, 1) or [""]
        return (shown[0] if shown else target).strip()
    if kind == "newline":
        return "\n"
    if match["escape"]:
        return match["escape"]
    if match["entity"]:
        return html.unescape(match[0])
    return _tag(match) if match["tag"] else ""


def _tag(match: re.Match[str]) -> str:
    name, closing = match["tag"].lower(), bool(match["close"])
    if name not in _TAGS:
        return match[0]  # std::vector<int>
    start = match.start()
    if name in _STYLES or name in ("a", "p", "s", "u"):  # Matrix<a>, not a tag
        before = match.string[start - 1 : start]
        if not closing and (before.isalnum() or before == "_"):
            return match[0]
    if closing and name in ("li", "dt", "dd", "br", "tr", "td", "th"):
        return ""
    return "\n\n" if closing and name in ("ul", "ol", "table") else _TAGS[name]


def _styled(style: str, word: str) -> str:
    core, tail = _core(word)
    mark = {"b": "**", "p": "``", "c": "``"}.get(style, "*")
    if not core:
        return word
    return mark + core.strip("`") + mark + tail if core.strip("`") else word


def _core(word: str) -> tuple[str, str]:
    """Return a word and the punctuation after it; the parentheses of ``f()`` are of the word."""
    core = word.rstrip(".,;:!?")
    if core.endswith(")") and core.count("(") < core.count(")"):
        core = core[:-1].rstrip(".,;:!?")
    return core, word[len(core) :]


# ---- paragraphs ----------------------------------------------------------------------------------

_ITEM = re.compile(r"(\s*)(-#|[-*+]|\d{1,3}[.)])\s+(?=\S)")


def paragraph(lines: list[str], *, code: bool, marks: bool) -> Blocks:
    r"""Return the blocks of the lines between two blank ones.

    Parameters
    ----------
    lines : list of str
        The lines, with the indentation that they have.
    code : bool
        Whether lines that are indented by three more than the first are code.
    marks : bool
        Whether inline marks count; in ordinary comments, ``\b`` is no command.
    """
    first = _indentation(lines[0]) if lines else 0
    base = first if first < 4 else 0
    runs: list[tuple[bool, list[str]]] = []
    for line in lines:
        deep = code and _indentation(line) >= base + 3 and (bool(runs) or first > 3)
        if _ITEM.match(line) and not (deep and runs and runs[-1][0]):
            code = deep = False  # what is indented belongs to the item
        if not runs or runs[-1][0] != deep:
            runs.append((deep, []))
        runs[-1][1].append(line)
    return [block for deep, run in runs for block in (literal(run) if deep else _flow(run, marks))]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def literal(lines: list[str]) -> Blocks:
    """Return a block of code."""
    while lines and not lines[0].strip():
        lines = lines[1:]
    text = "\n".join(_dedented(lines)).rstrip()
    return [(True, text)] if text else []


def _flow(lines: list[str], marks: bool) -> Blocks:
    """Return paragraphs and lists."""
    blocks: Blocks = []
    out: list[str] = []
    indents: list[int] = []  # of the lists that the last item is in
    hang = ""
    text = "\n".join(lines)
    for line in (inline(text) if marks else text).split("\n"):
        if not line.strip():
            blocks += _block(out)
            out, indents, hang = [], [], ""
            continue
        item = _ITEM.match(line)
        if item is None:
            out.append(hang + line.strip())
            continue
        depth = len(indents)
        indent = len(item[1])
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or (indents[-1] < indent and depth < 8):
            indents.append(indent)
        if out and len(indents) != depth:
            out.append("")  # reStructuredText separates a list from what is around it
        mark = {"-#": "#."}.get(item[2], item[2] if item[2][0].isdigit() else "-")
        margin = "  " * (len(indents) - 1)
        out.append(f"{margin}{mark} {line[item.end() :].strip()}")
        hang = margin + " " * (len(mark) + 1)
    return blocks + _block(out)


def _block(lines: list[str]) -> Blocks:
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return [(False, text)] if text.strip() else []

# SPDX-License-Identifier: Apache-2.0
"""What the public C++ headers say about themselves: their purpose, and each entity's `///` line.

Of a documented class all public functions are entities, with or without a line, and so are those of
a base class in `tain::internal`, whose members users call too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HIDDEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_ACCESS = re.compile(r"\s*(public|protected|private)\s*:\s*")
_NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]*)$")
_CLASS = re.compile(r"(?:typedef )?(class|struct|union|enum(?: class)?)\b(?! \w+\()")
_CLASS_NAME = re.compile(r"(?:class|struct|union|enum) (?:TAIN_\w+ )?(\w+(?:<[^{]*>)?)")


# Public members that are no news, or not meant for users: copying, moving, destruction, and what
# the conversions need.
_UNMENTIONED = re.compile(
    r"(?:virtual )?~|[^(]* = |.*\bUnsafeInit\b|.*\bRuntimeTypeIndex\b|.* = delete$"
    r"|friend (?:class|struct) |using |static_assert"
    r"|(\w+)\((?:const )?\1 ?&&?(?: \w+)?\)|(\w+)& operator=\((?:const )?\2(?: ?&&?)?(?: \w+)?\)"
    r"|(?:tain::)?TAIN_|template\b"
)

# Classes whose undocumented members are listed: not objects behind handles, nor conversions.
_LISTED = re.compile(r"\w+(?<!Obj)(?<!Traits)(?<!Reader)(?<!Caster)")


class Entity(NamedTuple):
    """A declaration of a public class or namespace."""

    scope: str  # the classes around it, as in `ObjectDef::`
    declaration: str
    text: str  # empty for an undocumented member of a documented class
    bases: tuple[str, ...] = ()  # of a class, without template arguments
    internal: bool = False  # a member of a class in tain::internal, for the classes derived from it


class Header(NamedTuple):
    """A public header."""

    name: str
    purpose: str
    entities: list[Entity]


class _Scope(NamedTuple):
    kind: str  # namespace, class, or block: what nothing is taken from
    name: str
    access: str
    before: str = ""  # the statement that goes on after the closing brace
    doc: str = ""  # and its documentation
    documented: bool = False  # a class whose members without documentation are listed too


def read(path: Path, name: str) -> Header:
    """Read a header; `name` is what users include."""
    text = path.read_text(encoding="utf-8")
    purpose: list[str] = []
    for line in text.splitlines()[1:]:  # the licence comes first
        purpose.append(line.removeprefix("//").strip())
        if not purpose[-1] or purpose[-1].endswith((".", ":")):
            break
    return Header(name, " ".join(purpose).strip().rstrip(".:"), list(_entities(text)))


def _entities(text: str) -> Iterator[Entity]:
    code = _HIDDEN.sub(_blank, text)
    scopes: list[_Scope] = []
    statement, doc, doc_of_statement = "", "", ""
    in_macro = False
    for line, source in zip(code.splitlines(), text.splitlines(), strict=True):
        comment = re.match(r"\s*/// ?(?!<)(.*)", source)
        if comment:
            doc = f"{doc} {comment[1]}".strip()
            continue
        if in_macro or line.lstrip().startswith("#"):
            macro = re.match(r"\s*# *define (\w+(?:\([^)]*\))?)", line)
            if macro and doc and not in_macro:
                yield Entity("", macro[1], doc)
            in_macro = line.endswith("\\")
            doc = ""
            continue
        if not line.strip() and not statement:
            doc = ""  # a remark that belongs to no declaration
        for char in f"{line}\n":
            if not statement.strip() and not char.isspace():
                doc_of_statement, doc = doc, ""
            if char == "{":
                yield from _emit(scopes, statement, doc_of_statement)
                scopes.append(_open(statement, doc_of_statement))
                statement = doc_of_statement = ""
            elif char == "}":
                closed = scopes.pop()
                value = f"{{{statement}}}" if closed.before.rstrip().endswith("=") else ""
                statement, doc_of_statement = closed.before + value, closed.doc
            elif char == ";":
                yield from _emit(scopes, statement, doc_of_statement)
                statement = doc_of_statement = ""
            else:
                statement += char
                access = _ACCESS.fullmatch(statement)
                if access and scopes:
                    scopes[-1] = scopes[-1]._replace(access=access[1])
                    statement = ""
                    doc = doc_of_statement


def _blank(found: re.Match[str]) -> str:
    """Return a comment or literal with nothing in it that could be taken for code."""
    quotes = found[0][0] if found[0][0] in "\"'" else " "
    return quotes + re.sub(r"[^\n]", " ", found[0][1:-1]) + quotes


def _open(statement: str, doc: str) -> _Scope:
    head = " ".join(statement.split())
    expression = re.search(r"(.*?)\brequires(\s*\([^()]*\))?$", head)
    of_function = expression and re.search(r"[)]( const)?( noexcept)?$", expression[1].strip())
    if head.endswith("=") or (expression and not of_function):
        return _Scope("block", "", "private", statement, doc)
    if found := _NAMESPACE.search(head):
        return _Scope("namespace", found[1] or "internal", "public")
    if head.startswith("extern"):
        return _Scope("namespace", "", "public")
    bare = _without_template(head)
    if found := _CLASS.match(bare):
        named = _CLASS_NAME.search(bare)
        if named is None:  # as in C, the name comes last
            return _Scope("block", "", "private", statement, doc)
        access = "private" if found[1] == "class" else "public"
        return _Scope("class", named[1], access, documented=bool(doc))
    return _Scope("block", "", "private")


def _emit(scopes: list[_Scope], statement: str, doc: str) -> Iterator[Entity]:
    if any(scope.kind == "block" for scope in scopes) or "__attribute__" in statement:
        return
    if any(scope.access != "public" for scope in scopes) or _in_default(statement):
        return  # the last is a default value in braces: the declaration goes on
    classes = [scope.name for scope in scopes if scope.kind == "class"]
    internal = any("internal" in scope.name for scope in scopes)
    declaration = _declaration(statement)
    if not declaration or _CLASS.fullmatch(declaration):
        return
    is_class = _CLASS.match(declaration) is not None
    if internal and (is_class or len(classes) != 1):
        return
    if not doc or internal:
        told = (
            len(classes) == 1
            and scopes[-1].documented
            and _LISTED.fullmatch(classes[0]) is not None
        )
        told = told and not (internal and re.search(rf"\b{classes[0]}\(", declaration))
        if not told or is_class or "(" not in declaration or _UNMENTIONED.match(declaration):
            return
    bases = _bases(statement) if is_class else ()
    yield Entity(
        "".join(f"{name}::" for name in classes if name), declaration, doc, bases, internal
    )


def _in_default(statement: str) -> bool:
    return statement.rstrip().endswith("=") and statement.count("(") > statement.count(")")


def _bases(statement: str) -> tuple[str, ...]:
    """Return the names of the bases of a class, as in `internal::SeqBase`."""
    listed = _without_template(" ".join(statement.split())).partition(" : ")[2]
    while (bare := re.sub(r"<[^<>]*>", "", listed)) != listed:
        listed = bare
    return tuple(part.removeprefix("public ").strip() for part in listed.split(",") if part.strip())


def _declaration(statement: str) -> str:
    """Return a declaration on one line, without template head, requirements and initializers."""
    text = _without_template(" ".join(statement.split()))
    if _CLASS.match(text):
        return re.sub(r" (?:TAIN_DLL|final)\b", "", text.removeprefix("typedef ")).split(" : ")[0]
    text = re.sub(r"^requires\s*\(.*?\)\s(?=\w)", "", text)
    text = re.sub(r"\b(TAIN_\w+|inline|constexpr|static|explicit|\[\[\w+\]\]) ", "", text)
    text = re.sub(r" = default$", "", _without_noexcept(text))
    text = re.sub(r"^friend (?!class|struct)", "", text)
    depth = 0
    for at, char in enumerate(text):  # the initializer list of a constructor
        depth += (char == "(") - (char == ")")
        if depth == 0 and text.startswith(" : ", at):
            return text[:at]
    return re.sub(r" = .*$", "", text) if "(" not in text else text


def _without_noexcept(text: str) -> str:
    while found := re.search(r" (TAIN_NOEXCEPT|noexcept)\b", text):
        end, depth = found.end(), 0
        while end < len(text) and (depth > 0 or text[end] == "("):
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        text = text[: found.start()] + text[end:]
    return text


def name_of(declaration: str) -> str:
    """Return the name that a declaration declares."""
    if found := re.match(r"TAIN_VIRTUAL\((\w+)\)", declaration):
        return found[1]
    if found := re.search(r"\boperator\s*(\(\)|\[\]|[^\w\s(]+|[\w:<>&* ]+)(?=\s*\()", declaration):
        return f"operator{' ' if found[1][0].isalpha() else ''}{found[1].strip()}"
    if found := re.match(r"(?:class|struct|union|enum(?: class)?|concept|using) (.+)", declaration):
        return found[1].partition(" = ")[0].removeprefix("enum ").strip()
    if found := re.search(r"~?\w+(?=\()", re.sub(r"<[^<>()]*>", "", declaration)):
        return found[0]
    return re.findall(r"\w+", re.sub(r" = .*|\[.*", "", declaration))[-1]


def _without_template(text: str) -> str:
    while text.startswith("template"):
        depth = 0
        for at, char in enumerate(text):
            depth += (char == "<") - (char == ">")
            if char == ">" and depth == 0 and text[at - 1] != "-":
                text = re.sub(r"^requires [\w:]+(<[\w:, ]*>)? ", "", text[at + 1 :].strip())
                break
        else:
            return text
    return text

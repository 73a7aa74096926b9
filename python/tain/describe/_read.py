# SPDX-License-Identifier: Apache-2.0
"""Reads what headers declare: from Clang's cursors to the data of _model.py."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tain.describe._clang import Unit
from tain.describe._comments import Docs, docs_of
from tain.describe._cursors import (
    has_children,
    has_name,
    is_public,
    is_virtual_base,
    kind_of,
    path_of,
    place_of,
    qualified,
    ref_qualifier,
    says,
)
from tain.describe._expressions import Expressions
from tain.describe._model import (
    Base,
    Class,
    Constant,
    Default,
    Enum,
    Enumerator,
    Field,
    Function,
    Headers,
    Notes,
    Parameter,
    TypeRef,
)
from tain.describe._notes import notes_of, text_of_literal
from tain.describe._types import Types

if TYPE_CHECKING:
    from clang.cindex import Cursor, Type

__all__ = ["INSTANCE", "Reader", "instance_line"]

#: what the text of a unit calls the instances of templates that the settings list
INSTANCE = "tain_describe_instance_"

_CLASSES = {"CLASS_DECL", "STRUCT_DECL", "UNION_DECL"}
_CALLABLES = {"CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_DECL"}
_TEMPLATES = {"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
_LITERAL_MACRO = re.compile(
    r"""^\(?\s*-?\s*(?:0[xXbB])?[0-9][0-9a-fA-F.'eEpP+\-]*[uUlLfFzZ]*\s*\)?$|^"(?:[^"\\]|\\.)*"$"""
)
_VIRTUAL_TAG = re.compile(r'"((?:[^"\\]|\\.)*)"')


def instance_line(number: int, spelled: str, name: str) -> str:
    """Return a declaration that makes an instance of a template."""
    if name[:1].islower():
        return f"inline constexpr auto {INSTANCE}{number} = &{spelled};"
    return f"using {INSTANCE}{number} = {spelled}; static_assert(sizeof({spelled}) > 0);"


class Reader:
    """Reads one unit.

    Parameters
    ----------
    unit
        What Clang parsed.
    namespaces
        The namespaces to read, ``"::"`` for the global one.
    folders
        The folders of the headers: what the global namespace declares elsewhere is left out.
    instances
        The instances of templates that the text names: what they are in C++ and in Python.
    ordinary_comments
        Whether comments that are not of Doxygen's forms are documentation.
    """

    def __init__(
        self,
        unit: Unit,
        namespaces: Sequence[str],
        folders: Sequence[str],
        instances: Sequence[tuple[str, str]] = (),
        *,
        ordinary_comments: bool = False,
    ):
        self._unit = unit
        self._namespaces = [one.strip(":") for one in namespaces]
        self._folders = tuple(os.path.realpath(one) + os.sep for one in folders)
        self._instances = instances
        self._ordinary = ordinary_comments
        self._expressions = Expressions(unit)
        self._types = Types(unit)
        self._found = Headers(files=unit.included())
        self._is_near: dict[str, bool] = {}
        self._seen: set[str] = set()

    def read(self) -> Headers:
        """Return what the namespaces declare.

        Raises
        ------
        ValueError
            A namespace is not there, or is empty.
        """
        for name in self._namespaces:
            found = self._scopes_of(name)
            if not found:
                near = sorted({qualified(c) for c in self._all_namespaces(self._unit.cursor)})
                raise ValueError(
                    f"no namespace {name!r} in the headers"
                    + (f" (there: {', '.join(near[:12])})" if near else "")
                )
            for cursor in found:
                self._read_scope(cursor, is_global=not name)
        for cursor in self._unit.cursor.get_children():
            if cursor.kind.name == "MACRO_DEFINITION" and self._stands_near(cursor):
                self._read_macro(cursor)
        self._read_instances()
        self._complete_bases()
        return self._found

    # Scopes.

    def _scopes_of(self, name: str) -> list[Cursor]:
        scopes = [self._unit.cursor]
        for part in [one for one in name.split("::") if one]:
            scopes = [
                inner
                for scope in scopes
                for inner in self._namespaces_in(scope)
                if inner.spelling == part
            ]
        return scopes

    def _namespaces_in(self, scope: Cursor) -> list[Cursor]:
        """Return the namespaces in a scope, and those in its inline ones."""
        found: list[Cursor] = []
        for cursor in scope.get_children():
            if cursor.kind.name == "LINKAGE_SPEC":
                found += self._namespaces_in(cursor)
            elif cursor.kind.name == "NAMESPACE":
                found.append(cursor)
                if self._unit.is_inline_namespace(cursor):
                    found += self._namespaces_in(cursor)
        return found

    def _all_namespaces(self, scope: Cursor) -> Iterable[Cursor]:
        for cursor in self._namespaces_in(scope):
            if cursor.spelling and self._stands_near(cursor):
                yield cursor
                yield from self._all_namespaces(cursor)

    def _stands_near(self, cursor: Cursor) -> bool:
        """Whether a declaration stands in the folders of the headers."""
        file = cursor.location.file
        if file is None or file.name == self._unit.name:
            return False
        known = self._is_near.get(file.name)
        if known is None:
            path = os.path.realpath(file.name)
            known = self._is_near[file.name] = path.startswith(self._folders)
        return known

    def _read_scope(self, scope: Cursor, *, is_global: bool) -> None:
        """Read the declarations of a namespace."""
        for cursor in scope.get_children():
            kind = cursor.kind.name
            if kind == "LINKAGE_SPEC":
                self._read_scope(cursor, is_global=is_global)
                continue
            if is_global and not self._stands_near(cursor):
                continue
            if kind == "NAMESPACE":
                if is_global:
                    continue  # the settings list namespaces
                self._note_namespace(cursor)
                self._read_scope(cursor, is_global=False)
            elif kind == "VAR_DECL":
                constant = self._constant(cursor)
                if constant is not None and not constant.name.startswith(INSTANCE):
                    self._found.constants.append(constant)
            elif kind == "FUNCTION_DECL":
                if cursor.lexical_parent.kind.name in _CLASSES:
                    continue
                self._add_function(cursor)
            elif kind == "FUNCTION_TEMPLATE":
                self._add_template(cursor)
            else:
                self._read_type(cursor)
        if is_global or scope.kind.name == "TRANSLATION_UNIT":
            return
        self._note_namespace(scope)

    def _note_namespace(self, cursor: Cursor) -> None:
        comment = docs_of(cursor.raw_comment)  # not the licence of a file
        if comment.text:
            self._found.namespaces.setdefault(path_of(cursor), comment)

    def _add_function(self, cursor: Cursor) -> None:
        key = cursor.canonical.get_usr()
        function = self._function(cursor)
        if key in self._seen:
            self._merge_function(function)
            return
        self._seen.add(key)
        self._found.functions.append(function)

    def _merge_function(self, again: Function) -> None:
        """Take names, defaults and documentation from another declaration of a function."""
        for at, one in enumerate(self._found.functions):
            if one.signature != again.signature or one.qualified != again.qualified:
                continue
            parameters = tuple(
                dataclasses.replace(a, name=a.name or b.name, default=a.default or b.default)
                for a, b in zip(one.parameters, again.parameters, strict=False)
            )
            docs = one.docs if one.docs.text or one.docs.parameters else again.docs
            self._found.functions[at] = dataclasses.replace(one, parameters=parameters, docs=docs)
            return

    def _add_template(self, cursor: Cursor) -> None:
        if (
            cursor.semantic_parent.kind.name != "NAMESPACE"
            and cursor.semantic_parent.kind.name != "TRANSLATION_UNIT"
        ):
            return  # the definition of a member, whose class lists it
        name = qualified(cursor)
        if name not in self._found.templates:
            self._found.templates.add(name)
            self._found.skipped.append((name, "it is a template"))

    # Types.

    def _read_type(self, cursor: Cursor) -> None:
        kind = cursor.kind.name
        if kind in _TEMPLATES:
            if kind == "CLASS_TEMPLATE" and cursor.is_definition():
                self._add_template(cursor)
            return
        if kind == "ENUM_DECL" and cursor.is_definition():
            self._read_enum(cursor)
        elif kind in _CLASSES and cursor.type.get_num_template_arguments() > 0:
            return  # a specialization
        elif kind in _CLASSES and cursor.is_definition() and has_name(cursor):
            if kind == "UNION_DECL":
                self._found.skipped.append((qualified(cursor), "it is a union"))
                return
            made = self._class(cursor)
            if made.canonical not in self._seen:
                self._seen.add(made.canonical)
                self._found.classes.append(made)
                self._found.known[made.canonical] = made
                self._read_nested(cursor)

    def _read_nested(self, cursor: Cursor) -> None:
        """Read the public types in a class."""
        for inner in cursor.get_children():
            if inner.access_specifier.name == "PUBLIC" and inner.kind.name not in _TEMPLATES:
                self._read_type(inner)

    def _read_enum(self, cursor: Cursor) -> None:
        if not has_name(cursor):
            for one in cursor.get_children():
                if one.kind.name == "ENUM_CONSTANT_DECL":
                    constant = self._constant(one)
                    if constant is not None and cursor.semantic_parent.kind.name not in _CLASSES:
                        self._found.constants.append(constant)
            return
        members = tuple(
            Enumerator(one.spelling, qualified(one), self._docs(one), self._notes(one))
            for one in cursor.get_children()
            if one.kind.name == "ENUM_CONSTANT_DECL"
        )
        type_ = self._type(cursor.type)
        if type_.canonical in self._seen:
            return
        self._seen.add(type_.canonical)
        notes = self._notes(cursor)
        self._found.enums.append(
            Enum(
                cursor.spelling,
                type_.spelled,
                type_.canonical,
                path_of(cursor.semantic_parent),
                members,
                self._docs(cursor),
                notes,
            )
        )

    def _class(self, cursor: Cursor) -> Class:
        type_ = self._type(cursor.type)
        made = Class(
            name=cursor.spelling,
            spelled=type_.spelled,
            canonical=type_.canonical,
            path=path_of(cursor.semantic_parent),
            bases=[],
            members=[],
            friends=[],
            docs=self._docs(cursor),
            notes=self._notes(cursor),
        )
        virtuals: list[tuple[str, str]] = []
        for member in cursor.get_children():
            kind = member.kind.name
            is_public = member.access_specifier.name == "PUBLIC"
            if kind == "CXX_BASE_SPECIFIER":
                if is_public:
                    made.bases.append(Base(self._type(member.type), is_virtual_base(member)))
            elif kind == "CXX_FINAL_ATTR":
                made.is_final = True
            elif kind == "FIELD_DECL":
                if is_public:
                    made.members.append(self._field(member, made.canonical))
            elif kind == "VAR_DECL":
                constant = self._constant(member) if is_public else None
                if constant is not None:
                    made.members.append(constant)
            elif kind == "ENUM_DECL" and is_public and not has_name(member):
                for one in member.get_children():
                    constant = (
                        self._constant(one) if one.kind.name == "ENUM_CONSTANT_DECL" else None
                    )
                    if constant is not None:
                        made.members.append(constant)
            elif kind == "FRIEND_DECL":
                made.friends += [
                    self._function(one, is_friend=True)
                    for one in member.get_children()
                    if one.kind.name == "FUNCTION_DECL"
                ]
            elif kind == "FUNCTION_TEMPLATE":
                made.members.append(self._function(member, is_template=True))
            elif kind in _CALLABLES:
                if member.spelling == "TainVirtualOf":
                    virtuals += self._virtual_names(member)
                made.members.append(self._function(member))
        made.virtuals = tuple(virtuals)
        return made

    def _virtual_names(self, member: Cursor) -> list[tuple[str, str]]:
        """Return the two names in the tag of a TAIN_VIRTUAL."""
        for parameter in member.get_arguments():
            names = _VIRTUAL_TAG.findall(self._unit.spelling(parameter.type.get_canonical()))
            if len(names) == 2:
                cpp, python = (text_of_literal(f'"{name}"').rstrip("\0") for name in names)
                return [(cpp, python)]
        return []

    def _read_instances(self) -> None:
        """Read the instances of templates that the text of the unit names."""
        for cursor in self._unit.cursor.get_children():
            if not cursor.spelling.startswith(INSTANCE):
                continue
            spelled, name = self._instances[int(cursor.spelling.removeprefix(INSTANCE))]
            if cursor.kind.name == "VAR_DECL":
                self._read_function_instance(cursor, spelled, name)
                continue
            record = cursor.underlying_typedef_type.get_canonical()
            scope = path_of(record.get_declaration().semantic_parent)
            made = self._class_of_instance(record, name, scope)
            if made.canonical not in self._seen:
                self._seen.add(made.canonical)
                self._found.classes.append(made)
                self._found.known[made.canonical] = made

    def _read_function_instance(self, cursor: Cursor, spelled: str, name: str) -> None:
        """Read an instance of a function template, of which there is a pointer."""
        pointer = cursor.type.get_canonical()
        is_member = pointer.kind.name == "MEMBERPOINTER"
        type_ = pointer.get_pointee()
        scope = self._type(pointer.get_class_type()).canonical if is_member else ""
        qualified_name = spelled.split("<")[0]
        made = Function(
            kind="method" if is_member else "function",
            name=qualified_name.rsplit("::", 1)[-1],
            qualified=qualified_name,
            scope=scope if is_member else qualified_name.rpartition("::")[0],
            parameters=tuple(Parameter("", self._type(one)) for one in type_.argument_types()),
            result=self._type(type_.get_result()),
            is_const=type_.spelling.rstrip().endswith("const"),
            instance=spelled,
            notes=Notes(name=name),
        )
        class_ = self._found.known.get(scope or qualified_name.rpartition("::")[0])
        if not is_member and class_ is None:
            self._found.functions.append(made)
        elif not is_member and class_ is not None:
            made = dataclasses.replace(made, kind="static", scope=class_.canonical)
            class_.members.append(made)
        elif class_ is not None:
            class_.members.append(made)
        else:
            raise ValueError(f"instances: '{spelled}': {scope} is not in the namespaces")

    def _class_of_instance(self, record: Type, name: str, path: tuple[str, ...]) -> Class:
        """Return a class of which Clang knows the type: its cursor has no children."""
        declaration = record.get_declaration()
        type_ = self._type(record)
        template = self._unit.template_of(declaration)
        documented = template if template is not None else declaration
        made = Class(
            name=name,
            spelled=type_.spelled,
            canonical=type_.canonical,
            path=path,
            bases=[
                Base(self._type(one.type), is_virtual_base(one))
                for one in self._unit.bases(record)
                if one.access_specifier.name == "PUBLIC"
            ],
            members=[],
            friends=[],
            docs=self._docs(documented),
            notes=self._notes(documented),
            is_instance=True,
        )
        for field in self._unit.fields(record):
            if field.access_specifier.name == "PUBLIC":
                made.members.append(self._field(field, made.canonical, type_.spelled))
        for method in self._unit.methods(record):
            if method.kind.name in _CALLABLES:
                made.members.append(self._function(method, scope=type_.spelled))
        if template is not None:
            for member in template.get_children():
                if member.kind.name == "FUNCTION_TEMPLATE" and is_public(member):
                    made.members.append(self._function(member, is_template=True))
        return made

    def _complete_bases(self) -> None:
        """Read the base classes elsewhere: their members belong to the class."""
        waiting = list(self._found.known.values())
        while waiting:
            for base in waiting.pop().bases:
                bare = base.type.bare
                if bare in self._found.known or bare.startswith("tain::"):
                    continue
                declaration = self._types.records.get(bare)
                if declaration is None or bare.startswith("std::"):
                    continue
                if declaration.get_definition() is not None and has_children(declaration):
                    made = self._class(declaration.get_definition())
                else:
                    made = self._class_of_instance(
                        declaration.type, declaration.spelling, path_of(declaration.semantic_parent)
                    )
                self._found.known[made.canonical] = made
                waiting.append(made)

    # Members.

    def _field(self, cursor: Cursor, scope: str, spelled: str = "") -> Field:
        return Field(
            name=cursor.spelling,
            qualified=f"{spelled}::{cursor.spelling}" if spelled else qualified(cursor),
            scope=scope,
            type=self._type(cursor.type),
            is_bit_field=cursor.is_bitfield(),
            docs=self._docs(cursor),
            notes=self._notes(cursor),
        )

    def _constant(self, cursor: Cursor) -> Constant | None:
        if not cursor.spelling or cursor.spelling.startswith("_type_"):
            return None
        parent = cursor.semantic_parent
        scope = self._type(parent.type).canonical if parent.kind.name in _CLASSES else ""
        is_enumerator = cursor.kind.name == "ENUM_CONSTANT_DECL"
        return Constant(
            name=cursor.spelling,
            qualified=qualified(cursor),
            scope=scope,
            type=None if is_enumerator else self._type(cursor.type),
            docs=self._docs(cursor),
            notes=self._notes(cursor),
        )

    def _read_macro(self, cursor: Cursor) -> None:
        tokens = [token.spelling for token in cursor.get_tokens()]
        if len(tokens) < 2 or not _LITERAL_MACRO.match(" ".join(tokens[1:])):
            return
        name = cursor.spelling
        self._found.constants.append(
            Constant(name=name, qualified=name, scope="", type=None, is_macro=True)
        )

    def _function(
        self,
        cursor: Cursor,
        *,
        is_friend: bool = False,
        is_template: bool = False,
        scope: str = "",
    ) -> Function:
        parent = cursor.semantic_parent
        is_member = parent is not None and (
            parent.kind.name in _CLASSES or parent.kind.name in _TEMPLATES
        )
        name = cursor.spelling
        if cursor.kind.name == "CONVERSION_FUNCTION":
            name = f"operator {self._unit.spelling(cursor.result_type)}"
        elif not name.startswith("operator"):
            name = name.split("<")[0]
        where = scope or (qualified(parent) if parent is not None else "")
        text = self._unit.source(cursor)
        result = cursor.result_type
        pattern = self._unit.template_of(cursor)
        documented = pattern if pattern is not None else cursor
        return Function(
            kind=kind_of(cursor, is_member and not is_friend),
            name=name,
            qualified=f"{where}::{name}" if where else name,
            scope=self._scope_of(parent, is_member, scope),
            parameters=() if is_template else tuple(map(self._parameter, cursor.get_arguments())),
            result=self._type(result) if not is_template else _VOID,
            is_const=cursor.is_const_method(),
            ref_qualifier=ref_qualifier(cursor),
            is_volatile=cursor.type.spelling.rstrip().endswith("volatile"),
            is_noexcept="BASIC_NOEXCEPT"
            in str(getattr(cursor, "exception_specification_kind", "")),
            is_variadic=cursor.type.kind.name == "FUNCTIONPROTO"
            and cursor.type.is_function_variadic(),
            is_template=is_template,
            is_deleted=cursor.is_deleted_method() or says(text, "delete"),
            is_defaulted=cursor.is_default_method() or says(text, "default"),
            is_virtual=cursor.is_virtual_method(),
            is_pure=cursor.is_pure_virtual_method(),
            is_final=any(one.kind.name == "CXX_FINAL_ATTR" for one in cursor.get_children()),
            is_override=any(one.kind.name == "CXX_OVERRIDE_ATTR" for one in cursor.get_children()),
            is_friend=is_friend,
            is_explicit_object=bool(re.search(r"\(\s*this\b", text)),
            access=cursor.access_specifier.name.lower() if is_member else "public",
            is_copy=cursor.is_copy_constructor(),
            is_move=cursor.is_move_constructor(),
            is_default_constructor=cursor.is_default_constructor(),
            docs=self._docs(documented),
            notes=self._notes(cursor),
        )

    def _scope_of(self, parent: Cursor | None, is_member: bool, scope: str) -> str:
        if scope:
            return scope
        if parent is None:
            return ""
        return self._type(parent.type).canonical if is_member else qualified(parent)

    def _parameter(self, cursor: Cursor) -> Parameter:
        return Parameter(
            name=cursor.spelling,
            type=self._type(cursor.type),
            default=self._default(cursor),
            notes=self._notes(cursor),
        )

    def _default(self, cursor: Cursor) -> Default | None:
        if not any(token.spelling == "=" for token in cursor.get_tokens()):
            return None
        value = None
        for child in cursor.get_children():
            if child.kind.is_expression():
                value = child
        return Default("" if value is None else self._expressions.qualified(value))

    # Types, documentation, annotations.

    def _type(self, type_: Type) -> TypeRef:
        return self._types.of(type_)

    def _docs(self, cursor: Cursor) -> Docs:
        return docs_of(cursor.raw_comment, ordinary=self._ordinary)

    def _notes(self, cursor: Cursor) -> Notes:
        texts = [one.spelling for one in cursor.get_children() if one.kind.name == "ANNOTATE_ATTR"]
        if not texts:
            return _NO_NOTES
        try:
            return notes_of(texts)
        except ValueError as error:
            raise ValueError(f"{place_of(cursor)}: {error}") from None


_NO_NOTES = Notes()
_VOID = TypeRef("void", "void", "other", "void")

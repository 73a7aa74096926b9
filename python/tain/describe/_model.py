# SPDX-License-Identifier: Apache-2.0
"""What headers declare, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tain.describe._comments import Docs

__all__ = [
    "Base",
    "Class",
    "Constant",
    "Default",
    "Enum",
    "Enumerator",
    "Field",
    "Function",
    "Headers",
    "Notes",
    "Parameter",
    "TypeRef",
]


@dataclass(frozen=True)
class TypeRef:
    """A type as a declaration names it."""

    #: the type as any scope can write it; aliases stay
    spelled: str
    #: without aliases
    canonical: str
    #: "enum", "record" or "other": without references, one pointer, const
    kind: Literal["enum", "record", "other"]
    #: the canonical type without references, one pointer, const
    bare: str
    is_complete: bool = True
    is_reference: bool = False
    is_rvalue: bool = False
    is_pointer: bool = False
    #: whether the type itself is const
    is_const: bool = False
    #: whether what a reference or pointer refers to is const
    refers_to_const: bool = False
    is_array: bool = False
    is_arithmetic: bool = False
    #: the types among the arguments of a class template
    arguments: tuple[TypeRef, ...] = ()

    @property
    def is_value(self) -> bool:
        """Whether it is passed by value and may be expensive to copy."""
        return not self.is_reference and not self.is_pointer and self.kind == "record"


@dataclass(frozen=True)
class Notes:
    """The annotations of tain/reflection/annotations.h. Texts of C++ stay as they are written."""

    doc: str | None = None
    name: str | None = None
    hidden: bool = False
    property: bool = False
    read_only: bool = False
    iterable: bool = False
    overridable: bool = False
    enum_kind: str | None = None
    default: str | None = None
    default_factory: str | None = None
    kw_only: bool = False
    #: what a registration takes as it is: `tain::release_gil()`
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Default:
    """The default argument of a parameter."""

    #: the expression, with qualified names; empty if it cannot be read
    text: str


@dataclass(frozen=True)
class Parameter:
    name: str
    type: TypeRef
    default: Default | None = None
    notes: Notes = Notes()


FunctionKind = Literal["function", "method", "static", "constructor", "operator", "conversion"]


@dataclass(frozen=True)
class Function:
    kind: FunctionKind
    #: "area", "operator+", "operator double"; of a constructor the name of the class
    name: str
    #: with its scope: "lib::Shape::area"
    qualified: str
    #: the canonical class or the namespace that declares it
    scope: str
    parameters: tuple[Parameter, ...]
    result: TypeRef
    is_const: bool = False
    ref_qualifier: Literal["", "&", "&&"] = ""
    is_volatile: bool = False
    is_noexcept: bool = False
    is_variadic: bool = False
    is_template: bool = False
    is_deleted: bool = False
    is_defaulted: bool = False
    is_virtual: bool = False
    is_pure: bool = False
    is_final: bool = False
    is_override: bool = False
    is_friend: bool = False
    is_explicit_object: bool = False
    #: "public", "protected" or "private"
    access: str = "public"
    is_copy: bool = False
    is_move: bool = False
    is_default_constructor: bool = False
    #: how C++ names it if it is an instance of a template: "lib::Box::as<int>"
    instance: str = ""
    #: whether parameters of `original` are results here: "out", "inout" or ""
    outputs: str = ""
    original: Function | None = None
    docs: Docs = field(default_factory=Docs)
    notes: Notes = Notes()

    @property
    def signature(self) -> str:
        """The qualified name with the types of its parameters."""
        types = ", ".join(one.type.spelled for one in self.parameters)
        return f"{self.qualified}({types}){' const' if self.is_const else ''}"

    @property
    def num_defaults(self) -> int:
        """How many of the last parameters have defaults."""
        return sum(one.default is not None for one in self.parameters)


@dataclass(frozen=True)
class Field:
    name: str
    qualified: str
    scope: str
    type: TypeRef
    is_bit_field: bool = False
    docs: Docs = field(default_factory=Docs)
    notes: Notes = Notes()


@dataclass(frozen=True)
class Constant:
    """A static member, a variable of a namespace, or a macro."""

    name: str
    qualified: str
    scope: str
    type: TypeRef | None
    is_macro: bool = False
    docs: Docs = field(default_factory=Docs)
    notes: Notes = Notes()


@dataclass(frozen=True)
class Enumerator:
    name: str
    qualified: str
    docs: Docs
    notes: Notes


@dataclass(frozen=True)
class Enum:
    name: str
    #: as any scope can write it
    spelled: str
    canonical: str
    #: the names of namespaces and classes around it, without unnamed and inline ones
    path: tuple[str, ...]
    members: tuple[Enumerator, ...]
    docs: Docs
    notes: Notes


@dataclass(frozen=True)
class Base:
    type: TypeRef
    is_virtual: bool


@dataclass
class Class:
    name: str
    spelled: str
    canonical: str
    path: tuple[str, ...]
    #: the public base classes
    bases: list[Base]
    #: in the order of their declarations; of functions also those that are not public
    members: list[Field | Constant | Function]
    #: the friends of the class that are functions
    friends: list[Function]
    docs: Docs
    notes: Notes
    is_final: bool = False
    #: whether it is an instance that the settings list
    is_instance: bool = False
    #: the methods that TAIN_VIRTUAL declares: C++ name and Python name
    virtuals: tuple[tuple[str, str], ...] = ()


@dataclass
class Headers:
    """What the headers declare, in the order of the declarations."""

    #: those that are registered in their own right
    classes: list[Class] = field(default_factory=list)
    #: all classes of which members are read, by canonical name: also bases elsewhere
    known: dict[str, Class] = field(default_factory=dict)
    enums: list[Enum] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    #: the function and class templates of namespaces
    templates: set[str] = field(default_factory=set)
    #: the documentation of namespaces, by path
    namespaces: dict[tuple[str, ...], Docs] = field(default_factory=dict)
    #: what is seen and cannot be registered: name and reason
    skipped: list[tuple[str, str]] = field(default_factory=list)
    #: the files that were read
    files: list[str] = field(default_factory=list)

# SPDX-License-Identifier: Apache-2.0
"""From the trees of the module ast to others and back.

For each class of nodes one function is generated that converts its fields in one expression and
passes them on by position. Which fields there are, and what they hold, is what the registered
classes say.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

import tain
from pyast.grammar import ENUMS, NODES, PLACE, Field, fields_of

__all__ = ["dataclass_builder", "dataclasses_of_nodes", "from_ast", "tree_builder", "to_ast"]

Convert = Callable[[Any], Any]

# ast.Load -> expr_context.Load, for all enumerations, and back.
_MEMBER_OF = {getattr(ast, member.name): member for members in ENUMS.values() for member in members}
_SINGLETONS = {
    name: {member: getattr(ast, member.name)() for member in members}
    for name, members in ENUMS.items()
}


def _compile(functions: list[str], space: dict[str, Any]) -> None:
    exec(compile("\n".join(functions), "<converters of nodes>", "exec"), space)


def _same(value: Any) -> Any:
    return value


# ---------------------------------------------------------------- out of ast


def _argument(field: Field, node_class: type) -> str:
    """Return the expression of one argument, `node` being the node of the module ast."""
    if field.name not in node_class._fields:  # of a later Python
        return "empty" if field.is_sequence else "None"
    value = f"node.{field.name}"
    if field.is_node and field.is_sequence:
        return f"[visit[x.__class__](x) for x in v] if (v := {value}) else empty"
    if field.is_node:
        return f"visit[(v := {value}).__class__](v)"
    if field.is_enum and field.is_sequence:
        return f"[member[x.__class__] for x in {value}]"
    if field.is_enum:
        return f"member[{value}.__class__]"
    return value


def tree_builder(classes: dict[str, type], empty: object) -> Convert:
    """Return a function that makes a tree of some classes from a tree of the module ast.

    Parameters
    ----------
    classes : dict
        The class of each kind of node; it is called with the fields and the place, by position.
    empty : object
        What stands for a sequence of no nodes.
    """
    visit: dict[type, Convert] = {type(None): _same}
    space = {"visit": visit, "member": _MEMBER_OF, "empty": empty}
    kinds = [name for name in NODES if hasattr(ast, name)]
    functions = []
    for name in kinds:
        node_class = getattr(ast, name)
        arguments = [_argument(field, node_class) for field in fields_of(NODES[name])]
        arguments += [f"node.{attribute}" for attribute in node_class._attributes]
        functions.append(f"def visit_{name}(node): return {name}({', '.join(arguments)})")
    _compile(functions, space)
    space.update(classes)  # after that of the functions, so that they see these as globals
    visit.update({getattr(ast, name): space[f"visit_{name}"] for name in kinds})

    def build(node: ast.AST) -> Any:
        return visit[node.__class__](node)

    return build


from_ast = tree_builder(NODES, tain.Array())
from_ast.__doc__ = """Return a tree of the module ast as one of C++ objects."""


# ---------------------------------------------------------------- the same of dataclasses


def dataclasses_of_nodes() -> dict[str, type]:
    """Return dataclasses with slots that have the fields of the registered classes."""
    made = {}
    for name, cls in NODES.items():
        names = [field.name for field in fields_of(cls)]
        if hasattr(cls, "end_lineno"):
            names += PLACE
        made[name] = dataclasses.make_dataclass(name, names, slots=True)
    return made


def dataclass_builder() -> Convert:
    """Return what makes the same trees of dataclasses, by the same walk."""
    return tree_builder(dataclasses_of_nodes(), ())


# ---------------------------------------------------------------- back to ast


def _value(value: Any) -> Any:
    """Return a constant as Python has it: what C++ folded to a sequence is a tuple."""
    return tuple(map(_value, value)) if isinstance(value, tain.Array) else value


def _field(field: Field) -> str:
    value = f"node.{field.name}"
    if field.is_node and field.is_sequence:
        return f"[visit[x.__class__](x) for x in {value}]"
    if field.is_node:
        return f"visit[(v := {value}).__class__](v)"
    if field.is_enum:
        single = f"{field.element.removeprefix('pyast.')}"
        return f"[{single}[x] for x in {value}]" if field.is_sequence else f"{single}[{value}]"
    if field.is_sequence:
        return f"list({value})"
    return f"constant({value})" if field.type == "Any" else value


def _ast_builder() -> Convert:
    visit: dict[type, Convert] = {type(None): _same}
    space: dict[str, Any] = {"visit": visit, "constant": _value, "ast": ast, **_SINGLETONS}
    kinds = [name for name in NODES if hasattr(ast, name)]
    functions = []
    for name in kinds:
        node_class = getattr(ast, name)
        fields = [field for field in fields_of(NODES[name]) if field.name in node_class._fields]
        values = [_field(field) for field in fields]
        values += [f"{attribute}=node.{attribute}" for attribute in node_class._attributes]
        functions.append(f"def visit_{name}(node): return ast.{name}({', '.join(values)})")
    _compile(functions, space)
    visit.update({NODES[name]: space[f"visit_{name}"] for name in kinds})

    def build(node: Any) -> Any:
        return visit[node.__class__](node)

    return build


to_ast = _ast_builder()
to_ast.__doc__ = """Return a tree of C++ objects as one of the module ast."""

# SPDX-License-Identifier: Apache-2.0
"""The messages that users see: what was written, what is raised, what to do about it.

test_messages.py raises each of them; tools/messages.py makes docs/messages.md of them. The names in
the code are those of `NAMES`.
"""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from tain.types.testing import Color, Node, Point, TestIntPair

import tain


class Message(NamedTuple):
    """One message: code that raises it, and what its reader can do."""

    code: str
    error: type[BaseException]
    text: str
    advice: str


def _function(name: str) -> tain.Function:
    return tain.get_global_func(f"testing.{name}")


#: What the code of the messages uses; the functions are global functions named `testing.<name>`.
NAMES: dict[str, Any] = {
    "tain": tain,
    "pickle": pickle,
    "Point": Point,
    "Node": Node,
    "Color": Color,
    "TestIntPair": TestIntPair,
    **{
        name: _function(name)
        for name in (
            *("add_one", "greet", "scale", "kind", "packed_count", "echo_color"),
            *("sum_from", "make_adder", "echo_std_vector_int"),
        )
    },
}

GOT = "Pass a value of the expected type; the text in parentheses is what was passed."

MESSAGES: dict[str, tuple[Message, ...]] = {
    "Arguments": (
        Message(
            "Point()",
            TypeError,
            "testing.Point() missing argument 'x'",
            "Give the argument, by position or by keyword.",
        ),
        Message(
            "Point(1, 2, 3)",
            TypeError,
            "testing.Point() takes 1 to 2 arguments but 3 were given",
            "`help()` shows the parameters.",
        ),
        Message(
            "scale(3, 4, True)",
            TypeError,
            "testing.scale() takes 1 to 2 positional arguments but 3 were given",
            "The other parameters are given by keyword only.",
        ),
        Message(
            "Point(1, yy=2)",
            TypeError,
            "testing.Point() got an unexpected keyword argument 'yy'. Did you mean 'y', 'x'?",
            "Use the name of a parameter.",
        ),
        Message(
            "Point(1, x=2)",
            TypeError,
            "testing.Point() got multiple values for argument 'x'",
            "Give the argument once: by position or by keyword.",
        ),
        Message(
            "packed_count(1, a=2)",
            TypeError,
            "testing.packed_count() takes no keyword arguments",
            "The function takes any number of values by position.",
        ),
        Message(
            "TestIntPair(a=1)",
            TypeError,
            "testing.TestIntPair() takes no keyword arguments: its parameters have no names; the "
            'C++ author gives them with tain::arg("name")',
            "Pass the arguments by position, or name the parameters in C++.",
        ),
        Message(
            "add_one('a')",
            TypeError,
            "testing.add_one: argument x: expected int, got str ('a')",
            GOT,
        ),
        Message(
            "add_one(2**63)",
            OverflowError,
            "testing.add_one: argument x: expected int in "
            "-9223372036854775808..9223372036854775807, got 9223372036854775808",
            "The C++ type of the parameter holds the numbers of this range.",
        ),
        Message(
            "echo_std_vector_int([1, 'a'])",
            TypeError,
            "testing.echo_std_vector_int: argument x[1]: expected int, got str ('a')",
            "The place inside the value is named: here the second element.",
        ),
        Message(
            "echo_color('pink')",
            TypeError,
            "testing.echo_color: argument color: expected a testing.Color (RED, GREEN, BLUE), "
            "got str ('pink')",
            "Pass a member of the enum, or its value.",
        ),
        Message(
            "kind(None)",
            TypeError,
            "testing.kind: no overload takes (None)\n"
            "  kind(x: float) -> str: argument x: expected float, got None\n"
            "  kind(x: int) -> str: argument x: expected int, got None\n"
            "  kind(x: str) -> str: argument x: expected str, got None\n"
            "  kind(x: Array[int]) -> str: argument x: expected Array[int], got None\n"
            "  kind(x: testing.Length, *, loud: bool = ...) -> str: argument x: expected "
            "testing.Length, got None\n"
            "  kind(x: float, unit: str) -> str: missing argument 'unit'",
            "Each line says why one of the overloads does not take the arguments.",
        ),
    ),
    "Methods and operators": (
        Message(
            "Point.norm()",
            TypeError,
            "testing.Point.norm() needs an object as its first argument",
            "Call the method on an object.",
        ),
        Message(
            "Point.norm(3)",
            TypeError,
            "testing.Point.norm: expected testing.Point as self, got int",
            "Call the method on an object of its class.",
        ),
        Message(
            "Point(1, 2).scale('a')",
            TypeError,
            "testing.Point.scale: argument factor: expected float, got str ('a')",
            GOT,
        ),
        Message(
            "Point(1, 2) + 'a'",
            TypeError,
            "unsupported operand type(s) for +: 'tain.types.testing.Point' and 'str'",
            "Neither operand has an operator for the other.",
        ),
    ),
    "Fields": (
        Message(
            "setattr(Node(1), 'value', 'a')",
            TypeError,
            "Node.value: expected int, got str ('a')",
            GOT,
        ),
        Message(
            "setattr(Node(1), 'next', Point(1, 2))",
            TypeError,
            "Node.next: expected testing.Node | None, got testing.Point",
            "Assign an object of the field's class.",
        ),
        Message(
            "Point(1, 2).z",
            AttributeError,
            "'tain.types.testing.Point' object has no attribute 'z'",
            "`dir()` lists the fields and methods.",
        ),
    ),
    "Containers": (
        Message(
            "tain.Array([1, 2])[5]",
            IndexError,
            "Array index 5 out of range for size 2",
            "Valid are -2 to 1.",
        ),
        Message(
            "tain.Array([1])['a']",
            TypeError,
            "Array index: expected int or slice, got str",
            "Sequences have numbers as indices.",
        ),
        Message(
            "tain.Map({'a': 1})['b']",
            KeyError,
            "'b'",
            "Use `get()` for a key that may be missing.",
        ),
        Message("tain.List([]).pop()", IndexError, "pop from empty List", "Look at `len()` first."),
        Message(
            "tain.List([1]).remove(2)", ValueError, "2 is not in List", "Look with `in` first."
        ),
        Message(
            "tain.Array([1]).append(2)",
            AttributeError,
            "'tain.Array' object has no attribute 'append'",
            "An Array does not change: use a List.",
        ),
    ),
    "Names": (
        Message(
            "tain.get_global_func('testing.greeet')",
            ValueError,
            "Cannot find global function testing.greeet. Did you mean 'testing.greet', "
            "'testing.keep', 'testing.kept'?",
            "Load the library that registers it, or correct the name.",
        ),
        Message(
            "exec('from tain.types.testing import Pont')",
            ImportError,
            "cannot import name 'Pont' from 'tain.types.testing': did you mean Point or Paint?",
            "Load the library that registers it, or correct the name.",
        ),
        Message(
            "exec('import tain.types.tesing')",
            ModuleNotFoundError,
            "No module named 'tain.types.tesing': did you mean testing?",
            "A module exists for each namespace in which a type is registered.",
        ),
        Message(
            "tain.type_info('testing.Pont')",
            ValueError,
            "no type is registered under the key 'testing.Pont'. Did you mean 'testing.Point', "
            "'testing.Paint', 'testing.Book'?",
            "Load the library that registers it, or correct the key.",
        ),
        Message("Color(7)", ValueError, "7 is not a valid Color", "Use one of the members."),
        Message(
            "tain.init_ffi_api('testing', 'x')",
            ValueError,
            "init_ffi_api: expected the name of an imported module, got 'x'",
            "Call it as `init_ffi_api('testing', __name__)` in the module itself.",
        ),
    ),
    "Libraries and functions": (
        Message(
            "tain.load_library('/no/such.so')",
            FileNotFoundError,
            "load_library: there is no file /no/such.so",
            "Give the path of the library; a name alone is looked for on the search path.",
        ),
        Message(
            "tain.Function(3)",
            TypeError,
            "Function(): expected a callable, got int",
            "Pass a function or another object that can be called.",
        ),
        Message(
            "pickle.dumps(make_adder(1))",
            TypeError,
            "cannot pickle a tain.Function that is no global function: register it "
            "(GlobalDef().def in C++, tain.register_global_func in Python)",
            "Another process finds a function only by its name.",
        ),
    ),
}

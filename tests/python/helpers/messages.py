# SPDX-License-Identifier: Apache-2.0
"""The messages that users see: what was written, what is raised, what to do about it.

test_messages.py raises each of them; tools/messages.py makes docs/messages.md of them. The names in
the code are those of `NAMES`.
"""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import tain.types.testing as t

import tain

CLASSES = (
    *(t.Actor, t.Color, t.Countdown, t.Figure, t.NoConstructor, t.Node, t.Point, t.Shape),
    *(t.TestIntPair, t.Vector),
)


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
    "__name__": "messages",  # the module of the classes that the code defines
    **{cls.__name__: cls for cls in CLASSES},
    **{
        name: _function(name)
        for name in (
            *("add_one", "greet", "scale", "kind", "packed_count", "echo_color"),
            *("sum_from", "make_adder", "echo_std_vector_int", "echo_map_str_int", "apply"),
            *("echo_std_tuple", "text_c_string", "call_actor"),
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
            "testing.Point() got an unexpected keyword argument 'yy'. Did you mean 'y'?",
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
            "testing.echo_color: argument color: expected testing.Color (RED, GREEN, BLUE), "
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
        Message(
            "add_one(1.5)",
            TypeError,
            "testing.add_one: argument x: expected int, got float (1.5)",
            "tain does not convert a float to an int: use `int()` or `round()`.",
        ),
        Message(
            "echo_map_str_int({'a': 'b'})",
            TypeError,
            "testing.echo_map_str_int: argument x[\"a\"]: expected int, got str ('b')",
            "The place inside the value is named: here the value of the key `a`.",
        ),
        Message(
            "echo_map_str_int({1: 2})",
            TypeError,
            "testing.echo_map_str_int: argument x: key: expected str, got int (1)",
            "One of the keys does not fit.",
        ),
        Message(
            "echo_std_tuple((1,))",
            TypeError,
            "testing.echo_std_tuple: argument x: expected tuple[int, str, float] of 3 "
            "elements, got 1",
            "Pass as many elements as the C++ type has.",
        ),
        Message(
            "text_c_string('a\\0b')",
            TypeError,
            "testing.text_c_string: argument x: expected str without NUL, got str ('a\\x00b')",
            "The C++ function takes text that ends at the first NUL.",
        ),
        Message(
            "apply(5)",
            TypeError,
            "testing.apply: argument f: expected Callable[..., Any] | None, got int (5)",
            "Pass a function, or another object that can be called.",
        ),
        Message(
            "kind(1, 2)",
            TypeError,
            "testing.kind: no overload takes (int, int)\n"
            "  kind(x: float) -> str: takes 1 argument but 2 were given\n"
            "  kind(x: int) -> str: takes 1 argument but 2 were given\n"
            "  kind(x: str) -> str: takes 1 argument but 2 were given\n"
            "  kind(x: Array[int]) -> str: takes 1 argument but 2 were given\n"
            "  kind(x: testing.Length, *, loud: bool = ...) -> str: takes 1 positional argument "
            "but 2 were given\n"
            "  kind(x: float, unit: str) -> str: argument unit: expected str, got int (2)",
            "Here one overload takes two arguments, and refuses one of them.",
        ),
    ),
    "Construction": (
        Message(
            "NoConstructor()",
            TypeError,
            "testing.NoConstructor has no constructor",
            "Its objects are made by C++ functions; a C++ author gives it a constructor "
            "with `def_init<...>()`.",
        ),
        Message(
            "Shape()",
            TypeError,
            "testing.Shape is abstract and has no constructor",
            "Make an object of one of the types that extend it.",
        ),
        Message(
            "Figure()",
            TypeError,
            "Can't instantiate abstract class tain.types.testing.Figure without an "
            "implementation for abstract method 'area'",
            "Make a subclass in Python or C++ that has the method.",
        ),
        Message(
            "Point.__new__(Point).x",
            ValueError,
            "tain.types.testing.Point object is empty: its __init__ was not called (a "
            "subclass must call super().__init__(...))",
            "Make the object by calling the class.",
        ),
        Message(
            "apply(lambda point: point.__init__(3), Point(1, 2))",
            TypeError,
            "tain.types.testing.Point.__init__(): the object is in use by a call that has "
            "not returned, or by a buffer",
            "Make a new object: this one is an argument of a call under way.",
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
        Message(
            "Point(1, 2).scale(factr=2)",
            TypeError,
            "testing.Point.scale() got an unexpected keyword argument 'factr'. Did you "
            "mean 'factor'?",
            "Use the name of a parameter.",
        ),
    ),
    "Subclasses and overrides": (
        Message(
            "type('Both', (Point, Vector), {})",
            TypeError,
            "Both: the C++ types tain.types.testing.Point and tain.types.testing.Vector "
            "are unrelated, so one object cannot be both; derive from one and hold the "
            "other in an attribute",
            "A Python class stands on one C++ object.",
        ),
        Message(
            "type('Mine', (Point,), {'__init__': lambda self: None})().x",
            ValueError,
            "Mine object is empty: its __init__ was not called (a subclass must call "
            "super().__init__(...))",
            "Call `super().__init__(...)` in `__init__`, before the fields are used.",
        ),
        Message(
            "type('Mine', (Point,), {})(1)._move()",
            TypeError,
            "Mine._move(): the object has Python state (a Python subclass or a weak "
            "reference), which a move would lose",
            "Pass the object itself, which shares it.",
        ),
        Message(
            "type('Quiet', (Actor,), {'fixed': lambda self: 1})()",
            TypeError,
            "Quiet.fixed: testing.Actor.fixed is final, so no Python class may override it",
            "Give the method another name.",
        ),
        Message(
            "type('Triangle', (Figure,), {})()",
            TypeError,
            "Can't instantiate abstract class Triangle without an implementation for "
            "abstract method 'area'",
            "Define the method in the class.",
        ),
        Message(
            "call_actor(type('Loud', (Actor,), {'secret': lambda self: 'a'})(), 'secret')",
            TypeError,
            "Loud.secret: result of the override: expected int, got str ('a')",
            "Return what the C++ method returns.",
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
        Message(
            "setattr(TestIntPair(1, 2), 'a', 5)",
            AttributeError,
            "TestIntPair.a is read-only: register it with def_rw to make it assignable",
            "Make a new object with the other value.",
        ),
        Message(
            "delattr(Point(1, 2), 'x')",
            AttributeError,
            "Point.x cannot be deleted: it is a field of a C++ object",
            "A field always has a value; assign None if it may be None.",
        ),
        Message(
            "Point(1, 2).__replace__(z=1)",
            TypeError,
            "testing.Point has no field 'z'.",
            "`copy.replace()` takes the names of fields.",
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
            "Array index: expected int or slice, got str ('a')",
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
        Message(
            "tain.Map([1])",
            TypeError,
            "Map: expected a pair as element 0, got int (1)",
            "Pass a mapping, or pairs of a key and a value.",
        ),
        Message(
            "tain.Dict().update(5)",
            TypeError,
            "Dict: expected a mapping or an iterable of pairs, got int (5)",
            "Pass a mapping, or pairs of a key and a value.",
        ),
        Message(
            "tain.Dict().popitem()",
            KeyError,
            "'popitem(): Dict is empty'",
            "Look at `len()` first.",
        ),
        Message(
            "(lambda numbers: [numbers.pop(key) for key in numbers])(tain.Dict(a=1, b=2))",
            RuntimeError,
            "Dict changed size during iteration",
            "Go over a copy: `for key in list(numbers)`.",
        ),
        Message(
            "memoryview(tain.Array([1, 'a']))",
            BufferError,
            "an Array is a buffer only if all its elements are ints, floats or bools",
            "Use `list()` of an Array with other elements.",
        ),
    ),
    "Names": (
        Message(
            "tain.get_global_func('testing.greeet')",
            ValueError,
            "Cannot find global function testing.greeet. Did you mean 'testing.greet', "
            "'testing.extent', 'testing.keep'?",
            "Load the library that registers it, or correct the name.",
        ),
        Message(
            "exec('from tain.types.testing import Pont')",
            ImportError,
            "cannot import name 'Pont' from 'tain.types.testing'. Did you mean 'Point', 'Lone', "
            "'Paint'?",
            "Load the library that registers it, or correct the name.",
        ),
        Message(
            "exec('import tain.types.tain.transfrm')",
            ModuleNotFoundError,
            "No module named 'tain.types.tain.transfrm'. Did you mean 'transform'?",
            "A module exists for each namespace in which a type is registered.",
        ),
        Message(
            "tain.type_info('testing.Pont')",
            ValueError,
            "no type is registered under the key 'testing.Pont'. Did you mean 'testing.Point', "
            "'testing.Lone', 'testing.Paint'?",
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
    "Registration": (
        Message(
            "tain.register_object('testing.Point')(int)",
            TypeError,
            "register_object('testing.Point'): expected a subclass of tain.Object, got "
            "type (<class 'int'>)",
            "Write `class Point(tain.Object)`.",
        ),
        Message(
            "tain.register_object('testing.TestIntPair')(type('Pair', (Point,), {}))",
            TypeError,
            "register_object('testing.TestIntPair'): the class Pair derives from "
            "tain.types.testing.Point, which is no parent of testing.TestIntPair",
            "Derive the class from `tain.Object` or from the class of a parent.",
        ),
        Message(
            "tain.register_global_func('messages.f', 5)",
            TypeError,
            "register_global_func: expected a callable, got int (5)",
            "Pass a function, or use `register_global_func` as a decorator.",
        ),
        Message(
            "tain.py_class('messages.Wrong')(type('Wrong', (), {'__annotations__': {'a': "
            "list}, 'a': []}))",
            ValueError,
            "messages.Wrong.a: a default of type list would be shared by all objects: use "
            "tain.field(default_factory=...)",
            "Write `a: list = tain.field(default_factory=list)`.",
        ),
        Message(
            "tain.py_class('messages.Wrong')(type('Wrong', (), {'__annotations__': {'a': "
            "int}, 'a': 'x'}))",
            TypeError,
            "messages.Wrong.a: the default: expected int, got str ('x')",
            "Give the field a default of its type.",
        ),
        Message(
            "tain.py_class('messages.Wrong')(type('Wrong', (), {'__annotations__': {'a': "
            "int, 'b': int}, 'a': 1}))",
            TypeError,
            "messages.Wrong.b: a field without default follows 'a', which has one: give it "
            "a default, or make it kw_only",
            "Put the fields without defaults first.",
        ),
    ),
    "Libraries and functions": (
        Message(
            "tain.load_library('/no/such.so')",
            FileNotFoundError,
            "there is no file /no/such.so",
            "Give the path of the library; a name alone is looked for on the search path.",
        ),
        Message(
            "tain.Function(3)",
            TypeError,
            "Function(): expected a callable, got int (3)",
            "Pass a function or another object that can be called.",
        ),
        Message(
            "pickle.dumps(make_adder(1))",
            TypeError,
            "cannot pickle a tain.Function that is no global function: register it "
            "(GlobalDef().def in C++, tain.register_global_func in Python)",
            "Another process finds a function only by its name.",
        ),
        Message(
            "tain.load_library('/')",
            IsADirectoryError,
            "/ is a folder, not a library",
            "Give the path of the file.",
        ),
        Message(
            "tain.load_library('')",
            ValueError,
            "load_library: the path is empty",
            "Give the path of the library.",
        ),
        Message(
            "tain.load_module('/no/such.ptx')",
            ValueError,
            "no loader for modules of the format 'ptx' is registered: import the package or load "
            "the library that defines them, or register a loader with tain.register_module_loader",
            "Import the package that reads such files before the call.",
        ),
        Message(
            "pickle.dumps(Countdown(3))",
            TypeError,
            "cannot pickle testing.Countdown: its constructor needs 'start', which is no field",
            "Give the class `__reduce__`, or make the argument a field in C++.",
        ),
    ),
}

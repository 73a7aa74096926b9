# SPDX-License-Identifier: Apache-2.0
"""The declarations in the Python source of a module, as code of its stub.

A stub hides the source of its module from type checkers. So the stub of a module that adopts a
namespace and has Python code of its own repeats the declarations of that code.
"""

from __future__ import annotations

import ast
import inspect
from types import ModuleType

from tain.stubgen._values import doc_lines

__all__ = ["SourceMembers"]


class SourceMembers:
    """The declarations in a module's source, without what is registered.

    Parameters
    ----------
    module : module
        The module; one without source has no declarations.
    registered : set of str
        The names that the stub declares itself.

    Attributes
    ----------
    code : list of str
        The lines.
    names : set of str
        The names that the lines declare.
    doc : str or None
        The code of the module's docstring.
    classes : dict of str to ast.ClassDef
        The definitions, without code, of classes that the stub declares itself.
    """

    def __init__(self, module: ModuleType, registered: set[str]) -> None:
        self.code: list[str] = []
        self.names: set[str] = set()
        self.classes: dict[str, ast.ClassDef] = {}
        self._registered = registered
        self._values = vars(module)
        self.doc = "\n".join(doc_lines(module.__doc__, "")) or None
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, TypeError):
            return
        for statement in self._statements(tree.body):
            self.code += ast.unparse(statement).splitlines()

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [kept for statement in body for kept in self._kept(statement)]

    def _kept(self, statement: ast.stmt) -> list[ast.stmt]:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                return []
            plain = isinstance(statement, ast.Import)  # `import a` gives the stub's own name for a
            if not plain:  # what the stub declares or imports itself
                statement.names = [
                    alias
                    for alias in statement.names
                    if (alias.asname or alias.name) not in self._registered
                ]
                if not statement.names:
                    return []
            self.names |= {
                (alias.asname or alias.name).partition(".")[0]
                for alias in statement.names
                if alias.asname or not plain
            }
            return [statement]
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if statement.name in self._registered:
                if isinstance(statement, ast.ClassDef):
                    _without_code(statement)
                    self.classes[statement.name] = statement
                return []
            self.names.add(statement.name)
            return [_without_code(statement)]
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return self._assignments(statement)
        if isinstance(statement, ast.Try):
            return self._statements([*statement.body, *statement.orelse])
        if isinstance(statement, ast.If):
            branches = self._statements(statement.body), self._statements(statement.orelse)
            if any(branches):
                body = branches[0] or [ast.Pass()]
                return [ast.If(test=statement.test, body=body, orelse=branches[1])]
        return []

    def _assignments(self, statement: ast.Assign | ast.AnnAssign) -> list[ast.stmt]:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        kept: list[ast.stmt] = []
        for target in targets:
            if not isinstance(target, ast.Name) or target.id in self._registered:
                continue
            self.names.add(target.id)
            if target.id == "__all__" or isinstance(statement, ast.AnnAssign):
                kept.append(statement)
            elif isinstance(statement.value, (ast.Name, ast.Attribute)):
                kept.append(statement)  # another name for something
            else:
                annotation = ast.Name(_type_name(self._values.get(target.id)))
                kept.append(ast.AnnAssign(target=target, annotation=annotation, simple=1))
        return kept


def _type_name(value: object) -> str:
    cls = type(value)
    return cls.__name__ if cls in (int, float, bool, str, bytes, complex) else "object"


def _without_code(
    statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> ast.stmt:
    """Return a definition whose functions do nothing, with all docstrings."""
    documented = ast.get_docstring(statement, clean=False) is not None
    first = statement.body[:1] if documented else []
    if isinstance(statement, ast.ClassDef):
        inner: list[ast.stmt] = []
        for each in statement.body[len(first) :]:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner.append(_without_code(each))
            elif isinstance(each, (ast.Assign, ast.AnnAssign)):
                inner.append(each)
        statement.body = [*first, *inner] or [ast.Expr(ast.Constant(...))]
    else:
        statement.body = first or [ast.Expr(ast.Constant(...))]
    return statement

// SPDX-License-Identifier: Apache-2.0
// PYAST_KINDS(X): X(C++ name, name in Python's grammar) for every class of nodes.
//
// The one list of all kinds, for what has a member for each: the visitor.
#pragma once

#include "expressions.h"
#include "modules.h"
#include "patterns.h"
#include "statements.h"

#define PYAST_KINDS(X)            \
  X(Module, Module)               \
  X(Interactive, Interactive)     \
  X(Expression, Expression)       \
  X(FunctionType, FunctionType)   \
  PYAST_STATEMENTS(X)             \
  PYAST_EXPRESSIONS(X)            \
  PYAST_PATTERNS(X)               \
  X(TypeVar, TypeVar)             \
  X(ParamSpec, ParamSpec)         \
  X(TypeVarTuple, TypeVarTuple)   \
  X(TypeIgnore, TypeIgnore)       \
  X(ExceptHandler, ExceptHandler) \
  X(Comprehension, comprehension) \
  X(Arguments, arguments)         \
  X(Arg, arg)                     \
  X(Keyword, keyword)             \
  X(Alias, alias)                 \
  X(WithItem, withitem)           \
  X(MatchCase, match_case)

#define PYAST_STATEMENTS(X)             \
  X(FunctionDef, FunctionDef)           \
  X(AsyncFunctionDef, AsyncFunctionDef) \
  X(ClassDef, ClassDef)                 \
  X(Return, Return)                     \
  X(Delete, Delete)                     \
  X(Assign, Assign)                     \
  X(TypeAlias, TypeAlias)               \
  X(AugAssign, AugAssign)               \
  X(AnnAssign, AnnAssign)               \
  X(For, For)                           \
  X(AsyncFor, AsyncFor)                 \
  X(While, While)                       \
  X(If, If)                             \
  X(With, With)                         \
  X(AsyncWith, AsyncWith)               \
  X(Match, Match)                       \
  X(Raise, Raise)                       \
  X(Try, Try)                           \
  X(TryStar, TryStar)                   \
  X(Assert, Assert)                     \
  X(Import, Import)                     \
  X(ImportFrom, ImportFrom)             \
  X(Global, Global)                     \
  X(Nonlocal, Nonlocal)                 \
  X(ExprStmt, Expr)                     \
  X(Pass, Pass)                         \
  X(Break, Break)                       \
  X(Continue, Continue)

#define PYAST_EXPRESSIONS(X)        \
  X(BoolOp, BoolOp)                 \
  X(NamedExpr, NamedExpr)           \
  X(BinOp, BinOp)                   \
  X(UnaryOp, UnaryOp)               \
  X(Lambda, Lambda)                 \
  X(IfExp, IfExp)                   \
  X(Dict, Dict)                     \
  X(Set, Set)                       \
  X(ListComp, ListComp)             \
  X(SetComp, SetComp)               \
  X(DictComp, DictComp)             \
  X(GeneratorExp, GeneratorExp)     \
  X(Await, Await)                   \
  X(Yield, Yield)                   \
  X(YieldFrom, YieldFrom)           \
  X(Compare, Compare)               \
  X(Call, Call)                     \
  X(FormattedValue, FormattedValue) \
  X(JoinedStr, JoinedStr)           \
  X(Interpolation, Interpolation)   \
  X(TemplateStr, TemplateStr)       \
  X(Constant, Constant)             \
  X(Attribute, Attribute)           \
  X(Subscript, Subscript)           \
  X(Starred, Starred)               \
  X(Name, Name)                     \
  X(List, List)                     \
  X(Tuple, Tuple)                   \
  X(Slice, Slice)

#define PYAST_PATTERNS(X)           \
  X(MatchValue, MatchValue)         \
  X(MatchSingleton, MatchSingleton) \
  X(MatchSequence, MatchSequence)   \
  X(MatchMapping, MatchMapping)     \
  X(MatchClass, MatchClass)         \
  X(MatchStar, MatchStar)           \
  X(MatchAs, MatchAs)               \
  X(MatchOr, MatchOr)

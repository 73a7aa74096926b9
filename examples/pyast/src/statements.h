// SPDX-License-Identifier: Apache-2.0
// Nodes that do something.
#pragma once

#include "modules.h"
#include "patterns.h"

namespace pyast {

struct FunctionDefObj : StmtObj {
  String name;
  Arguments args;
  Array<Stmt> body;
  Array<Expr> decorator_list;
  Optional<Expr> returns;
  Optional<String> type_comment;
  Array<TypeParam> type_params;
  TAIN_OBJECT("pyast.FunctionDef", FunctionDefObj, StmtObj);
};
using FunctionDef = Ref<FunctionDefObj>;

struct AsyncFunctionDefObj : StmtObj {
  String name;
  Arguments args;
  Array<Stmt> body;
  Array<Expr> decorator_list;
  Optional<Expr> returns;
  Optional<String> type_comment;
  Array<TypeParam> type_params;
  TAIN_OBJECT("pyast.AsyncFunctionDef", AsyncFunctionDefObj, StmtObj);
};
using AsyncFunctionDef = Ref<AsyncFunctionDefObj>;

struct ClassDefObj : StmtObj {
  String name;
  Array<Expr> bases;
  Array<Keyword> keywords;
  Array<Stmt> body;
  Array<Expr> decorator_list;
  Array<TypeParam> type_params;
  TAIN_OBJECT("pyast.ClassDef", ClassDefObj, StmtObj);
};
using ClassDef = Ref<ClassDefObj>;

struct ReturnObj : StmtObj {
  Optional<Expr> value;
  TAIN_OBJECT("pyast.Return", ReturnObj, StmtObj);
};
using Return = Ref<ReturnObj>;

struct DeleteObj : StmtObj {
  Array<Expr> targets;
  TAIN_OBJECT("pyast.Delete", DeleteObj, StmtObj);
};
using Delete = Ref<DeleteObj>;

struct AssignObj : StmtObj {
  Array<Expr> targets;
  Expr value;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.Assign", AssignObj, StmtObj);
};
using Assign = Ref<AssignObj>;

struct TypeAliasObj : StmtObj {
  Expr name;
  Array<TypeParam> type_params;
  Expr value;
  TAIN_OBJECT("pyast.TypeAlias", TypeAliasObj, StmtObj);
};
using TypeAlias = Ref<TypeAliasObj>;

struct AugAssignObj : StmtObj {
  Expr target;
  Operator op;
  Expr value;
  TAIN_OBJECT("pyast.AugAssign", AugAssignObj, StmtObj);
};
using AugAssign = Ref<AugAssignObj>;

struct AnnAssignObj : StmtObj {
  Expr target;
  Expr annotation;
  Optional<Expr> value;
  int32_t simple;
  TAIN_OBJECT("pyast.AnnAssign", AnnAssignObj, StmtObj);
};
using AnnAssign = Ref<AnnAssignObj>;

struct ForObj : StmtObj {
  Expr target;
  Expr iter;
  Array<Stmt> body;
  Array<Stmt> orelse;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.For", ForObj, StmtObj);
};
using For = Ref<ForObj>;

struct AsyncForObj : StmtObj {
  Expr target;
  Expr iter;
  Array<Stmt> body;
  Array<Stmt> orelse;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.AsyncFor", AsyncForObj, StmtObj);
};
using AsyncFor = Ref<AsyncForObj>;

struct WhileObj : StmtObj {
  Expr test;
  Array<Stmt> body;
  Array<Stmt> orelse;
  TAIN_OBJECT("pyast.While", WhileObj, StmtObj);
};
using While = Ref<WhileObj>;

struct IfObj : StmtObj {
  Expr test;
  Array<Stmt> body;
  Array<Stmt> orelse;
  TAIN_OBJECT("pyast.If", IfObj, StmtObj);
};
using If = Ref<IfObj>;

struct WithObj : StmtObj {
  Array<WithItem> items;
  Array<Stmt> body;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.With", WithObj, StmtObj);
};
using With = Ref<WithObj>;

struct AsyncWithObj : StmtObj {
  Array<WithItem> items;
  Array<Stmt> body;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.AsyncWith", AsyncWithObj, StmtObj);
};
using AsyncWith = Ref<AsyncWithObj>;

struct MatchObj : StmtObj {
  Expr subject;
  Array<MatchCase> cases;
  TAIN_OBJECT("pyast.Match", MatchObj, StmtObj);
};
using Match = Ref<MatchObj>;

struct RaiseObj : StmtObj {
  Optional<Expr> exc;
  Optional<Expr> cause;
  TAIN_OBJECT("pyast.Raise", RaiseObj, StmtObj);
};
using Raise = Ref<RaiseObj>;

struct TryObj : StmtObj {
  Array<Stmt> body;
  Array<Handler> handlers;
  Array<Stmt> orelse;
  Array<Stmt> finalbody;
  TAIN_OBJECT("pyast.Try", TryObj, StmtObj);
};
using Try = Ref<TryObj>;

struct TryStarObj : StmtObj {
  Array<Stmt> body;
  Array<Handler> handlers;
  Array<Stmt> orelse;
  Array<Stmt> finalbody;
  TAIN_OBJECT("pyast.TryStar", TryStarObj, StmtObj);
};
using TryStar = Ref<TryStarObj>;

struct AssertObj : StmtObj {
  Expr test;
  Optional<Expr> msg;
  TAIN_OBJECT("pyast.Assert", AssertObj, StmtObj);
};
using Assert = Ref<AssertObj>;

struct ImportObj : StmtObj {
  Array<Alias> names;
  Optional<int32_t> is_lazy;
  TAIN_OBJECT("pyast.Import", ImportObj, StmtObj);
};
using Import = Ref<ImportObj>;

struct ImportFromObj : StmtObj {
  Optional<String> module;
  Array<Alias> names;
  Optional<int32_t> level;
  Optional<int32_t> is_lazy;
  TAIN_OBJECT("pyast.ImportFrom", ImportFromObj, StmtObj);
};
using ImportFrom = Ref<ImportFromObj>;

struct GlobalObj : StmtObj {
  Array<String> names;
  TAIN_OBJECT("pyast.Global", GlobalObj, StmtObj);
};
using Global = Ref<GlobalObj>;

struct NonlocalObj : StmtObj {
  Array<String> names;
  TAIN_OBJECT("pyast.Nonlocal", NonlocalObj, StmtObj);
};
using Nonlocal = Ref<NonlocalObj>;

struct ExprStmtObj : StmtObj {
  Expr value;
  TAIN_OBJECT("pyast.Expr", ExprStmtObj, StmtObj);
};
using ExprStmt = Ref<ExprStmtObj>;

struct PassObj : StmtObj {
  TAIN_OBJECT("pyast.Pass", PassObj, StmtObj);
};
using Pass = Ref<PassObj>;

struct BreakObj : StmtObj {
  TAIN_OBJECT("pyast.Break", BreakObj, StmtObj);
};
using Break = Ref<BreakObj>;

struct ContinueObj : StmtObj {
  TAIN_OBJECT("pyast.Continue", ContinueObj, StmtObj);
};
using Continue = Ref<ContinueObj>;

struct ExceptHandlerObj : HandlerObj {
  Optional<Expr> type;
  Optional<String> name;
  Array<Stmt> body;
  TAIN_OBJECT("pyast.ExceptHandler", ExceptHandlerObj, HandlerObj);
};
using ExceptHandler = Ref<ExceptHandlerObj>;

}  // namespace pyast

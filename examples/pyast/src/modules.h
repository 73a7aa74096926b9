// SPDX-License-Identifier: Apache-2.0
// Nodes at the top of a tree, and the parts of other nodes that are no rule of their own.
#pragma once

#include "ast.h"

namespace pyast {

/// `attr=value` in a call or a class.
struct KeywordObj : ASTObj, Place {
  Optional<String> arg;  ///< nothing for `**value`
  Expr value;
  TAIN_OBJECT("pyast.keyword", KeywordObj, ASTObj);
};
using Keyword = Ref<KeywordObj>;

/// `name as asname` in an import.
struct AliasObj : ASTObj, Place {
  String name;
  Optional<String> asname;
  TAIN_OBJECT("pyast.alias", AliasObj, ASTObj);
};
using Alias = Ref<AliasObj>;

/// `arg: annotation`, a parameter.
struct ArgObj : ASTObj, Place {
  String arg;
  Optional<Expr> annotation;
  Optional<String> type_comment;
  TAIN_OBJECT("pyast.arg", ArgObj, ASTObj);
};
using Arg = Ref<ArgObj>;

/// All parameters of a function.
struct ArgumentsObj : ASTObj {
  Array<Arg> posonlyargs;
  Array<Arg> args;
  Optional<Arg> vararg;
  Array<Arg> kwonlyargs;
  Array<Optional<Expr>> kw_defaults;  ///< one for each of kwonlyargs
  Optional<Arg> kwarg;
  Array<Expr> defaults;  ///< of the last of posonlyargs and args
  TAIN_OBJECT("pyast.arguments", ArgumentsObj, ASTObj);
};
using Arguments = Ref<ArgumentsObj>;

/// `for target in iter if ifs`, within a comprehension.
struct ComprehensionObj : ASTObj {
  Expr target;
  Expr iter;
  Array<Expr> ifs;
  int32_t is_async;
  TAIN_OBJECT("pyast.comprehension", ComprehensionObj, ASTObj);
};
using Comprehension = Ref<ComprehensionObj>;

/// `context_expr as optional_vars`, within a `with`.
struct WithItemObj : ASTObj {
  Expr context_expr;
  Optional<Expr> optional_vars;
  TAIN_OBJECT("pyast.withitem", WithItemObj, ASTObj);
};
using WithItem = Ref<WithItemObj>;

struct TypeIgnoreObj : IgnoreObj {
  int32_t lineno;
  String tag;
  TAIN_OBJECT("pyast.TypeIgnore", TypeIgnoreObj, IgnoreObj);
};
using TypeIgnore = Ref<TypeIgnoreObj>;

struct ModuleObj : ModObj {
  Array<Stmt> body;
  Array<Ignore> type_ignores;
  TAIN_OBJECT("pyast.Module", ModuleObj, ModObj);
};
using Module = Ref<ModuleObj>;

struct InteractiveObj : ModObj {
  Array<Stmt> body;
  TAIN_OBJECT("pyast.Interactive", InteractiveObj, ModObj);
};
using Interactive = Ref<InteractiveObj>;

struct ExpressionObj : ModObj {
  Expr body;
  TAIN_OBJECT("pyast.Expression", ExpressionObj, ModObj);
};
using Expression = Ref<ExpressionObj>;

struct FunctionTypeObj : ModObj {
  Array<Expr> argtypes;
  Expr returns;
  TAIN_OBJECT("pyast.FunctionType", FunctionTypeObj, ModObj);
};
using FunctionType = Ref<FunctionTypeObj>;

}  // namespace pyast

// SPDX-License-Identifier: Apache-2.0
// Nodes of `match` cases, and the parameters of generic functions, classes and aliases.
#pragma once

#include "ast.h"

namespace pyast {

struct MatchValueObj : PatternObj {
  Expr value;
  TAIN_OBJECT("pyast.MatchValue", MatchValueObj, PatternObj);
};
using MatchValue = Ref<MatchValueObj>;

struct MatchSingletonObj : PatternObj {
  Any value;
  TAIN_OBJECT("pyast.MatchSingleton", MatchSingletonObj, PatternObj);
};
using MatchSingleton = Ref<MatchSingletonObj>;

struct MatchSequenceObj : PatternObj {
  Array<Pattern> patterns;
  TAIN_OBJECT("pyast.MatchSequence", MatchSequenceObj, PatternObj);
};
using MatchSequence = Ref<MatchSequenceObj>;

struct MatchMappingObj : PatternObj {
  Array<Expr> keys;
  Array<Pattern> patterns;
  Optional<String> rest;
  TAIN_OBJECT("pyast.MatchMapping", MatchMappingObj, PatternObj);
};
using MatchMapping = Ref<MatchMappingObj>;

struct MatchClassObj : PatternObj {
  Expr cls;
  Array<Pattern> patterns;
  Array<String> kwd_attrs;
  Array<Pattern> kwd_patterns;
  TAIN_OBJECT("pyast.MatchClass", MatchClassObj, PatternObj);
};
using MatchClass = Ref<MatchClassObj>;

struct MatchStarObj : PatternObj {
  Optional<String> name;
  TAIN_OBJECT("pyast.MatchStar", MatchStarObj, PatternObj);
};
using MatchStar = Ref<MatchStarObj>;

struct MatchAsObj : PatternObj {
  Optional<Pattern> pattern;
  Optional<String> name;
  TAIN_OBJECT("pyast.MatchAs", MatchAsObj, PatternObj);
};
using MatchAs = Ref<MatchAsObj>;

struct MatchOrObj : PatternObj {
  Array<Pattern> patterns;
  TAIN_OBJECT("pyast.MatchOr", MatchOrObj, PatternObj);
};
using MatchOr = Ref<MatchOrObj>;

/// `case pattern if guard: body`.
struct MatchCaseObj : ASTObj {
  Pattern pattern;
  Optional<Expr> guard;
  Array<Stmt> body;
  TAIN_OBJECT("pyast.match_case", MatchCaseObj, ASTObj);
};
using MatchCase = Ref<MatchCaseObj>;

struct TypeVarObj : TypeParamObj {
  String name;
  Optional<Expr> bound;
  Optional<Expr> default_value;
  TAIN_OBJECT("pyast.TypeVar", TypeVarObj, TypeParamObj);
};
using TypeVar = Ref<TypeVarObj>;

struct ParamSpecObj : TypeParamObj {
  String name;
  Optional<Expr> default_value;
  TAIN_OBJECT("pyast.ParamSpec", ParamSpecObj, TypeParamObj);
};
using ParamSpec = Ref<ParamSpecObj>;

struct TypeVarTupleObj : TypeParamObj {
  String name;
  Optional<Expr> default_value;
  TAIN_OBJECT("pyast.TypeVarTuple", TypeVarTupleObj, TypeParamObj);
};
using TypeVarTuple = Ref<TypeVarTupleObj>;

}  // namespace pyast

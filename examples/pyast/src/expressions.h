// SPDX-License-Identifier: Apache-2.0
// Nodes that have a value.
#pragma once

#include "modules.h"

namespace pyast {

struct BoolOpObj : ExprObj {
  BoolOperator op;
  Array<Expr> values;
  TAIN_OBJECT("pyast.BoolOp", BoolOpObj, ExprObj);
};
using BoolOp = Ref<BoolOpObj>;

struct NamedExprObj : ExprObj {
  Expr target;
  Expr value;
  TAIN_OBJECT("pyast.NamedExpr", NamedExprObj, ExprObj);
};
using NamedExpr = Ref<NamedExprObj>;

struct BinOpObj : ExprObj {
  Expr left;
  Operator op;
  Expr right;
  TAIN_OBJECT("pyast.BinOp", BinOpObj, ExprObj);
};
using BinOp = Ref<BinOpObj>;

struct UnaryOpObj : ExprObj {
  UnaryOperator op;
  Expr operand;
  TAIN_OBJECT("pyast.UnaryOp", UnaryOpObj, ExprObj);
};
using UnaryOp = Ref<UnaryOpObj>;

struct LambdaObj : ExprObj {
  Arguments args;
  Expr body;
  TAIN_OBJECT("pyast.Lambda", LambdaObj, ExprObj);
};
using Lambda = Ref<LambdaObj>;

struct IfExpObj : ExprObj {
  Expr test;
  Expr body;
  Expr orelse;
  TAIN_OBJECT("pyast.IfExp", IfExpObj, ExprObj);
};
using IfExp = Ref<IfExpObj>;

struct DictObj : ExprObj {
  Array<Optional<Expr>> keys;  ///< nothing for `**value`
  Array<Expr> values;
  TAIN_OBJECT("pyast.Dict", DictObj, ExprObj);
};
using Dict = Ref<DictObj>;

struct SetObj : ExprObj {
  Array<Expr> elts;
  TAIN_OBJECT("pyast.Set", SetObj, ExprObj);
};
using Set = Ref<SetObj>;

struct ListCompObj : ExprObj {
  Expr elt;
  Array<Comprehension> generators;
  TAIN_OBJECT("pyast.ListComp", ListCompObj, ExprObj);
};
using ListComp = Ref<ListCompObj>;

struct SetCompObj : ExprObj {
  Expr elt;
  Array<Comprehension> generators;
  TAIN_OBJECT("pyast.SetComp", SetCompObj, ExprObj);
};
using SetComp = Ref<SetCompObj>;

struct DictCompObj : ExprObj {
  Expr key;
  Optional<Expr> value;
  Array<Comprehension> generators;
  TAIN_OBJECT("pyast.DictComp", DictCompObj, ExprObj);
};
using DictComp = Ref<DictCompObj>;

struct GeneratorExpObj : ExprObj {
  Expr elt;
  Array<Comprehension> generators;
  TAIN_OBJECT("pyast.GeneratorExp", GeneratorExpObj, ExprObj);
};
using GeneratorExp = Ref<GeneratorExpObj>;

struct AwaitObj : ExprObj {
  Expr value;
  TAIN_OBJECT("pyast.Await", AwaitObj, ExprObj);
};
using Await = Ref<AwaitObj>;

struct YieldObj : ExprObj {
  Optional<Expr> value;
  TAIN_OBJECT("pyast.Yield", YieldObj, ExprObj);
};
using Yield = Ref<YieldObj>;

struct YieldFromObj : ExprObj {
  Expr value;
  TAIN_OBJECT("pyast.YieldFrom", YieldFromObj, ExprObj);
};
using YieldFrom = Ref<YieldFromObj>;

struct CompareObj : ExprObj {
  Expr left;
  Array<Comparison> ops;
  Array<Expr> comparators;
  TAIN_OBJECT("pyast.Compare", CompareObj, ExprObj);
};
using Compare = Ref<CompareObj>;

struct CallObj : ExprObj {
  Expr func;
  Array<Expr> args;
  Array<Keyword> keywords;
  TAIN_OBJECT("pyast.Call", CallObj, ExprObj);
};
using Call = Ref<CallObj>;

struct FormattedValueObj : ExprObj {
  Expr value;
  int32_t conversion;
  Optional<Expr> format_spec;
  TAIN_OBJECT("pyast.FormattedValue", FormattedValueObj, ExprObj);
};
using FormattedValue = Ref<FormattedValueObj>;

struct JoinedStrObj : ExprObj {
  Array<Expr> values;
  TAIN_OBJECT("pyast.JoinedStr", JoinedStrObj, ExprObj);
};
using JoinedStr = Ref<JoinedStrObj>;

struct InterpolationObj : ExprObj {
  Expr value;
  Any str;
  int32_t conversion;
  Optional<Expr> format_spec;
  TAIN_OBJECT("pyast.Interpolation", InterpolationObj, ExprObj);
};
using Interpolation = Ref<InterpolationObj>;

struct TemplateStrObj : ExprObj {
  Array<Expr> values;
  TAIN_OBJECT("pyast.TemplateStr", TemplateStrObj, ExprObj);
};
using TemplateStr = Ref<TemplateStrObj>;

struct ConstantObj : ExprObj {
  Any value;
  Optional<String> kind;
  TAIN_OBJECT("pyast.Constant", ConstantObj, ExprObj);
};
using Constant = Ref<ConstantObj>;

struct AttributeObj : ExprObj {
  Expr value;
  String attr;
  ExprContext ctx;
  TAIN_OBJECT("pyast.Attribute", AttributeObj, ExprObj);
};
using Attribute = Ref<AttributeObj>;

struct SubscriptObj : ExprObj {
  Expr value;
  Expr slice;
  ExprContext ctx;
  TAIN_OBJECT("pyast.Subscript", SubscriptObj, ExprObj);
};
using Subscript = Ref<SubscriptObj>;

struct StarredObj : ExprObj {
  Expr value;
  ExprContext ctx;
  TAIN_OBJECT("pyast.Starred", StarredObj, ExprObj);
};
using Starred = Ref<StarredObj>;

struct NameObj : ExprObj {
  String id;
  ExprContext ctx;
  TAIN_OBJECT("pyast.Name", NameObj, ExprObj);
};
using Name = Ref<NameObj>;

struct ListObj : ExprObj {
  Array<Expr> elts;
  ExprContext ctx;
  TAIN_OBJECT("pyast.List", ListObj, ExprObj);
};
using List = Ref<ListObj>;

struct TupleObj : ExprObj {
  Array<Expr> elts;
  ExprContext ctx;
  TAIN_OBJECT("pyast.Tuple", TupleObj, ExprObj);
};
using Tuple = Ref<TupleObj>;

struct SliceObj : ExprObj {
  Optional<Expr> lower;
  Optional<Expr> upper;
  Optional<Expr> step;
  TAIN_OBJECT("pyast.Slice", SliceObj, ExprObj);
};
using Slice = Ref<SliceObj>;

}  // namespace pyast

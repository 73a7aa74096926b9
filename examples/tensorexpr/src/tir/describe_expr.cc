// SPDX-License-Identifier: Apache-2.0
// Describes the expressions for Python.
#include <algorithm>

#include "intrinsics.h"
#include "ops.h"
#include "script/script.h"
#include "stmt.h"

namespace tensorexpr {
namespace {

using tain::arg;
using tain::reflection::ObjectDef;

using Convertible = tain::Ref<ExprConvertibleNode>;

PrimExpr Of(const PrimExpr& e) { return e; }
PrimExpr Of(const Convertible& e) { return e->AsExpr(); }

void CheckLike(const char* what, const PrimExpr& a, const PrimExpr& b) {
  if (a->dtype == b->dtype) return;
  TAIN_THROW(TypeError) << what << ": expected operands of one type, got " << Text(a->dtype)
                        << " and " << Text(b->dtype) << "; convert one of them with astype()";
}

/// Makes a node as it is said, without promotion: only numbers of Python take the type of the other.
template <class Node>
PrimExpr MakeNode(const ExprArg& a, const ExprArg& b) {
  const char* name = Node::_type_key + sizeof("tensorexpr.tir.") - 1;
  PrimExpr x = a.expr, y = b.expr;
  if (a.is_literal != b.is_literal) {
    x = LiteralAs(name, a, y->dtype);
    y = LiteralAs(name, b, x->dtype);
  }
  CheckLike(name, x, y);
  if (!IsNumber(x->dtype)) {
    TAIN_THROW(TypeError) << name << ": expected numbers, got " << Text(x->dtype);
  }
  constexpr bool kIsLogic = std::is_base_of_v<LogicNode, Node>;
  if (kIsLogic && !IsBool(x->dtype)) {
    TAIN_THROW(TypeError) << name << ": expected bool operands, got " << Text(x->dtype);
  }
  constexpr bool kIsDivision = std::is_same_v<Node, DivNode> || std::is_same_v<Node, ModNode> ||
                               std::is_same_v<Node, FloorDivNode> ||
                               std::is_same_v<Node, FloorModNode>;
  if (kIsDivision && IsBool(x->dtype)) {
    TAIN_THROW(TypeError) << name << ": expected numbers, got bool; convert it with astype()";
  }
  return PrimExpr(tain::make_object<Node>(x, y));
}

template <class Node>
void DefBinary(const char* doc) {
  ObjectDef<Node>(doc).def_static("__create__", &MakeNode<Node>, arg("a"), arg("b"));
}

Var MakeVar(const tain::String& name, DType dtype) {
  return Var(tain::make_object<VarNode>(name, dtype));
}

PrimExpr MakeInt(DType dtype, int64_t value) {
  if (!IsInteger(dtype) && !IsBool(dtype)) {
    TAIN_THROW(TypeError) << "IntImm: expected a type of integers, got " << Text(dtype);
  }
  if (dtype.lanes != 1 || Wrap(value, dtype) != value) {
    TAIN_THROW(OverflowError) << "IntImm: " << value << " is no value of " << Text(dtype);
  }
  return IntConst(value, dtype);
}

PrimExpr MakeFloat(DType dtype, double value) {
  if (!IsFloat(dtype) || dtype.lanes != 1) {
    TAIN_THROW(TypeError) << "FloatImm: expected a type of floats, got " << Text(dtype);
  }
  return Const(value, dtype);
}

int64_t IntOf(const tain::Ref<IntImmNode>& e) {
  if (e->dtype == TypeOf(kDLUInt, 64) && e->value < 0) {
    TAIN_THROW(OverflowError) << "IntImm: the value of uint64 is larger than 2**63 - 1";
  }
  return e->value;
}

IterVar MakeIterVar(const tain::Optional<Range>& dom, const Var& var, IterType type,
                    const tain::String& tag) {
  return IterVar(tain::make_object<IterVarNode>(dom, var, type, tag));
}

Range MakeRange(const ExprArg& min, const ExprArg& extent) {
  ExprArg a = min, b = extent;
  Match("Range", &a, &b);
  if (!IsInteger(a.expr->dtype)) {
    TAIN_THROW(TypeError) << "Range: expected integers, got " << Text(a.expr->dtype);
  }
  if (const std::optional<int64_t> many = AsInt(b.expr); many && *many < 0) {
    TAIN_THROW(ValueError) << "Range: the extent " << *many << " is negative";
  }
  return Range(tain::make_object<RangeNode>(a.expr, b.expr));
}

PrimExpr MakeSelect(const ExprArg& condition, const ExprArg& if_true, const ExprArg& if_false) {
  ExprArg a = if_true, b = if_false;
  Match("Select", &a, &b);
  Select(condition, a, b);  // checks the type
  const int lanes = std::max<int>(condition.expr->dtype.lanes, a.expr->dtype.lanes);
  return PrimExpr(tain::make_object<SelectNode>(
      Broadcast(condition.expr, lanes), Broadcast(a.expr, lanes), Broadcast(b.expr, lanes)));
}

PrimExpr MakeRamp(const ExprArg& base, const ExprArg& stride, int64_t lanes) {
  ExprArg a = base, b = stride;
  Match("Ramp", &a, &b);
  Ramp(a.expr, b.expr, lanes);  // checks types and lanes
  return PrimExpr(tain::make_object<RampNode>(a.expr, b.expr, lanes));
}

PrimExpr MakeBroadcast(const ExprArg& value, int64_t lanes) {
  if (lanes != 1) Broadcast(value.expr, lanes);  // checks type and lanes
  return PrimExpr(tain::make_object<BroadcastNode>(value.expr, lanes));
}

PrimExpr MakeLet(const Var& var, const ExprArg& value, const ExprArg& body) {
  CheckLike("Let", var, value.expr);
  return PrimExpr(tain::make_object<LetNode>(var, value.expr, body.expr));
}

PrimExpr MakeCall(DType dtype, const tain::String& op, const tain::Array<ExprArg>& args) {
  CheckArity(op, args.size());
  Exprs all;
  for (const ExprArg& one : args) all.push_back(one.expr);
  return PrimExpr(tain::make_object<CallNode>(dtype, op, all));
}

Exprs Plain(const tain::Array<ExprArg>& args) {
  Exprs all;
  for (const ExprArg& one : args) all.push_back(one.expr);
  return all;
}

PrimExpr MakeLoad(const Buffer& buffer, const tain::Array<ExprArg>& indices) {
  return PrimExpr(tain::make_object<BufferLoadNode>(buffer, Plain(indices)));
}

PrimExpr MakeProducerLoad(const DataProducer& producer, const tain::Array<ExprArg>& indices) {
  if (indices.size() != producer->shape.size()) {
    TAIN_THROW(IndexError) << producer->Name() << " has " << producer->shape.size()
                           << " dimensions, got " << indices.size() << " indices";
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    const PrimExpr index = ExprArg(indices[i]).expr;
    if (!IsInteger(index->dtype)) {
      TAIN_THROW(TypeError) << "an index of " << producer->Name() << " is " << Text(index->dtype)
                            << "; expected an integer";
    }
    const std::optional<int64_t> value = AsInt(index), extent = AsInt(producer->shape[i]);
    if (value && (*value < 0 || (extent && *value >= *extent))) {
      TAIN_THROW(IndexError) << "index " << *value << " of dimension " << i << " of "
                             << producer->Name() << " is out of range";
    }
  }
  return PrimExpr(tain::make_object<ProducerLoadNode>(producer, Plain(indices)));
}

PrimExpr MakeConst(const ExprArg& value, const tain::Optional<DType>& dtype) {
  if (!value.is_literal || !IsNumber(value.expr->dtype)) {
    TAIN_THROW(TypeError)
        << "const: expected a number, got an expression; convert it with astype()";
  }
  if (!dtype.has_value()) return value.expr;
  const std::optional<int64_t> whole = AsInt(value.expr);
  if (!whole || IsFloat(*dtype)) return Const(*AsNumber(value.expr), *dtype);
  if (!IsNumber(*dtype) || *whole < MinOf(*dtype) || *whole > MaxOf(*dtype)) {
    TAIN_THROW(OverflowError) << "const: " << *whole << " is no value of " << Text(*dtype);
  }
  return Broadcast(IntConst(*whole, ElementOf(*dtype)), dtype->lanes);
}

CommReducer MakeReducer(const tain::Array<Var>& lhs, const tain::Array<Var>& rhs,
                        const tain::Array<ExprArg>& result, const tain::Array<ExprArg>& identity) {
  const size_t n = lhs.size();
  if (n == 0 || rhs.size() != n || result.size() != n || identity.size() != n) {
    TAIN_THROW(ValueError) << "CommReducer: expected as many lhs, rhs, results and identities, got "
                           << n << ", " << rhs.size() << ", " << result.size() << " and "
                           << identity.size();
  }
  Exprs identities;
  for (size_t i = 0; i < n; ++i) {
    CheckLike("CommReducer", lhs[i], rhs[i]);
    CheckLike("CommReducer", lhs[i], ExprArg(result[i]).expr);
    identities.push_back(LiteralAs("CommReducer", ExprArg(identity[i]), lhs[i]->dtype));
    CheckLike("CommReducer", lhs[i], identities.back());
  }
  return CommReducer(tain::make_object<CommReducerNode>(lhs, rhs, Plain(result), identities));
}

PrimExpr MakeReduce(const CommReducer& combiner, const tain::Array<ExprArg>& source,
                    const tain::Array<ExprArg>& init, const tain::Array<IterVar>& axis,
                    const ExprArg& condition, int64_t value_index) {
  const auto n = static_cast<int64_t>(source.size());
  if (source.size() != combiner->lhs.size() || value_index < 0 || value_index >= n) {
    TAIN_THROW(ValueError) << "Reduce: the combiner takes " << combiner->lhs.size()
                           << " values, got " << n << ", of which number " << value_index;
  }
  if (!IsBool(condition.expr->dtype) || condition.expr->dtype.lanes != 1) {
    TAIN_THROW(TypeError) << "Reduce: expected a bool condition, got "
                          << Text(condition.expr->dtype);
  }
  for (size_t i = 0; i < axis.size(); ++i) {
    const IterVar one = axis[i];
    for (size_t k = 0; k < i; ++k) {
      if (!one.same_as(IterVar(axis[k]))) continue;
      TAIN_THROW(ValueError) << "Reduce: the axis " << std::string(one->var->name)
                             << " is given twice";
    }
    if (one->iter_type == IterType::kCommReduce) continue;
    TAIN_THROW(ValueError) << "Reduce: " << std::string(one->var->name)
                           << " is no axis of a reduction; make it with te.reduce_axis";
  }
  for (size_t i = 0; i < source.size(); ++i) {
    CheckLike("Reduce", ExprArg(source[i]).expr, combiner->lhs[i]);
  }
  return PrimExpr(tain::make_object<ReduceNode>(combiner, Plain(source), Plain(init), axis,
                                                condition.expr, value_index));
}

/// Defines the operators of a class whose objects are, or stand for, expressions.
template <class Node>
void DefOperators(ObjectDef<Node>& def) {
  using Self = tain::Ref<Node>;
  using Operator = PrimExpr (*)(const ExprArg&, const ExprArg&);
  const auto both = [&](const char* name, const char* swapped, const auto& make) {
    def.def(name, [make](const Self& a, const ExprArg& b) { return make(ExprArg(Of(a)), b); });
    if (swapped[0] == '\0') return;
    def.def(swapped, [make](const Self& a, const ExprArg& b) { return make(b, ExprArg(Of(a))); });
  };
  both("__add__", "__radd__", &Add);
  both("__sub__", "__rsub__", &Sub);
  both("__mul__", "__rmul__", &Mul);
  both("__truediv__", "__rtruediv__", &Div);
  both("__floordiv__", "__rfloordiv__", &FloorDiv);
  both("__mod__", "__rmod__", &FloorMod);
  both("__lt__", "", &LT);
  both("__le__", "", &LE);
  const auto logic_or_bits = [](Operator logic, const char* bits) {
    return [logic, bits](const ExprArg& a, const ExprArg& b) {
      const bool are_bools = !IsInteger(a.expr->dtype) || !IsInteger(b.expr->dtype);
      return are_bools ? logic(a, b) : Bitwise(bits, a, b);
    };
  };
  both("__and__", "__rand__", logic_or_bits(&And, "bitwise_and"));
  both("__or__", "__ror__", logic_or_bits(&Or, "bitwise_or"));
  const auto bits = [](const char* op) {
    return [op](const ExprArg& a, const ExprArg& b) { return Bitwise(op, a, b); };
  };
  both("__xor__", "__rxor__", bits("bitwise_xor"));
  both("__lshift__", "__rlshift__", bits("shift_left"));
  both("__rshift__", "__rrshift__", bits("shift_right"));
  both("__gt__", "", &GT);
  both("__ge__", "", &GE);
  def.def("__rpow__",
          [](const Self& a, const ExprArg& b) { return Math("pow", {b, ExprArg(Of(a))}); })
      .def("__pow__",
           [](const Self& a, const ExprArg& b) { return Math("pow", {ExprArg(Of(a)), b}); })
      .def("__neg__", [](const Self& a) { return Neg(ExprArg(Of(a))); })
      .def("__invert__",
           [](const Self& a) {
             const ExprArg e(Of(a));
             return IsInteger(e.expr->dtype) ? BitwiseNot(e) : Not(e);
           })
      .def(
          "astype", [](const Self& a, DType dtype) { return CastTo(Of(a), dtype); }, arg("dtype"),
          "The value in another data type.")
      .def(
          "equal", [](const Self& a, const ExprArg& b) { return EQ(ExprArg(Of(a)), b); },
          arg("other"), "The expression `self == other`.")
      .def(
          "not_equal", [](const Self& a, const ExprArg& b) { return NE(ExprArg(Of(a)), b); },
          arg("other"), "The expression `self != other`.")
      .def("__bool__",
           [](const Self&) -> bool {
             TAIN_THROW(TypeError)
                 << "an expression is neither true nor false before it is computed; write "
                    "tir.all(a, b), tir.any(a, b) or ~a for and, or and not, "
                    "tir.if_then_else for a choice, and `is` or same_as for identity";
           });
}

/// Describes the leaves and what has a data type of its own.
void DescribeLeaves() {
  ObjectDef<VarNode>("A variable.", tain::structural(tain::StructuralKind::kVariable))
      .def_ro("name", &VarNode::name, tain::structural_ignore())
      .def_static("__create__", &MakeVar, arg("name"), arg("dtype") = kInt32);
  ObjectDef<SizeVarNode>("A variable that is never negative.")
      .def_static(
          "__create__",
          [](const tain::String& name, DType dtype) {
            return tain::Ref<SizeVarNode>(tain::make_object<SizeVarNode>(name, dtype));
          },
          arg("name"), arg("dtype") = kInt32);
  ObjectDef<IntImmNode>("An integer or bool constant.")
      .def_ro("value", &IntImmNode::value)
      .def("__int__", &IntOf)
      .def("__index__", &IntOf)
      .def("__bool__", [](const tain::Ref<IntImmNode>& e) { return e->value != 0; })
      .def_static("__create__", &MakeInt, arg("dtype"), arg("value"));
  ObjectDef<FloatImmNode>("A float constant.")
      .def_ro("value", &FloatImmNode::value)
      .def("__float__", [](const tain::Ref<FloatImmNode>& e) { return e->value; })
      .def_static("__create__", &MakeFloat, arg("dtype"), arg("value"));
  ObjectDef<StringImmNode>("A text.")
      .def_ro("value", &StringImmNode::value)
      .def_init<tain::String>(arg("value"));
  ObjectDef<CastNode>("A conversion to another data type.")
      .def_ro("value", &CastNode::value)
      .def_static(
          "__create__",
          [](DType dtype, const ExprArg& value) {
            return PrimExpr(tain::make_object<CastNode>(dtype, value.expr));
          },
          arg("dtype"), arg("value"));
  ObjectDef<CallNode>("A call of an operation that has a name.")
      .def_ro("op", &CallNode::op)
      .def_ro("args", &CallNode::args)
      .def_static("__create__", &MakeCall, arg("dtype"), arg("op"), arg("args"));
}

void DescribeOperators() {
  ObjectDef<BinaryNode>("An operator of two operands.")
      .def_ro("a", &BinaryNode::a)
      .def_ro("b", &BinaryNode::b);
  ObjectDef<ArithmeticNode>("An operator whose value has the type of the operands.");
  ObjectDef<ComparisonNode>("A comparison.");
  ObjectDef<LogicNode>("An operator of bools.");
  DefBinary<AddNode>("a + b");
  DefBinary<SubNode>("a - b");
  DefBinary<MulNode>("a * b");
  DefBinary<DivNode>("a / b; of integers rounded towards zero, as in C");
  DefBinary<ModNode>("The remainder of Div; as in C, it has the sign of a.");
  DefBinary<FloorDivNode>("a // b");
  DefBinary<FloorModNode>("a % b; it has the sign of b, as in Python");
  DefBinary<MinNode>("The smaller one.");
  DefBinary<MaxNode>("The larger one.");
  DefBinary<EQNode>("a == b");
  DefBinary<NENode>("a != b");
  DefBinary<LTNode>("a < b");
  DefBinary<LENode>("a <= b");
  DefBinary<GTNode>("a > b");
  DefBinary<GENode>("a >= b");
  DefBinary<AndNode>("Both hold. The right operand is computed only if the left one holds.");
  DefBinary<OrNode>("One of both holds.");
  ObjectDef<NotNode>("The opposite.")
      .def_ro("a", &NotNode::a)
      .def_static(
          "__create__",
          [](const ExprArg& a) {
            Not(a);  // checks the type
            return PrimExpr(tain::make_object<NotNode>(a.expr));
          },
          arg("a"));
  ObjectDef<SelectNode>("One of two values, both of which are computed.")
      .def_ro("condition", &SelectNode::condition)
      .def_ro("true_value", &SelectNode::true_value)
      .def_ro("false_value", &SelectNode::false_value)
      .def_static("__create__", &MakeSelect, arg("condition"), arg("true_value"),
                  arg("false_value"));
}

void DescribeRest() {
  ObjectDef<RampNode>("The vector base, base + stride ...")
      .def_ro("base", &RampNode::base)
      .def_ro("stride", &RampNode::stride)
      .def_ro("lanes", &RampNode::lanes)
      .def_static("__create__", &MakeRamp, arg("base"), arg("stride"), arg("lanes"));
  ObjectDef<BroadcastNode>("A vector of equal elements.")
      .def_ro("value", &BroadcastNode::value)
      .def_ro("lanes", &BroadcastNode::lanes)
      .def_static("__create__", &MakeBroadcast, arg("value"), arg("lanes"));
  ObjectDef<LetNode>("The value of `body` where `var` is `value`.")
      .def_ro("value", &LetNode::value)
      .def_ro("var", &LetNode::var, tain::def_region())
      .def_ro("body", &LetNode::body)
      .def_static("__create__", &MakeLet, arg("var"), arg("value"), arg("body"));
  ObjectDef<BufferLoadNode>("An element of a buffer.")
      .def_ro("buffer", &BufferLoadNode::buffer)
      .def_ro("indices", &BufferLoadNode::indices)
      .def_static("__create__", &MakeLoad, arg("buffer"), arg("indices"));
  ObjectDef<ProducerLoadNode>("An element of a tensor.")
      .def_ro("producer", &ProducerLoadNode::producer)
      .def_ro("indices", &ProducerLoadNode::indices)
      .def_static("__create__", &MakeProducerLoad, arg("producer"), arg("indices"));
  ObjectDef<ReduceNode>("The reduction of values over axes.")
      .def_ro("axis", &ReduceNode::axis)
      .def_ro("combiner", &ReduceNode::combiner)
      .def_ro("source", &ReduceNode::source)
      .def_ro("init", &ReduceNode::init)
      .def_ro("condition", &ReduceNode::condition)
      .def_ro("value_index", &ReduceNode::value_index)
      .def_static("__create__", &MakeReduce, arg("combiner"), arg("source"), arg("init"),
                  arg("axis"), arg("condition"), arg("value_index"));
  ObjectDef<RangeNode>("The integers from `min` on, `extent` many.")
      .def_ro("min", &RangeNode::min)
      .def_ro("extent", &RangeNode::extent)
      .def_static("__create__", &MakeRange, arg("min"), arg("extent"))
      .def_static(
          "_between",
          [](const ExprArg& begin, const ExprArg& end) {
            return MakeRange(begin, ExprArg(Sub(end, begin)));
          },
          arg("begin"), arg("end"), "The range from one value up to another.")
      .def_static("from_min_extent", &MakeRange, arg("min_value"), arg("extent"),
                  "The range from a value on.");
  tain::reflection::EnumDef<IterType>("tensorexpr.tir.IterType",
                                      "How the values of an axis may be ordered.")
      .value("DataPar", IterType::kDataPar)
      .value("CommReduce", IterType::kCommReduce)
      .value("Ordered", IterType::kOrdered)
      .value("Unrolled", IterType::kUnrolled)
      .value("Vectorized", IterType::kVectorized)
      .value("Parallelized", IterType::kParallelized);
  ObjectDef<IterVarNode>("A variable with the range of its values.")
      .def_ro("dom", &IterVarNode::dom)
      .def_ro("var", &IterVarNode::var, tain::def_region())
      .def_ro("iter_type", &IterVarNode::iter_type)
      .def_ro("thread_tag", &IterVarNode::thread_tag)
      .def_static("__create__", &MakeIterVar, arg("dom"), arg("var"), arg("iter_type"),
                  arg("thread_tag") = "");
  ObjectDef<CommReducerNode>("How values are reduced.")
      .def_ro("lhs", &CommReducerNode::lhs, tain::def_region())
      .def_ro("rhs", &CommReducerNode::rhs, tain::def_region())
      .def_ro("result", &CommReducerNode::result)
      .def_ro("identity", &CommReducerNode::identity)
      .def_static("__create__", &MakeReducer, arg("lhs"), arg("rhs"), arg("result"),
                  arg("identity"));
}

/// The text; what has none (too long, too deep) is named.
std::string ReprOf(const PrimExpr& e) {
  try {
    return ExprScript(e);
  } catch (const tain::Error& error) {
    return "<" + e->GetTypeKey() + ", no text: " + std::string(error.message()) + ">";
  }
}

}  // namespace

TAIN_REGISTER {
  ObjectDef<PrimExprNode> expr("An expression with a value of one data type.");
  expr.def_ro("dtype", &PrimExprNode::dtype, "The data type of the value.")
      .def("script", &ExprScript, kScriptDoc)
      .def("__str__", &ExprScript)
      .def("__repr__", &ReprOf);
  DefOperators(expr);
  ObjectDef<ExprConvertibleNode> convertible(
      "What stands for an expression where one is expected.");
  DefOperators(convertible);
  DescribeLeaves();
  DescribeOperators();
  DescribeRest();
  for (const Intrinsic& one : kIntrinsics) {
    const std::string op(one.name), name = "tensorexpr.tir." + op;
    const bool is_bits = one.kind == Intrinsic::kBits;
    tain::reflection::GlobalDef all;
    if (one.arity == 1) {
      all.def(
          name.c_str(), [op](const ExprArg& x) { return Math(op, {x}); }, arg("x"),
          one.kind == Intrinsic::kFloat ? "The function of each element, which is a float."
                                        : "The function of each element, which is a number.");
    } else if (one.arity == 2) {
      all.def(
          name.c_str(),
          [op, is_bits](const ExprArg& x, const ExprArg& y) {
            return is_bits ? Bitwise(op.c_str(), x, y) : Math(op, {x, y});
          },
          arg("x"), arg("y"),
          is_bits ? "The operation on the bits of two integers." : "The function of two numbers.");
    }
  }
  tain::reflection::GlobalDef()
      .def("tensorexpr.tir.bitwise_not", &BitwiseNot, arg("x"),
           "The opposite of each bit of an integer.")
      .def("tensorexpr.tir.floordiv", &FloorDiv, arg("a"), arg("b"), "The expression a // b.")
      .def("tensorexpr.tir.floormod", &FloorMod, arg("a"), arg("b"), "The expression a % b.")
      .def("tensorexpr.tir.truncdiv", &TruncDiv, arg("a"), arg("b"),
           "The quotient of integers, rounded towards zero.")
      .def("tensorexpr.tir.truncmod", &TruncMod, arg("a"), arg("b"), "The remainder of truncdiv.")
      .def("tensorexpr.tir.min", &Min, arg("a"), arg("b"), "The smaller one.")
      .def("tensorexpr.tir.max", &Max, arg("a"), arg("b"), "The larger one.")
      .def("tensorexpr.tir.const", &MakeConst, arg("value"), arg("dtype") = nullptr,
           "A constant of a data type; without one, of that which a number has among expressions.")
      .def(
          "tensorexpr.tir.as_expr", [](const ExprArg& value) { return value.expr; }, arg("value"),
          "The expression that stands for a value.");
}

}  // namespace tensorexpr

// SPDX-License-Identifier: Apache-2.0
// Expressions in C; see c_expr.h.
#include "c_expr.h"

#include <cmath>

#include "script/script.h"
#include "tir/intrinsics.h"

namespace tensorexpr {
namespace {

const char* Symbol(const tain::ObjectRef& e) {
  if (e.as<EQNode>() != nullptr) return "==";
  if (e.as<NENode>() != nullptr) return "!=";
  if (e.as<LTNode>() != nullptr) return "<";
  if (e.as<LENode>() != nullptr) return "<=";
  return e.as<GTNode>() != nullptr ? ">" : ">=";
}

}  // namespace

// No name of C ends with an underscore, so those of programs do (NameOf).
CExpr::CExpr() : names({}) {}

std::string CExpr::Offset(const Buffer& b, const Exprs& indices, std::string* stride) {
  std::string text;
  PrimExpr step = IntConst(1, kInt64);
  for (size_t i = indices.size(); i-- > 0;) {
    PrimExpr index = indices[i];
    const PrimExpr distance = b->strides.empty() ? step : CastTo(b->strides[i], kInt64);
    if (const auto* ramp = index.as<RampNode>(); ramp != nullptr && stride != nullptr) {
      *stride = VisitExpr(Mul(CastTo(ramp->stride, kInt64), distance));
      index = ramp->base;
    } else if (index->dtype.lanes != 1) {
      TAIN_THROW(ValueError) << "no code is made for the vector of indices " << ExprScript(index);
    }
    const PrimExpr part = Mul(CastTo(index, kInt64), distance);
    if (!IsConstInt(part, 0)) text = VisitExpr(part) + (text.empty() ? "" : " + " + text);
    step = Mul(step, CastTo(b->shape[i], kInt64));
  }
  return text.empty() ? "0" : text;
}

std::string CExpr::VisitExpr_(const VarNode* e) {
  if (!names.Has(e)) {
    TAIN_THROW(ValueError) << "the variable " << std::string(e->name)
                           << " has no value: it is no argument, "
                           << "no extent of one by itself, and no axis of a loop around its use";
  }
  return names.Of(e, "");
}

std::string CExpr::VisitExpr_(const IntImmNode* e) {
  if (IsBool(e->dtype)) return e->value != 0 ? "true" : "false";
  if (e->dtype == kInt32 && e->value != MinOf(kInt32)) {
    return e->value < 0 ? "(" + std::to_string(e->value) + ")" : std::to_string(e->value);
  }
  std::string number = std::to_string(e->value);
  if (e->value == MinOf(kInt64)) number = "INT64_MIN";
  if (IsUInt(e->dtype)) number = std::to_string(static_cast<uint64_t>(e->value)) + "u";
  const bool is_long = e->dtype.bits == 64 && e->value != MinOf(kInt64);
  return "((" + CElement(e->dtype) + ")" + number + (is_long ? "ll)" : ")");
}

std::string CExpr::VisitExpr_(const FloatImmNode* e) {
  const bool is_small = e->dtype.bits == 32;
  const double kept = is_small ? static_cast<double>(static_cast<float>(e->value)) : e->value;
  if (std::isnan(kept)) return is_small ? "NAN" : "((double)NAN)";
  if (std::isinf(kept)) {
    return std::string(e->value < 0 ? "(-" : "(") + (is_small ? "INFINITY)" : "(double)INFINITY)");
  }
  std::string text = FloatText(e->value, e->dtype.bits);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return (text[0] == '-' ? "(" + text : text) + (is_small ? "f" : "") + (text[0] == '-' ? ")" : "");
}

std::string CExpr::VisitExpr_(const StringImmNode* e) { return Quoted(std::string_view(e->value)); }

std::string CExpr::VisitExpr_(const CastNode* e) {
  const std::string value = VisitExpr(e->value);
  if (e->dtype.lanes != 1) return "__builtin_convertvector(" + value + ", " + Type(e->dtype) + ")";
  if (IsBool(e->dtype)) return "(" + value + " != 0)";
  return "((" + Type(e->dtype) + ")" + value + ")";
}

std::string CExpr::Infix(const BinaryNode* e, const char* symbol) {
  const std::string text = VisitExpr(e->a) + " " + symbol + " " + VisitExpr(e->b);
  // C computes with int at least; the value is that of the type.
  const bool is_narrow = e->dtype.lanes == 1 && !IsFloat(e->dtype) && e->dtype.bits < 32;
  return is_narrow ? "((" + Type(e->dtype) + ")(" + text + "))" : "(" + text + ")";
}

std::string CExpr::Divided(const BinaryNode* e, const char* symbol, const char* helper) {
  const bool is_quotient = symbol[0] == '/';
  if (is_quotient && IsFloat(e->dtype)) return Infix(e, "/");
  if (e->dtype.lanes != 1) return Elementwise(e->dtype, {e->a, e->b}, helper + Suffix(e->dtype));
  const std::optional<int64_t> by = AsInt(e->b);
  if (is_quotient && by && *by > 0) return Infix(e, "/");
  return helper + Suffix(e->dtype) + "(" + VisitExpr(e->a) + ", " + VisitExpr(e->b) + ")";
}

std::string CExpr::VisitExpr_(const ModNode* e) {
  if (IsFloat(e->dtype)) {
    return Elementwise(e->dtype, {e->a, e->b}, e->dtype.bits == 32 ? "fmodf" : "fmod");
  }
  const std::optional<int64_t> by = AsInt(e->b);
  if (e->dtype.lanes == 1 && by && *by > 0) return Infix(e, "%");
  return Elementwise(e->dtype, {e->a, e->b}, "te_mod_" + Suffix(e->dtype));
}

std::string CExpr::MaskedChoice(DType dtype, const std::string& mask, const std::string& a,
                                const std::string& b) {
  const std::string type = Type(dtype), masks = types.Mask(dtype), m = names.Unused("m_");
  return "({ const " + masks + " " + m + " = (" + masks + ")" + mask + "; (" + type + ")((" + m +
         " & (" + masks + ")" + a + ") | (~" + m + " & (" + masks + ")" + b + ")); })";
}

std::string CExpr::Chosen(const BinaryNode* e, const char* symbol) {
  // As in numpy, the result is NaN if one of both is.
  const std::string a = names.Unused("a_"), b = names.Unused("b_"), type = Type(e->dtype);
  std::string test = "(" + a + " " + symbol + "= " + b + ")";
  if (e->dtype.lanes != 1) {
    if (IsFloat(e->dtype)) test = "(" + test + " | (" + a + " != " + a + "))";
    return "({ const " + type + " " + a + " = " + VisitExpr(e->a) + ", " + b + " = " +
           VisitExpr(e->b) + "; " + MaskedChoice(e->dtype, test, a, b) + "; })";
  }
  if (IsFloat(e->dtype)) test = "(" + test + " || " + a + " != " + a + ")";
  return "({ const " + type + " " + a + " = " + VisitExpr(e->a) + ", " + b + " = " +
         VisitExpr(e->b) + "; " + test + " ? " + a + " : " + b + "; })";
}

std::string CExpr::VisitExpr_(const ComparisonNode* e) {
  return "(" + VisitExpr(e->a) + " " + Symbol(tain::GetRef<PrimExpr>(e)) + " " + VisitExpr(e->b) +
         ")";
}

std::string CExpr::VisitExpr_(const LogicNode* e) {
  const bool is_and = tain::GetRef<PrimExpr>(e).as<AndNode>() != nullptr;
  const char* symbol = e->dtype.lanes != 1 ? (is_and ? " & " : " | ") : (is_and ? " && " : " || ");
  return "(" + VisitExpr(e->a) + symbol + VisitExpr(e->b) + ")";
}

std::string CExpr::VisitExpr_(const NotNode* e) {
  return (e->dtype.lanes != 1 ? "(~" : "(!") + VisitExpr(e->a) + ")";
}

std::string CExpr::VisitExpr_(const SelectNode* e) {
  const std::string condition = VisitExpr(e->condition), a = VisitExpr(e->true_value),
                    b = VisitExpr(e->false_value);
  if (e->dtype.lanes != 1) return MaskedChoice(e->dtype, condition, a, b);
  return "(" + condition + " ? " + a + " : " + b + ")";
}

std::string CExpr::VisitExpr_(const RampNode* e) {
  const std::string type = Type(e->dtype), base = VisitExpr(e->base), stride = VisitExpr(e->stride);
  std::string text = "((" + type + "){";
  for (int64_t i = 0; i < e->lanes; ++i) {
    text += (i == 0 ? "" : ", ") + base + " + " + std::to_string(i) + " * " + stride;
  }
  return text + "})";
}

std::string CExpr::VisitExpr_(const BroadcastNode* e) {
  const std::string type = Type(e->dtype), v = names.Unused("v_");
  std::string text = "({ const " + CElement(e->dtype) + " " + v + " = " + VisitExpr(e->value) +
                     "; (" + type + "){";
  for (int64_t i = 0; i < e->lanes; ++i) text += (i == 0 ? "" : ", ") + v;
  return text + "}; })";
}

std::string CExpr::VisitExpr_(const LetNode* e) {
  std::string text = "({ ";
  for (;;) {  // there may be any number of them
    const std::string value = VisitExpr(e->value), name = NameOf(e->var);
    text += "const " + Type(e->var->dtype) + " " + name + " = " + value + "; ";
    const auto* next = e->body.as<LetNode>();
    if (next == nullptr) return text + VisitExpr(e->body) + "; })";
    e = next;
  }
}

std::string CExpr::Elementwise(DType dtype, const std::vector<PrimExpr>& args,
                               const std::string& call_begin) {
  if (dtype.lanes == 1) {
    std::string text = call_begin + "(";
    for (const PrimExpr& one : args) text += (text.back() == '(' ? "" : ", ") + VisitExpr(one);
    return text + ")";
  }
  const std::string type = Type(dtype), r = names.Unused("r_"), i = names.Unused("i_");
  std::string text = "({ " + type + " " + r + "; ", call = call_begin + "(";
  for (const PrimExpr& one : args) {
    const std::string x = names.Unused("x_");
    text += "const " + Type(one->dtype) + " " + x + " = " + VisitExpr(one) + "; ";
    call += (call.back() == '(' ? "" : ", ") + x + "[" + i + "]";
  }
  return text + "for (int " + i + " = 0; " + i + " < " + std::to_string(dtype.lanes) + "; ++" + i +
         ") " + r + "[" + i + "] = " + call + "); " + r + "; })";
}

std::string CExpr::Extern(const CallNode* e) {
  const auto* name = e->args.empty() ? nullptr : tain::ObjectRef(e->args[0]).as<StringImmNode>();
  if (name == nullptr) TAIN_THROW(ValueError) << "call_extern: the first argument is not a name";
  const std::string function{name->value};
  for (const char c : function) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') continue;
    TAIN_THROW(ValueError) << "call_extern: " << Quoted(function)
                           << " is no name of a function of C";
  }
  std::string types_text, args;
  for (size_t i = 1; i < e->args.size(); ++i) {
    types_text += (i == 1 ? "" : ", ") + CElement(e->args[i]->dtype);
    args += (i == 1 ? "" : ", ") + VisitExpr(e->args[i]);
  }
  const std::string result = e->dtype == kVoid ? "void" : CElement(e->dtype);
  if (declared_.insert(function).second) {
    prototypes += "extern " + result + " " + function + "(" +
                  (types_text.empty() ? "void" : types_text) + ");\n";
  }
  return function + "(" + args + ")";
}

std::string CExpr::VisitExpr_(const CallNode* e) {
  const std::string_view op(e->op);
  if (op == "call_extern") return Extern(e);
  const std::vector<PrimExpr> args(e->args.begin(), e->args.end());
  CheckArity(op, args.size());
  if (op == "if_then_else" && e->dtype.lanes == 1) {
    return "(" + VisitExpr(e->args[0]) + " ? " + VisitExpr(e->args[1]) + " : " +
           VisitExpr(e->args[2]) + ")";
  }
  if (!IsFloat(e->dtype) && op == "pow")
    return Elementwise(e->dtype, args, "te_pow_" + Suffix(e->dtype));
  if (!IsFloat(e->dtype) && op == "abs") {
    return Elementwise(e->dtype, args, "te_abs_" + Suffix(e->dtype));
  }
  const Intrinsic* known = FindIntrinsic(op);
  const std::string_view c = known == nullptr ? "" : known->c;
  if (known != nullptr && known->kind == Intrinsic::kBits && IsInteger(e->dtype)) {
    if (c.size() > 1) return Elementwise(e->dtype, args, std::string(c) + Suffix(e->dtype));
    const std::string text = VisitExpr(args[0]) + " " + std::string(c) + " " + VisitExpr(args[1]);
    return e->dtype.lanes != 1 ? "(" + text + ")" : "((" + Type(e->dtype) + ")(" + text + "))";
  }
  if (op == "rsqrt" || op == "sigmoid") {
    const PrimExpr one = Const(1, e->dtype);
    if (op == "rsqrt") return VisitExpr(Div(one, Math("sqrt", {args[0]})));
    return VisitExpr(Div(one, Add(one, Math("exp", {Neg(args[0])}))));
  }
  if (c.empty() || !IsFloat(e->dtype) || known->kind == Intrinsic::kBits) {
    TAIN_THROW(ValueError) << "no code is made for the operation " << std::string(op) << " of "
                           << Text(e->dtype) << " in an expression";
  }
  return Elementwise(e->dtype, args, std::string(c) + (e->dtype.bits == 32 ? "f" : ""));
}

std::string CExpr::VisitExpr_(const BufferLoadNode* e) {
  const std::string name = NameOf(e->buffer);
  if (e->dtype.lanes == 1) return name + "[" + Offset(e->buffer, e->indices) + "]";
  std::string stride;
  const std::string at = Offset(e->buffer, e->indices, &stride);
  if (stride == "((int64_t)1ll)") {
    return "(*(const " + types.InMemory(e->dtype) + "*)(" + name + " + " + at + "))";
  }
  const std::string p = names.Unused("p_");
  std::string text = "({ const " + CElement(e->dtype) + "* " + p + " = " + name + " + " + at +
                     "; (" + Type(e->dtype) + "){";
  for (int i = 0; i < e->dtype.lanes; ++i) {
    text += (i == 0 ? "" : ", ") + p + "[" + std::to_string(i) + " * " + stride + "]";
  }
  return text + "}; })";
}

std::string CExpr::VisitExprDefault_(const tain::Object* e) {
  TAIN_THROW(ValueError) << "no code is made for "
                         << ExprScript(tain::GetRef<PrimExpr>(static_cast<const PrimExprNode*>(e)))
                         << ": lower the program first";
}

}  // namespace tensorexpr

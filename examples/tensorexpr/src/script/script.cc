// SPDX-License-Identifier: Apache-2.0
// Prints expressions and programs as Python would write them.
#include "script.h"

#include <charconv>
#include <cmath>

#include <tain/graph/functor.h>

#include "names.h"
#include "tir/ops.h"
#include "tir/stmt.h"

namespace tensorexpr {

std::string FloatText(double value, int bits) {
  char text[64];
  const auto end = bits == 32 ? std::to_chars(text, text + sizeof(text), static_cast<float>(value))
                              : std::to_chars(text, text + sizeof(text), value);
  return {text, end.ptr};
}

std::string Quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

namespace {

/// How tightly the outermost operator of a printed expression binds.
enum Level { kOr = 1, kAnd, kNot, kCompare, kSum, kProduct, kUnary, kAtom };

Level LevelOf(const PrimExpr& e) {
  if (e.as<BinaryNode>() == nullptr) {
    if (e.as<NotNode>() != nullptr) return kNot;
    const auto* number = e.as<IntImmNode>();
    return number != nullptr && number->dtype == kInt32 && number->value < 0 ? kUnary : kAtom;
  }
  if (e.as<ComparisonNode>() != nullptr) return kCompare;
  if (e.as<LogicNode>() != nullptr) return e.as<AndNode>() != nullptr ? kAnd : kOr;
  if (e.as<AddNode>() != nullptr || e.as<SubNode>() != nullptr) return kSum;
  const bool is_product = e.as<MulNode>() != nullptr || e.as<FloorDivNode>() != nullptr ||
                          e.as<FloorModNode>() != nullptr ||
                          (e.as<DivNode>() != nullptr && IsFloat(e->dtype));
  return is_product ? kProduct : kAtom;
}

class ExprPrinter
    : public tain::ExprFunctor<void(const PrimExpr&), VarNode, IntImmNode, FloatImmNode,
                               StringImmNode, CastNode, AddNode, SubNode, MulNode, DivNode, ModNode,
                               FloorDivNode, FloorModNode, MinNode, MaxNode, EQNode, NENode, LTNode,
                               LENode, GTNode, GENode, AndNode, OrNode, NotNode, SelectNode,
                               RampNode, BroadcastNode, LetNode, CallNode, ReduceNode,
                               BufferLoadNode, ProducerLoadNode> {
 public:
  std::string Text(const PrimExpr& e) { return Apart(e); }
  template <class List>
  std::string Joined(const List& all) {
    return Apart(all);
  }
  std::string Tuple(const Exprs& all) { return "(" + Joined(all) + (all.size() == 1 ? ",)" : ")"); }
  std::string NameOf(const Buffer& b) { return names.Of(b.get(), std::string(b->name)); }
  std::string NameOf(const Var& v) { return names.Of(v.get(), std::string(v->name)); }
  std::string Element(const std::string& name, const Exprs& indices) {
    return name + "[" + (indices.empty() ? "()" : Joined(indices)) + "]";
  }

  Names names{{"T",    "I",     "range", "and",    "or",  "not",   "for",    "if",
               "else", "with",  "in",    "is",     "def", "class", "lambda", "assert",
               "True", "False", "None",  "return", "as",  "del",   "pass"}};

  void VisitExpr_(const VarNode* e) override { Write(names.Of(e, std::string(e->name))); }
  void VisitExpr_(const IntImmNode* e) override {
    if (e->dtype == kInt32) return Write(std::to_string(e->value));
    if (IsBool(e->dtype)) return Write(e->value != 0 ? "T.bool(True)" : "T.bool(False)");
    Write("T.", tensorexpr::Text(e->dtype), "(", std::to_string(e->value), ")");
  }
  void VisitExpr_(const FloatImmNode* e) override {
    const std::string number = FloatText(e->value, e->dtype.bits);
    Write("T.", tensorexpr::Text(e->dtype), "(", std::isfinite(e->value) ? number : Quoted(number),
          ")");
  }
  void VisitExpr_(const StringImmNode* e) override { Write(Quoted(std::string_view(e->value))); }
  void VisitExpr_(const CastNode* e) override {
    Write("T.Cast(", Quoted(tensorexpr::Text(e->dtype)), ", ", e->value, ")");
  }
  void VisitExpr_(const AddNode* e) override { Infix(e, " + ", kSum); }
  void VisitExpr_(const SubNode* e) override { Infix(e, " - ", kSum); }
  void VisitExpr_(const MulNode* e) override { Infix(e, " * ", kProduct); }
  void VisitExpr_(const DivNode* e) override {
    if (IsFloat(e->dtype)) return Infix(e, " / ", kProduct);
    Named("T.Div", e);
  }
  void VisitExpr_(const ModNode* e) override { Named("T.truncmod", e); }
  void VisitExpr_(const FloorDivNode* e) override { Infix(e, " // ", kProduct); }
  void VisitExpr_(const FloorModNode* e) override { Infix(e, " % ", kProduct); }
  void VisitExpr_(const MinNode* e) override { Named("T.min", e); }
  void VisitExpr_(const MaxNode* e) override { Named("T.max", e); }
  void VisitExpr_(const EQNode* e) override { Infix(e, " == ", kCompare); }
  void VisitExpr_(const NENode* e) override { Infix(e, " != ", kCompare); }
  void VisitExpr_(const LTNode* e) override { Infix(e, " < ", kCompare); }
  void VisitExpr_(const LENode* e) override { Infix(e, " <= ", kCompare); }
  void VisitExpr_(const GTNode* e) override { Infix(e, " > ", kCompare); }
  void VisitExpr_(const GENode* e) override { Infix(e, " >= ", kCompare); }
  void VisitExpr_(const AndNode* e) override { Infix(e, " and ", kAnd); }
  void VisitExpr_(const OrNode* e) override { Infix(e, " or ", kOr); }
  void VisitExpr_(const NotNode* e) override {
    Write("not ");
    Inside(e->a, kNot);
  }
  void VisitExpr_(const SelectNode* e) override {
    Write("T.Select(", e->condition, ", ", e->true_value, ", ", e->false_value, ")");
  }
  void VisitExpr_(const RampNode* e) override {
    Write("T.Ramp(", e->base, ", ", e->stride, ", ", std::to_string(e->lanes), ")");
  }
  void VisitExpr_(const BroadcastNode* e) override {
    Write("T.Broadcast(", e->value, ", ", std::to_string(e->lanes), ")");
  }
  void VisitExpr_(const LetNode* e) override {
    Write("T.Let(", e->body, ", where={", NameOf(e->var), ": ", e->value, "})");
  }
  void VisitExpr_(const CallNode* e) override {
    Write("T.", std::string(e->op), "(", e->args, ")");
  }
  void VisitExpr_(const ReduceNode* e) override {
    std::string axes;
    const std::string result = Joined(e->combiner->result);
    for (const IterVar& axis : e->axis) axes += (axes.empty() ? "" : ", ") + NameOf(axis->var);
    Write("T.reduce(lambda ", Joined(e->combiner->lhs), ", ", Joined(e->combiner->rhs), ": (",
          result, "), source=[", e->source, "], axis=[", axes, "], identity=[",
          e->combiner->identity, "]");
    if (!IsConstInt(e->condition, 1)) Write(", where=", e->condition);
    if (e->source.size() > 1) Write(", value_index=", std::to_string(e->value_index));
    Write(")");
  }
  void VisitExpr_(const BufferLoadNode* e) override { Load(NameOf(e->buffer), e->indices); }
  void VisitExpr_(const ProducerLoadNode* e) override {
    Load(names.Of(e->producer.get(), e->producer->Name()), e->indices);
  }

 private:
  /// Writes parts one after the other: texts, expressions, and lists of them with commas between.
  template <class... Parts>
  void Write(const Parts&... parts) {
    (WriteOne(parts), ...);
  }
  void WriteOne(std::string_view text) {
    out_ += text;
    if (out_.size() <= kMostCharacters) return;
    out_ = {};
    TAIN_THROW(ValueError) << "the text of the expression would be longer than " << kMostCharacters
                           << " characters: parts that are shared are written at "
                           << "each place; bind them to variables (tir.Let)";
  }
  void WriteOne(const PrimExpr& e) { VisitExpr(e); }
  template <class T>
  void WriteOne(const tain::Array<T>& all) {
    bool is_first = true;
    for (const auto& one : all) {
      if (!std::exchange(is_first, false)) WriteOne(std::string_view(", "));
      VisitExpr(one);
    }
  }
  /// Returns what is written of something, and writes nothing.
  template <class T>
  std::string Apart(const T& what) {
    std::string before = std::exchange(out_, {});
    WriteOne(what);
    return std::exchange(out_, std::move(before));
  }
  void Inside(const PrimExpr& e, int level) {
    if (LevelOf(e) >= level) return VisitExpr(e);
    Write("(", e, ")");
  }
  void Infix(const BinaryNode* e, const char* symbol, int level) {
    // Comparisons do not associate; the others do to the left.
    Inside(e->a, level == kCompare ? level + 1 : level);
    Write(symbol);
    Inside(e->b, level + 1);
  }
  void Named(const char* name, const BinaryNode* e) { Write(name, "(", e->a, ", ", e->b, ")"); }
  void Load(const std::string& name, const Exprs& indices) {
    Write(name, "[");
    if (indices.empty()) Write("()");
    Write(indices, "]");
  }

  static constexpr size_t kMostCharacters = size_t{1} << 27;
  std::string out_;
};

class ScriptPrinter
    : public tain::ExprFunctor<void(const Stmt&), LetStmtNode, AttrStmtNode, AssertStmtNode,
                               BufferStoreNode, AllocateNode, ForNode, IfThenElseNode, SeqStmtNode,
                               EvaluateNode, BlockRealizeNode, BlockNode> {
 public:
  void Function(const PrimFunc& f, const std::string& name) {
    Line("@T.prim_func");
    std::string params;
    std::vector<std::pair<Var, Buffer>> matched;
    for (const Var& param : f->params) {
      params += params.empty() ? "" : ", ";
      const auto found = f->buffer_map.find(param);
      if (found == f->buffer_map.end()) {
        params += e_.NameOf(param) + ": T." + Text(param->dtype);
        continue;
      }
      const Buffer buffer = (*found).second;
      if (IsSimple(buffer)) {
        params += DeclareData(buffer) + ": T.Buffer(" + e_.Tuple(buffer->shape) + ", " +
                  Quoted(Text(buffer->dtype)) + ")";
      } else {
        params += e_.names.Of(param.get(), std::string(param->name)) + ": T.handle";
        matched.emplace_back(param, buffer);
      }
    }
    Line("def " + name + "(" + params + "):");
    const Indent indent(this);
    if (!f->attrs.empty()) {
      std::string attrs;
      for (const auto& [key, value] : f->attrs) {
        if (std::string_view(key) == "global_symbol") continue;
        attrs +=
            (attrs.empty() ? "" : ", ") + Quoted(std::string_view(key)) + ": " + ValueText(value);
      }
      if (!attrs.empty()) Line("T.func_attr({" + attrs + "})");
    }
    for (const auto& [param, buffer] : matched) Match(param, buffer);
    if (const auto* root = f->body.as<BlockRealizeNode>(); root != nullptr && IsRoot(*root)) {
      Line("# with T.block(\"root\"):");
      for (const Buffer& buffer : root->block->alloc_buffers) AllocBuffer(buffer);
      VisitExpr(root->block->body);
    } else {
      VisitExpr(f->body);
    }
  }

  void VisitExpr_(const LetStmtNode* s) override {
    const std::string value = e_.Text(s->value);
    Line(e_.NameOf(s->var) + ": T." + Text(s->var->dtype) + " = " + value);
    VisitExpr(s->body);
  }
  void VisitExpr_(const AttrStmtNode* s) override {
    if (const auto* buffer = s->node.as<BufferNode>();
        buffer != nullptr && std::string_view(s->attr_key) == kSharesMemory) {
      const Buffer b = tain::GetRef<Buffer>(buffer);
      Line(DeclareData(b) + " = T.decl_buffer(" + e_.Tuple(b->shape) + ", " +
           Quoted(Text(b->dtype)) + ", data=" + e_.Text(s->value) + ")");
      return VisitExpr(s->body);
    }
    std::string node =
        s->node.as<tain::Object>() != nullptr ? std::string("None") : ValueText(s->node);
    if (const auto* e = s->node.as<PrimExprNode>()) node = e_.Text(tain::GetRef<PrimExpr>(e));
    if (const auto* axis = s->node.as<IterVarNode>()) node = e_.NameOf(axis->var);
    Line("with T.attr(" + node + ", " + Quoted(std::string_view(s->attr_key)) + ", " +
         e_.Text(s->value) + "):");
    const Indent indent(this);
    VisitExpr(s->body);
  }
  void VisitExpr_(const AssertStmtNode* s) override {
    Line("assert " + e_.Text(s->condition) + ", " + Quoted(std::string_view(s->message)));
    VisitExpr(s->body);
  }
  void VisitExpr_(const BufferStoreNode* s) override {
    const std::string value = e_.Text(s->value);
    Line(e_.Element(e_.NameOf(s->buffer), s->indices) + " = " + value);
  }
  void VisitExpr_(const AllocateNode* s) override {
    const Buffer& b = s->buffer;
    Line(DeclareData(b) + " = T.allocate(" + "[" + e_.Joined(b->shape) + "], " +
         Quoted(Text(b->dtype)) + ", " + Quoted(std::string_view(b->scope)) + ")");
    VisitExpr(s->body);
  }
  void VisitExpr_(const ForNode* s) override {
    std::vector<const ForNode*> grid{s};
    while (IsPlain(*grid.back())) {
      const auto* inner = grid.back()->body.as<ForNode>();
      if (inner == nullptr || !IsPlain(*inner)) break;
      grid.push_back(inner);
    }
    if (!IsPlain(*s)) grid.resize(1);
    std::string extents, vars;
    for (const ForNode* one : grid) extents += (extents.empty() ? "" : ", ") + e_.Text(one->extent);
    for (const ForNode* one : grid) vars += (vars.empty() ? "" : ", ") + e_.NameOf(one->loop_var);
    std::string range = grid.size() > 1 ? "T.grid(" : "range(";
    if (s->kind == ForKind::kParallel) range = "T.parallel(";
    if (s->kind == ForKind::kVectorized) range = "T.vectorized(";
    if (s->kind == ForKind::kUnrolled) range = "T.unroll(";
    if (!IsConstInt(s->min, 0)) extents = e_.Text(s->min) + ", " + e_.Text(Add(s->min, s->extent));
    Line("for " + vars + " in " + range + extents + "):");
    const Indent indent(this);
    VisitExpr(grid.back()->body);
  }
  void VisitExpr_(const IfThenElseNode* s) override {
    Line("if " + e_.Text(s->condition) + ":");
    {
      const Indent indent(this);
      VisitExpr(s->then_case);
    }
    if (!s->else_case.has_value()) return;
    Line("else:");
    const Indent indent(this);
    VisitExpr(*s->else_case);
  }
  void VisitExpr_(const SeqStmtNode* s) override {
    if (s->seq.empty()) Line("pass");
    for (const Stmt& one : s->seq) VisitExpr(one);
  }
  void VisitExpr_(const EvaluateNode* s) override {
    if (const auto* call = s->value.as<CallNode>(); call != nullptr) {
      Line(e_.Text(s->value));
    } else {
      Line("T.evaluate(" + e_.Text(s->value) + ")");
    }
  }
  void VisitExpr_(const BlockRealizeNode* s) override {
    const BlockNode& block = *s->block.get();
    Line("with T.block(" + Quoted(std::string_view(block.name_hint)) + "):");
    const Indent indent(this);
    Axes(*s);
    if (!IsConstInt(s->predicate, 1)) Line("T.where(" + e_.Text(s->predicate) + ")");
    Line("T.reads(" + Regions(block.reads) + ")");
    Line("T.writes(" + Regions(block.writes) + ")");
    for (const Buffer& buffer : block.alloc_buffers) AllocBuffer(buffer);
    if (block.init.has_value()) {
      Line("with T.init():");
      const Indent inner(this);
      VisitExpr(*block.init);
    }
    VisitExpr(block.body);
  }
  void VisitExpr_(const BlockNode* s) override { VisitExpr(s->body); }

  void Line(const std::string& text) { result += std::string(indent_ * 4, ' ') + text + "\n"; }

  struct Indent {
    explicit Indent(ScriptPrinter* its_printer) : printer(its_printer) { ++printer->indent_; }
    ~Indent() { --printer->indent_; }
    Indent(const Indent&) = delete;
    Indent& operator=(const Indent&) = delete;
    ScriptPrinter* printer;
  };

  std::string result;

 private:
  static bool IsPlain(const ForNode& loop) {
    return loop.kind == ForKind::kSerial && IsConstInt(loop.min, 0);
  }
  static bool IsRoot(const BlockRealizeNode& s) {
    return std::string_view(s.block->name_hint) == "root" && s.block->iter_vars.empty();
  }
  /// Whether shape, layout and offset of a buffer are what a type can say.
  static bool IsSimple(const Buffer& b) {
    for (const PrimExpr& extent : b->shape) {
      if (!AsInt(extent)) return false;
    }
    return b->strides.empty() && b->offset_factor == 0;
  }

  /// Names a buffer; its memory is the attribute `data`.
  std::string DeclareData(const Buffer& b) {
    const std::string name = e_.NameOf(b);
    e_.names.Set(b->data.get(), name + ".data");
    if (const auto* offset = b->elem_offset.as<VarNode>())
      e_.names.Set(offset, name + ".elem_offset");
    return name;
  }
  void Match(const Var& param, const Buffer& b) {
    for (const PrimExpr& extent : b->shape) {
      const auto* var = extent.as<VarNode>();
      if (var == nullptr || e_.names.Has(var)) continue;
      Line(e_.names.Of(var, std::string(var->name)) + " = T." + Text(var->dtype) + "()");
    }
    std::string more;
    if (b->dtype != kFloat32) more += ", " + Quoted(Text(b->dtype));
    if (!b->strides.empty()) more += ", strides=" + e_.Tuple(b->strides);
    if (b->offset_factor != 0) more += ", offset_factor=" + std::to_string(b->offset_factor);
    const std::string name = DeclareData(b);
    Line(name + " = T.match_buffer(" + e_.NameOf(param) + ", " + e_.Tuple(b->shape) + more + ")");
  }
  void AllocBuffer(const Buffer& b) {
    const std::string more = b->dtype == kFloat32 ? "" : ", " + Quoted(Text(b->dtype));
    const std::string name = DeclareData(b);
    Line(name + " = T.alloc_buffer(" + e_.Tuple(b->shape) + more + ")");
  }
  void Axes(const BlockRealizeNode& s) {
    const tain::Array<IterVar>& axes = s.block->iter_vars;
    bool are_vars = axes.size() > 1;
    for (const PrimExpr& value : s.iter_values)
      are_vars = are_vars && value.as<VarNode>() != nullptr;
    std::string kinds, vars;
    for (size_t i = 0; i < axes.size(); ++i) {
      const bool reduces = axes[i]->iter_type == IterType::kCommReduce;
      const std::string value = e_.Text(s.iter_values[i]);
      const std::string name = e_.NameOf(axes[i]->var);
      kinds += reduces ? "R" : "S";
      vars += (vars.empty() ? "" : ", ") + name;
      if (are_vars) continue;
      const tain::Optional<Range>& dom = axes[i]->dom;
      std::string range = dom.has_value() ? e_.Text((*dom)->extent) : "None";
      if (dom.has_value() && !IsConstInt((*dom)->min, 0)) {
        range = "(" + e_.Text((*dom)->min) + ", " + e_.Text(Add((*dom)->min, (*dom)->extent)) + ")";
      }
      Line(name + " = T.axis." + (reduces ? "reduce(" : "spatial(") + range + ", " + value + ")");
    }
    if (are_vars) {
      Line(vars + " = T.axis.remap(" + Quoted(kinds) + ", [" + e_.Joined(s.iter_values) + "])");
    }
  }
  std::string Regions(const tain::Array<BufferRegion>& all) {
    std::string text;
    for (const BufferRegion& one : all) {
      std::string ranges;
      for (const Range& range : one->region) {
        ranges += (ranges.empty() ? "" : ", ") + e_.Text(range->min);
        if (!IsConstInt(range->extent, 1)) ranges += ":" + e_.Text(Add(range->min, range->extent));
      }
      text += (text.empty() ? "" : ", ") + e_.NameOf(one->buffer) + "[" +
              (ranges.empty() ? "()" : ranges) + "]";
    }
    return text;
  }
  std::string ValueText(const tain::Any& value) {
    if (const std::optional<bool> b = value.as<bool>())
      return *b ? "T.bool(True)" : "T.bool(False)";
    if (const std::optional<int64_t> i = value.as<int64_t>()) return std::to_string(*i);
    if (std::optional<tain::String> s = value.as<tain::String>())
      return Quoted(std::string_view(*s));
    if (const auto* e = value.as<PrimExprNode>()) return e_.Text(tain::GetRef<PrimExpr>(e));
    return "None";
  }

  ExprPrinter e_;
  size_t indent_ = 0;
};

constexpr const char* kImport = "# from tvm.script import tir as T\n";

std::string FunctionName(const PrimFunc& f) {
  const auto found = f->attrs.find("global_symbol");
  return found == f->attrs.end() ? "main" : (*found).second.cast<std::string>();
}

}  // namespace

std::string ExprScript(const PrimExpr& e) { return ExprPrinter().Text(e); }

std::string ShapeScript(const Exprs& shape) { return ExprPrinter().Tuple(shape); }

std::string StmtScript(const Stmt& s) {
  ScriptPrinter printer;
  printer.VisitExpr(s);
  printer.result.pop_back();
  return printer.result;
}

std::string FunctionScript(const PrimFunc& f) {
  ScriptPrinter printer;
  printer.result = std::string(kImport) + "\n";
  printer.Function(f, FunctionName(f));
  printer.result.pop_back();
  return printer.result;
}

std::string ModuleScript(const IRModule& m) {
  ScriptPrinter printer;
  printer.result = std::string("# from tvm.script import ir as I\n") + kImport + "\n";
  printer.Line("@I.ir_module");
  printer.Line("class Module:");
  const ScriptPrinter::Indent indent(&printer);
  bool is_first = true;
  for (const auto& [name, function] : m->functions) {
    if (!std::exchange(is_first, false)) printer.result += "\n";
    printer.Function(function, std::string(name));
  }
  printer.result.pop_back();
  return printer.result;
}

}  // namespace tensorexpr

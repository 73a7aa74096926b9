// SPDX-License-Identifier: Apache-2.0
// Statements and functions in C; see c_source.h.
#include "c_source.h"

#include <tain/graph/visit.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "codegen/c_expr.h"
#include "codegen/c_prelude.h"
#include "script/script.h"

namespace tensorexpr {
namespace {

constexpr int64_t kStackBytes = 8192;    ///< larger memory comes from the heap
constexpr int64_t kMostOnStack = 32768;  ///< of one function: threads may have small stacks

/// Writes the functions of a source one after the other.
class CSourceWriter : public tain::ExprFunctor<void(const Stmt&), LetStmtNode, AttrStmtNode,
                                               AssertStmtNode, BufferStoreNode, AllocateNode,
                                               ForNode, IfThenElseNode, SeqStmtNode, EvaluateNode> {
 public:
  void Function(const PrimFunc& f, const std::string& name) {
    CheckName(name);
    name_ = name;
    on_stack_ = 0;
    const std::string quoted = Quoted(name);
    Line("TAIN_DLL_EXPORT int __tvm_ffi_" + name +
         "(void* self, const TainAny* args, int32_t num_args, TainAny* result) {");
    ++indent_;
    Line("(void)self;");
    Line("if (num_args != " + std::to_string(f->params.size()) +
         ") return te_raise(\"TypeError\", \"%s: expected " + std::to_string(f->params.size()) +
         " arguments, got %d\", " + quoted + ", num_args);");
    std::unordered_set<const tain::Object*> written = Written(f->body);
    const auto noalias = f->attrs.find("tir.noalias");
    const bool is_apart = noalias != f->attrs.end() && (*noalias).second.cast<bool>();
    tensor_params_.clear();
    std::vector<std::pair<std::string, Buffer>> tensors;
    for (size_t i = 0; i < f->params.size(); ++i) {
      const auto found = f->buffer_map.find(f->params[i]);
      if (found == f->buffer_map.end()) {
        Number(f->params[i], i);
      } else {
        const Buffer buffer = (*found).second;
        tensors.emplace_back(Tensor(buffer, i), buffer);
        tensor_params_[buffer->data.get()] = i;
        if (written.count(buffer.get()) == 0) continue;
        Line("if (te_writable(" + quoted + ", " + Quoted(std::string_view(buffer->name)) +
             ", &args[" + std::to_string(i) + "]) != 0) return -1;");
      }
    }
    for (const auto& [tensor, buffer] : tensors) Shape(tensor, buffer);
    for (size_t i = 0; is_apart && i < tensors.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (written.count(tensors[i].second.get()) + written.count(tensors[j].second.get()) == 0)
          continue;
        Line("if (te_apart(" + quoted + ", " + Quoted(std::string_view(tensors[i].second->name)) +
             ", " + tensors[i].first + ", " + Quoted(std::string_view(tensors[j].second->name)) +
             ", " + tensors[j].first + ") != 0) return -1;");
      }
    }
    for (const auto& [tensor, buffer] : tensors) {
      Pointer(tensor, buffer, is_apart, written.count(buffer.get()) != 0);
    }
    VisitExpr(f->body);
    Line("result->type_index = kTainNone;");
    Line("result->zero_padding = 0;");
    Line("result->v_int64 = 0;");
    Line("return 0;");
    --indent_;
    Line("}");
    Line("");
  }

  std::string Source() const {
    return kPrelude + e_.types.Definitions() + e_.prototypes + "\n" + body_;
  }
  void Alias(const std::string& name) {
    Line(
        "TAIN_DLL_EXPORT int __tvm_ffi_main(void* self, const TainAny* args, int32_t num_args, "
        "TainAny* result) {");
    Line("  return __tvm_ffi_" + name + "(self, args, num_args, result);");
    Line("}");
  }

  void VisitExpr_(const LetStmtNode* s) override {
    if (const auto* call = s->value.as<CallNode>(); call != nullptr && IsPacked(*call)) {
      const std::string value = CallPacked(*call, &s->value);
      Line("const " + e_.Type(s->var->dtype) + " " + e_.NameOf(s->var) + " = " + value + ";");
    } else {
      const std::string value = e_.VisitExpr(s->value);
      Line("const " + e_.Type(s->var->dtype) + " " + e_.NameOf(s->var) + " = " + value + ";");
    }
    VisitExpr(s->body);
  }
  void VisitExpr_(const AttrStmtNode* s) override {
    const auto* buffer = s->node.as<BufferNode>();
    if (buffer != nullptr && std::string_view(s->attr_key) == kSharesMemory) {
      const Buffer b = tain::GetRef<Buffer>(buffer);
      Line(e_.Type(b->dtype) + "* const " + DeclareMemory(b) +
           " TE_UNUSED = " + e_.VisitExpr(s->value) + ";");
    }
    VisitExpr(s->body);
  }
  void VisitExpr_(const AssertStmtNode* s) override {
    Line("if (!(" + e_.VisitExpr(s->condition) + ")) " +
         Fail("te_raise(" + Quoted(std::string_view(s->kind)) + ", \"%s\", " +
              Quoted(std::string_view(s->message)) + ")"));
    VisitExpr(s->body);
  }
  void VisitExpr_(const BufferStoreNode* s) override {
    const std::string name = e_.NameOf(s->buffer), value = e_.VisitExpr(s->value);
    const DType dtype = s->value->dtype;
    if (dtype.lanes == 1) {
      Line(name + "[" + e_.Offset(s->buffer, s->indices) + "] = " + value + ";");
      return;
    }
    std::string stride;
    const std::string at = e_.Offset(s->buffer, s->indices, &stride);
    if (stride == "((int64_t)1ll)") {
      Line("*(" + e_.types.InMemory(dtype) + "*)(" + name + " + " + at + ") = " + value + ";");
      return;
    }
    const std::string v = e_.names.Unused("v_"), p = e_.names.Unused("p_"),
                      i = e_.names.Unused("i_");
    Line("{");
    Line("  const " + e_.Type(dtype) + " " + v + " = " + value + ";");
    Line("  " + e_.Type(ElementOf(dtype)) + "* " + p + " = " + name + " + " + at + ";");
    Line("  for (int " + i + " = 0; " + i + " < " + std::to_string(dtype.lanes) + "; ++" + i +
         ") " + p + "[" + i + " * " + stride + "] = " + v + "[" + i + "];");
    Line("}");
  }
  void VisitExpr_(const AllocateNode* s) override {
    const Buffer& b = s->buffer;
    const std::string name = DeclareMemory(b), type = e_.Type(b->dtype);
    if (!b->strides.empty()) {
      TAIN_THROW(ValueError) << "Allocate: the buffer " << std::string(b->name)
                             << " has strides; memory is allocated for compact buffers";
    }
    std::string extents;
    int64_t known = b->dtype.bits / 8;  // bytes; more than the stack has if they are not known
    for (const PrimExpr& extent : b->shape) {
      const std::optional<int64_t> value = AsInt(extent);
      known = value && *value <= kStackBytes ? std::min(known * *value, kStackBytes + 1)
                                             : kStackBytes + 1;
      extents += ", (int64_t)" + e_.VisitExpr(extent);
    }
    Line("{");
    ++indent_;
    if (known <= kStackBytes && on_stack_ + known <= kMostOnStack) {
      on_stack_ += known;
      Line(type + " " + name + "[" +
           std::to_string(std::max<int64_t>(known / (b->dtype.bits / 8), 1)) +
           "] __attribute__((aligned(64)));");
    } else {
      Line(type + "* " + name + " __attribute__((cleanup(te_free))) = (" + type +
           "*)te_allocate(sizeof(" + type + "), " + std::to_string(b->shape.size()) + extents +
           ");");
      Line("if (" + name + " == NULL) " +
           Fail("te_raise(\"MemoryError\", \"%s: no memory for %s\", " + Quoted(name_) + ", " +
                Quoted(name) + ")"));
    }
    VisitExpr(s->body);
    --indent_;
    Line("}");
  }
  void VisitExpr_(const ForNode* s) override {
    const bool is_parallel = s->kind == ForKind::kParallel && place_.empty();
    const std::string var = e_.NameOf(s->loop_var), type = e_.Type(s->loop_var->dtype);
    const std::string min = e_.VisitExpr(s->min), end = e_.VisitExpr(Add(s->min, s->extent));
    const std::string id = std::to_string(++loops_), error = "te_error_" + id;
    if (is_parallel) {
      Line("TainObject* " + error + " = NULL;");
      Line("int te_failed_" + id + " = 0;");
      Line("#pragma omp parallel for");
    } else if (s->kind == ForKind::kVectorized && OnlyStores(s->body)) {
      Line("#pragma omp simd");
    } else if (s->kind == ForKind::kUnrolled) {
      Line("#pragma GCC unroll 64");
    }
    Line("for (" + type + " " + var + " = " + min + "; " + var + " < " + end + "; ++" + var +
         ") {");
    ++indent_;
    const size_t before = uses_of_place_;
    if (is_parallel) place_ = id;
    VisitExpr(s->body);
    if (is_parallel) place_.clear();
    if (is_parallel && uses_of_place_ != before) Line("te_next_" + id + ":;");
    --indent_;
    Line("}");
    if (!is_parallel) return;
    Line("if (te_failed_" + id + ") {");
    Line("  TainErrorSetRaised(" + error + ");");
    Line("  return -1;");
    Line("}");
  }
  void VisitExpr_(const IfThenElseNode* s) override {
    Line("if (" + e_.VisitExpr(s->condition) + ") {");
    Inner(s->then_case);
    if (s->else_case.has_value()) {
      Line("} else {");
      Inner(*s->else_case);
    }
    Line("}");
  }
  void VisitExpr_(const SeqStmtNode* s) override {
    for (const Stmt& one : s->seq) {
      const bool is_scope = one.as<LetStmtNode>() != nullptr || one.as<AssertStmtNode>() != nullptr;
      if (!is_scope) {
        VisitExpr(one);
        continue;
      }
      Line("{");
      Inner(one);
      Line("}");
    }
  }
  void VisitExpr_(const EvaluateNode* s) override {
    const auto* call = s->value.as<CallNode>();
    if (call != nullptr && IsPacked(*call)) {
      Line("{");
      ++indent_;
      CallPacked(*call, nullptr);
      --indent_;
      Line("}");
    } else {
      Line("(void)(" + e_.VisitExpr(s->value) + ");");
    }
  }
  void VisitExprDefault_(const tain::Object* s) override {
    TAIN_THROW(ValueError) << "no code is made for the statement\n"
                           << StmtScript(tain::GetRef<Stmt>(static_cast<const StmtNode*>(s)))
                           << "\nlower the program first";
  }

 private:
  /// Returns the name of a buffer that has memory of its own, which is also that of its address.
  std::string DeclareMemory(const Buffer& b) {
    const std::string name = e_.NameOf(b);
    e_.names.Set(b->data.get(), name);
    if (const auto* offset = b->elem_offset.as<VarNode>()) e_.names.Set(offset, "0");
    return name;
  }
  static void CheckName(const std::string& name) {
    const bool is_name = !name.empty() && name[0] != '_' &&
                         std::all_of(name.begin(), name.end(), [](unsigned char c) {
                           return c < 128 && (std::isalnum(c) != 0 || c == '_');
                         });
    if (is_name) return;
    TAIN_THROW(ValueError) << Quoted(name)
                           << " is no name of a compiled function: expected letters, "
                           << "digits and underscores, the first one no underscore";
  }
  /// Whether a statement cannot fail and has no threads of its own.
  static bool OnlyStores(const Stmt& s) {
    bool only = true;
    tain::PreOrderVisit(s, [&](const tain::Any& node) {
      const auto* loop = node.as<ForNode>();
      only = only && node.as<AllocateNode>() == nullptr && node.as<AssertStmtNode>() == nullptr &&
             node.as<EvaluateNode>() == nullptr && node.as<LetStmtNode>() == nullptr &&
             (loop == nullptr || loop->kind != ForKind::kParallel);
      return only && node.as<PrimExprNode>() == nullptr;
    });
    return only;
  }
  static bool IsPacked(const CallNode& call) { return std::string_view(call.op) == "call_packed"; }

  static std::unordered_set<const tain::Object*> Written(const Stmt& body) {
    std::unordered_set<const tain::Object*> all, addresses;
    tain::PreOrderVisit(body, [&](const tain::Any& node) {
      if (const auto* store = node.as<BufferStoreNode>()) all.insert(store->buffer.get());
    });
    return all;
  }

  void Line(const std::string& text) {
    if (!text.empty()) body_ += std::string(text[0] == '#' ? 0 : indent_ * 2, ' ') + text;
    body_ += "\n";
  }
  void Inner(const Stmt& s) {
    ++indent_;
    VisitExpr(s);
    --indent_;
  }
  /// Returns the statement that ends the function, or the step of a parallel loop, after an error.
  std::string Fail(const std::string& raise) {
    if (place_.empty()) return "return " + raise + ";";
    ++uses_of_place_;
    return "{ " + raise + "; te_keep_error(&te_error_" + place_ +
           "); __atomic_store_n(&te_failed_" + place_ + ", 1, __ATOMIC_RELAXED); goto te_next_" +
           place_ + "; }";
  }

  void Number(const Var& param, size_t i) {
    if (param->dtype.lanes != 1 || (!IsNumber(param->dtype) && !(param->dtype == kHandle))) {
      TAIN_THROW(ValueError) << name_ << ": no code is made for the parameter "
                             << std::string(param->name) << " of type " << Text(param->dtype);
    }
    const std::string at = "args[" + std::to_string(i) + "]", name = e_.NameOf(param);
    const bool is_float = IsFloat(param->dtype);
    const std::string wants = is_float ? "a number" : IsBool(param->dtype) ? "a bool" : "an int";
    std::string fits = at + ".type_index == kTainInt";
    if (IsBool(param->dtype)) fits = at + ".type_index == kTainBool";
    if (is_float) fits += " || " + at + ".type_index == kTainFloat";
    Line("if (!(" + fits + ")) return te_raise(\"TypeError\", \"%s: argument %s: expected " +
         wants + "\", " + Quoted(name_) + ", " + Quoted(name) + ");");
    const std::string type = e_.Type(param->dtype);
    if (is_float) {
      Line("const " + type + " " + name + " = " + at + ".type_index == kTainFloat ? (" + type +
           ")" + at + ".v_float64 : (" + type + ")" + at + ".v_int64;");
      return;
    }
    if (param->dtype == TypeOf(kDLUInt, 64)) {
      Line("if (" + at +
           ".v_int64 < 0) return te_raise(\"OverflowError\", \"%s: argument %s: %lld is no "
           "value of uint64\", " +
           Quoted(name_) + ", " + Quoted(name) + ", (long long)" + at + ".v_int64);");
    } else if (!IsBool(param->dtype) && !(param->dtype == kInt64)) {
      Line("if ((int64_t)(" + type + ")" + at + ".v_int64 != " + at +
           ".v_int64) return te_raise(\"OverflowError\", \"%s: argument %s: %lld is no value of " +
           Text(param->dtype) + "\", " + Quoted(name_) + ", " + Quoted(name) + ", (long long)" +
           at + ".v_int64);");
    }
    Line("const " + type + " " + name + " = (" + type + ")" + at + ".v_int64;");
    bound_.insert(param.get());
  }

  std::string Tensor(const Buffer& b, size_t i) {
    if (b->elem_offset.as<VarNode>() == nullptr && !IsConstInt(b->elem_offset, 0)) {
      TAIN_THROW(ValueError) << name_ << ": no code is made for the offset of the argument "
                             << std::string(b->name) << "; expected 0 or a variable";
    }
    const std::string tensor = e_.names.Unused("te_tensor_" + std::string(b->name));
    const std::string who = Quoted(name_) + ", " + Quoted(std::string_view(b->name));
    Line("const DLTensor* const " + tensor + " = te_tensor(" + who + ", &args[" +
         std::to_string(i) + "]);");
    Line("if (" + tensor + " == NULL) return -1;");
    Line("if (te_check(" + who + ", " + tensor + ", " + std::to_string(b->dtype.code) + ", " +
         std::to_string(b->dtype.bits) + ", " + std::to_string(b->shape.size()) + ", " +
         std::to_string(b->dtype.bits / 8) + ") != 0) return -1;");
    for (size_t k = 0; k < b->shape.size(); ++k)
      Bind(b->shape[k], tensor + "->shape[" + std::to_string(k) + "]");
    for (size_t k = 0; k < b->strides.size(); ++k) {
      Bind(b->strides[k], "(" + tensor + "->strides == NULL ? 1 : " + tensor + "->strides[" +
                              std::to_string(k) + "])");
    }
    if (const auto* offset = b->elem_offset.as<VarNode>(); offset != nullptr) {
      Bind(b->elem_offset,
           "(" + tensor + "->byte_offset / " + std::to_string(b->dtype.bits / 8) + ")");
    }
    return tensor;
  }
  /// Gives a variable its value at its first use.
  void Bind(const PrimExpr& e, const std::string& value) {
    const auto* var = e.as<VarNode>();
    if (var == nullptr || !bound_.insert(var).second) return;
    const std::string type = e_.Type(var->dtype);
    const std::string name = e_.NameOf(tain::GetRef<Var>(var));
    Line("const " + type + " " + name + " = (" + type + ")" + value + ";");
  }
  void Shape(const std::string& tensor, const Buffer& b) {
    const std::string who =
        Quoted(name_) + ", " + Quoted(std::string_view(b->name)) + ", " + tensor;
    for (size_t k = 0; k < b->shape.size(); ++k) {
      Line("if (te_extent(" + who + ", " + std::to_string(k) + ", " + e_.VisitExpr(b->shape[k]) +
           ") != 0) return -1;");
    }
    for (size_t k = 0; k < b->strides.size(); ++k) {
      Line("if (te_stride(" + who + ", " + std::to_string(k) + ", " + e_.VisitExpr(b->strides[k]) +
           ") != 0) return -1;");
    }
    if (b->strides.empty()) Line("if (te_compact(" + who + ") != 0) return -1;");
  }
  void Pointer(const std::string& tensor, const Buffer& b, bool is_apart, bool is_written) {
    const std::string name = e_.NameOf(b), type = e_.Type(b->dtype);
    const std::string base = e_.names.Unused(name + "_data");
    e_.names.Set(b->data.get(), base);
    Line("void* const " + base + " TE_UNUSED = " + tensor + "->data;");
    Line((is_written ? "" : "const ") + type + "* " + (is_apart ? "restrict " : "") + name +
         " TE_UNUSED = (" + (is_written ? "" : "const ") + type + "*)((char*)" + base + " + " +
         tensor + "->byte_offset);");
  }

  /// Writes a call of a registered function; returns its result in C if it is asked for.
  std::string CallPacked(const CallNode& call, const PrimExpr* wanted) {
    const auto* name =
        call.args.empty() ? nullptr : tain::ObjectRef(call.args[0]).as<StringImmNode>();
    if (name == nullptr) TAIN_THROW(ValueError) << "call_packed: the first argument is not a name";
    const std::string id = std::to_string(++calls_), n = std::to_string(call.args.size() - 1);
    const std::string f = "te_function_" + id, given = "te_args_" + id, out = "te_result_" + id;
    const std::string text = Quoted(std::string_view(name->value));
    Line("TainObject* " + f + " = NULL;");
    Line("TainAny " + given + "[" + std::to_string(call.args.size()) + "] = {0}, " + out +
         " = {0};");
    Line("const TainByteArray te_name_" + id + " = {" + text + ", " +
         std::to_string(std::string_view(name->value).size()) + "};");
    Line("if (TainFunctionGetGlobal(&te_name_" + id + ", &" + f + ") != 0) " + Fail("-1"));
    Line("if (" + f + " == NULL) " +
         Fail("te_raise(\"ValueError\", \"%s: no function is registered as %s\", " + Quoted(name_) +
              ", " + text + ")"));
    for (size_t i = 1; i < call.args.size(); ++i) Argument(given, i - 1, call.args[i]);
    Line("const int te_status_" + id + " = TainFunctionCall(" + f + ", " + given + ", " + n +
         ", &" + out + ");");
    Line("te_drop(" + given + ", " + n + ");");
    Line("TainObjectDecRef(" + f + ");");
    Line("if (te_status_" + id + " != 0) " + Fail("-1"));
    Line("if (" + out + ".type_index >= kTainStaticObjectBegin) TainObjectDecRef(" + out +
         ".v_obj);");
    if (wanted == nullptr) return "";
    const DType dtype = (*wanted)->dtype;
    const std::string fits = IsFloat(dtype)  ? "kTainFloat"
                             : IsBool(dtype) ? "kTainBool"
                                             : "kTainInt";
    Line("if (" + out + ".type_index != " + fits + ") " +
         Fail("te_raise(\"TypeError\", \"%s: the function %s returned no " + Text(dtype) + "\", " +
              Quoted(name_) + ", " + text + ")"));
    if (IsInteger(dtype) && dtype.bits < 64) {
      Line("if ((int64_t)(" + e_.Type(dtype) + ")" + out + ".v_int64 != " + out + ".v_int64) " +
           Fail("te_raise(\"OverflowError\", \"%s: the function %s returned %lld, which is no "
                "value of " +
                Text(dtype) + "\", " + Quoted(name_) + ", " + text + ", (long long)" + out +
                ".v_int64)"));
    }
    return "(" + e_.Type(dtype) + ")" + out + (IsFloat(dtype) ? ".v_float64" : ".v_int64");
  }

  /// Writes a value into a list of arguments.
  void Argument(const std::string& list, size_t i, const PrimExpr& e) {
    const std::string at = list + "[" + std::to_string(i) + "]";
    const auto* call = e.as<CallNode>();
    if (call != nullptr && std::string_view(call->op) == "tvm_stack_make_array") {
      Line(at + ".type_index = kTainDLTensorPtr;");
      Line(at + ".v_ptr = " + Array(*call) + ";");
      const auto param = tensor_params_.find(call->args[0].as<VarNode>());
      if (param != tensor_params_.end()) {  // nobody gets more rights than the function has
        Line("if (te_keep_read_only(&args[" + std::to_string(param->second) + "], &" + at +
             ") != 0) " + Fail("te_drop(" + list + ", " + std::to_string(i) + ")"));
      }
    } else if (e.as<StringImmNode>() != nullptr) {
      Line(at + ".type_index = kTainRawStr;");
      Line(at + ".v_c_str = " + e_.VisitExpr(e) + ";");
    } else if (IsFloat(e->dtype)) {
      Line(at + ".type_index = kTainFloat;");
      Line(at + ".v_float64 = " + e_.VisitExpr(e) + ";");
    } else if (IsInteger(e->dtype) || IsBool(e->dtype)) {
      Line(at + ".type_index = " + (IsBool(e->dtype) ? "kTainBool;" : "kTainInt;"));
      Line(at + ".v_int64 = " + e_.VisitExpr(e) + ";");
    } else {
      TAIN_THROW(ValueError) << "call_packed: no code is made for the argument " << ExprScript(e);
    }
  }
  /// Writes a description of an array; returns a pointer to it.
  std::string Array(const CallNode& call) {
    const std::string id = std::to_string(++arrays_), array = "te_array_" + id;
    const auto ints = [&](const PrimExpr& shape, const std::string& name) -> std::string {
      const auto* list = shape.as<CallNode>();
      if (list == nullptr) return "NULL";
      std::string text;
      for (const PrimExpr& one : list->args) text += (text.empty() ? "" : ", ") + e_.VisitExpr(one);
      Line("int64_t " + name + "[" + std::to_string(std::max<size_t>(list->args.size(), 1)) +
           "] = {" + (text.empty() ? "0" : text) + "};");
      return name;
    };
    const std::string shape = ints(call.args[1], "te_shape_" + id);
    const std::string strides = ints(call.args[2], "te_strides_" + id);
    const DType dtype = call.args[4]->dtype;
    // Strides are always there: consumers of DLPack may rely on them.
    const std::string rank = e_.VisitExpr(call.args[3]);
    std::string steps = strides;
    if (strides == "NULL") {
      steps = "te_strides_" + id;
      Line("int64_t " + steps + "[" + rank + " + 1];");
      Line("for (int te_i = " + rank + " - 1, te_first = 1; te_i >= 0; --te_i, te_first = 0) " +
           steps + "[te_i] = te_first ? 1 : " + steps + "[te_i + 1] * " + shape + "[te_i + 1];");
    }
    Line("DLTensor " + array + " = {(void*)" + e_.VisitExpr(call.args[0]) + ", {kDLCPU, 0}, " +
         rank + ", {" + std::to_string(dtype.code) + ", " + std::to_string(dtype.bits) + ", 1}, " +
         shape + ", " + steps + ", (uint64_t)" + e_.VisitExpr(call.args[5]) + " * " +
         std::to_string(dtype.bits / 8) + "};");
    return "&" + array;
  }

  CExpr e_;
  std::string body_, name_;
  std::string place_;  ///< the number of the parallel loop that is written; empty outside of one
  size_t indent_ = 0, uses_of_place_ = 0;
  int64_t on_stack_ = 0;  ///< bytes of the function that is written
  int loops_ = 0, calls_ = 0, arrays_ = 0;
  std::unordered_set<const tain::Object*> bound_;
  std::unordered_map<const VarNode*, size_t> tensor_params_;  ///< by the memory of the buffers
};

}  // namespace

std::string CSource(const IRModule& m) {
  CSourceWriter writer;
  std::string last;
  for (const auto& [name, function] : m->functions) {
    last = std::string(name);
    writer.Function(function, last);
  }
  if (m->functions.size() == 1 && last != "main") writer.Alias(last);
  return writer.Source();
}

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("tensorexpr._c_source", &CSource, tain::arg("module"),
                                    "The code of a module, in C.");
}

}  // namespace tensorexpr

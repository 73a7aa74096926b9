// SPDX-License-Identifier: Apache-2.0
// Describes buffers, statements and programs for Python.
#include "ops.h"
#include "script/script.h"
#include "stmt.h"

namespace tensorexpr {
namespace {

using tain::arg;
using tain::reflection::ObjectDef;
using Shape = tain::Array<ExprArg>;

Exprs Plain(const Shape& args, const char* what) {
  Exprs all;
  for (const ExprArg& one : args) {
    if (!IsInteger(one.expr->dtype)) {
      TAIN_THROW(TypeError) << what << ": expected integers, got " << Text(one.expr->dtype);
    }
    all.push_back(one.expr);
  }
  return all;
}

Buffer NewBuffer(const Shape& shape, DType dtype, const tain::String& name,
                 const tain::Optional<Var>& data, const Shape& strides, const ExprArg& elem_offset,
                 int64_t data_alignment, int64_t offset_factor, const tain::String& scope) {
  if (!IsNumber(dtype))
    TAIN_THROW(TypeError) << "Buffer: expected a type of numbers, got " << Text(dtype);
  if (!strides.empty() && strides.size() != shape.size()) {
    TAIN_THROW(ValueError) << "Buffer: " << shape.size() << " extents, but " << strides.size()
                           << " strides";
  }
  const Var address = data.has_value() ? *data : Var(tain::make_object<VarNode>(name, kHandle));
  return Buffer(tain::make_object<BufferNode>(address, dtype, Plain(shape, "Buffer"),
                                              Plain(strides, "Buffer"), elem_offset.expr, name,
                                              data_alignment, offset_factor, scope));
}

Stmt NewStore(const Buffer& buffer, const ExprArg& value, const Shape& indices) {
  PrimExpr stored = value.expr;
  if (value.is_literal) {
    const int lanes = indices.empty() ? 1 : ExprArg(indices[indices.size() - 1]).expr->dtype.lanes;
    stored = LiteralAs("BufferStore", value, WithLanes(buffer->dtype, lanes));
  }
  return Stmt(tain::make_object<BufferStoreNode>(buffer, stored, Plain(indices, "BufferStore")));
}

/// The value that a variable gets: of its type, or a smaller integer.
PrimExpr ValueFor(const char* what, const Var& var, const ExprArg& value) {
  const PrimExpr e = LiteralAs(what, value, var->dtype);
  const bool fits =
      e->dtype == var->dtype || (IsInt(e->dtype) && IsInt(var->dtype) && e->dtype.lanes == 1 &&
                                 var->dtype.lanes == 1 && e->dtype.bits < var->dtype.bits);
  if (fits) return CastTo(e, var->dtype);
  TAIN_THROW(TypeError) << what << ": the variable " << std::string(var->name) << " is "
                        << Text(var->dtype) << ", but the value is " << Text(e->dtype)
                        << "; convert it with astype()";
}

Stmt NewFor(const Var& loop_var, const ExprArg& min, const ExprArg& extent, ForKind kind,
            const Stmt& body) {
  if (!IsInt(loop_var->dtype)) {
    TAIN_THROW(TypeError) << "For: expected a loop variable of signed integers, got "
                          << Text(loop_var->dtype);
  }
  return Stmt(tain::make_object<ForNode>(loop_var, ValueFor("For", loop_var, min),
                                         ValueFor("For", loop_var, extent), kind, body));
}

void CheckCondition(const char* what, const ExprArg& condition) {
  if (IsBool(condition.expr->dtype) && condition.expr->dtype.lanes == 1) return;
  TAIN_THROW(TypeError) << what << ": expected a bool condition, got "
                        << Text(condition.expr->dtype);
}

Stmt NewIf(const ExprArg& condition, const Stmt& then_case, const tain::Optional<Stmt>& else_case) {
  CheckCondition("IfThenElse", condition);
  return Stmt(tain::make_object<IfThenElseNode>(condition.expr, then_case, else_case));
}

void DescribeBuffers() {
  ObjectDef<BufferNode>("Memory with a shape.")
      .def_ro("data", &BufferNode::data, tain::simple_def())
      .def_ro("dtype", &BufferNode::dtype)
      .def_ro("shape", &BufferNode::shape)
      .def_ro("strides", &BufferNode::strides)
      .def_ro("elem_offset", &BufferNode::elem_offset)
      .def_ro("name", &BufferNode::name, tain::structural_ignore())
      .def_ro("data_alignment", &BufferNode::data_alignment)
      .def_ro("offset_factor", &BufferNode::offset_factor)
      .def_ro("scope", &BufferNode::scope)
      .def_static("__create__", &NewBuffer, arg("shape"), arg("dtype") = kFloat32,
                  arg("name") = "buffer", arg("data") = nullptr, arg("strides") = Shape(),
                  arg("elem_offset") = 0, arg("data_alignment") = 64, arg("offset_factor") = 0,
                  arg("scope") = "global");
  ObjectDef<BufferRegionNode>("Part of a buffer.")
      .def_ro("buffer", &BufferRegionNode::buffer)
      .def_ro("region", &BufferRegionNode::region)
      .def_init<Buffer, tain::Array<Range>>(arg("buffer"), arg("region"));
  ObjectDef<DataProducerNode>("What is read by indices.")
      .def_ro("dtype", &DataProducerNode::dtype)
      .def_ro("shape", &DataProducerNode::shape);
}

void DescribeSimple() {
  ObjectDef<StmtNode>("A statement.")
      .def("script", &StmtScript, kScriptDoc)
      .def("__str__", &StmtScript);
  ObjectDef<LetStmtNode>("A variable with a value, for `body`.")
      .def_ro("value", &LetStmtNode::value)
      .def_ro("var", &LetStmtNode::var, tain::def_region())
      .def_ro("body", &LetStmtNode::body)
      .def_static(
          "__create__",
          [](const Var& var, const ExprArg& value, const Stmt& body) {
            return Stmt(tain::make_object<LetStmtNode>(var, ValueFor("LetStmt", var, value), body));
          },
          arg("var"), arg("value"), arg("body"));
  ObjectDef<AttrStmtNode>("Something that is true in `body`.")
      .def_ro("node", &AttrStmtNode::node)
      .def_ro("attr_key", &AttrStmtNode::attr_key)
      .def_ro("value", &AttrStmtNode::value)
      .def_ro("body", &AttrStmtNode::body)
      .def_static(
          "__create__",
          [](const tain::Any& node, const tain::String& key, const ExprArg& value,
             const Stmt& body) {
            return Stmt(tain::make_object<AttrStmtNode>(node, key, value.expr, body));
          },
          arg("node"), arg("attr_key"), arg("value"), arg("body"));
  ObjectDef<AssertStmtNode>("Raises an error with the message if the condition does not hold.")
      .def_ro("condition", &AssertStmtNode::condition)
      .def_ro("message", &AssertStmtNode::message)
      .def_ro("body", &AssertStmtNode::body)
      .def_ro("kind", &AssertStmtNode::kind)
      .def_static(
          "__create__",
          [](const ExprArg& condition, const tain::String& message, const Stmt& body,
             const tain::String& kind) {
            CheckCondition("AssertStmt", condition);
            return Stmt(tain::make_object<AssertStmtNode>(condition.expr, message, body, kind));
          },
          arg("condition"), arg("message"), arg("body"), arg("kind") = "ValueError");
  ObjectDef<BufferStoreNode>("Writes an element of a buffer.")
      .def_ro("buffer", &BufferStoreNode::buffer)
      .def_ro("value", &BufferStoreNode::value)
      .def_ro("indices", &BufferStoreNode::indices)
      .def_static("__create__", &NewStore, arg("buffer"), arg("value"), arg("indices"));
  ObjectDef<AllocateNode>("Memory for a buffer as long as `body` runs.")
      .def_ro("buffer", &AllocateNode::buffer)
      .def_ro("body", &AllocateNode::body)
      .def_init<Buffer, Stmt>(arg("buffer"), arg("body"));
  ObjectDef<IfThenElseNode>("One of two statements.")
      .def_ro("condition", &IfThenElseNode::condition)
      .def_ro("then_case", &IfThenElseNode::then_case)
      .def_ro("else_case", &IfThenElseNode::else_case)
      .def_static("__create__", &NewIf, arg("condition"), arg("then_case"),
                  arg("else_case") = nullptr);
  ObjectDef<SeqStmtNode>("Statements one after the other.")
      .def_ro("seq", &SeqStmtNode::seq)
      .def_init<tain::Array<Stmt>>(arg("seq"));
  ObjectDef<EvaluateNode>("Computes an expression for what it does.")
      .def_ro("value", &EvaluateNode::value)
      .def_static(
          "__create__",
          [](const ExprArg& value) { return Stmt(tain::make_object<EvaluateNode>(value.expr)); },
          arg("value"));
}

void DescribePrograms() {
  tain::reflection::EnumDef<ForKind>("tensorexpr.tir.ForKind", "How a loop runs.")
      .value("SERIAL", ForKind::kSerial)
      .value("PARALLEL", ForKind::kParallel)
      .value("VECTORIZED", ForKind::kVectorized)
      .value("UNROLLED", ForKind::kUnrolled);
  ObjectDef<ForNode>("A loop.")
      .def_ro("min", &ForNode::min)
      .def_ro("extent", &ForNode::extent)
      .def_ro("kind", &ForNode::kind)
      .def_ro("loop_var", &ForNode::loop_var, tain::def_region())
      .def_ro("body", &ForNode::body)
      .def_static("__create__", &NewFor, arg("loop_var"), arg("min"), arg("extent"), arg("kind"),
                  arg("body"));
  ObjectDef<BlockNode>("A computation with axes of its own.")
      .def_ro("iter_vars", &BlockNode::iter_vars)
      .def_ro("alloc_buffers", &BlockNode::alloc_buffers)
      .def_ro("reads", &BlockNode::reads)
      .def_ro("writes", &BlockNode::writes)
      .def_ro("name_hint", &BlockNode::name_hint, tain::structural_ignore())
      .def_ro("init", &BlockNode::init)
      .def_ro("body", &BlockNode::body)
      .def_init<tain::Array<IterVar>, tain::Array<BufferRegion>, tain::Array<BufferRegion>,
                tain::String, Stmt, tain::Optional<Stmt>, tain::Array<Buffer>>(
          arg("iter_vars"), arg("reads"), arg("writes"), arg("name_hint"), arg("body"),
          arg("init") = nullptr, arg("alloc_buffers") = tain::Array<Buffer>());
  ObjectDef<BlockRealizeNode>("A block for some values of its axes.")
      .def_ro("iter_values", &BlockRealizeNode::iter_values)
      .def_ro("predicate", &BlockRealizeNode::predicate)
      .def_ro("block", &BlockRealizeNode::block)
      .def_static(
          "__create__",
          [](const Shape& values, const ExprArg& predicate, const Block& block) {
            CheckCondition("BlockRealize", predicate);
            return Stmt(tain::make_object<BlockRealizeNode>(Plain(values, "BlockRealize"),
                                                            predicate.expr, block));
          },
          arg("iter_values"), arg("predicate"), arg("block"));
  ObjectDef<PrimFuncNode>("A function of numbers and buffers.")
      .def_ro("params", &PrimFuncNode::params, tain::def_region())
      .def_ro("buffer_map", &PrimFuncNode::buffer_map, tain::def_region())
      .def_ro("body", &PrimFuncNode::body)
      .def_ro("attrs", &PrimFuncNode::attrs)
      .def_init<tain::Array<Var>, tain::Map<Var, Buffer>, Stmt, tain::Map<tain::String, tain::Any>>(
          arg("params"), arg("buffer_map"), arg("body"),
          arg("attrs") = tain::Map<tain::String, tain::Any>())
      .def(
          "with_attr",
          [](const PrimFunc& f, const tain::String& key, const tain::Any& value) {
            tain::Map<tain::String, tain::Any> attrs = f->attrs;
            attrs.Set(key, value);
            return PrimFunc(
                tain::make_object<PrimFuncNode>(f->params, f->buffer_map, f->body, attrs));
          },
          arg("key"), arg("value"), "The function with one more attribute.")
      .def("script", &FunctionScript, kScriptDoc)
      .def("__str__", &FunctionScript);
  ObjectDef<IRModuleNode>("Functions by name.")
      .def_ro("functions", &IRModuleNode::functions)
      .def_init<tain::Map<tain::String, PrimFunc>>(arg("functions"))
      .def_static(
          "from_expr",
          [](const PrimFunc& function, const tain::String& name) {
            tain::Map<tain::String, PrimFunc> functions;
            functions.Set(name, function);
            return IRModule(tain::make_object<IRModuleNode>(functions));
          },
          arg("function"), arg("name") = "main", "A module of one function.")
      .def("__getitem__",
           [](const IRModule& m, const tain::String& name) { return m->functions.at(name); })
      .def("script", &ModuleScript, kScriptDoc)
      .def("__str__", &ModuleScript);
}

}  // namespace

TAIN_REGISTER {
  DescribeBuffers();
  DescribeSimple();
  DescribePrograms();
}

}  // namespace tensorexpr

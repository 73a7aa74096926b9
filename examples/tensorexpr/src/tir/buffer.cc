// SPDX-License-Identifier: Apache-2.0
// Buffers and statements; see buffer.h and stmt.h.
#include "buffer.h"

#include "ops.h"
#include "stmt.h"

namespace tensorexpr {

Buffer MakeBuffer(const Exprs& shape, DType dtype, const std::string& name,
                  const std::string& scope) {
  const Var data(tain::make_object<VarNode>(tain::String(name), kHandle));
  return Buffer(tain::make_object<BufferNode>(data, dtype, shape, Exprs(), IntConst(0),
                                              tain::String(name), int64_t{64}, int64_t{0},
                                              tain::String(scope)));
}

namespace {

void CheckIndices(const char* what, const BufferNode& buffer, const Exprs& indices) {
  if (indices.size() != buffer.shape.size()) {
    TAIN_THROW(IndexError) << what << ": " << std::string(buffer.name) << " has "
                           << buffer.shape.size() << " dimensions, got " << indices.size()
                           << " indices";
  }
  for (size_t i = 0; i < indices.size(); ++i) {
    const DType dtype = indices[i]->dtype;
    if (!IsInteger(dtype) || (dtype.lanes != 1 && i + 1 != indices.size())) {
      TAIN_THROW(TypeError) << what << ": index " << i << " of " << std::string(buffer.name)
                            << " is " << Text(dtype)
                            << "; expected an integer, and a vector only as the last";
    }
  }
}

DType LoadedType(const Buffer& buffer, const Exprs& indices) {
  CheckIndices("BufferLoad", *buffer, indices);
  return indices.empty() ? buffer->dtype : WithLanes(buffer->dtype, indices.back()->dtype.lanes);
}

}  // namespace

BufferLoadNode::BufferLoadNode(Buffer its_buffer, Exprs its_indices)
    : PrimExprNode(LoadedType(its_buffer, its_indices)),
      buffer(std::move(its_buffer)),
      indices(std::move(its_indices)) {}

BufferStoreNode::BufferStoreNode(Buffer its_buffer, PrimExpr its_value, Exprs its_indices)
    : buffer(std::move(its_buffer)), value(std::move(its_value)), indices(std::move(its_indices)) {
  CheckIndices("BufferStore", *buffer, indices);
  const int lanes = indices.empty() ? 1 : indices.back()->dtype.lanes;
  if (value->dtype != WithLanes(buffer->dtype, lanes)) {
    TAIN_THROW(TypeError) << "BufferStore: " << std::string(buffer->name) << " holds "
                          << Text(WithLanes(buffer->dtype, lanes)) << ", got " << Text(value->dtype)
                          << "; convert it with astype()";
  }
}

Stmt Sequence(const std::vector<Stmt>& parts) {
  if (parts.size() == 1) return parts[0];
  tain::Array<Stmt> all;
  for (const Stmt& one : parts) {
    if (const auto* seq = one.as<SeqStmtNode>()) {
      for (const Stmt& inner : seq->seq) all.push_back(inner);
    } else {
      all.push_back(one);
    }
  }
  return Stmt(tain::make_object<SeqStmtNode>(all));
}

Stmt Nest(const std::vector<Loop>& loops, Stmt body) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    body = Stmt(tain::make_object<ForNode>(loop->var, loop->min, loop->extent, loop->kind, body));
  }
  return body;
}

Stmt Guarded(const PrimExpr& condition, Stmt body) {
  if (IsConstInt(condition, 1)) return body;
  return Stmt(tain::make_object<IfThenElseNode>(condition, body, tain::Optional<Stmt>()));
}

}  // namespace tensorexpr

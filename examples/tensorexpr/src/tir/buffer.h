// SPDX-License-Identifier: Apache-2.0
// Buffers, and how expressions read them.
#pragma once

#include "expr.h"

namespace tensorexpr {

/// Memory with a shape. Each is an object of its own.
struct BufferNode : tain::Object {
  Var data;  ///< the address of the first element, without elem_offset
  DType dtype;
  Exprs shape;
  Exprs strides;  ///< in elements; empty if the buffer is compact
  PrimExpr elem_offset;
  tain::String name;
  int64_t data_alignment;  ///< bytes
  int64_t offset_factor;   ///< elem_offset is a multiple of it; 0 if the offset is 0
  tain::String scope;      ///< "global", or "local" for memory of one thread
  BufferNode(Var its_data, DType its_type, Exprs its_shape, Exprs its_strides, PrimExpr offset,
             tain::String its_name, int64_t alignment, int64_t factor, tain::String its_scope)
      : data(std::move(its_data)),
        dtype(its_type),
        shape(std::move(its_shape)),
        strides(std::move(its_strides)),
        elem_offset(std::move(offset)),
        name(std::move(its_name)),
        data_alignment(alignment),
        offset_factor(factor),
        scope(std::move(its_scope)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Buffer", BufferNode, tain::Object);
};
using Buffer = tain::Ref<BufferNode>;

/// Makes a compact buffer.
TAIN_DLL_EXPORT Buffer MakeBuffer(const Exprs& shape, DType dtype, const std::string& name,
                                  const std::string& scope = "global");

/// An element of a buffer; of the type of the last index, a vector.
struct BufferLoadNode : PrimExprNode {
  Buffer buffer;
  Exprs indices;
  /// Throws TypeError for an index of another type, IndexError for another number of indices.
  TAIN_DLL_EXPORT BufferLoadNode(Buffer its_buffer, Exprs its_indices);
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.BufferLoad", BufferLoadNode, PrimExprNode);
};

/// Part of a buffer.
struct BufferRegionNode : tain::Object {
  Buffer buffer;
  tain::Array<Range> region;
  BufferRegionNode(Buffer its_buffer, tain::Array<Range> its_region)
      : buffer(std::move(its_buffer)), region(std::move(its_region)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.BufferRegion", BufferRegionNode, tain::Object);
};
using BufferRegion = tain::Ref<BufferRegionNode>;

/// What can be read by indices, and is not in memory yet: a tensor (te/tensor.h).
struct DataProducerNode : ExprConvertibleNode {
  DType dtype;
  Exprs shape;
  DataProducerNode(DType its_type, Exprs its_shape)
      : dtype(its_type), shape(std::move(its_shape)) {}
  virtual std::string Name() const = 0;
  TAIN_OBJECT("tensorexpr.tir.DataProducer", DataProducerNode, ExprConvertibleNode);
};
using DataProducer = tain::Ref<DataProducerNode>;

/// An element of a tensor.
struct ProducerLoadNode : PrimExprNode {
  DataProducer producer;
  Exprs indices;
  ProducerLoadNode(DataProducer its_producer, Exprs its_indices)
      : PrimExprNode(its_producer->dtype),
        producer(std::move(its_producer)),
        indices(std::move(its_indices)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.ProducerLoad", ProducerLoadNode, PrimExprNode);
};

}  // namespace tensorexpr

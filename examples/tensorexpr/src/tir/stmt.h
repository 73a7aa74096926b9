// SPDX-License-Identifier: Apache-2.0
// The nodes of statements and programs.
#pragma once

#include <vector>

#include "buffer.h"

namespace tensorexpr {

struct StmtNode : tain::Object {
  TAIN_OBJECT("tensorexpr.tir.Stmt", StmtNode, tain::Object);
  static constexpr int32_t _type_child_slots = 24;
};
using Stmt = tain::Ref<StmtNode>;

struct LetStmtNode : StmtNode {
  Var var;
  PrimExpr value;
  Stmt body;
  LetStmtNode(Var its_var, PrimExpr its_value, Stmt its_body)
      : var(std::move(its_var)), value(std::move(its_value)), body(std::move(its_body)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.LetStmt", LetStmtNode, StmtNode);
};

/// Something that is true in `body`, such as where the memory of a buffer is.
struct AttrStmtNode : StmtNode {
  tain::Any node;
  tain::String attr_key;
  PrimExpr value;
  Stmt body;
  AttrStmtNode(tain::Any its_node, tain::String key, PrimExpr its_value, Stmt its_body)
      : node(std::move(its_node)),
        attr_key(std::move(key)),
        value(std::move(its_value)),
        body(std::move(its_body)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.AttrStmt", AttrStmtNode, StmtNode);
};

/// The key of an AttrStmt that says that a buffer, its node, has the memory at an address, its value.
inline constexpr const char* kSharesMemory = "shares_memory";

struct AssertStmtNode : StmtNode {
  PrimExpr condition;
  tain::String message;
  Stmt body;
  tain::String kind;  ///< of the error
  AssertStmtNode(PrimExpr its_condition, tain::String its_message, Stmt its_body,
                 tain::String its_kind)
      : condition(std::move(its_condition)),
        message(std::move(its_message)),
        body(std::move(its_body)),
        kind(std::move(its_kind)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.AssertStmt", AssertStmtNode, StmtNode);
};

struct BufferStoreNode : StmtNode {
  Buffer buffer;
  PrimExpr value;
  Exprs indices;
  /// Throws TypeError for a value or index of another type, IndexError for another number of indices.
  TAIN_DLL_EXPORT BufferStoreNode(Buffer its_buffer, PrimExpr its_value, Exprs its_indices);
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.BufferStore", BufferStoreNode, StmtNode);
};

/// Memory for a buffer, which lives as long as `body` runs.
struct AllocateNode : StmtNode {
  Buffer buffer;
  Stmt body;
  AllocateNode(Buffer its_buffer, Stmt its_body)
      : buffer(std::move(its_buffer)), body(std::move(its_body)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Allocate", AllocateNode, StmtNode);
};

enum class ForKind : int32_t { kSerial = 0, kParallel = 1, kVectorized = 2, kUnrolled = 3 };

struct ForNode : StmtNode {
  Var loop_var;
  PrimExpr min, extent;
  ForKind kind;
  Stmt body;
  ForNode(Var var, PrimExpr its_min, PrimExpr its_extent, ForKind its_kind, Stmt its_body)
      : loop_var(std::move(var)),
        min(std::move(its_min)),
        extent(std::move(its_extent)),
        kind(its_kind),
        body(std::move(its_body)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.For", ForNode, StmtNode);
};

struct IfThenElseNode : StmtNode {
  PrimExpr condition;
  Stmt then_case;
  tain::Optional<Stmt> else_case;
  IfThenElseNode(PrimExpr its_condition, Stmt its_then, tain::Optional<Stmt> its_else)
      : condition(std::move(its_condition)),
        then_case(std::move(its_then)),
        else_case(std::move(its_else)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.IfThenElse", IfThenElseNode, StmtNode);
};

struct SeqStmtNode : StmtNode {
  tain::Array<Stmt> seq;
  explicit SeqStmtNode(tain::Array<Stmt> parts) : seq(std::move(parts)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.SeqStmt", SeqStmtNode, StmtNode);
};

struct EvaluateNode : StmtNode {
  PrimExpr value;
  explicit EvaluateNode(PrimExpr its_value) : value(std::move(its_value)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Evaluate", EvaluateNode, StmtNode);
};

/// A computation with axes of its own: what create_prim_func makes of a stage.
struct BlockNode : StmtNode {
  tain::Array<IterVar> iter_vars;
  tain::Array<BufferRegion> reads, writes;
  tain::String name_hint;
  Stmt body;
  tain::Optional<Stmt> init;  ///< runs before the first step of a reduction
  tain::Array<Buffer> alloc_buffers;
  BlockNode(tain::Array<IterVar> axes, tain::Array<BufferRegion> its_reads,
            tain::Array<BufferRegion> its_writes, tain::String name, Stmt its_body,
            tain::Optional<Stmt> its_init, tain::Array<Buffer> buffers)
      : iter_vars(std::move(axes)),
        reads(std::move(its_reads)),
        writes(std::move(its_writes)),
        name_hint(std::move(name)),
        body(std::move(its_body)),
        init(std::move(its_init)),
        alloc_buffers(std::move(buffers)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.Block", BlockNode, StmtNode);
};
using Block = tain::Ref<BlockNode>;

/// A block for some values of its axes.
struct BlockRealizeNode : StmtNode {
  Exprs iter_values;
  PrimExpr predicate;
  Block block;
  BlockRealizeNode(Exprs values, PrimExpr its_predicate, Block its_block)
      : iter_values(std::move(values)),
        predicate(std::move(its_predicate)),
        block(std::move(its_block)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.BlockRealize", BlockRealizeNode, StmtNode);
};

/// A function: its parameters are numbers, or handles that `buffer_map` says to be buffers.
struct PrimFuncNode : tain::Object {
  tain::Array<Var> params;
  tain::Map<Var, Buffer> buffer_map;
  Stmt body;
  tain::Map<tain::String, tain::Any> attrs;
  PrimFuncNode(tain::Array<Var> its_params, tain::Map<Var, Buffer> buffers, Stmt its_body,
               tain::Map<tain::String, tain::Any> its_attrs)
      : params(std::move(its_params)),
        buffer_map(std::move(buffers)),
        body(std::move(its_body)),
        attrs(std::move(its_attrs)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.tir.PrimFunc", PrimFuncNode, tain::Object);
};
using PrimFunc = tain::Ref<PrimFuncNode>;

/// Functions by name.
struct IRModuleNode : tain::Object {
  tain::Map<tain::String, PrimFunc> functions;
  explicit IRModuleNode(tain::Map<tain::String, PrimFunc> its_functions)
      : functions(std::move(its_functions)) {}
  TAIN_DECLARE_OBJECT_INFO_FINAL("tensorexpr.IRModule", IRModuleNode, tain::Object);
};
using IRModule = tain::Ref<IRModuleNode>;

/// Joins statements; one alone stays itself.
TAIN_DLL_EXPORT Stmt Sequence(const std::vector<Stmt>& parts);
/// Surrounds a statement with loops, the last innermost.
struct Loop {
  Var var;
  PrimExpr min, extent;
  ForKind kind = ForKind::kSerial;
};
TAIN_DLL_EXPORT Stmt Nest(const std::vector<Loop>& loops, Stmt body);
/// `if condition: body`, or the body alone if the condition is the constant true.
TAIN_DLL_EXPORT Stmt Guarded(const PrimExpr& condition, Stmt body);

}  // namespace tensorexpr

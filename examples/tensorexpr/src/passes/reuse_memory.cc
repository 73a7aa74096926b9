// SPDX-License-Identifier: Apache-2.0
// The pass that lets buffers share memory; see passes.h.
#include <tain/graph/functor.h>
#include <tain/graph/visit.h>

#include <algorithm>
#include <unordered_map>

#include "passes/passes.h"
#include "tir/ops.h"

namespace tensorexpr {
namespace {

/// The first and the last of several statements that use a buffer.
struct Lifetime {
  size_t first = 0, last = 0;
};

/// The memory that is allocated around statements.
struct Scope {
  /// Memory, and the buffers that live in it one after the other; the first is the largest.
  struct Memory {
    std::vector<Buffer> buffers;
    int64_t count;  ///< elements
  };
  std::vector<Memory> all;
  std::vector<Buffer> unknown;  ///< buffers whose size is known only when the program runs
};

std::optional<int64_t> CountOf(const Buffer& b) {
  int64_t count = 1;
  for (const PrimExpr& extent : b->shape) {
    const std::optional<int64_t> value = AsInt(extent);
    if (!value || *value < 0 || (*value != 0 && count > (int64_t{1} << 40) / *value))
      return std::nullopt;
    count *= *value;
  }
  return count;
}

std::unordered_map<const tain::Object*, Lifetime> LifetimesIn(const tain::Array<Stmt>& parts) {
  std::unordered_map<const tain::Object*, Lifetime> all;
  for (size_t i = 0; i < parts.size(); ++i) {
    tain::PreOrderVisit(parts[i], [&](const tain::Any& node) {
      // A buffer, or its address by itself.
      if (node.as<BufferNode>() == nullptr && node.as<VarNode>() == nullptr) return;
      all.try_emplace(node.as<tain::Object>(), Lifetime{i, i}).first->second.last = i;
    });
  }
  return all;
}

class MemoryPlan {
 public:
  explicit MemoryPlan(const tain::Array<Stmt>& parts) : lifetimes_(LifetimesIn(parts)) {}

  void Add(const Buffer& buffer, Scope* scope) const {
    const std::optional<int64_t> count = CountOf(buffer);
    if (!count) return scope->unknown.push_back(buffer);
    for (Scope::Memory& memory : scope->all) {
      const Buffer& host = memory.buffers[0];
      if (!(host->dtype == buffer->dtype) || host->scope != buffer->scope ||
          host->data_alignment != buffer->data_alignment)
        continue;
      if (std::any_of(memory.buffers.begin(), memory.buffers.end(),
                      [&](const Buffer& one) { return Meets(one, buffer); }))
        continue;
      memory.buffers.insert(*count > memory.count ? memory.buffers.begin() : memory.buffers.end(),
                            buffer);
      memory.count = std::max(memory.count, *count);
      return;
    }
    scope->all.push_back({{buffer}, *count});
  }

 private:
  bool Meets(const Buffer& a, const Buffer& b) const {
    const Lifetime one = Of(a), other = Of(b);
    return one.first <= other.last && other.first <= one.last;
  }
  Lifetime Of(const Buffer& b) const {
    const auto by_buffer = lifetimes_.find(b.get()), by_address = lifetimes_.find(b->data.get());
    if (by_buffer == lifetimes_.end())
      return by_address == lifetimes_.end() ? Lifetime() : by_address->second;
    if (by_address == lifetimes_.end()) return by_buffer->second;
    return {std::min(by_buffer->second.first, by_address->second.first),
            std::max(by_buffer->second.last, by_address->second.last)};
  }

  std::unordered_map<const tain::Object*, Lifetime> lifetimes_;
};

class MemoryReuser : public tain::ExprMutator<Stmt, AllocateNode> {
 public:
  Stmt VisitExpr_(const AllocateNode* s) override {
    Scope scope;
    std::vector<Buffer> buffers{s->buffer};
    Stmt body = s->body;
    while (const auto* inner = body.as<AllocateNode>()) {
      buffers.push_back(inner->buffer);
      body = Stmt(inner->body);
    }
    body = Mutate(body);
    const auto* seq = body.as<SeqStmtNode>();
    const MemoryPlan plan(seq != nullptr ? seq->seq : tain::Array<Stmt>{body});
    for (const Buffer& one : buffers) plan.Add(one, &scope);
    for (auto memory = scope.all.rbegin(); memory != scope.all.rend(); ++memory) {
      const Buffer& host = memory->buffers[0];
      for (size_t i = memory->buffers.size(); i-- > 1;) {
        body = Stmt(
            tain::make_object<AttrStmtNode>(memory->buffers[i], kSharesMemory, host->data, body));
      }
      body = Stmt(tain::make_object<AllocateNode>(host, body));
    }
    for (auto one = scope.unknown.rbegin(); one != scope.unknown.rend(); ++one) {
      body = Stmt(tain::make_object<AllocateNode>(*one, body));
    }
    return body;
  }
};

}  // namespace

Stmt ReuseMemory(const Stmt& s) { return MemoryReuser().Mutate(s); }

}  // namespace tensorexpr

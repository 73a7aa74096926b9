// SPDX-License-Identifier: Apache-2.0
// Reductions; see reduction.h.
#include "reduction.h"

#include <tain/graph/visit.h>

namespace tensorexpr {
namespace {

Stmt Store(const Buffer& buffer, const PrimExpr& value, const Exprs& indices) {
  return Stmt(tain::make_object<BufferStoreNode>(buffer, value, indices));
}

}  // namespace

ReductionSteps MakeSteps(const ReduceNode& reduce, const tain::Array<Buffer>& results,
                         const Exprs& indices,
                         const std::function<PrimExpr(const PrimExpr&)>& convert) {
  const CommReducerNode& combiner = *reduce.combiner.get();
  const size_t n = results.size();
  std::vector<Stmt> init, update;
  VarMap vars;
  std::vector<std::pair<Var, PrimExpr>> sources;  // of several results: each is read once
  for (size_t i = 0; i < n; ++i) {
    const PrimExpr start = reduce.init.empty() ? combiner.identity[i] : convert(reduce.init[i]);
    init.push_back(Store(results[i], start, indices));
    const PrimExpr load(tain::make_object<BufferLoadNode>(results[i], indices));
    const PrimExpr source = convert(reduce.source[i]);
    if (n == 1) {
      vars.emplace(combiner.lhs[i].get(), load);
      vars.emplace(combiner.rhs[i].get(), source);
      continue;
    }
    const auto name = [&](const char* what) {
      return Var(tain::make_object<VarNode>(
          tain::String("v_" + std::string(what) + std::to_string(i)), load->dtype));
    };
    sources.emplace_back(name("lhs"), load);
    vars.emplace(combiner.lhs[i].get(), sources.back().first);
    sources.emplace_back(name("rhs"), source);
    vars.emplace(combiner.rhs[i].get(), sources.back().first);
  }
  for (size_t i = 0; i < n; ++i) {
    update.push_back(Store(results[i], Substitute(combiner.result[i], vars), indices));
  }
  Stmt all = Sequence(update);
  for (auto one = sources.rbegin(); one != sources.rend(); ++one) {
    all = Stmt(tain::make_object<LetStmtNode>(one->first, one->second, all));
  }
  return {Sequence(init), Guarded(convert(reduce.condition), all)};
}

Stmt ExternBody(const ExternOpNode& op, const std::vector<Buffer>& ins,
                const std::vector<Buffer>& outs) {
  std::unordered_map<const tain::Object*, Buffer> real;
  VarMap vars;
  const auto map = [&](const tain::Array<Buffer>& placeholders,
                       const std::vector<Buffer>& buffers) {
    for (size_t i = 0; i < placeholders.size(); ++i) {
      real.emplace(placeholders[i].get(), buffers[i]);
      vars.emplace(placeholders[i]->data.get(), buffers[i]->data);
      if (const auto* offset = placeholders[i]->elem_offset.as<VarNode>()) {
        vars.emplace(offset, buffers[i]->elem_offset);
      }
    }
  };
  map(op.input_placeholders, ins);
  map(op.output_placeholders, outs);
  // Buffers first: their parts are the variables that are replaced then.
  const Stmt changed = tain::Rewrite(op.body, [&](const tain::Any& node) -> tain::Any {
    const auto* buffer = node.as<BufferNode>();
    const auto found = buffer == nullptr ? real.end() : real.find(buffer);
    return found == real.end() ? tain::Any() : tain::Any(found->second);
  });
  return Substitute(changed, vars);
}

}  // namespace tensorexpr

// SPDX-License-Identifier: Apache-2.0
// The passes under their names, for tain.transform.
#include "passes/passes.h"

#include <tain/graph/pass.h>

#include "arith/analyzer.h"

namespace tensorexpr {
namespace {

using tain::transform::PassContext;
using tain::transform::PassContextObj;

void Register(const char* name, int64_t level, Stmt (*pass)(const Stmt&)) {
  tain::transform::RegisterPass(tain::transform::CreatePass(
      name, level, [pass](const tain::Any& graph) { return ForEachBody(graph, pass); }));
}

}  // namespace

tain::Any ForEachBody(const tain::Any& program, const std::function<Stmt(const Stmt&)>& change) {
  const auto changed = [&](const PrimFunc& f) {
    return PrimFunc(
        tain::make_object<PrimFuncNode>(f->params, f->buffer_map, change(f->body), f->attrs));
  };
  if (const auto* f = program.as<PrimFuncNode>()) return changed(tain::GetRef<PrimFunc>(f));
  if (const auto* s = program.as<StmtNode>()) return change(tain::GetRef<Stmt>(s));
  const auto* m = program.as<IRModuleNode>();
  if (m == nullptr)
    TAIN_THROW(TypeError) << "expected a program: an IRModule, a PrimFunc or a statement";
  tain::Map<tain::String, PrimFunc> functions;
  for (const auto& [name, f] : m->functions) functions.Set(name, changed(f));
  return IRModule(tain::make_object<IRModuleNode>(functions));
}

TAIN_REGISTER {
  tain::transform::RegisterPass(
      tain::transform::CreatePass("tensorexpr.Verify", 0, [](const tain::Any& graph) {
        if (const auto* f = graph.as<PrimFuncNode>()) Verify(tain::GetRef<PrimFunc>(f));
        if (const auto* m = graph.as<IRModuleNode>()) {
          for (const auto& [name, f] : m->functions) Verify(f);
        }
        return graph;
      }));
  Register("tensorexpr.LowerBlocks", 0, &LowerBlocks);
  Register("tensorexpr.Simplify", 0, &SimplifyStmt);
  Register("tensorexpr.InlineLets", 1, &InlineLets);
  Register("tensorexpr.ShareSubexpressions", 1, &ShareSubexpressions);
  Register("tensorexpr.ReuseMemory", 1, &ReuseMemory);
  tain::transform::RegisterPass(tain::transform::CreatePass(
      "tensorexpr.CheckBounds", 0, [](const tain::Any& graph, const PassContext& context) {
        return context->Config<bool>("tensorexpr.check_bounds", true)
                   ? ForEachBody(graph, &CheckBounds)
                   : graph;
      }));
  tain::transform::RegisterPass(tain::transform::CreatePass(
      "tensorexpr.Vectorize", 0, [](const tain::Any& graph, const PassContext& context) {
        const bool is_on = !context->Config<bool>("tir.disable_vectorize", false);
        return ForEachBody(graph, [is_on](const Stmt& s) { return VectorizeLoops(s, is_on); });
      }));
  tain::transform::RegisterPass(tain::transform::CreatePass(
      "tensorexpr.Unroll", 0, [](const tain::Any& graph, const PassContext& context) {
        const int64_t most = context->Config<int64_t>("tensorexpr.unroll_max_steps", 256);
        return ForEachBody(graph, [most](const Stmt& s) { return UnrollLoops(s, most); });
      }));
  tain::reflection::GlobalDef().def(
      "tensorexpr.tir.simplify", [](const PrimExpr& e) { return Analyzer().Simplify(e); },
      tain::arg("expr"), "A simpler expression of the same value.");
}

}  // namespace tensorexpr

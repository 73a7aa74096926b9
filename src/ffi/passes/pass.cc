// SPDX-License-Identifier: Apache-2.0
// Passes, their sequences and contexts; see tain/graph/pass.h.
#include "tain/graph/pass.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error_object.h"
#include "base/stack_bound.h"
#include "base/thread_end.h"
#include "tain/internal/container_api.h"
#include "tain/internal/near_matches.h"

namespace tain::transform {
namespace {

using internal::ThrowIfFailed;

/// The contexts of a thread, the current one last.
struct Contexts : std::vector<Ref<PassContextObj>> {};
std::vector<Ref<PassContextObj>>& ThreadContexts() { return internal::ThreadOwn<Contexts>::Get(); }

bool HasName(const Array<String>& names, const String& name) {
  return std::any_of(names.begin(), names.end(), [&](const String& one) { return one == name; });
}

/// Throws an error of a pass again, with the name of the pass. An exception of the host stays the
/// same object, so the host adds the name to it.
[[noreturn]] void ThrowFromPass(const Error& error, const String& name) {
  const std::string place = "pass " + std::string(name);
  if (internal::ErrorCellOf(internal::RefAccess::Header(error))->extra_context == nullptr) {
    throw Error(error.kind(), place + ": " + error.message(), error.backtrace());
  }
  if (const auto note = Function::GetGlobal("tain.transform.note")) (*note)(error, place);
  throw error;
}

/// Calls `f(instrument)` for all instruments, the last first, even if one throws; then throws the
/// first error.
template <class F>
void ForEachBackwards(const Array<PassInstrument>& instruments, size_t count, F f) {
  std::optional<Error> first;
  for (size_t i = count; i-- > 0;) {
    try {
      f(instruments[static_cast<int64_t>(i)]);
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

/// The names of the registered passes.
std::vector<std::string> PassNames() {
  std::vector<std::string> names;
  TainListGlobalNames(
      [](const TainByteArray* name, void* out) {
        const std::string_view prefix = kPassPrefix;
        const std::string_view text(name->data, name->size);
        if (text.substr(0, prefix.size()) != prefix) return 0;
        try {
          static_cast<std::vector<std::string>*>(out)->emplace_back(text.substr(prefix.size()));
        } catch (const std::bad_alloc&) {
          return 1;
        }
        return 0;
      },
      &names);
  std::sort(names.begin(), names.end());
  return names;
}

Any RunRequired(const PassObj& pass, Any graph) {
  for (const String& name : pass.required) graph = GetPass(name)->Apply(std::move(graph));
  return graph;
}

}  // namespace

// ---------------------------------------------------------------- contexts

bool PassContextObj::Enables(const PassObj& pass) const {
  if (HasName(disabled_pass, pass.name)) return false;
  return opt_level >= pass.opt_level || HasName(required_pass, pass.name);
}

void PassContextObj::Enter() {
  ThreadContexts().push_back(Ref<PassContextObj>(GetObjectPtr(this)));
  const Array<PassInstrument> entered = instruments;
  size_t done = 0;
  try {
    for (; done < entered.size(); ++done) entered[static_cast<int64_t>(done)]->enter_context();
  } catch (...) {
    ThreadContexts().pop_back();
    try {
      ForEachBackwards(entered, done, [](const PassInstrument& one) { one->exit_context(); });
    } catch (const Error&) {
      // The error of the beginning is the one to report.
    }
    throw;
  }
}

void PassContextObj::Exit() {
  std::vector<Ref<PassContextObj>>& contexts = ThreadContexts();
  if (contexts.empty() || contexts.back().get() != this) {
    TAIN_THROW(RuntimeError) << "PassContext: it is not the current context of this thread";
  }
  const Ref<PassContextObj> self = std::move(contexts.back());
  contexts.pop_back();
  ForEachBackwards(instruments, instruments.size(),
                   [](const PassInstrument& one) { one->exit_context(); });
}

PassContext PassContext::Current() {
  const std::vector<Ref<PassContextObj>>& contexts = ThreadContexts();
  if (!contexts.empty()) return PassContext(ObjectPtr<PassContextObj>(contexts.back()));
  return PassContext(make_object<PassContextObj>());
}

PassContext::Scope::Scope(PassContext context) : context_(std::move(context)) { context_->Enter(); }

PassContext::Scope::~Scope() {
  try {
    context_->Exit();
  } catch (const Error&) {
    // A destructor cannot report it.
  }
}

// ---------------------------------------------------------------- passes

PassObj::~PassObj() = default;

Any PassObj::Apply(Any graph) {
  if (internal::StackIsLow()) internal::ThrowStackIsLow("pass");
  const Pass self(GetObjectPtr(this));
  const Array<PassInstrument> instruments = PassContext::Current()->instruments;
  for (const PassInstrument& one : instruments) {
    if (!one->should_run(graph, self)) return graph;
  }
  for (const PassInstrument& one : instruments) one->before_pass(graph, self);
  Any result;
  try {
    result = run(std::move(graph));
    if (result == nullptr) {
      TAIN_THROW(TypeError) << "expected a graph as the result, got None";
    }
  } catch (const Error& error) {
    const Error held = error;
    try {
      ForEachBackwards(instruments, instruments.size(),
                       [&](const PassInstrument& one) { one->failed_pass(self); });
    } catch (const Error&) {
      // The error of the pass is the one to report.
    }
    ThrowFromPass(held, name);
  }
  ForEachBackwards(instruments, instruments.size(),
                   [&](const PassInstrument& one) { one->after_pass(result, self); });
  return result;
}

Any FunctionPassObj::run_impl(Any graph) { return body(graph, PassContext::Current()); }

Any SequentialObj::run_impl(Any graph) {
  for (const Pass& pass : passes) {
    if (!PassContext::Current()->Enables(*pass)) continue;
    graph = pass->Apply(RunRequired(*pass, std::move(graph)));
  }
  return graph;
}

Pass Sequential(Array<Pass> passes, String name) {
  return make_object<SequentialObj>(std::move(passes), std::move(name), 0, Array<String>());
}

Pass GetPass(const String& name) {
  const std::string full = std::string(kPassPrefix) + std::string(name);
  const auto found = Function::GetGlobal(full);
  if (!found) {
    const std::string near = internal::NearMatches(name, PassNames());
    TAIN_THROW(ValueError) << "no pass is registered as '" << name << (near.empty() ? "'" : "'.")
                           << near;
  }
  return (*found)().cast<Pass>();
}

}  // namespace tain::transform

// SPDX-License-Identifier: Apache-2.0
// The Functions of a library's exported symbols; see exported.h.
#include "modules/exported.h"

#include <utility>

#include "base/guard.h"
#include "base/unlocked_call.h"
#include "registry/function_record.h"

namespace tain::internal {
namespace {

/// The Function of a TAIN_EXPORT, whose word is the callable, or of a C symbol, whose word is that
/// symbol. It keeps its module alive.
struct ExportedObj : FunctionObj {
  /// The library's code finds the callable where a Closure of the size of a word has it.
  uint64_t word;
  Ref<ModuleObj> module;

  ExportedObj(TainSafeCall call, uint64_t word_, Ref<ModuleObj> module_)
      : word(word_), module(std::move(module_)) {
    body.cell.safe_call = call;
  }
  static ExportedObj& Of(void* self) noexcept {
    return *static_cast<ExportedObj*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
  }
};
static_assert(sizeof(FunctionObj) == sizeof(ExportedObj) - 2 * sizeof(uint64_t));

int CallSymbol(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
  const auto symbol = reinterpret_cast<TainSafeCall>(ExportedObj::Of(self).word);
  return Guard([&] {
    return CheckedResult(TainFunctionReleasesGil(static_cast<TainObject*>(self)) != 0
                             ? CallUnlocked(symbol, nullptr, args, num_args, result)
                             : symbol(nullptr, args, num_args, result),
                         *result);
  });
}

}  // namespace

Function FunctionOfExport(const ModuleExport& record, const std::string& name,
                          const Ref<ModuleObj>& module) {
  if (record.layout != TAIN_LAYOUT_VERSION) {
    TAIN_THROW(ImportError) << "function '" << name << "' was compiled for another version of tain "
                            << "(layout " << record.layout << ", this one has "
                            << TAIN_LAYOUT_VERSION << "): compile the library again";
  }
  if (!record.safe_call || !record.callable || !record.describe) {
    TAIN_THROW(ImportError) << "function '" << name
                            << "': its record is not what TAIN_EXPORT wrote";
  }
  Function function(ObjectPtr<FunctionObj>(
      make_object<ExportedObj>(record.safe_call, record.callable(), module)));
  struct Context {
    const ModuleExport& record;
    const std::string& name;
    const Function& function;
    std::exception_ptr error;
  } context{record, name, function, nullptr};
  // The exceptions of libtain's code do not pass through the library's.
  record.describe(&context, [](void* data, const CallSpec* spec) {
    auto& given = *static_cast<Context*>(data);
    try {
      FunctionRecord(given.name, given.record.shape, SpecOf(spec), false).SetInfoOf(given.function);
    } catch (...) {
      given.error = std::current_exception();
    }
  });
  if (context.error) std::rethrow_exception(context.error);
  return function;
}

Function FunctionOfSymbol(TainSafeCall symbol, const Ref<ModuleObj>& module) {
  Function function(ObjectPtr<FunctionObj>(
      make_object<ExportedObj>(&CallSymbol, reinterpret_cast<uint64_t>(symbol), module)));
  TainObject* header = RefAccess::Header(function);
  ThrowIfFailed(TainFunctionSetReleasesGil(header, 1));
  return function;
}

const ModuleObj& ModuleOfExported(void* self) noexcept { return *ExportedObj::Of(self).module; }

}  // namespace tain::internal

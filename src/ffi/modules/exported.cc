// SPDX-License-Identifier: Apache-2.0
// The Functions of a library's exported symbols; see exported.h.
#include "modules/exported.h"

#include <utility>

#include "base/guard.h"
#include "base/unlocked_call.h"
#include "registry/function_record.h"

namespace tain::internal {
namespace {

/// The Function of a TAIN_EXPORT: a Closure whose callable has the size of a word. The library's
/// code finds the callable where a Closure has it.
struct ExportObj : FunctionObj {
  uint64_t callable;
  Ref<ModuleObj> module;

  ExportObj(TainSafeCall call, uint64_t callable_, Ref<ModuleObj> module_)
      : callable(callable_), module(std::move(module_)) {
    body.cell.safe_call = call;
  }
};
static_assert(sizeof(FunctionObj) == sizeof(ExportObj) - 2 * sizeof(uint64_t));

/// The Function of a C symbol.
struct SymbolObj : FunctionObj {
  TainSafeCall symbol;
  Ref<ModuleObj> module;

  SymbolObj(TainSafeCall symbol_, Ref<ModuleObj> module_)
      : symbol(symbol_), module(std::move(module_)) {
    body.cell.safe_call = &Call;
  }
  static int Call(void* self, const TainAny* args, int32_t num_args, TainAny* result) noexcept {
    auto* object =
        static_cast<SymbolObj*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
    return Guard([&] {
      const int code =
          CheckedResult(TainFunctionReleasesGil(static_cast<TainObject*>(self)) != 0
                            ? CallUnlocked(object->symbol, nullptr, args, num_args, result)
                            : object->symbol(nullptr, args, num_args, result),
                        *result);
      // The module must know of objects whose deleter is its code, as long as they live.
      if (code == 0 && result->type_index >= kTainStaticObjectBegin) {
        TainForeignTie(result->v_obj, 1);
      }
      return code;
    });
  }
};

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
  Function function(
      ObjectPtr<FunctionObj>(make_object<ExportObj>(record.safe_call, record.callable(), module)));
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
  Function function(ObjectPtr<FunctionObj>(make_object<SymbolObj>(symbol, module)));
  TainObject* header = RefAccess::Header(function);
  if (TainFunctionSetReleasesGil(header, 1) != 0) throw Error::MoveFromRaised();
  return function;
}

}  // namespace tain::internal

// SPDX-License-Identifier: Apache-2.0
// Calls of packed bodies, and global functions that are looked up by pointer.
#include "tain/packed_func.h"

#include <memory>
#include <mutex>

#include "registry/registry.h"

namespace tain {
namespace internal {

void ThrowMissing(const TainFunctionInfo* info, int32_t index, int32_t given) {
  const std::string name = info == nullptr ? "" : std::string(info->name.data, info->name.size);
  TAIN_THROW(TypeError) << name << (info == nullptr ? "" : "() ") << "missing argument " << index
                        << ": got " << given << (given == 1 ? " argument" : " arguments");
}

PackedObj::PackedObj(Call call) noexcept : call_(call) { body.cell.safe_call = &SafeCall; }

int PackedObj::SafeCall(void* self, const TainAny* args, int32_t num_args,
                        TainAny* result) noexcept {
  auto* function =
      static_cast<PackedObj*>(ObjectAccess::FromHeader(static_cast<TainObject*>(self)));
  const TainFunctionInfo* info = function->body.info;
  if (TAIN_UNLIKELY(HasKeywords(args, num_args))) {  // a body has no names for them
    return CallCompleted(&SafeCall, self, info, {0, false}, args, num_args, result);
  }
  try {
    RetValue value;
    function->call_(function, PackedArgs(Args(args, num_args), info), &value);
    *result = value.Release();
    return 0;
  } catch (...) {
    return FailedIn(info);
  }
}

}  // namespace internal

const PackedFunc* Registry::Get(std::string_view name) {
  std::optional<Function> found = Function::GetGlobal(name);
  if (!found) return nullptr;
  auto function = std::make_unique<const PackedFunc>(*std::move(found));
  auto& registry = internal::Registry::Default();
  const std::unique_lock lock(registry.mutex);
  const TainObject* object = internal::RefAccess::Header(*function);
  // If the map has the object already, `function` keeps its reference until the lock is released.
  return registry.returned.try_emplace(object, std::move(function)).first->second.get();
}

}  // namespace tain

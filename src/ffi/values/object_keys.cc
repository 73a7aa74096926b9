// SPDX-License-Identifier: Apache-2.0
// Registered objects as keys of maps.
//
// An object is a key by value if its class has both equality and a hash, either from the type or
// from a class of the host. All other objects are keys by address. Their hash is the same as
// without `__any_hash__`, so that entries remain valid if the type gets that attribute later.
// Objects of a type whose == compares fields but which has no hash are keys by address too: they
// may change, and C++ may still use them as keys.
#include "values/value_plan.h"

#include <atomic>

#include "base/guard.h"
#include "registry/key_functions.h"
#include "tain/internal/value_ops.h"

namespace tain::internal {
namespace {

std::atomic<const TainObject*> hash_function{nullptr};
std::atomic<const TainObject*> equal_function{nullptr};

bool IsByValue(const TainObject* object, int traits) {
  if ((traits & kHostUnhashable) != 0) return false;
  if ((traits & kHostHash) != 0 || object->type_index == kTainMap) return true;
  return PlanOf(object->type_index).by_value();
}

void CheckKeys(const TainAny* args, int32_t num_args, int32_t expected, const char* name) {
  bool fits = num_args == expected && args != nullptr;
  for (int32_t i = 0; fits && i < num_args; ++i) {
    fits = args[i].type_index >= kTainStaticObjectBegin && args[i].v_obj != nullptr;
  }
  if (fits) return;
  TAIN_THROW(TypeError) << name << ": expected " << expected
                        << (expected == 1 ? " object" : " objects");
}

int CallHash(void*, const TainAny* args, int32_t num_args, TainAny* result) {
  return Guard([&] {
    CheckKeys(args, num_args, 1, "__any_hash__");
    const uint64_t hash = ObjectKeyHash(args[0].v_obj);
    result->type_index = kTainInt;
    result->v_uint64 = hash;
  });
}

int CallEqual(void*, const TainAny* args, int32_t num_args, TainAny* result) {
  return Guard([&] {
    CheckKeys(args, num_args, 2, "__any_equal__");
    const bool equal = ObjectKeysEqual(args[0].v_obj, args[1].v_obj);
    result->type_index = kTainBool;
    result->v_int64 = equal ? 1 : 0;
  });
}

Any MakeKeyFunction(TainSafeCall call, std::atomic<const TainObject*>* address) {
  TainAny value{};
  value.type_index = kTainFunction;
  ThrowIfFailed(TainFunctionCreate(nullptr, call, nullptr, &value.v_obj));
  TainFunctionSetReleasesGil(value.v_obj, 0);  // it is tain's own code
  address->store(value.v_obj, std::memory_order_release);
  return Any::Steal(value);
}

/// Makes the functions while libtain is loaded, before the registry's lock is ever held. Maps are
/// compared by content too.
const bool filled = [] {
  GetKeyFunctions();
  FillKeyColumns(kTainMap, false);
  return true;
}();

}  // namespace

const KeyFunctions& GetKeyFunctions() {
  static const auto* functions = new KeyFunctions{MakeKeyFunction(&CallHash, &hash_function),
                                                  MakeKeyFunction(&CallEqual, &equal_function)};
  return *functions;
}

bool IsKeyFunction(const TainAny& attribute) noexcept {
  if (attribute.type_index != kTainFunction) return false;
  return attribute.v_obj == hash_function.load(std::memory_order_acquire) ||
         attribute.v_obj == equal_function.load(std::memory_order_acquire);
}

uint64_t ObjectKeyHash(TainObject* object) {
  const TainAny view = ViewOfObject(object);
  if (!IsByValue(object, TraitsOf(object))) return view.v_uint64;
  return static_cast<uint64_t>(ValueHash(view));
}

bool ObjectKeysEqual(TainObject* a, TainObject* b) {
  if (a == b) return true;
  if (a->type_index != b->type_index) return false;
  if (!IsByValue(a, TraitsOf(a)) || !IsByValue(b, TraitsOf(b))) return false;
  return ValueEqual(ViewOfObject(a), ViewOfObject(b));
}

}  // namespace tain::internal

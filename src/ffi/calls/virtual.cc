// SPDX-License-Identifier: Apache-2.0
// Calls of virtual methods that the host language may override.
#include "tain/virtual.h"

#include <cstdio>
#include <exception>
#include <string>

#include "base/unlocked_call.h"
#include "memory/override_call.h"
#include "tain/internal/box_override.h"
#include "values/mismatch.h"

TainOverrideSet TainOverrideSets[kTainOverrideSetCount] = {};
uint32_t TainOverrideMask = kTainOverrideMaskOfSets;
static_assert(kTainOverrideMaskOfSets == (kTainOverrideSetCount - 1) << kTainHeaderSetShift);

namespace tain::internal {

bool CallOverride(const Object* object, const char* name, const AnyView* args, int32_t num_args,
                  Any* result) {
  const auto call = HostFunction<&TainHost::call_override>();
  if (call == nullptr) return false;
  const TainByteArray bytes = Bytes(name);
  TainAny value{};
  int handled = 0;
  // An AnyView has the layout of a TainAny.
  const auto* values = reinterpret_cast<const TainAny*>(args);
  TainObject* receiver = ObjectAccess::Header(object);
  const OverrideCall running(receiver, name, values, num_args);
  ThrowIfFailed(call(receiver, &bytes, values, num_args, &value, &handled));
  *result = Any::Steal(value);
  return handled != 0;
}

void ThrowOverrideResult(const Object* object, const char* name, const Mismatch& mismatch,
                         const TainAny& got) {
  ThrowMismatch(ClassNameOf(ObjectAccess::Header(object)) + "." + name + ": result of the override",
                mismatch, got);
}

namespace {
[[noreturn]] void ThrowAbstract(std::string_view class_name, const char* name) {
  TAIN_THROW(NotImplementedError) << class_name << "." << name
                                  << " is abstract and was not overridden";
}
}  // namespace

void ThrowAbstract(const Object* object, const char* name) {
  ThrowAbstract(ClassNameOf(ObjectAccess::Header(object)), name);
}

void ThrowPure(const BoxObj* box, std::string_view class_name, const char* name) {
  if (box != nullptr) ThrowAbstract(box, name);
  ThrowAbstract(class_name, name);
}

void ThrowNullReference(const BoxObj* box, const char* name) {
  TAIN_THROW(TypeError) << ClassNameOf(ObjectAccess::Header(box)) << "." << name
                        << ": result of the override: expected an object, because C++ takes a "
                        << "reference, got None";
}

void ReportInNoexcept(const BoxObj* box, const char* name) noexcept {
  RaiseHandled();
  std::string where(name);
  try {
    if (box != nullptr) where = ClassNameOf(ObjectAccess::Header(box)) + "." + where;
  } catch (const std::exception&) {  // the name alone then
  }
  const TainByteArray text{where.data(), where.size()};
  if (const auto write = HostFunction<&TainHost::write_unraisable>()) return write(&text);
  const Error error = Error::MoveFromRaised();
  std::fprintf(stderr, "exception ignored in %s: %s\n", where.c_str(), error.what());
}

}  // namespace tain::internal

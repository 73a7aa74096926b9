// SPDX-License-Identifier: Apache-2.0
// Calls of virtual methods that the host language may override.
#include "tain/virtual.h"

#include <cstdio>
#include <exception>
#include <string>

#include "memory/override_call.h"
#include "tain/internal/box_override.h"
#include "values/mismatch.h"

TainOverrideSet TainOverrideSets[kTainOverrideSetCount] = {};
uint32_t TainOverrideMask = kTainOverrideMaskOfSets;
static_assert(kTainOverrideMaskOfSets == (kTainOverrideSetCount - 1) << kTainHeaderSetShift);

namespace tain::internal {

bool CallOverride(const Object* object, const char* name, const AnyView* args, int32_t num_args,
                  Any* result) {
  const TainHost* host = TainGetHost();
  if (host == nullptr || host->call_override == nullptr) return false;
  const TainByteArray bytes = Bytes(name);
  TainAny value{};
  int handled = 0;
  // An AnyView has the layout of a TainAny.
  const auto* values = reinterpret_cast<const TainAny*>(args);
  TainObject* receiver = ObjectAccess::Header(object);
  const OverrideCall running(receiver, name, values, num_args);
  if (host->call_override(receiver, &bytes, values, num_args, &value, &handled) != 0) {
    throw Error::MoveFromRaised();
  }
  *result = Any::Steal(value);
  return handled != 0;
}

void ThrowOverrideResult(const Object* object, const char* name, const Mismatch& mismatch,
                         const TainAny& got) {
  ThrowMismatch(ClassNameOf(ObjectAccess::Header(object)) + "." + name + ": result of the override",
                mismatch, got);
}

void ThrowAbstract(const Object* object, const char* name) {
  TAIN_THROW(NotImplementedError) << ClassNameOf(ObjectAccess::Header(object)) << "." << name
                                  << " is abstract and was not overridden";
}

void ThrowPure(const BoxObj* box, std::string_view class_name, const char* name) {
  if (box != nullptr) ThrowAbstract(box, name);
  TAIN_THROW(NotImplementedError) << class_name << "." << name
                                  << " is abstract and was not overridden";
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
  const TainHost* host = TainGetHost();
  if (host != nullptr && host->write_unraisable != nullptr) return host->write_unraisable(&text);
  const Error error = Error::MoveFromRaised();
  std::fprintf(stderr, "exception ignored in %s: %s\n", where.c_str(), error.what());
}

}  // namespace tain::internal

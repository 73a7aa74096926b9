// SPDX-License-Identifier: Apache-2.0
// The host language: who it is, virtual calls into it, and copies that keep its classes.
#include <atomic>
#include <new>

#include "guard.h"
#include "object_maker.h"
#include "tain/internal/container_api.h"

namespace tain::internal {
namespace {

std::atomic<const TainHost*> current_host{nullptr};

/// A copy by the type's C++ copy constructor; containers have their own.
TainObject* CopyInCpp(const TainObject* source) {
  const int32_t type_index = source->type_index;
  if (IsSeq(type_index)) return SeqCopy(source, type_index, 0);
  if (IsMap(type_index)) return MapCopy(source, type_index);
  if (type_index == kTainShape) {
    const auto* cell = reinterpret_cast<const TainShapeCell*>(source + 1);
    return ShapeNew(cell->data, cell->size);
  }
  const TainTypeRecord* record = TainGetTypeRecord(type_index);
  if (record == nullptr) {
    TAIN_THROW(TypeError) << "an object of unknown type cannot be copied: its class has no copy "
                             "constructor";
  }
  return MakeCopy(*record, source).Release().v_obj;
}

}  // namespace
}  // namespace tain::internal

using namespace tain::internal;

extern "C" int TainSetHost(const TainHost* host) noexcept {
  return Guard([&] {
    NotNull(host, "TainSetHost", "a host");
    const TainHost* none = nullptr;
    if (!current_host.compare_exchange_strong(none, host) && none != host) {
      TAIN_THROW(RuntimeError) << "TainSetHost: this process has another host already";
    }
  });
}

extern "C" const TainHost* TainGetHost(void) noexcept {
  return current_host.load(std::memory_order_acquire);
}

extern "C" int TainCallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                                int32_t num_args, TainAny* result, int* handled) noexcept {
  return Guard([&] {
    const char* where = "TainCallOverride";
    NotNull(handled, where, "a place for the answer") = 0;
    NotNull(object, where, "an object");
    TextOf(name, where, "a name");
    NotNull(result, where, "a place for the result");
    if (num_args < 0 || (num_args > 0 && args == nullptr)) {
      TAIN_THROW(ValueError) << where << ": " << num_args << " arguments, but no list of them";
    }
    const TainHost* host = TainGetHost();
    if (host == nullptr || host->call_override == nullptr) return 0;
    return host->call_override(object, name, args, num_args, result, handled);
  });
}

extern "C" int TainObjectCopy(TainObject* object, TainObject** out) noexcept {
  return Guard([&] {
    NotNull(object, "TainObjectCopy", "an object");
    TainObject*& result = NotNull(out, "TainObjectCopy", "a place for the result");
    result = nullptr;
    const TainHost* host = TainGetHost();
    if (host != nullptr && host->copy_mirrored != nullptr) {
      int handled = 0;
      if (const int code = host->copy_mirrored(object, &result, &handled); code != 0) return code;
      if (handled != 0) return 0;
    }
    result = CopyInCpp(object);
    return 0;
  });
}

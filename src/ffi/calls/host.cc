// SPDX-License-Identifier: Apache-2.0
// The host language: its installation, virtual calls into it, and copies that keep its classes.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "base/guard.h"
#include "base/unlocked_call.h"
#include "registry/object_maker.h"
#include "tain/internal/container_api.h"
#include "tain/internal/deep_copy.h"

namespace tain::internal {
namespace {

std::atomic<const TainHost*> current_host{nullptr};

/// Returns the milliseconds of a clock that is cheap to read and has the resolution of a system
/// tick.
int64_t CoarseNow() noexcept {
#if defined(CLOCK_MONOTONIC_COARSE)
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
#else
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
#endif
}

constexpr int64_t kSignalInterval = 10;  // ms: Ctrl-C feels immediate below 100
thread_local int64_t signals_checked = 0;

}  // namespace

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

extern "C" int TainCheckSignals(void) noexcept {
  const int64_t now = CoarseNow();
  if (TAIN_LIKELY(now - signals_checked < kSignalInterval)) return 0;
  signals_checked = now;
  const auto check = HostFunction<&TainHost::check_signals>();
  return check == nullptr ? 0 : check();
}

extern "C" int TainWarn(const TainByteArray* category, const TainByteArray* text) noexcept {
  return Guard([&] {
    const std::string_view kind = TextOf(category, "TainWarn", "a category");
    const std::string_view message = TextOf(text, "TainWarn", "a text");
    if (const auto warn = HostFunction<&TainHost::warn>()) return warn(category, text);
    const std::string line = std::string(kind).append(": ").append(message).append("\n");
    std::fwrite(line.data(), 1, line.size(), stderr);
    return 0;
  });
}

extern "C" int TainCallOverride(TainObject* object, const TainByteArray* name, const TainAny* args,
                                int32_t num_args, TainAny* result, int* handled) noexcept {
  return Guard([&] {
    const char* where = "TainCallOverride";
    NotNull(handled, where, "a place for the answer") = 0;
    NotNull(object, where, "an object");
    TextOf(name, where, "a name");
    NotNull(result, where, "a place for the result");
    CheckList(args, num_args, where, "arguments");
    const auto call = HostFunction<&TainHost::call_override>();
    return call == nullptr ? 0 : call(object, name, args, num_args, result, handled);
  });
}

extern "C" int TainObjectCopy(TainObject* object, TainObject** out) noexcept {
  return Guard([&] {
    NotNull(object, "TainObjectCopy", "an object");
    TainObject*& result = NotNull(out, "TainObjectCopy", "a place for the result");
    result = nullptr;
    if (const auto copy_wrapped = HostFunction<&TainHost::copy_wrapped>()) {
      int handled = 0;
      if (const int code = copy_wrapped(object, &result, &handled); code != 0) return code;
      if (handled != 0) return 0;
    }
    result = CopyInCpp(object);
    return 0;
  });
}

// SPDX-License-Identifier: Apache-2.0
// The exception classes of ErrorDef: which are known, and what a caught or raised error is of.
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "base/defined_errors.h"
#include "tain/c_api_registry.h"

#if defined(__has_include)
#if __has_include(<cxxabi.h>)
#define TAIN_ERRORS_HAVE_CXXABI 1
#include <cxxabi.h>
#endif
#endif

namespace tain::internal {
namespace {

/// A record is only read after its global function was asked for it: a load that failed takes its
/// library, and with it the record, back.
struct KnownError {
  std::string key;
  const ErrorRecord* record;
};

/// All records that were announced, in order; `mutex` guards `all`. Never destroyed.
struct KnownErrors {
  std::mutex mutex;
  std::vector<KnownError> all;
  std::atomic<bool> any{false};
};

KnownErrors& Known() {
  static auto* known = new KnownErrors();
  return *known;
}

std::vector<KnownError> KnownNow() {
  KnownErrors& known = Known();
  if (!known.any.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(known.mutex);
  return known.all;
}

/// Asks the global function of a key for its record.
const void* RecordAddress(std::string_view key) {
  const std::string name = std::string(kErrorRecordPrefix) + std::string(key);
  const TainByteArray bytes{name.data(), name.size()};
  TainObject* function = nullptr;
  TainAny address{};
  if (TainFunctionGetGlobal(&bytes, &function) != 0) throw TakeRaisedError();
  if (function == nullptr) return nullptr;
  const int code = TainFunctionCall(function, nullptr, 0, &address);
  DecRef(function);
  if (code != 0) throw TakeRaisedError();
  const Any held = Any::Steal(address);
  return address.type_index == kTainOpaquePtr ? address.v_ptr : nullptr;
}

/// The number of ErrorDefs above a record; it ends where parents form a circle.
int DepthOf(const ErrorRecord& record) {
  int depth = 0;
  for (const ErrorRecord* at = &record; at != nullptr && depth < kMaxErrorDepth; ++depth) {
    at = FindErrorRecord(at->parent());
  }
  return depth;
}

bool IsExactly(const ErrorRecord& record) noexcept {
#ifdef TAIN_ERRORS_HAVE_CXXABI
  const std::type_info* type = abi::__cxa_current_exception_type();
  return type != nullptr && *type == record.type();
#else
  return false;
#endif
}

}  // namespace

ErrorField::~ErrorField() = default;
ErrorRecord::~ErrorRecord() = default;
ErrorOrigin::~ErrorOrigin() = default;

void AddErrorRecord(const ErrorRecord* record) {
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  known.all.push_back({record->key(), record});
  known.any.store(true, std::memory_order_release);
}

const ErrorRecord* FindErrorRecord(std::string_view key) {
  for (const KnownError& one : KnownNow()) {
    if (one.key == key && RecordAddress(key) == one.record) return one.record;
  }
  return nullptr;
}

std::vector<const ErrorField*> AllErrorFields(const ErrorRecord& record) {
  std::vector<const ErrorField*> all;
  const ErrorRecord* at = &record;
  for (int depth = 0; at != nullptr && depth < kMaxErrorDepth; ++depth) {
    all.insert(all.begin(), at->fields().begin(), at->fields().end());
    at = FindErrorRecord(at->parent());
  }
  return all;
}

void SetCaughtFields(const ErrorRecord& record, const Map<String, Any>& values) {
  const ErrorRecord* at = &record;
  for (int depth = 0; at != nullptr && depth < kMaxErrorDepth; ++depth) {
    void* part = at->CaughtPointer();
    if (part == nullptr) return;  // the C++ class does not derive from that of the parent
    for (const ErrorField* field : at->fields()) {
      const auto found = values.find(String(field->name()));
      if (found != values.end()) field->Set(part, (*found).second);
    }
    at = FindErrorRecord(at->parent());
  }
}

bool RaiseDefined() {
  const std::vector<KnownError> known = KnownNow();
  if (known.empty()) return false;
  const ErrorRecord* best = nullptr;
  const void* exception = nullptr;
  const std::exception* base = nullptr;
  int best_depth = -1;
  for (auto one = known.rbegin(); one != known.rend(); ++one) {
    if (FindErrorRecord(one->key) != one->record) continue;  // replaced or withdrawn
    const std::exception* found_base = nullptr;
    const void* found = one->record->Caught(&found_base);
    if (found == nullptr) continue;
    const int depth = IsExactly(*one->record) ? kMaxErrorDepth + 1 : DepthOf(*one->record);
    if (depth <= best_depth) continue;
    best = one->record;
    exception = found;
    base = found_base;
    best_depth = depth;
  }
  if (best == nullptr) return false;
  Map<String, Any> fields;
  for (const ErrorField* field : best->fields()) {
    fields.Set(String(field->name()), field->Get(exception));
  }
  const ErrorRecord* at = FindErrorRecord(best->parent());
  for (int depth = 0; at != nullptr && depth < kMaxErrorDepth; ++depth) {
    const std::exception* unused = nullptr;
    const void* part = at->Caught(&unused);  // the parent's part of the exception
    if (part == nullptr) break;
    for (const ErrorField* field : at->fields()) {
      fields.Set(String(field->name()), field->Get(part));
    }
    at = FindErrorRecord(at->parent());
  }
  const char* text = base->what();
  const Error error(best->key(), text == nullptr ? "" : text);
  SetErrorFields(error, fields);
  TainErrorSetRaised(RefAccess::Header(error));
  return true;
}

void ThrowDefined(const Error& error) {
  const std::string kind = error.kind();
  if (const ErrorRecord* record = FindErrorRecord(kind)) record->Throw(error);
}

}  // namespace tain::internal

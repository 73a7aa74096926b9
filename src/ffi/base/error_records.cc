// SPDX-License-Identifier: Apache-2.0
// The exception classes of ErrorDef: which are known, and what a caught or raised error is of.
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "base/defined_errors.h"
#include "base/fork.h"
#include "base/shared_file.h"
#include "tain/c_api_registry.h"
#include "tain/internal/container_api.h"
#include "tain/internal/value_ops.h"

namespace tain::internal {
namespace {

/// A record that was announced, and the library that did so, or null.
struct KnownRecord {
  const ErrorRecord* record;
  const void* library;
};

/// All records that were announced, in order, also those that were withdrawn or replaced since, and
/// the exception classes of the host. `mutex` guards both containers.
struct KnownErrors {
  std::mutex mutex;
  std::vector<KnownRecord> records;
  std::map<std::string, HostErrorClass, std::less<>> host;
  std::atomic<bool> any{false};
};

KnownErrors& Known() { return NeverDestroyed<KnownErrors>(); }

std::vector<KnownRecord> KnownNow() {
  KnownErrors& known = Known();
  if (!known.any.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(known.mutex);
  return known.records;
}

/// Calls `visit` for a record and its parents until it returns false.
template <class F>
void ForEachPart(const ErrorRecord& record, const F& visit) {
  const ErrorRecord* at = &record;
  for (int depth = 0; at != nullptr && depth < kMaxErrorDepth && visit(*at); ++depth) {
    at = FindErrorRecord(at->parent());
  }
}

int DepthOf(const ErrorRecord& record) {
  int depth = 0;
  ForEachPart(record, [&](const ErrorRecord&) { return ++depth > 0; });
  return depth;
}

/// The records that a library uses: its own, even if another build of the library has replaced them,
/// because the classes of two builds have one name but not one layout; otherwise the current ones.
/// `address` lies in the library, or is null. `known` must live as long.
class RecordsOfLibrary {
 public:
  RecordsOfLibrary(const void* address, const std::vector<KnownRecord>& known) {
    if (address == nullptr) return;
    const void* library = LibraryOf(address);
    for (const KnownRecord& one : known) {
      Builds& builds = builds_[one.record->key()];
      ++builds.count;
      if (library != nullptr && one.library == library) builds.own = one.record;  // the last one
    }
  }
  /// Returns the record for a key; null if there is none.
  const ErrorRecord* Find(std::string_view key) const {
    const auto found = builds_.find(key);
    const bool has_own =
        found != builds_.end() && found->second.count > 1 && found->second.own != nullptr;
    return has_own ? found->second.own : FindErrorRecord(key);
  }

 private:
  struct Builds {
    int count = 0;
    const ErrorRecord* own = nullptr;
  };
  std::unordered_map<std::string_view, Builds> builds_;
};

/// Adds the values of the fields of a part of an exception. A value that cannot cross is left out.
void ReadFields(const ErrorRecord& record, const void* part, Map<String, Any>& values) {
  for (const ErrorField* field : record.fields()) {
    const String name(field->name());
    if (values.count(name) != 0) continue;  // a class hides its parents' fields
    try {
      values.Set(name, field->Get(part));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      // The exception itself matters more.
    }
  }
}

/// Returns the values of the fields of a caught exception of the record's class.
Map<String, Any> CaughtFields(const ErrorRecord& record, const CaughtException& caught) {
  Map<String, Any> values;
  ForEachPart(record, [&](const ErrorRecord& at) {
    const std::exception* unused = nullptr;
    const void* part = at.Caught(caught, &unused);
    if (part != nullptr) ReadFields(at, part, values);
    return part != nullptr;  // otherwise the C++ class does not derive from that of the parent
  });
  return values;
}

/// Whether a field has the same value as before. A List or a Dict may have been changed in place,
/// so that it never is the same.
bool AreSame(const TainAny& before, const TainAny& now) {
  const int32_t type = before.type_index;
  if (type != now.type_index || IsMutableContainer(type)) return false;
  if (type < kTainStaticObjectBegin) {
    return before.v_int64 == now.v_int64 && before.zero_padding == now.zero_padding;
  }
  if (before.v_obj == now.v_obj) return true;
  const bool has_content = type == kTainStr || type == kTainBytes || type == kTainShape ||
                           type == kTainArray || type == kTainMap || type == kTainBigInt;
  try {
    return has_content && ValueEqual(before, now);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ErrorField::~ErrorField() = default;
ErrorRecord::~ErrorRecord() = default;
ErrorOriginBase::~ErrorOriginBase() = default;
ErrorOrigin::~ErrorOrigin() = default;

void AddErrorRecord(const ErrorRecord* record) {
  const void* library = LibraryOf(record->unit());  // before the lock: it takes that of the loader
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  known.records.push_back({record, library});
  known.any.store(true, std::memory_order_release);
}

void AddHostError(std::string_view kind, bool is_builtin, bool takes_message) {
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  known.host.try_emplace(std::string(kind), HostErrorClass{is_builtin, takes_message});
}

bool KnowsHostErrors() {
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  return !known.host.empty();
}

bool FindHostError(std::string_view kind, HostErrorClass* out) {
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  const auto found = known.host.find(kind);
  if (found != known.host.end()) *out = found->second;
  return found != known.host.end();
}

std::vector<std::string> HostErrorNames() {
  KnownErrors& known = Known();
  const std::lock_guard lock(known.mutex);
  std::vector<std::string> names;
  for (const auto& [name, about] : known.host) {
    if (about.takes_message) names.push_back(name);
  }
  return names;
}

const ErrorRecord* RecordOfFunction(const TainObject* function) noexcept {
  // The cell follows the header of every function.
  const auto* cell = reinterpret_cast<const TainFunctionCell*>(function + 1);
  if (cell->safe_call != &Closure<ErrorRecordGetter>::SafeCall) return nullptr;
  auto* object = ObjectAccess::FromHeader(const_cast<TainObject*>(function));
  return static_cast<const Closure<ErrorRecordGetter>*>(object)->callable.record;
}

const ErrorRecord* FindErrorRecord(std::string_view key) {
  if (!Known().any.load(std::memory_order_acquire)) return nullptr;
  const std::string name = RecordFunctionName(key);
  const TainByteArray bytes{name.data(), name.size()};
  TainObject* function = nullptr;
  if (TainFunctionGetGlobal(&bytes, &function) != 0) throw TakeRaisedError();
  if (function == nullptr) return nullptr;
  const ErrorRecord* record = RecordOfFunction(function);
  DecRef(function);
  return record;
}

std::vector<const ErrorField*> AllErrorFields(const ErrorRecord& record) {
  std::vector<const ErrorField*> all;
  ForEachPart(record, [&](const ErrorRecord& at) {
    all.insert(all.begin(), at.fields().begin(), at.fields().end());
    return true;
  });
  return all;
}

Map<String, Any> SetCaughtFields(const ErrorRecord& record, const CaughtException& caught,
                                 const Map<String, Any>& values) {
  Map<String, Any> now;
  const auto for_each = [&](const auto& run) {
    ForEachPart(record, [&](const ErrorRecord& at) {
      void* part = at.CaughtPointer(caught);
      if (part != nullptr) run(at, part);
      return part != nullptr;  // otherwise the C++ class does not derive from that of the parent
    });
  };
  for_each([&](const ErrorRecord& at, void* part) {
    for (const ErrorField* field : at.fields()) {
      const auto found = values.find(String(field->name()));
      if (found != values.end()) field->Set(part, (*found).second);
    }
  });
  for_each([&](const ErrorRecord& at, void* part) { ReadFields(at, part, now); });
  return now;
}

bool RaiseDefined(const CaughtException& caught) {
  const std::vector<KnownRecord> known = KnownNow();
  if (known.empty()) return false;
  const std::type_info* thrown = caught.type;
  const RecordsOfLibrary of_library(thrown, known);
  const ErrorRecord* best = nullptr;
  const std::exception* base = nullptr;
  int best_depth = -1;
  for (auto at = known.rbegin(); at != known.rend(); ++at) {
    const ErrorRecord& record = *at->record;
    if (of_library.Find(record.key()) != &record) continue;  // replaced or withdrawn
    const std::exception* found_base = nullptr;
    if (record.Caught(caught, &found_base) == nullptr) continue;
    const bool is_exact = thrown != nullptr && thrown->name() == record.type_name();
    const int depth = is_exact ? kMaxErrorDepth + 1 : DepthOf(record);
    if (depth <= best_depth) continue;
    best = &record;
    base = found_base;
    best_depth = depth;
  }
  if (best == nullptr) return false;
  const Map<String, Any> fields = CaughtFields(*best, caught);
  const char* text = base->what();
  const Error error(best->key(), text == nullptr ? "" : text);
  SetErrorFields(error, fields);
  TainErrorSetRaised(RefAccess::Header(error));
  return true;
}

void RaiseAgain(const ErrorOrigin& origin, const CaughtException& caught) noexcept {
  try {
    Map<String, Any> changes;
    for (const auto& [name, value] : CaughtFields(origin.record(), caught)) {
      const auto before = origin.fields().find(name);
      const bool is_same =
          before != origin.fields().end() && AreSame((*before).second.data(), value.data());
      if (!is_same) changes.Set(name, value);
    }
    if (!changes.empty()) {
      const Error changed = WithChangedFields(origin.error(), changes);
      return TainErrorSetRaised(RefAccess::Header(changed));
    }
  } catch (...) {
    // The exception itself matters more than its changes.
  }
  TainErrorSetRaised(RefAccess::Header(origin.error()));
}

void ThrowDefined(const Error& error, const void* caller) {
  const std::vector<KnownRecord> known = KnownNow();
  if (known.empty()) return;
  const ErrorRecord* record = RecordsOfLibrary(caller, known).Find(error.kind());
  if (record != nullptr) record->Throw(error);
}

}  // namespace tain::internal

// SPDX-License-Identifier: Apache-2.0
// Bytes as text and values as truth values, for parameters that are lenient; see lenient.h.
#include "tain/internal/lenient.h"

#include "tain/container/array.h"
#include "tain/container/map.h"

namespace tain::internal {
namespace {

/// How deep containers are looked into. Deeper values are left as they are, and refused.
constexpr int kMostLevels = 64;

bool Changed(const TainAny& a, int level, Any* out);

bool ChangedArray(const TainAny& a, int level, Any* out) {
  const Array<Any> given = RefAccess::Make<Array<Any>>(RefAccess::Share<Object>(a.v_obj));
  Array<Any> made;
  made.reserve(static_cast<int64_t>(given.size()));
  bool changed = false;
  for (const Any& element : given) {
    Any text;
    const bool is_new = Changed(element.data(), level + 1, &text);
    changed = changed || is_new;
    made.push_back(is_new ? std::move(text) : element);
  }
  if (changed) *out = Any(std::move(made));
  return changed;
}

bool ChangedMap(const TainAny& a, int level, Any* out) {
  const Map<Any, Any> given = RefAccess::Make<Map<Any, Any>>(RefAccess::Share<Object>(a.v_obj));
  Map<Any, Any> made;
  bool changed = false;
  for (const auto& [key, value] : given) {
    Any new_key = key;
    Any new_value = value;
    const bool is_new_key = Changed(key.data(), level + 1, &new_key);
    const bool is_new_value = Changed(value.data(), level + 1, &new_value);
    changed = changed || is_new_key || is_new_value;
    if (is_new_key && (made.contains(new_key) || given.contains(new_key))) {
      return false;  // b"x" and "x" are two keys, of which one would be lost
    }
    made.Set(std::move(new_key), std::move(new_value));
  }
  if (changed) *out = Any(std::move(made));
  return changed;
}

bool Changed(const TainAny& a, int level, Any* out) {
  std::string_view bytes;
  if (level == kMostLevels) return false;
  if (BytesOf(&a, &bytes)) {
    *out = Any(String(bytes));
    return true;
  }
  if (a.type_index == kTainArray) return ChangedArray(a, level, out);
  if (a.type_index == kTainMap) return ChangedMap(a, level, out);
  return false;
}

}  // namespace

bool TextForBytes(const TainAny& a, TainHostForm form, Any* out) {
  const TainAny given = Referred(a);
  Any made;
  if (FromHost(given, kTainHostMapping, &made) || FromHost(given, form, &made)) {
    return Changed(made.data(), 0, out);
  }
  return Changed(given, 0, out);
}

bool TruthOf(const TainAny& a, bool* out) {
  switch (a.type_index) {
    case kTainNone: *out = false; return true;
    case kTainBool:
    case kTainInt: *out = a.v_int64 != 0; return true;
    case kTainFloat: *out = a.v_float64 != 0; return true;
    case kTainBigInt: *out = true; return true;  // smaller numbers are ints
    default: break;
  }
  Any truth;
  if (!FromHost(a, kTainHostTruth, &truth)) return false;
  *out = truth.data().v_int64 != 0;
  return true;
}

}  // namespace tain::internal

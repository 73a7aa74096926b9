// SPDX-License-Identifier: Apache-2.0
// Args and Kwargs: the last parameters of a variadic function.
//
//   Any call(Function f, Args args, Kwargs kwargs) { return f.CallPacked(args, kwargs); }
//   print(1, 2, Kwargs{{"sep", ", "}});   // C++ callers can pass keywords too
// Python shows them as *args and **kwargs. Args is a view that is valid until the call ends; Kwargs
// holds a Map, which may be kept. A call passes its keywords as two values after the others: a
// marker and the Map.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "tain/container/map.h"

namespace tain {

/// The remaining positional arguments of a call, as last parameter: `[](tain::Args args) { ... }`.
class Args {
 public:
  Args(const TainAny* data, int32_t size) noexcept : data_(data), size_(size) {}
  int32_t size() const noexcept { return size_; }
  /// Argument i; throws IndexError outside of 0..size()-1.
  const AnyView operator[](int32_t i) const {
    if (i < 0 || i >= size_) {
      TAIN_INTERNAL_THROW(IndexError) << "argument " << i << " of " << size_ << " arguments";
    }
    return AnyView(data_[i]);
  }
  const TainAny* data() const noexcept { return data_; }

 private:
  const TainAny* data_;
  int32_t size_;
};

/// The keyword arguments that no other parameter takes, in the caller's order; the last parameter.
class Kwargs {
 public:
  Kwargs() noexcept = default;
  Kwargs(std::initializer_list<std::pair<String, Any>> entries)
      : map_(Map<String, Any>(entries.begin(), entries.end())) {}
  explicit Kwargs(Map<String, Any> map) noexcept : map_(std::move(map)) {}

  int32_t size() const noexcept { return map_ ? static_cast<int32_t>(map_->size()) : 0; }
  bool contains(std::string_view name) const { return get(name).has_value(); }
  /// Returns the value of a keyword; throws KeyError if it was not given.
  const Any operator[](std::string_view name) const {
    std::optional<Any> found = get(name);
    if (!found) TAIN_INTERNAL_THROW(KeyError) << name;
    return *std::move(found);
  }
  /// Returns the value of a keyword, or std::nullopt if it was not given.
  std::optional<Any> get(std::string_view name) const {
    return map_ ? map_->Get(String(name)) : std::nullopt;
  }
  /// Returns all keywords as a Map, which is empty if there are none.
  Map<String, Any> map() const { return map_ ? *map_ : Map<String, Any>(); }

 private:
  std::optional<Map<String, Any>> map_;
};

namespace internal {

/// Whether the last two values of a call are the marker and the Map of keywords.
inline bool HasKeywords(const TainAny* args, int32_t num_args) noexcept {
  return num_args >= 2 && args[num_args - 2].type_index == kTainKeywords &&
         args[num_args - 1].type_index == kTainMap;
}
/// Returns the marker that stands before the Map of keywords.
inline TainAny KeywordsMarker() noexcept {
  TainAny marker{};
  marker.type_index = kTainKeywords;
  return marker;
}

/// Kwargs has no value of its own: Function::operator() passes the keywords separately.
template <>
struct ArgumentView<Kwargs> {
  AnyView view;
  const Kwargs& kwargs;
  explicit ArgumentView(const Kwargs& given) : kwargs(given) {}
};

}  // namespace internal
}  // namespace tain

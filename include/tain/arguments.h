// SPDX-License-Identifier: Apache-2.0
// Args and Kwargs: what a variadic function takes as its last parameters.
//
//   Any call(Function f, Args args, Kwargs kwargs) { return f.CallPacked(args, kwargs); }
//   print(1, 2, Kwargs{{"sep", ", "}});   // C++ gives keywords too
// Python shows them as *args and **kwargs. Both are views of a call's arguments, which end with it;
// keywords are a Map, which may be kept. On the way they are two values behind the others: a marker
// and the Map.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "tain/container/map.h"

namespace tain {

/// All arguments from a position on, as a last parameter: `[](tain::Args args) { ... }`.
class Args {
 public:
  Args(const TainAny* data, int32_t size) noexcept : data_(data), size_(size) {}
  int32_t size() const noexcept { return size_; }
  /// Argument i; throws IndexError outside of 0..size()-1.
  AnyView operator[](int32_t i) const {
    if (i < 0 || i >= size_) {
      TAIN_THROW(IndexError) << "argument " << i << " of " << size_ << " arguments";
    }
    return AnyView(data_[i]);
  }
  const TainAny* data() const noexcept { return data_; }

 private:
  const TainAny* data_;
  int32_t size_;
};

/// All keywords that no other parameter takes, in the order given, as the last parameter.
class Kwargs {
 public:
  Kwargs() noexcept = default;
  Kwargs(std::initializer_list<std::pair<String, Any>> entries)
      : map_(Map<String, Any>(entries.begin(), entries.end())) {}
  explicit Kwargs(Map<String, Any> map) noexcept : map_(std::move(map)) {}

  int32_t size() const noexcept { return map_ ? static_cast<int32_t>(map_->size()) : 0; }
  bool contains(std::string_view name) const { return get(name).has_value(); }
  /// The value of a keyword; KeyError if it was not given.
  Any operator[](std::string_view name) const {
    std::optional<Any> found = get(name);
    if (!found) TAIN_THROW(KeyError) << name;
    return *std::move(found);
  }
  /// The value of a keyword, or nothing.
  std::optional<Any> get(std::string_view name) const {
    return map_ ? map_->Get(String(name)) : std::nullopt;
  }
  /// All of them.
  Map<String, Any> map() const { return map_ ? *map_ : Map<String, Any>(); }

 private:
  std::optional<Map<String, Any>> map_;
};

namespace internal {

/// Whether the last two of a call's values are its keywords.
inline bool HasKeywords(const TainAny* args, int32_t num_args) noexcept {
  return num_args >= 2 && args[num_args - 2].type_index == kTainKeywords &&
         args[num_args - 1].type_index == kTainMap;
}
/// The value in front of the Map of keywords.
inline TainAny KeywordsMarker() noexcept {
  TainAny marker{};
  marker.type_index = kTainKeywords;
  return marker;
}

/// Keywords stand in no value of their own; see Function::operator().
template <>
struct ArgumentView<Kwargs> {
  AnyView view;
  const Kwargs& kwargs;
  explicit ArgumentView(const Kwargs& given) : kwargs(given) {}
};

}  // namespace internal
}  // namespace tain

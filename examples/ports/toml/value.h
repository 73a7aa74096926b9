// SPDX-License-Identifier: Apache-2.0
// What both bindings do with cpptoml: an element as the value of its own type. Knows no Python.
#pragma once

#include <cpptoml.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

namespace document {

using cpptoml::base;

/// What an element of a document can be. The tables and arrays are shared with the document.
using Value = std::variant<bool, int64_t, double, std::string, cpptoml::local_date,
                           std::shared_ptr<cpptoml::table>, std::shared_ptr<cpptoml::array>,
                           std::shared_ptr<cpptoml::table_array>>;
/// What Python may store.
using Scalar = std::variant<bool, int64_t, double, std::string>;

inline Value ValueOf(const std::shared_ptr<base>& element) {
  if (auto value = element->as<int64_t>()) return value->get();
  if (auto value = element->as<std::string>()) return value->get();
  if (auto value = element->as_table()) return value;
  if (auto value = element->as_array()) return value;
  if (auto value = element->as<bool>()) return value->get();
  if (auto value = element->as<double>()) return value->get();
  if (auto value = element->as_table_array()) return value;
  if (auto value = element->as<cpptoml::local_date>()) return value->get();
  throw std::invalid_argument("an element of a type that is not bound");
}

inline std::shared_ptr<base> ElementOf(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> std::shared_ptr<base> { return cpptoml::make_value(value); },
      scalar);
}

inline std::vector<std::string> Keys(const cpptoml::table& table) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : table) keys.push_back(key);
  return keys;
}

inline size_t Size(const cpptoml::table& table) {
  return static_cast<size_t>(std::distance(table.begin(), table.end()));
}

inline std::shared_ptr<cpptoml::table> Parse(const std::string& text) {
  std::istringstream stream(text);
  return cpptoml::parser(stream).parse();
}

template <class T>
std::string Text(const T& element) {
  std::ostringstream stream;
  stream << element;
  return stream.str();
}

}  // namespace document

// SPDX-License-Identifier: Apache-2.0
// The functions that every sheet knows.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "value.h"

namespace spreadsheet {

using Builtin = Value (*)(const std::vector<Value>& args);

/// The numbers among some values: texts and empty cells do not count.
inline std::vector<double> Numbers(const std::vector<Value>& args) {
  std::vector<double> numbers;
  for (const Value& value : args) {
    if (std::holds_alternative<bool>(value) || std::holds_alternative<double>(value)) {
      numbers.push_back(ValueNumber(value));
    }
  }
  return numbers;
}

inline double Sum(const std::vector<double>& numbers) {
  double sum = 0;
  for (double number : numbers) sum += number;
  return sum;
}

/// Returns the function of a name in capitals, or null if there is none.
inline Builtin FindBuiltin(const std::string& name) {
  using Args = const std::vector<Value>&;
  static const std::map<std::string, Builtin> kBuiltins = {
      {"SUM", [](Args args) -> Value { return Sum(Numbers(args)); }},
      {"COUNT", [](Args args) -> Value { return static_cast<double>(Numbers(args).size()); }},
      {"AVERAGE",
       [](Args args) -> Value {
         const auto numbers = Numbers(args);
         if (numbers.empty()) throw SheetError("AVERAGE of no numbers");
         return Sum(numbers) / static_cast<double>(numbers.size());
       }},
      {"MAX",
       [](Args args) -> Value {
         const auto numbers = Numbers(args);
         if (numbers.empty()) throw SheetError("MAX of no numbers");
         return *std::max_element(numbers.begin(), numbers.end());
       }},
      {"IF",
       [](Args args) -> Value {
         if (args.size() != 3) throw SheetError("IF takes 3 values");
         return ValueNumber(args[0]) != 0 ? args[1] : args[2];
       }},
  };
  const auto found = kBuiltins.find(name);
  return found == kBuiltins.end() ? nullptr : found->second;
}

/// A name in capitals, as formulas write functions.
inline std::string Capitals(std::string name) {
  for (char& c : name) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return name;
}

}  // namespace spreadsheet

// SPDX-License-Identifier: Apache-2.0
// What keeps formulas within the memory and the C stack, and how they are written as text.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "address.h"
#include "value.h"

namespace spreadsheet {

constexpr int kMaxNesting = 200;
constexpr int64_t kMaxRange = 100000;

/// The depth of a node above others. Throws SheetError if it is too large.
inline int CheckedDepth(int parts) {
  if (parts >= kMaxNesting) throw SheetError("the formula is nested too deeply");
  return parts + 1;
}

inline double CheckedNumber(double number) {
  if (!std::isfinite(number)) throw SheetError("a formula has no infinite numbers and no NaN");
  return number;
}

/// The number of cells of a range. Throws SheetError if the corners are not in order or far apart.
inline int64_t CheckedRange(const Address& first, const Address& last) {
  const std::string text = first.Text() + ":" + last.Text();
  if (first.row > last.row || first.column > last.column) {
    throw SheetError(text + ": the first cell is not above and left of the last");
  }
  const int64_t size = (last.row - first.row + 1) * (last.column - first.column + 1);
  if (size > kMaxRange) throw SheetError(text + ": too many cells");
  return size;
}

/// A text in quotes, as formulas write it.
inline std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

/// An operand as it is written beside an operator that binds as tightly as `needed`.
inline std::string Operand(const std::string& text, int precedence, int needed) {
  return precedence < needed ? "(" + text + ")" : text;
}

}  // namespace spreadsheet

// SPDX-License-Identifier: Apache-2.0
// The address of a cell, such as B7.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "errors.h"

namespace spreadsheet {

/// Row and column, from 1. Addresses are ordered row by row.
struct Address {
  static constexpr int64_t kMaxRow = 1048576, kMaxColumn = 18278;  // ZZZ

  int64_t row = 1, column = 1;
  auto operator<=>(const Address&) const = default;

  /// Returns the address that a text names; nothing if it names none.
  static std::optional<Address> Read(std::string_view text) {
    Address result{0, 0};
    size_t i = 0;
    for (; i < text.size() && i < 3; ++i) {
      const char upper = static_cast<char>(text[i] & ~0x20);
      if (upper < 'A' || upper > 'Z') break;
      result.column = 26 * result.column + (upper - 'A' + 1);
    }
    if (i == 0 || i == text.size() || text.size() > i + 7 || text[i] == '0') return std::nullopt;
    for (; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      result.row = 10 * result.row + (text[i] - '0');
    }
    if (result.row > kMaxRow) return std::nullopt;
    return result;
  }

  /// The same; throws SheetError if the text names no cell.
  static Address Parse(std::string_view text) {
    const auto address = Read(text);
    if (!address) throw SheetError("'" + std::string(text) + "' is not the address of a cell");
    return *address;
  }

  std::string Text() const {
    std::string letters;
    for (int64_t rest = column; rest > 0; rest = (rest - 1) / 26) {
      letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
    }
    return letters + std::to_string(row);
  }
};

}  // namespace spreadsheet

// SPDX-License-Identifier: Apache-2.0
// Reading type expressions, such as `Map[str, geometry.Point] | None` or `Callable[[int], Any]`.
//
//   union := item ('|' item)*
//   item  := name | name '[' parts ']' | '[' parts ']'
//   parts := (union (',' union)*)?
// A name is any text without `[`, `]`, `,` and `|` and without blanks at its ends, because type
// keys need not be identifiers; `...` is a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/base.h"

namespace tain::internal {

/// A node of an expression. Names point into the parsed text.
struct TypeExpr {
  enum class Kind { kName, kUnion, kList };
  Kind kind = Kind::kName;
  std::string_view name;        ///< for kName: `Array`, `geometry.Point`, `None`, `...`
  bool has_brackets = false;    ///< for kName: tells `tuple[]` from `tuple`
  std::vector<TypeExpr> parts;  ///< parts in brackets, alternatives, or members of the list
};

/// Whether an expression, or a part of it, is `object`: a host object as it is.
inline bool NamesObject(std::string_view text) noexcept {
  constexpr std::string_view kName = "object";
  constexpr std::string_view kAround = "[]|, ";
  for (size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName, at + 1)) {
    const size_t end = at + kName.size();
    const bool begins = at == 0 || kAround.find(text[at - 1]) != std::string_view::npos;
    const bool ends = end == text.size() || kAround.find(text[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}
/// Parses an expression. Returns std::nullopt if the text is not a type expression.
TAIN_DLL std::optional<TypeExpr> ParseTypeExpr(std::string_view text);
/// Returns the expression as text; `write_name(name)` writes each name, or it stays as it is.
TAIN_DLL std::string WriteTypeExpr(const TypeExpr& expr,
                                   std::string (*write_name)(std::string_view name) = nullptr);

}  // namespace tain::internal

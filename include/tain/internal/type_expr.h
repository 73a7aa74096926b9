// SPDX-License-Identifier: Apache-2.0
// Reading type expressions, such as `Map[str, geometry.Point] | None` or `Callable[[int], Any]`.
//
//   union := item ('|' item)*
//   item  := name | name '[' parts ']' | '[' parts ']'
//   parts := (union (',' union)*)?
// A name is any text without blanks at its ends, `[`, `]`, `,` and `|`, because type keys need not
// be identifiers; `...` is a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/base.h"

namespace tain::internal {

/// A node of an expression; names point into the text that was read.
struct TypeExpr {
  enum class Kind { kName, kUnion, kList };
  Kind kind = Kind::kName;
  std::string_view name;        ///< of kName: `Array`, `geometry.Point`, `None`, `...`
  bool has_brackets = false;    ///< of kName: `tuple[]` is not `tuple`
  std::vector<TypeExpr> parts;  ///< what the brackets hold; alternatives; members of the list
};

/// Reads an expression; nothing if the text is none.
TAIN_DLL std::optional<TypeExpr> ParseTypeExpr(std::string_view text);
/// The expression as text, each name written by `write_name(name)`.
TAIN_DLL std::string WriteTypeExpr(const TypeExpr& expr,
                                   std::string (*write_name)(std::string_view name));

}  // namespace tain::internal

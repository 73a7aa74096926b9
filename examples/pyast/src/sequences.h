// SPDX-License-Identifier: Apache-2.0
// What Python does with str, bytes and tuples that are constants; nothing where it raises.
#pragma once

#include <optional>

#include "ast.h"

namespace pyast {

/// `left + right` of two str, two bytes or two tuples.
std::optional<Any> Concatenate(const Any& left, const Any& right);
/// `sequence * count`, within CPython's limits: 4096 characters or bytes; 256 items, 1024 with
/// those of nested tuples.
std::optional<Any> Repeat(const Any& sequence, int64_t count);
/// `sequence[index]`.
std::optional<Any> Item(const Any& sequence, int64_t index);
/// Characters, bytes or items; nothing for what is no sequence.
std::optional<int64_t> Length(const Any& sequence);
/// `part in text` for two str or two bytes; nothing for others.
std::optional<bool> ContainsText(const Any& text, const Any& part);

}  // namespace pyast

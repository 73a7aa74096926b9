// SPDX-License-Identifier: Apache-2.0
// Python's arithmetic on int64 and double; nothing where it raises or the result does not fit.
#pragma once

#include <cstdint>
#include <optional>

#include "ast.h"

namespace pyast {

/// Bits of an integer without its sign, as int.bit_length().
int BitLength(int64_t value);

/// Integer results, and the double that `/` gives. Powers and shifts obey CPython's limit of 128
/// bits.
std::optional<Any> IntBinary(Operator op, int64_t left, int64_t right);
std::optional<double> FloatBinary(Operator op, double left, double right);

}  // namespace pyast

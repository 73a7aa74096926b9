// SPDX-License-Identifier: Apache-2.0
// The types of C, and of GCC's vectors, for data types.
#pragma once

#include <set>
#include <string>

#include "tir/dtype.h"

namespace tensorexpr {

/// Returns the type of C for one element. Throws ValueError for a type that C does not have.
std::string CElement(DType dtype);
/// The last part of the names of helpers for a type: "int32", "float64".
inline std::string Suffix(DType dtype) { return Text(ElementOf(dtype)); }

/// The vector types of a source: each is defined before its first use.
class VectorTypes {
 public:
  /// Returns the type for any number of lanes. Throws ValueError for lanes that are no power of two.
  std::string Type(DType dtype);
  /// The same type in memory of any alignment.
  std::string InMemory(DType dtype) { return Type(dtype) + "_u"; }
  /// The type of masks: integers of the same size.
  std::string Mask(DType dtype) { return Type(MaskOf(dtype)); }
  static DType MaskOf(DType dtype) { return TypeOf(kDLInt, dtype.bits, dtype.lanes); }
  const std::string& Definitions() const { return definitions_; }

 private:
  std::set<std::string> known_;
  std::string definitions_;
};

}  // namespace tensorexpr

// SPDX-License-Identifier: Apache-2.0
// Types of C; see c_types.h.
#include "c_types.h"

namespace tensorexpr {

std::string CElement(DType dtype) {
  const std::string bits = std::to_string(dtype.bits);
  const bool is_whole = dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
  if (IsBool(dtype)) return "bool";
  if (IsInt(dtype) && is_whole) return "int" + bits + "_t";
  if (IsUInt(dtype) && is_whole) return "uint" + bits + "_t";
  if (dtype.code == kDLFloat && dtype.bits == 32) return "float";
  if (dtype.code == kDLFloat && dtype.bits == 64) return "double";
  if (dtype.code == kDLOpaqueHandle) return "void*";
  TAIN_THROW(ValueError) << "no code is made for the data type " << Text(dtype)
                         << "; use int8 to int64, uint8 to uint64, float32, float64 or bool";
}

std::string VectorTypes::Type(DType dtype) {
  const std::string element = CElement(dtype);
  if (dtype.lanes == 1) return element;
  if ((dtype.lanes & (dtype.lanes - 1)) != 0) {
    TAIN_THROW(ValueError) << "no code is made for vectors of " << dtype.lanes
                           << " lanes; their number must be a power of two";
  }
  const std::string name = "te_" + Text(dtype);
  if (!known_.insert(name).second) return name;
  const int bytes = dtype.bits / 8;
  const std::string size = std::to_string(bytes * dtype.lanes);
  const std::string kept = IsBool(dtype) ? "int8_t" : element;
  definitions_ += "typedef " + kept + " " + name + " __attribute__((vector_size(" + size + ")));\n";
  definitions_ += "typedef " + kept + " " + name + "_u __attribute__((vector_size(" + size +
                  "), aligned(" + std::to_string(bytes) + "), may_alias));\n";
  return name;
}

}  // namespace tensorexpr

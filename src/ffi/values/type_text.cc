// SPDX-License-Identifier: Apache-2.0
// The type expressions of types with parameters, and why a value is none of several types; see
// tain/internal/container_api.h.
#include <string>

#include "tain/function.h"
#include "tain/internal/container_api.h"

namespace tain::internal {

Mismatch MismatchOfType(TypeText type) { return type(); }

Mismatch ClassMismatch(const TainAny* a, int32_t wanted, TypeText expected) {
  return ClassMismatch(a, wanted, expected());
}

std::string GenericStr(const char* name, const ElementType& element) {
  return std::string(name) + "[" + element.type_str() + "]";
}

std::string GenericStr(const char* name, const ElementType& key, const ElementType& mapped) {
  return std::string(name) + "[" + key.type_str() + ", " + mapped.type_str() + "]";
}

std::string TupleStr(const ElementType* types, int64_t size) {
  std::string text = "tuple[";
  for (int64_t i = 0; i < size; ++i) text += (i == 0 ? "" : ", ") + types[i].type_str();
  return text + (size == 0 ? "()]" : "]");
}

std::string CallableStr(const TypeText* params, int32_t num_params, TypeText result) {
  std::string text = "Callable[[";
  for (int32_t i = 0; i < num_params; ++i) text += (i == 0 ? "" : ", ") + params[i]();
  return text + "], " + result() + "] | None";
}

std::string UnionStr(const std::string& a, const std::string& b) {
  const std::string whole = " | " + a + " | ";
  return whole.find(" | " + b + " | ") != std::string::npos ? a : a + " | " + b;
}

std::string UnionStr(std::initializer_list<TypeText> types) {
  std::string text;
  for (const TypeText type : types) text = text.empty() ? type() : UnionStr(text, type());
  return text;
}

std::string OptionalStr(TypeText type) { return UnionStr(type(), "None"); }

Mismatch UnionMismatch(const TainAny* a, std::initializer_list<Explain> explains) {
  std::string expected;
  for (const Explain explain : explains) {
    Mismatch mismatch = explain(a);
    if (mismatch.specific()) return mismatch;
    expected = expected.empty() ? mismatch.expected() : UnionStr(expected, mismatch.expected());
  }
  return expected;
}

Mismatch OptionalMismatch(const TainAny* a, Explain explain) {
  Mismatch mismatch = explain(a);
  if (mismatch.specific()) return mismatch;
  return UnionStr(mismatch.expected(), "None");
}

}  // namespace tain::internal

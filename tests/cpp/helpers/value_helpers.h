// SPDX-License-Identifier: Apache-2.0
// What tests of values and containers share: texts of errors, reprs, a small object class.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "helpers/c_helpers.h"
#include "tain/any.h"
#include "tain/convert.h"

namespace tain_test {

/// `Kind: message` of the Error that f throws; empty if it throws none.
template <class F>
std::string ThrownBy(F f) {
  try {
    f();
    return "";
  } catch (const tain::Error& error) {
    return error.kind() + ": " + error.message();
  }
}

/// repr of a value.
inline std::string Repr(const tain::AnyView& value) {
  TainAny text{};
  if (TainAnyRepr(&value.data(), &text) != 0) return TakeError();
  return tain::Any::Steal(text).cast<std::string>();
}

/// The error of casting `value` to T, inside the place `where`.
template <class T>
std::string CastError(const tain::AnyView& value, const std::string& where = "") {
  return ThrownBy([&] {
    const TainAny& data = value.data();
    if (tain::TypeTraits<T>::TryCastFromAnyView(&data)) return;
    tain::internal::ThrowCast(&tain::internal::MismatchOf<T>, data, where);
  });
}

/// Number of live objects of the types that values and containers are made of.
inline int64_t LiveValues() {
  int64_t sum = 0;
  for (int32_t type = kTainObject; type < kTainStaticObjectEnd; ++type) sum += Live(type);
  return sum;
}

/// Fails if the scope leaves objects behind.
class NothingLeft {
 public:
  NothingLeft() : before_(LiveValues()) {}
  ~NothingLeft() { CHECK(LiveValues() == before_); }

 private:
  int64_t before_;
};

struct PointObj : tain::Object {
  double x = 0;
  explicit PointObj(double x) : x(x) {}
  TAIN_OBJECT("test_values.Point", PointObj, tain::Object);
};
using Point = tain::Ref<PointObj>;

inline Point MakePoint(double x) { return Point(tain::make_object<PointObj>(x)); }

}  // namespace tain_test

// SPDX-License-Identifier: Apache-2.0
// Wrong use: an object that can be neither moved nor copied as a result by value.
// expect: a result by value is moved, and this class can neither be moved nor copied: return T&,
// T*, tain::Ref<T> or, of a boxed class, std::unique_ptr<T>
#include "tain/reflection/object_def.h"

struct PointObj : tain::Object {
  double x = 0;
  PointObj() = default;
  PointObj(const PointObj&) = delete;
  TAIN_OBJECT("wrong.Point", PointObj, tain::Object);
};

TAIN_REGISTER {
  tain::reflection::GlobalDef().def("wrong.make", [] { return PointObj(); });
}

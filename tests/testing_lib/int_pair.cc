// SPDX-License-Identifier: Apache-2.0
// testing.TestIntPair: the two-class form, with a constructor whose parameters have no names. All
// of it comes with the one header.
#include "tain/reflection/object_def.h"

namespace tain_testing {

class TestIntPairObj : public tain::Object {
 public:
  int64_t a;
  int64_t b;

  TestIntPairObj() = default;
  TestIntPairObj(int64_t a, int64_t b) : a(a), b(b) {}

  int64_t Sum() const { return a + b; }

  TAIN_DECLARE_OBJECT_INFO_FINAL("testing.TestIntPair", TestIntPairObj, tain::Object);
};

class TestIntPair : public tain::ObjectRef {
 public:
  explicit TestIntPair(int64_t a, int64_t b) { data_ = tain::make_object<TestIntPairObj>(a, b); }

  TAIN_DEFINE_OBJECT_REF_METHODS_NULLABLE(TestIntPair, tain::ObjectRef, TestIntPairObj);
};

TAIN_STATIC_INIT_BLOCK() {
  namespace refl = tain::reflection;
  refl::ObjectDef<TestIntPairObj>(tain::thread_safe())  // nothing changes a pair
      .def_ro("a", &TestIntPairObj::a)
      .def_ro("b", &TestIntPairObj::b)
      .def("sum", &TestIntPairObj::Sum)
      .def_static("__create__",
                  [](int64_t a, int64_t b) -> TestIntPair { return TestIntPair(a, b); });
}

}  // namespace tain_testing

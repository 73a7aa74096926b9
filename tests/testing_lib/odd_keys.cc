// SPDX-License-Identifier: Apache-2.0
// Keys and names that are no Python identifiers, or stand in each other's way.
#include "testing_types.h"

namespace tain_testing {

#define TAIN_TESTING_KEY(Name, key)            \
  struct Name##Obj : tain::Object {            \
    int64_t value = 1;                         \
    TAIN_OBJECT(key, Name##Obj, tain::Object); \
  }
TAIN_TESTING_KEY(Dashed, "testing.a-b.2D");
TAIN_TESTING_KEY(Keyword, "testing.x.class");
TAIN_TESTING_KEY(EmptyPart, "testing..Empty");
TAIN_TESTING_KEY(EndsInDot, "testing.Ends.");
TAIN_TESTING_KEY(Expr, "testing.Expr");
TAIN_TESTING_KEY(ExprKind, "testing.Expr.Kind");
TAIN_TESTING_KEY(Plain, "TestingPlain");
TAIN_TESTING_KEY(Unicode, "testing.Größe");
TAIN_TESTING_KEY(Spaced, "testing.with space");
#undef TAIN_TESTING_KEY

/// Members whose names Python cannot spell, or uses itself.
struct OddMembersObj : tain::Object {
  int64_t keyword = 1;
  int64_t dashed = 2;
  int64_t underscored = 3;
  TAIN_OBJECT("testing.OddMembers", OddMembersObj, tain::Object);
};

/// Members whose names are those of Python's own types.
struct NamedLikeTypesObj : tain::Object {
  tain::Map<tain::String, tain::Ref<PointObj>> str;
  tain::Map<int64_t, tain::Ref<PointObj>> other;
  TAIN_OBJECT("testing.NamedLikeTypes", NamedLikeTypesObj, tain::Object);
};

namespace {

template <class T>
void Register() {
  tain::reflection::ObjectDef<T>().def_rw("value", &T::value).template def_init<>();
}

}  // namespace

TAIN_REGISTER {
  Register<DashedObj>();
  Register<KeywordObj>();
  Register<EmptyPartObj>();
  Register<EndsInDotObj>();
  Register<ExprObj>();
  Register<ExprKindObj>();
  Register<PlainObj>();
  Register<UnicodeObj>();
  Register<SpacedObj>();
  tain::reflection::ObjectDef<OddMembersObj>()
      .def_rw("class", &OddMembersObj::keyword)
      .def_rw("a-b", &OddMembersObj::dashed)
      .def_rw("_hidden", &OddMembersObj::underscored)
      .def("lambda", [](const OddMembersObj& self) { return self.keyword; })
      .def_init<>();
  tain::reflection::ObjectDef<NamedLikeTypesObj>()
      .def_rw("str", &NamedLikeTypesObj::str)
      .def_rw("other", &NamedLikeTypesObj::other)
      .def("int", [](const NamedLikeTypesObj&) { return 1; })
      .def_init<>();
  tain::reflection::GlobalDef()
      .def("testing.odd-name", [] { return 1; })
      .def("testing.x.import", [] { return 2; })
      .def("testing_plain_function", [] { return 3; });
}

}  // namespace tain_testing

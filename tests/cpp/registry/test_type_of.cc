// SPDX-License-Identifier: Apache-2.0
// TypeOf<T>: what a class says of itself as a type; flags and documentation as constants.
#include "tain/type_of.h"

#include <doctest/doctest.h>

#include <string_view>

#include "tain/reflection/object_def.h"

using tain::TypeOf;

namespace {

struct BaseObj : tain::Object {
  TAIN_OBJECT("cpp_test.type_of.Base", BaseObj, tain::Object);
};
struct DerivedObj : BaseObj {
  TAIN_OBJECT("cpp_test.type_of.Derived", DerivedObj, BaseObj);
};
struct PlainObj : DerivedObj {};  // no type of its own

/// A class that says nothing: TypeOf says it.
struct ToldObj : BaseObj {};

template <auto kNote>
struct Noted {
  static constexpr auto kValue = kNote;
};
constexpr char kText[] = "a note";

}  // namespace

template <>
struct tain::TypeOf<ToldObj> {
  using Parent = BaseObj;
  static constexpr bool kOwn = true;
  static constexpr const char* kKey = "cpp_test.type_of.Told";
  static constexpr int32_t kDepth = TypeOf<BaseObj>::kDepth + 1;
  static constexpr bool kFinal = false;
  static constexpr int32_t kChildSlots = 0;
  static constexpr bool kChildSlotsCanOverflow = true;
  static int32_t Index() noexcept {
    static const int32_t index = internal::RequestTypeIndex<ToldObj, BaseObj>(-1);
    return index;
  }
};

TAIN_REGISTER {
  tain::reflection::ObjectDef<BaseObj>();
  tain::reflection::ObjectDef<ToldObj>().def("depth", [](const ToldObj&) { return 2; });
}

TEST_CASE("a class says key, parent and depth by TAIN_OBJECT") {
  CHECK(std::string_view(TypeOf<DerivedObj>::kKey) == "cpp_test.type_of.Derived");
  CHECK(std::is_same_v<TypeOf<DerivedObj>::Parent, BaseObj>);
  CHECK(std::is_same_v<TypeOf<tain::Object>::Parent, void>);
  CHECK(TypeOf<tain::Object>::kDepth == 0);
  CHECK(TypeOf<DerivedObj>::kDepth == 2);
  CHECK(TypeOf<DerivedObj>::Index() == DerivedObj::RuntimeTypeIndex());
  CHECK(TypeOf<DerivedObj>::kOwn);
  CHECK_FALSE(TypeOf<PlainObj>::kOwn);
  CHECK(TypeOf<PlainObj>::Index() == TypeOf<DerivedObj>::Index());
}

TEST_CASE("a specialization says it for a class without TAIN_OBJECT") {
  const tain::ObjectPtr<ToldObj> object = tain::make_object<ToldObj>();
  CHECK(object->GetTypeKey() == "cpp_test.type_of.Told");
  CHECK(object->IsInstance<ToldObj>());
  CHECK(object->IsInstance<BaseObj>());
  CHECK_FALSE(object->IsInstance<DerivedObj>());
  CHECK_FALSE(tain::make_object<BaseObj>()->IsInstance<ToldObj>());
  CHECK(tain::Any(object).cast<tain::ObjectPtr<ToldObj>>() == object);
  CHECK(TainGetTypeRecord(TypeOf<ToldObj>::Index())->request.depth == 2);
}

TEST_CASE("documentation and flags are values of constants") {
  CHECK(std::string_view(Noted<tain::doc(kText)>::kValue.text) == "a note");
  CHECK(std::is_same_v<decltype(Noted<tain::kw_only{}>::kValue), const tain::kw_only>);
  CHECK(std::is_same_v<decltype(Noted<tain::final_{}>::kValue), const tain::final_>);
  CHECK(std::is_same_v<decltype(Noted<tain::release_gil{}>::kValue), const tain::release_gil>);
}

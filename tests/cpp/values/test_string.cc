// SPDX-License-Identifier: Apache-2.0
// String and Bytes: inline and counted forms, their C functions, owned copies of views.
#include "tain/string.h"

#include <iomanip>
#include <sstream>

#include "helpers/value_helpers.h"

using namespace tain;
using namespace tain_test;

TEST_CASE_TEMPLATE("content survives, whichever form it takes", T, String, tain::Bytes) {
  const NothingLeft check;
  for (const size_t size : {0u, 1u, 6u, 7u, 8u, 9u, 1000u}) {
    std::string content(size, 'x');
    if (size > 2) content[1] = '\0';
    const T a(content.data(), content.size());
    const T b = a;
    T c;
    c = a;
    CHECK(a.size() == size);
    CHECK(std::string_view(a) == content);
    CHECK(a.data()[size] == '\0');
    CHECK(a == b);
    CHECK(a == c);
    const Any any = a;
    CHECK(any.cast<T>() == a);
    const bool small = internal::CellAccess::Get(a).type_index < kTainStaticObjectBegin;
    CHECK(small == (size <= 7));
    T moved = std::move(c);
    CHECK(c.empty());
    CHECK(moved == a);
  }
}

TEST_CASE("text is ordered and joined") {
  CHECK(String("abc") < String("abd"));
  CHECK(String("abc") == "abc");
  CHECK(String("ab") + "cdefghijk" == "abcdefghijk");
  CHECK(std::hash<String>()(String("abc")) == std::hash<String>()(String("abc")));
}

TEST_CASE("the C functions check what they are given") {
  const NothingLeft check;
  TainAny out{};
  const TainByteArray text = Text("a text that is long");
  REQUIRE(TainStringFromByteArray(&text, &out) == 0);
  CHECK(out.type_index == kTainStr);
  TainObjectDecRef(out.v_obj);
  const TainByteArray seven = Text("seven77");
  REQUIRE(TainBytesFromByteArray(&seven, &out) == 0);
  CHECK(out.type_index == kTainSmallBytes);
  CHECK(out.small_str_len == 7);
  CHECK(TainStringFromByteArray(nullptr, &out) == -1);
  CHECK(TakeError() == "TypeError: TainStringFromByteArray: expected bytes, got null");
  CHECK(TainStringFromByteArray(&text, nullptr) == -1);
  CHECK(TakeError() ==
        "TypeError: TainStringFromByteArray: expected a place for the result, got null");
  const TainByteArray null_data{nullptr, 5};
  CHECK(TainBytesFromByteArray(&null_data, &out) == -1);
  CHECK(TakeError() == "TypeError: TainBytesFromByteArray: expected bytes, got null");
  const TainByteArray huge{"x", SIZE_MAX - 8};
  CHECK(TainStringFromByteArray(&huge, &out) == -1);
  CHECK(TakeError() == "MemoryError: out of memory");
}

TEST_CASE("views become owned values") {
  const NothingLeft check;
  TainAny view{}, out{};
  view.type_index = kTainRawStr;
  view.v_c_str = "a text that is long";
  REQUIRE(TainAnyViewToOwnedAny(&view, &out) == 0);
  CHECK(out.type_index == kTainStr);
  TainObjectDecRef(out.v_obj);
  const TainByteArray bytes = Text("abc");
  view.type_index = kTainByteArrayPtr;
  view.v_ptr = const_cast<TainByteArray*>(&bytes);
  REQUIRE(TainAnyViewToOwnedAny(&view, &out) == 0);
  CHECK(out.type_index == kTainSmallBytes);
  Point point = MakePoint(1);
  TainObject* slot = internal::RefAccess::Release(point);
  view.type_index = kTainRValueRef;
  view.v_ptr = &slot;
  REQUIRE(TainAnyViewToOwnedAny(&view, &out) == 0);
  CHECK(slot == nullptr);
  CHECK(out.type_index == PointObj::RuntimeTypeIndex());
  TainObjectDecRef(out.v_obj);
  view.v_ptr = nullptr;
  CHECK(TainAnyViewToOwnedAny(&view, &out) == -1);
  CHECK(TakeError() == "TypeError: TainAnyViewToOwnedAny: expected a reference, got null");
  CHECK(TainAnyViewToOwnedAny(nullptr, &out) == -1);
  CHECK(TakeError() == "TypeError: TainAnyViewToOwnedAny: expected a value, got null");
}

TEST_CASE("a String is written to a stream as a std::string is") {
  std::ostringstream out;
  out << std::setw(6) << tain::String("abc") << '|' << tain::String("longer than inline");
  CHECK(out.str() == "   abc|longer than inline");
}

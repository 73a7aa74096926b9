// SPDX-License-Identifier: Apache-2.0
// Any and AnyView: what converts to what, and the words for what does not.
#include "tain/any.h"

#include <limits>

#include "helpers/value_helpers.h"
#include "tain/container/array.h"
#include "tain/container/list.h"

using namespace tain;
using namespace tain_test;

TEST_CASE("values come back as what they were") {
  const NothingLeft check;
  CHECK(Any(5).cast<int>() == 5);
  CHECK(Any(2.5).cast<double>() == 2.5);
  CHECK(Any(true).cast<bool>());
  CHECK(Any("text").cast<std::string>() == "text");
  CHECK(Any(std::string("a text that is long")).cast<String>() == "a text that is long");
  CHECK(Any(nullptr) == nullptr);
  CHECK(Any().type_index() == kTainNone);
  const Point point = MakePoint(3);
  const Any any = point;
  CHECK(any.cast<Point>().same_as(point));
  CHECK(any.as<PointObj>()->x == 3);
  CHECK(any.as<Object>() != nullptr);
  CHECK(Any(1).as<PointObj>() == nullptr);
  CHECK(any.GetTypeKey() == "test_values.Point");
}

TEST_CASE("an int parameter takes int and bool within its range") {
  CHECK(Any(true).cast<int>() == 1);
  CHECK(Any(127).cast<int8_t>() == 127);
  CHECK(Any(255).cast<uint8_t>() == 255);
  CHECK(CastError<int8_t>(128, "Node.tiny") ==
        "OverflowError: Node.tiny: expected int in -128..127, got 128");
  CHECK(CastError<int8_t>(-129) == "OverflowError: expected int in -128..127, got -129");
  CHECK(CastError<uint8_t>(-1) == "OverflowError: expected int in 0..255, got -1");
  CHECK(CastError<uint16_t>(65536) == "OverflowError: expected int in 0..65535, got 65536");
  CHECK(CastError<int32_t>(int64_t{1} << 31) ==
        "OverflowError: expected int in -2147483648..2147483647, got 2147483648");
  CHECK(CastError<uint64_t>(-1) ==
        "OverflowError: expected int in 0..18446744073709551615, got -1");
  CHECK(CastError<int>(1.0) == "TypeError: expected int, got float (1.0)");
  CHECK(CastError<int>("1") == "TypeError: expected int, got str ('1')");
  CHECK(CastError<int>(nullptr) == "TypeError: expected int, got None");
}

TEST_CASE("float, bool and text parameters take their own kind") {
  CHECK(Any(3).cast<double>() == 3.0);
  CHECK(Any(true).cast<float>() == 1.0f);
  CHECK(CastError<double>("a", "Point.x") == "TypeError: Point.x: expected float, got str ('a')");
  CHECK(CastError<bool>(1) == "TypeError: expected bool, got int (1)");
  CHECK(CastError<String>(1) == "TypeError: expected str, got int (1)");
  CHECK(CastError<std::string>(tain::Bytes("ab", 2)) ==
        "TypeError: expected str, got bytes (b'ab')");
  CHECK(CastError<tain::Bytes>("ab") == "TypeError: expected bytes, got str ('ab')");
  CHECK(CastError<DLDevice>(1) == "TypeError: expected Device, got int (1)");
}

TEST_CASE("object parameters take instances, None where they may be null") {
  const NothingLeft check;
  const Any list = List<int>{1};
  CHECK(CastError<Point>(list, "f: p") == "TypeError: f: p: expected test_values.Point, got List");
  CHECK(CastError<Point>(nullptr) == "TypeError: expected test_values.Point, got None");
  CHECK(CastError<ObjectPtr<PointObj>>(1) ==
        "TypeError: expected test_values.Point | None, got int (1)");
  CHECK(Any(nullptr).cast<ObjectPtr<PointObj>>() == nullptr);
  CHECK(Any(nullptr).cast<PointObj*>() == nullptr);
  CHECK(list.cast<ObjectRef>().defined());
  CHECK(Downcast<Point>(ObjectRef(ObjectPtr<Object>(make_object<PointObj>(2.0))))->x == 2.0);
}

TEST_CASE("long values are shortened in messages") {
  const std::string text(500, 'x');
  CHECK(CastError<int>(Any(text)) ==
        "TypeError: expected int, got str ('" + std::string(60, 'x') + "'...)");
  CHECK(CastError<int>(Array<int>{1, 2}) == "TypeError: expected int, got Array");
}

TEST_CASE("a value is moved and shared without losing a reference") {
  const NothingLeft check;
  const Point point = MakePoint(1);
  CHECK(point.use_count() == 1);
  Any a = point;
  CHECK(point.use_count() == 2);
  Any b = a;
  CHECK(point.use_count() == 3);
  Any c = std::move(a);
  CHECK(point.use_count() == 3);
  CHECK(a == nullptr);
  c = b;
  b.reset();
  CHECK(point.use_count() == 2);
  const AnyView view = c;
  CHECK(point.use_count() == 2);
  CHECK(Any(view).same_as(c));
}

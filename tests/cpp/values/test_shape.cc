// SPDX-License-Identifier: Apache-2.0
// Shape: extents, memory, conversion of sequences.
#include "tain/container/shape.h"

#include "helpers/value_helpers.h"
#include "tain/container/array.h"
#include "tain/container/list.h"

using namespace tain;
using namespace tain_test;

TEST_CASE("a Shape holds extents") {
  const NothingLeft check;
  const Shape s = {2, 3, 4};
  CHECK(s.size() == 3);
  CHECK(s[1] == 3);
  CHECK(s.front() == 2);
  CHECK(s.back() == 4);
  CHECK(s.Product() == 24);
  CHECK(std::vector<int64_t>(s.begin(), s.end()) == std::vector<int64_t>{2, 3, 4});
  CHECK(Shape().empty());
  CHECK(Shape().Product() == 1);
  CHECK(ThrownBy([&] { s[3]; }) == "IndexError: Shape index 3 out of range for size 3");
  CHECK(Repr(s) == "(2, 3, 4)");
  CHECK(Repr(Shape({7})) == "(7,)");
  CHECK(Repr(Shape(std::vector<int>{1, 2})) == "(1, 2)");
}

TEST_CASE("the cell of a Shape is that of the binary contract") {
  const Shape s = {5, 6};
  const TainObject* header = internal::RefAccess::Header(s);
  CHECK(header->type_index == kTainShape);
  const auto* cell = reinterpret_cast<const TainShapeCell*>(header + 1);
  CHECK(cell->size == 2);
  CHECK(cell->data[1] == 6);
}

TEST_CASE("sequences of int are taken as a Shape") {
  const NothingLeft check;
  CHECK(Repr(Any(Array<int>{1, 2}).cast<Shape>()) == "(1, 2)");
  CHECK(Repr(Any(List<Any>{1, true}).cast<Shape>()) == "(1, 1)");
  CHECK(CastError<Shape>(Array<Any>{1, 2.5}, "f: s") ==
        "TypeError: f: s[1]: expected int, got float (2.5)");
  CHECK(CastError<Shape>("x") == "TypeError: expected Shape, got str ('x')");
}

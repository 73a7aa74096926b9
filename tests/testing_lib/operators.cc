// SPDX-License-Identifier: Apache-2.0
// Operators under their Python names: a vector, a bag with items, a counter that iterates.
#include <string>

#include "testing_types.h"

namespace tain_testing {

struct VectorObj : tain::Object {
  int64_t x, y;
  VectorObj(int64_t x, int64_t y) : x(x), y(y) {}
  TAIN_OBJECT("testing.Vector", VectorObj, tain::Object);
};
using Vector = tain::Ref<VectorObj>;

/// Items by index, in C++ only.
struct BagObj : tain::Object {
  tain::List<tain::Any> items;
  bool entered = false;
  TAIN_OBJECT("testing.Bag", BagObj, tain::Object);
};

/// Counts down, as an iterator.
struct CountdownObj : tain::Object {
  int64_t left;
  explicit CountdownObj(int64_t left) : left(left) {}
  TAIN_OBJECT("testing.Countdown", CountdownObj, tain::Object);
};

namespace {

Vector Make(int64_t x, int64_t y) { return tain::make_object<VectorObj>(x, y); }

void RegisterVector() {
  using V = VectorObj;
  tain::reflection::ObjectDef<V>("A vector of integers.")
      .def_ro("x", &V::x)
      .def_ro("y", &V::y)
      .def_init<int64_t, int64_t>(tain::arg("x"), tain::arg("y"))
      .def("__add__", [](const V& a, const V& b) { return Make(a.x + b.x, a.y + b.y); })
      .def("__sub__", [](const V& a, const V& b) { return Make(a.x - b.x, a.y - b.y); })
      .def("__mul__", [](const V& a, int64_t k) { return Make(a.x * k, a.y * k); })
      .def("__rmul__", [](const V& a, int64_t k) { return Make(a.x * k, a.y * k); })
      .def("__neg__", [](const V& a) { return Make(-a.x, -a.y); })
      .def("__abs__", [](const V& a) { return a.x * a.x + a.y * a.y; })
      .def("__iadd__",
           [](V& a, const V& b) -> V& {
             a.x += b.x;
             a.y += b.y;
             return a;
           })
      .def("__eq__", [](const V& a, const V& b) { return a.x == b.x && a.y == b.y; })
      .def("__lt__", [](const V& a, const V& b) { return a.x < b.x; })
      .def("__hash__", [](const V& a) { return a.x * 31 + a.y; })
      .def("__bool__", [](const V& a) { return a.x != 0 || a.y != 0; })
      .def("__str__", [](const V& a) { return std::to_string(a.x) + "," + std::to_string(a.y); })
      .def("__int__", [](const V& a) { return a.x; })
      .def("__float__", [](const V& a) { return static_cast<double>(a.x); });
}

tain::Any BagGet(const BagObj& bag, int64_t i) {
  const auto n = static_cast<int64_t>(bag.items.size());
  if (i < 0) i += n;
  if (i < 0 || i >= n) TAIN_THROW(IndexError) << "bag index out of range";
  return bag.items[i];
}

void BagSet(BagObj& bag, int64_t i, tain::Any value) {
  const auto n = static_cast<int64_t>(bag.items.size());
  if (i < 0 || i > n) TAIN_THROW(IndexError) << "bag index out of range";
  if (i == n) {
    bag.items.push_back(std::move(value));
  } else {
    bag.items.Set(i, std::move(value));
  }
}

void RegisterBag() {
  using tain::arg;
  tain::reflection::ObjectDef<BagObj>("Items by index.")
      .def_ro("items", &BagObj::items)
      .def_ro("entered", &BagObj::entered)
      .def_init<>()
      .def("__len__", [](const BagObj& bag) { return static_cast<int64_t>(bag.items.size()); })
      .def("__getitem__", BagGet, arg("i"))
      .def("__setitem__", BagSet, arg("i"), arg("value"))
      .def("__delitem__", [](BagObj& bag, int64_t i) { bag.items.erase(bag.items.begin() + i); })
      .def("__contains__",
           [](const BagObj& bag, tain::AnyView value) {
             for (const tain::Any& item : bag.items) {
               if (TainAnyEqual(&item.data(), &value.data()) != 0) return true;
             }
             return false;
           })
      .def("__call__", [](const BagObj&, tain::Args args) { return args.size(); })
      .def("__enter__",
           [](BagObj& bag) -> BagObj& {
             bag.entered = true;
             return bag;
           })
      .def("__exit__", [](BagObj& bag, tain::Args) {
        bag.entered = false;
        return false;
      });
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  RegisterVector();
  RegisterBag();
  refl::ObjectDef<CountdownObj>()
      .def_ro("left", &CountdownObj::left)
      .def_init<int64_t>(tain::arg("start"))
      .def("__iter__", [](CountdownObj& self) -> CountdownObj& { return self; })
      .def("__next__", [](CountdownObj& self) {
        if (self.left <= 0) TAIN_THROW(StopIteration) << "";
        return self.left--;
      });
}

}  // namespace tain_testing

// SPDX-License-Identifier: Apache-2.0
// testing.Shelf and testing.*_iterator: iterators over C++ ranges and callables, and tuples.
#include <list>
#include <map>
#include <span>
#include <stdexcept>
#include <tuple>

#include "tain/stl.h"
#include "testing_types.h"

namespace tain_testing {
namespace {

/// A type with every kind of range.
struct ShelfObj : tain::Object {
  std::vector<int64_t> numbers{1, 2, 3};
  std::list<std::string> words{"a", "b"};
  std::map<std::string, int64_t> prices{{"x", 1}, {"y", 2}};
  std::pair<int64_t, std::string> pair{1, "one"};
  tain::Tuple<int64_t, std::string> fixed{2, "two"};
  std::optional<std::pair<int64_t, int64_t>> maybe;
  tain::Any any = tain::Tuple<int64_t, std::string>(3, "three");

  std::vector<int64_t>::iterator begin() { return numbers.begin(); }
  std::vector<int64_t>::iterator end() { return numbers.end(); }
  TAIN_OBJECT("testing.Shelf", ShelfObj, tain::Object);
};

/// A type that iterates over what a member function returns.
struct BasketObj : tain::Object {
  std::map<std::string, int64_t> prices{{"x", 1}, {"y", 2}};
  const std::map<std::string, int64_t>& all() const { return prices; }
  TAIN_OBJECT("testing.Basket", BasketObj, tain::Object);
};

/// A type whose __iter__ returns a container.
struct CrateObj : tain::Object {
  tain::Array<int64_t> items{4, 5};
  TAIN_OBJECT("testing.Crate", CrateObj, tain::Object);
};

/// A type that iterates over a view of its own memory.
struct WindowObj : tain::Object {
  std::vector<int64_t> numbers;
  explicit WindowObj(uint16_t size) : numbers(size, 7) {}
  std::span<const int64_t> view() const { return numbers; }
  TAIN_OBJECT("testing.Window", WindowObj, tain::Object);
};

auto CountTo(int64_t last) {
  return tain::make_generator([n = int64_t{0}, last]() mutable -> std::optional<int64_t> {
    if (n == last) return std::nullopt;
    return ++n;
  });
}

auto CallUntilNone(tain::Function next) {
  return tain::make_generator([next]() { return next().cast<std::optional<int64_t>>(); });
}

auto FailAfter(int64_t count) {
  return tain::make_generator([count]() mutable -> std::optional<int64_t> {
    if (count == 0) throw std::out_of_range("no more shelves");
    return count--;
  });
}

int64_t Sum(const tain::Iterator<int64_t>& iterator) {
  int64_t sum = 0;
  while (const std::optional<int64_t> next = iterator.Next()) sum += *next;
  return sum;
}

std::tuple<int64_t, std::pair<std::string, double>> Nested() { return {1, {"a", 0.5}}; }

}  // namespace
}  // namespace tain_testing

TAIN_REGISTER {
  using namespace tain_testing;
  namespace refl = tain::reflection;
  refl::ObjectDef<ShelfObj>()
      .def_init<>()
      .def_rw("numbers", &ShelfObj::numbers)
      .def_rw("pair", &ShelfObj::pair)
      .def_rw("fixed", &ShelfObj::fixed)
      .def_rw("maybe", &ShelfObj::maybe)
      .def_rw("any", &ShelfObj::any)
      .def_property("as_property", [](ShelfObj& self) { return self.pair; })
      .def("items",
           [](ShelfObj& self) {
             return tain::make_iterator(self.prices.begin(), self.prices.end(), self);
           })
      .def("spell",
           [](ShelfObj& self) {
             return tain::make_iterator(self.words.begin(), self.words.end(), self);
           })
      .def_iter("The numbers.");
  refl::ObjectDef<BasketObj>()
      .def_init<>()
      .def_rw("prices", &BasketObj::prices)
      .def_iter(&BasketObj::all);
  refl::ObjectDef<WindowObj>().def_init<uint16_t>(tain::arg("size")).def_iter(&WindowObj::view);
  refl::ObjectDef<CrateObj>()
      .def_init<>()
      .def_rw("items", &CrateObj::items)
      .def("__iter__", [](CrateObj& self) { return self.items; });
  refl::GlobalDef()
      .def("testing.count_to", &CountTo, tain::arg("last"))
      .def("testing.call_until_none", &CallUntilNone, tain::arg("next"))
      .def("testing.fail_after", &FailAfter, tain::arg("count"))
      .def("testing.sum_iterator", &Sum, tain::arg("iterator"))
      .def("testing.nested_tuple", &Nested, tain::thread_safe())
      .def(
          "testing.maybe_pair",
          [](bool some) -> std::optional<std::pair<int64_t, int64_t>> {
            if (!some) return std::nullopt;
            return std::pair<int64_t, int64_t>(1, 2);
          },
          tain::thread_safe())
      .def(
          "testing.any_pair", []() -> tain::Any { return tain::Tuple<int64_t, int64_t>(1, 2); },
          tain::thread_safe())
      .def(
          "testing.empty_tuple", []() { return std::tuple<>(); }, tain::thread_safe())
      .def(
          "testing.call_with_tuples",
          [](const tain::TypedFunction<tain::Any(
                 std::pair<int64_t, int64_t>, tain::Array<tain::Any>, std::pair<int64_t, int64_t>)>&
                 f) { return f({1, 2}, tain::Array<tain::Any>{3}, {4, 5}); });
}

// SPDX-License-Identifier: Apache-2.0
// Fields with conditions: of an object, and of a class in a box.
#include <optional>
#include <stdexcept>
#include <string>

#include "tain/boxed.h"
#include "tain/stl.h"
#include "tain/tain.h"

namespace testing {
namespace {

struct OfferObj : tain::Object {
  double price = 1;
  int64_t count = 0;
  uint8_t percent = 0;
  tain::String name = "a";
  std::optional<double> weight;
  tain::Array<int64_t> sizes;
  tain::Ptr<OfferObj> next;
  int64_t id = 0;
  TAIN_OBJECT("testing.Offer", OfferObj, tain::Object);
};

/// A class that is not made for Python.
struct Dial {
  double angle = 0;
};

bool AllAboveZero(const tain::Array<int64_t>& values) {
  for (int64_t value : values) {
    if (value <= 0) return false;
  }
  return true;
}

/// A condition that cannot be asked for everything.
bool IsEven(int64_t value) {
  if (value < 0) throw std::out_of_range("ids are from 0 on");
  return value % 2 == 0;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::check, tain::default_, tain::range;
  refl::ObjectDef<OfferObj>("An offer.")
      .def_rw("price", &OfferObj::price, "In EUR.",
              check([](double value) { return value > 0; }, "above 0"))
      .def_rw("count", &OfferObj::count, range(0, 1000), default_(0))
      .def_rw("percent", &OfferObj::percent, range(0, 100), default_(0))
      .def_rw(
          "name", &OfferObj::name,
          check([](const tain::String& text) { return !text.empty(); }, "that is not empty"),
          check([](const tain::String& text) { return text.size() <= 8; }, "of at most 8 bytes"),
          default_("a"))
      .def_rw("weight", &OfferObj::weight,
              check([](const std::optional<double>& value) { return !value || *value > 0; },
                    "above 0, or None"),
              default_(nullptr))
      .def_rw(
          "sizes", &OfferObj::sizes, check(&AllAboveZero, "of numbers above 0"),
          tain::default_factory(tain::Function::FromTyped([] { return tain::Array<int64_t>(); })))
      .def_rw("next", &OfferObj::next,
              check([](const tain::Ptr<OfferObj>& offer) { return !offer || offer->price < 100; },
                    "with a price below 100, or None"),
              default_(nullptr))
      .def_ro("id", &OfferObj::id, check(&IsEven, "that is even"), default_(0))
      .def_init_fields();
  refl::ObjectDef<tain::Boxed<Dial>>("testing.Dial")
      .def_init<>()
      .def_rw("angle", &Dial::angle, range(-1.5, 1.5));
}

}  // namespace testing

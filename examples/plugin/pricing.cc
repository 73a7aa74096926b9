// SPDX-License-Identifier: Apache-2.0
// The plugin: functions and a type that the program gets to know when it loads the library.
#include <tain/tain.h>

namespace pricing {
namespace {

struct DiscountObj : tain::Object {
  tain::String name;
  double percent;
  double minimum;
  DiscountObj(tain::String name, double percent, double minimum)
      : name(std::move(name)), percent(percent), minimum(minimum) {
    TAIN_CHECK(percent >= 0 && percent <= 100) << "percent is " << percent;
  }
  double Apply(double price) const { return price < minimum ? price : price * (1 - percent / 100); }
  TAIN_OBJECT("pricing.Discount", DiscountObj, tain::Object);
};
using Discount = tain::Ref<DiscountObj>;

double AddTax(double price, double rate) {
  if (price < 0) TAIN_THROW(ValueError) << "a price is not negative, got " << price;
  return price * (1 + rate);
}

Discount BestOf(const tain::Array<Discount>& discounts, double price) {
  TAIN_CHECK(discounts.size() > 0) << "the best of no discounts";
  Discount best = discounts[0];
  for (const Discount& discount : discounts) {
    if (discount->Apply(price) < best->Apply(price)) best = discount;
  }
  return best;
}

}  // namespace

// What a type has is registered for the whole process, under the key of the type.
TAIN_REGISTER {
  using tain::arg;
  // Not tain::thread_safe(): a discount may be assigned to while it is applied.
  tain::reflection::ObjectDef<DiscountObj>("A part of the price that the customer does not pay.")
      .def_ro("name", &DiscountObj::name)
      .def_rw("percent", &DiscountObj::percent)
      .def_rw("minimum", &DiscountObj::minimum, "Lower prices are not reduced.")
      .def_init<tain::String, double, double>(arg("name"), arg("percent"), arg("minimum") = 0.0)
      .def("apply", &DiscountObj::Apply, arg("price"), "The reduced price.");
}

// Exported functions belong to the module that the library is.
TAIN_EXPORT(add_tax, AddTax, tain::arg("price"), tain::arg("rate") = 0.25, "The price with tax.",
            tain::thread_safe());
TAIN_EXPORT(best_of, BestOf, tain::arg("discounts"), tain::arg("price"),
            "The discount that leaves the lowest price.");

}  // namespace pricing

// SPDX-License-Identifier: Apache-2.0
// Objects as keys of maps that C++ fills and searches.
#include <vector>

#include "tain/stl.h"
#include "testing_types.h"

namespace tain_testing {

/// A key by value, with a field of every storage.
struct CoinObj : tain::Object {
  double amount;
  tain::String currency;
  tain::Any note;
  int16_t year = 0;
  std::vector<int64_t> owners;
  int64_t scratches = 0;  // neither compared nor hashed
  CoinObj(double amount, tain::String currency, tain::Any note)
      : amount(amount), currency(std::move(currency)), note(std::move(note)) {}
  TAIN_OBJECT("testing.Coin", CoinObj, tain::Object);
};

/// Inherits equality and hash; one more field.
struct MedalObj : CoinObj {
  int64_t rank = 0;
  MedalObj(double amount, tain::String currency, tain::Any note, int64_t rank)
      : CoinObj(amount, std::move(currency), std::move(note)), rank(rank) {}
  TAIN_OBJECT("testing.Medal", MedalObj, CoinObj);
};

/// Equality without a hash.
struct DraftObj : tain::Object {
  int64_t value;
  explicit DraftObj(int64_t value) : value(value) {}
  TAIN_OBJECT("testing.Draft", DraftObj, tain::Object);
};

/// Equality and hash written in C++.
struct ClockObj : tain::Object {
  int64_t hours;
  explicit ClockObj(int64_t hours) : hours(hours) {}
  TAIN_OBJECT("testing.Clock", ClockObj, tain::Object);
};

namespace {

tain::Any Find(const tain::Any& map, const tain::Any& key) {
  if (map.type_index() == kTainDict) {
    return map.cast<tain::Dict<tain::Any, tain::Any>>().Get(key).value_or(tain::Any());
  }
  return map.cast<tain::Map<tain::Any, tain::Any>>().Get(key).value_or(tain::Any());
}

tain::Dict<tain::Any, tain::Any> Coins(int64_t count) {
  tain::Dict<tain::Any, tain::Any> coins;
  for (int64_t i = 0; i < count; ++i) {
    coins.Set(tain::Ref<CoinObj>(tain::make_object<CoinObj>(static_cast<double>(i), "EUR", i)), i);
  }
  return coins;
}

}  // namespace

TAIN_REGISTER {
  namespace refl = tain::reflection;
  using tain::arg;
  refl::ObjectDef<CoinObj>("A key by value.", tain::value_hash())
      .def_rw("amount", &CoinObj::amount)
      .def_rw("currency", &CoinObj::currency)
      .def_rw("note", &CoinObj::note)
      .def_rw("year", &CoinObj::year)
      .def_rw("owners", &CoinObj::owners)
      .def_rw("scratches", &CoinObj::scratches, tain::no_compare())
      .def_init<double, tain::String, tain::Any>(arg("amount"), arg("currency") = "EUR",
                                                 arg("note") = nullptr);
  refl::ObjectDef<MedalObj>("Inherits equality and hash.")
      .def_rw("rank", &MedalObj::rank)
      .def_init<double, tain::String, tain::Any, int64_t>(arg("amount"), arg("currency") = "EUR",
                                                          arg("note") = nullptr, arg("rank") = 0);
  refl::ObjectDef<DraftObj>("Equality without a hash.", tain::eq())
      .def_rw("value", &DraftObj::value)
      .def_init<int64_t>(arg("value"));
  refl::ObjectDef<ClockObj>("Equality and hash written in C++.")
      .def_rw("hours", &ClockObj::hours)
      .def("__eq__", [](const ClockObj& self,
                        const ClockObj& other) { return self.hours % 12 == other.hours % 12; })
      .def("__hash__", [](const ClockObj& self) { return self.hours % 12; })
      .def_init<int64_t>(arg("hours"));
  refl::GlobalDef()
      .def("testing.find_key", &Find)
      .def("testing.find_key_unlocked", &Find, tain::release_gil())
      .def("testing.coins", &Coins, tain::thread_safe())
      .def(
          "testing.number_keys",
          [] {
            return tain::Map<tain::Any, tain::Any>{{1, "int"}, {true, "bool"}, {1.0, "float"}};
          },
          tain::thread_safe());
}

}  // namespace tain_testing

// SPDX-License-Identifier: Apache-2.0
// A type for what shows graphs: a field that cannot always be read, and fields with options.
#include <string>

#include "tain/custom_traits.h"
#include "testing_types.h"

namespace tain_testing {

/// Cannot be read while it is negative.
struct Fragile {
  int64_t value = 1;
};

}  // namespace tain_testing

template <>
struct tain::TypeTraits<tain_testing::Fragile> : tain::CustomTraits<tain_testing::Fragile> {
  static std::string type_str() { return "int"; }
  static Any to_any(const tain_testing::Fragile& x) {
    if (x.value < 0) TAIN_THROW(ValueError) << "broken: " << x.value;
    return Any(x.value);
  }
  static std::optional<tain_testing::Fragile> from_any(const AnyView& value) {
    const auto number = value.try_cast<int64_t>();
    if (!number) return std::nullopt;
    return tain_testing::Fragile{*number};
  }
};

namespace tain_testing {

struct ExhibitObj : tain::Object {
  std::string name;
  Fragile fragile;
  tain::Any part;
  int64_t place = 0;
  int64_t secret = 0;
  explicit ExhibitObj(std::string name) : name(std::move(name)) {}
  TAIN_OBJECT("testing.Exhibit", ExhibitObj, tain::Object);
};

}  // namespace tain_testing

TAIN_REGISTER {
  using tain_testing::ExhibitObj;
  tain::reflection::ObjectDef<ExhibitObj>("What is shown.")
      .def_rw("name", &ExhibitObj::name)
      .def_rw("fragile", &ExhibitObj::fragile)
      .def_rw("part", &ExhibitObj::part)
      .def_rw("place", &ExhibitObj::place, tain::structural_ignore())
      .def_rw("secret", &ExhibitObj::secret, tain::no_repr())
      .def_init<std::string>(tain::arg("name"));
}

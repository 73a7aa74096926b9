// SPDX-License-Identifier: Apache-2.0
// Casters with which any nanobind extension can take and return tain objects: tain::Ref<T>,
// tain::Ptr<T>, tain::Any.
//
//   m.def("same", [](tain::Ref<PointObj> p) { return p; });
// Objects keep their identity: Python gets the one wrapper of the object. tain._core uses the same
// casters. `import tain` must run before the first call of the extension; otherwise the call raises
// ImportError.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "tain/interop/bridge.h"

namespace tain::interop {

/// The caster of any type that crosses.
template <class T>
struct Caster {
  static constexpr auto Name = nanobind::detail::const_name("tain.Object");
  template <class>
  using Cast = T;
  template <class>
  static constexpr bool can_cast() {
    return true;
  }
  bool from_python(nanobind::handle source, uint8_t, nanobind::detail::cleanup_list*) noexcept {
    value = FromPython<T>(source.ptr());
    return value.has_value();
  }
  static nanobind::handle from_cpp(T source, nanobind::rv_policy,
                                   nanobind::detail::cleanup_list*) noexcept {
    return ToPython<T>(std::move(source));
  }
  operator T() { return *std::move(value); }  // NOLINT: nanobind calls it

  std::optional<T> value;
};

}  // namespace tain::interop

namespace nanobind::detail {

template <class T>
struct type_caster<tain::Ref<T>> : tain::interop::Caster<tain::Ref<T>> {};
template <class T>
struct type_caster<tain::ObjectPtr<T>> : tain::interop::Caster<tain::ObjectPtr<T>> {};
template <>
struct type_caster<tain::Any> : tain::interop::Caster<tain::Any> {
  static constexpr auto Name = const_name("object");
};

}  // namespace nanobind::detail

// SPDX-License-Identifier: Apache-2.0
// Casters with which any pybind11 extension can take and return tain objects: tain::Ref<T>,
// tain::Ptr<T>, tain::Any.
//
//   m.def("same", [](tain::Ref<PointObj> p) { return p; });
// Objects keep their identity: Python gets the one wrapper of the object. `import tain` must run
// before the first call of the extension; otherwise the call raises ImportError.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

#include "tain/interop/bridge.h"

namespace tain::interop {

/// The caster of any type that crosses. pybind11 also makes empty ones, so the value is optional.
template <class T>
struct PybindCaster {
  static constexpr auto name = pybind11::detail::const_name("tain.Object");
  template <class>
  using cast_op_type = T;

  bool load(pybind11::handle source, bool) noexcept {
    value = FromPython<T>(source.ptr());
    return value.has_value();
  }
  static pybind11::handle cast(T source, pybind11::return_value_policy, pybind11::handle) noexcept {
    return ToPython<T>(std::move(source));
  }
  operator T() { return *std::move(value); }  // NOLINT: pybind11 calls it

  std::optional<T> value;
};

}  // namespace tain::interop

namespace pybind11::detail {

template <class T>
struct type_caster<tain::Ref<T>> : tain::interop::PybindCaster<tain::Ref<T>> {};
template <class T>
struct type_caster<tain::ObjectPtr<T>> : tain::interop::PybindCaster<tain::ObjectPtr<T>> {};
template <>
struct type_caster<tain::Any> : tain::interop::PybindCaster<tain::Any> {
  static constexpr auto name = const_name("object");
};

}  // namespace pybind11::detail

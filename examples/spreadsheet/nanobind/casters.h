// SPDX-License-Identifier: Apache-2.0
// How addresses and values cross: what other files need before they use them.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "nodes.h"

// [conversions]
NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)

/// An address is a text such as "B7" in Python.
template <>
struct type_caster<spreadsheet::Address> {
  NB_TYPE_CASTER(spreadsheet::Address, const_name("str"))

  bool from_python(handle src, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<std::string> text;
    if (!text.from_python(src, flags, cleanup)) return false;
    const auto address = spreadsheet::Address::Read(text.value);  // it must not throw here
    if (address) value = *address;
    return address.has_value();
  }

  static handle from_cpp(const spreadsheet::Address& src, rv_policy policy,
                         cleanup_list* cleanup) noexcept {
    return make_caster<std::string>::from_cpp(src.Text(), policy, cleanup);
  }
};

NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)

// SPDX-License-Identifier: Apache-2.0
// How addresses cross: what other files need before they use them.
#pragma once

#include <tain/stl.h>
#include <tain/tain.h>

#include "../engine/address.h"

// [conversions]
/// An address is a text such as "B7" in Python.
template <>
struct tain::TypeTraits<spreadsheet::Address> : tain::CustomTraits<spreadsheet::Address> {
  static std::string type_str() { return "str"; }
  static tain::Any to_any(const spreadsheet::Address& a) { return tain::String(a.Text()); }
  static std::optional<spreadsheet::Address> from_any(const tain::AnyView& value) {
    const auto text = value.try_cast<std::string>();
    if (!text) return std::nullopt;
    return spreadsheet::Address::Parse(*text);
  }
};

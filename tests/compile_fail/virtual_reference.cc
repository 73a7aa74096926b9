// SPDX-License-Identifier: Apache-2.0
// Wrong use: a virtual method whose result would dangle after a Python override.
// expect: TAIN_VIRTUAL: the result is a reference, a pointer or a view, which would dangle after a
// Python override: return a value, tain::String or Ref
#include "tain/virtual.h"

struct BoxObj : tain::Object {
  std::string text;
  TAIN_VIRTUAL(label)
  virtual const std::string& label_impl() const { return text; }
  virtual ~BoxObj() = default;
  TAIN_OBJECT("wrong.Box", BoxObj, tain::Object);
};

std::string Label(const BoxObj& box) { return box.label(); }

// SPDX-License-Identifier: Apache-2.0
// Wrong use: a box of a class of the standard library.
// expect: Boxed<T>: T must be a class that is not of tain or of namespace std
#include "tain/boxed.h"

namespace lib {
struct Handle {
  Handle() = default;
  Handle(const Handle&) = delete;
  int number = 0;
};
}  // namespace lib

TAIN_REGISTER { tain::reflection::ObjectDef<tain::Boxed<std::string>>("wrong.Text"); }

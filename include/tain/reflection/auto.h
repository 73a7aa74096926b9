// SPDX-License-Identifier: Apache-2.0
// TAIN_REFLECT: registers types and functions by the compiler's own knowledge of them.
//
//   namespace geometry {
//   struct [[=tain::doc("A point in the plane.")]] Point : tain::Object {
//     double x = 0, y = 0;
//     double norm() const;
//     Point scaled(double by = 2) const;
//   };
//   }  // namespace geometry
//   TAIN_REFLECT(geometry)
// It needs C++26 with reflection: gcc 16 with -std=c++26 -freflection. Every file of a library that
// uses such a class includes this header. docs/reflection.md has the rules.
#pragma once

#if !defined(__cpp_impl_reflection)
#error "auto.h needs C++26 with reflection: gcc 16 or later, -std=c++26 -freflection"
#else

#include "tain/internal/reflect/foreign.h"
#include "tain/reflection/annotations.h"
#include "tain/reflection/register.h"

/// Registers a namespace with all that it declares so far, or one class, enum or function:
/// TAIN_REFLECT(geometry). It stands outside of namespaces and classes, once per library.
#define TAIN_REFLECT(...) \
  TAIN_REGISTER { ::tain::internal::reflect::Describe<^^__VA_ARGS__>(); }

/// The same for a namespace of another library, or one class of it: its classes, which do not
/// derive from tain::Object, cross in boxes (tain/boxed.h).
#define TAIN_REFLECT_FOREIGN(...) \
  TAIN_REGISTER { ::tain::internal::reflect::DescribeAll<^^__VA_ARGS__>(); }

#endif

// SPDX-License-Identifier: Apache-2.0
// Registers the classes of another library in boxes, and its exceptions.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <span>

#include "tain/boxed.h"
#include "tain/internal/caught.h"
#include "tain/internal/reflect/scope.h"
#include "tain/reflection/error_def.h"

namespace tain::internal::reflect {

template <info kWhat>
inline constexpr std::span<const info> kBoxedClasses =
    std::define_static_array(Everything(kWhat, true).boxed);
template <info kWhat>
inline constexpr std::span<const info> kErrors =
    std::define_static_array(Everything(kWhat, true).errors);

/// Declares the key and the base class of a box, so that members can name it.
template <class F, Scope kScope>
TAIN_COLD void DeclareForeign() {
  constexpr info kBase = BoxedBaseOf(^^F, kScope);
  if constexpr (kBase == info{}) {
    declare_boxed<F>(KeyOfDeclaration(^^F));
  } else {
    declare_boxed<F>(KeyOfDeclaration(^^F), boxed_base<typename [:kBase:]>());
  }
}

template <class F, Scope kScope>
TAIN_COLD void DescribeForeign() {
  static constexpr FinishedSpec kType = TypeSpecOf(^^F);
  constexpr info kBase = BoxedBaseOf(^^F, kScope);
  const char* key = KeyOfDeclaration(^^F);
  if constexpr (kBase == info{}) {
    reflection::ObjectDef<Boxed<F>> def(key, kType);
    DescribeMembers<F, Boxed<F>, kScope>(def);
  } else {
    reflection::ObjectDef<Boxed<F>> def(key, kType, boxed_base<typename [:kBase:]>());
    DescribeMembers<F, Boxed<F>, kScope>(def);
  }
}

/// Registers all that Describe registers, and all other classes of a namespace in boxes.
template <info kWhat>
TAIN_COLD void DescribeAll() {
  constexpr Scope kScope = ScopeAt(kWhat, true);
  template for (constexpr info kError : kErrors<kWhat>) {
    using E = typename [:kError:];
    reflection::ErrorDef<E>(KeyOfDeclaration(kError), StandardErrorKind<E>());
  }
  template for (constexpr info kClass : kBoxedClasses<kWhat>) {
    DeclareForeign<typename [:kClass:], kScope>();
  }
  DescribeTypes<kWhat, true>();
  template for (constexpr info kClass : kBoxedClasses<kWhat>) {
    DescribeForeign<typename [:kClass:], kScope>();
  }
  DescribeFunctions<kWhat, true>();
}

}  // namespace tain::internal::reflect
#endif

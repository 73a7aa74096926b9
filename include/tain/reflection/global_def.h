// SPDX-License-Identifier: Apache-2.0
// GlobalDef: registers global functions, which C++ and Python find by name.
//
//   TAIN_REGISTER {
//     tain::reflection::GlobalDef().def("geometry.centroid", centroid, tain::arg("points"));
//   }
#pragma once

#include "tain/internal/signature_checks.h"
#include "tain/internal/type_builder.h"
#include "tain/reflection/overload.h"
#include "tain/reflection/register.h"

namespace tain::reflection {

/// Registers global functions. Functions with the same name in one GlobalDef are overloads. A name
/// that another definition has registered is a fault of the load.
class GlobalDef {
 public:
  /// Registers a function with its signature. An existing tain::Function is registered as it is;
  /// its parameters are unknown unless it was registered before.
  template <class F = internal::PickOneOverload, class... Extra>
  GlobalDef& def(const char* name, F&& f, Extra... extra) {
    static_assert(internal::Accepts<internal::CallSpec, Extra...>,
                  "def: after the function it takes tain::arg, documentation and release_gil()");
    using Call = typename internal::FunctionCall<std::decay_t<F>>::Type;
    using Sig = internal::SignatureOf<Call>;
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      Ready(name, f, std::forward<Extra>(extra)...);
    } else if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else {
      const internal::Collected<internal::CallSpec, Extra...> spec(std::forward<Extra>(extra)...);
      internal::DefineGlobal(internal::ThisUnit(), name, Function::FromTyped(std::forward<F>(f)),
                             &internal::kShapeOf<Call>, spec.get(), definition_);
    }
    return *this;
  }
  /// Registers a function that takes any arguments: `void(tain::Args, tain::Any*)` or
  /// `tain::Any(tain::Args)`.
  template <class F, class... Extra>
  GlobalDef& def_packed(const char* name, F&& f, Extra... extra) {
    Ready(name, Function::FromPacked(std::forward<F>(f)), std::forward<Extra>(extra)...);
    return *this;
  }

 private:
  template <class... Extra>
  void Ready(const char* name, const Function& function, Extra&&... extra) {
    const internal::Collected<internal::CallSpec, Extra...> spec(std::forward<Extra>(extra)...);
    internal::DefineGlobal(internal::ThisUnit(), name, function, nullptr, spec.get(), definition_);
  }

  uint64_t definition_ = internal::NewDefinition();
};

}  // namespace tain::reflection

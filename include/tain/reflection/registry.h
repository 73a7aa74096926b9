// SPDX-License-Identifier: Apache-2.0
// GlobalDef: functions of the process, found by name from C++ and Python.
//
//   TAIN_REGISTER {
//     tain::reflection::GlobalDef().def("geometry.centroid", centroid, tain::arg("points"));
//   }
#pragma once

#include "tain/reflection/overload.h"

namespace tain::reflection {

/// Registers global functions. Two functions of one name and one GlobalDef are overloads; a name
/// that another definition has taken is a fault of the load.
class GlobalDef {
 public:
  /// A function whose signature Python sees. A tain::Function that is there already is registered
  /// itself; what it takes is not known, unless it was registered before.
  template <class F, class... Extra>
  GlobalDef& def(const char* name, F&& f, Extra&&... extra) {
    static_assert(internal::Accepts<internal::CallSpec, Extra...>,
                  "def: beside a function stand tain::arg, documentation and release_gil()");
    using Sig = internal::SignatureOf<typename internal::FunctionCall<std::decay_t<F>>::Type>;
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      Ready(name, f, std::forward<Extra>(extra)...);
    } else if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else if constexpr (internal::Accepts<internal::CallSpec, Extra...>) {
      internal::CallSpec spec;
      (spec.Add(std::forward<Extra>(extra)), ...);
      internal::DefineGlobal(internal::ThisUnit(), name, Function::FromTyped(std::forward<F>(f)),
                             &internal::kShape<Sig>, spec, definition_);
    }
    return *this;
  }
  /// A function of any arguments: `void(tain::Args, tain::Any*)` or `tain::Any(tain::Args)`.
  template <class F, class... Extra>
  GlobalDef& def_packed(const char* name, F&& f, Extra&&... extra) {
    Ready(name, Function::FromPacked(std::forward<F>(f)), std::forward<Extra>(extra)...);
    return *this;
  }

 private:
  template <class... Extra>
  void Ready(const char* name, const Function& function, Extra&&... extra) {
    if constexpr (internal::Accepts<internal::CallSpec, Extra...>) {
      internal::CallSpec spec;
      (spec.Add(std::forward<Extra>(extra)), ...);
      internal::DefineGlobal(internal::ThisUnit(), name, function, nullptr, spec, definition_);
    }
  }

  uint64_t definition_ = internal::NewDefinition();
};

}  // namespace tain::reflection

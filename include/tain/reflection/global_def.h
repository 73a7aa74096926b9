// SPDX-License-Identifier: Apache-2.0
// GlobalDef: registers global functions, which C++ and Python find by name, and the constants and
// documentation of namespaces.
//
//   TAIN_REGISTER {
//     tain::reflection::GlobalDef()
//         .def_doc("geometry", "Points and lines.")
//         .def("geometry.centroid", centroid, tain::arg("points"))
//         .def_constant("geometry.PI", 3.14159, "As exact as needed.")
//         .def_constant("geometry.__version__", "1.2");
//   }
#pragma once

#include <string>
#include <utility>

#include "tain/internal/keep_alive.h"
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
  template <class F = internal::UseOverloadCast, class... Extra>
  GlobalDef& def(const char* name, F&& f, Extra... extra) {
    static_assert(internal::Accepts<internal::CallSpec, Extra...>,
                  "def: after the function it takes tain::arg, documentation, release_gil() "
                  "and thread_safe()");
    using Call = typename internal::FunctionCall<std::decay_t<F>>::Type;
    using Sig = internal::SignatureOf<Call>;
    if constexpr (internal::IsOverloads<F>) {
      f.ForEach([&](auto& one) { def(name, std::move(one), extra...); });
    } else if constexpr (internal::IsReadyFunction<F>) {
      Ready(name, f, std::forward<Extra>(extra)...);
    } else if constexpr (!internal::kGoodSignature<Sig>) {
      (void)sizeof(internal::SignatureErrors<Sig, F>);
    } else {
      (void)sizeof(internal::KeepErrors<internal::kKeepsFit<Sig, Extra...>>);
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
  /// Registers a constant of a namespace: `geometry.PI` is the attribute `PI` of
  /// `tain.types.geometry` and of a module that adopts the namespace; `geometry.__version__` is their
  /// `__version__`.
  template <class V>
  GlobalDef& def_constant(const char* name, V&& value, const char* doc = "") {
    constexpr bool kCrosses = std::is_constructible_v<Any, V>;
    static_assert(kCrosses, "def_constant: the value's type" TAIN_INTERNAL_NOT_CROSSING);
    if constexpr (kCrosses) {
      // An enum keeps its type, so that it is a member of the enum in Python too.
      if constexpr (std::is_enum_v<std::decay_t<V>>) {
        Constant(name, [value] { return value; }, doc);
      } else {
        Constant(name, [kept = Any(std::forward<V>(value))] { return kept; }, doc);
      }
    }
    return *this;
  }
  /// Documents a namespace: the text is the `__doc__` of `tain.types.geometry`, and that of a module
  /// that adopts the namespace if the module has none.
  GlobalDef& def_doc(const char* space, const char* text) {
    return def_constant(((space == nullptr ? "" : space) + std::string(".__doc__")).c_str(), text);
  }
  /// Lists functions that the description leaves out, with their namespaces, and the reasons:
  /// load_library(...).skipped.
  GlobalDef& def_skipped(std::initializer_list<internal::Skipped> functions) {
    for (const internal::Skipped& one : functions) {
      internal::NoteSkippedFunction(internal::ThisUnit(), one.name, one.why, internal::kIsStrict);
    }
    return *this;
  }

 private:
  template <class F>
  void Constant(const char* name, F getter, const char* doc) {
    using Call = typename internal::FunctionCall<F>::Type;
    const internal::Collected<internal::CallSpec, const char*> spec(std::move(doc));
    internal::DefineConstant(internal::ThisUnit(), name == nullptr ? "" : name,
                             Function::FromTyped(std::move(getter)), &internal::kShapeOf<Call>,
                             spec.get());
  }
  template <class... Extra>
  void Ready(const char* name, const Function& function, Extra&&... extra) {
    const internal::Collected<internal::CallSpec, Extra...> spec(std::forward<Extra>(extra)...);
    internal::DefineGlobal(internal::ThisUnit(), name, function, nullptr, spec.get(), definition_);
  }

  uint64_t definition_ = internal::NewDefinition();
};

}  // namespace tain::reflection

// SPDX-License-Identifier: Apache-2.0
// Overrides<B>, TAIN_OVERRIDE: a library calls Python methods through its own virtual functions.
//
//   struct PyShape : tain::Overrides<lib::Shape> {
//     using Overrides::Overrides;
//     TAIN_OVERRIDE(void, scale, double)            // virtual void scale(double)
//     TAIN_OVERRIDE_PURE_CONST(double, area)        // virtual double area() const = 0
//     bool hit(const lib::Ray& ray) const noexcept override { TAIN_CALL_OVERRIDE(hit, ray); }
//   };
//   ObjectDef<tain::Boxed<lib::Shape, PyShape>>("lib.Shape").def_init<>().def("area", &...);
// Python makes objects of PyShape, and the class in Python stays that of lib::Shape. A function of
// the library that calls area() reaches the method `area` of a Python subclass; super().area() in it
// reaches that of lib::Shape.
//
// The forms with _PURE are for functions without code in B: without an override they throw
// NotImplementedError. The TAIN_CALL_OVERRIDE forms are the body of a function that is written out,
// for everything that a list of types does not say: noexcept, a comma in a type, another name in
// Python. boxed.h includes this header.
#pragma once

#include "tain/internal/box_override.h"
#include "tain/internal/macro_scan.h"

namespace tain {

/// The base of a class whose virtual functions call Python: B, and what its objects know of their
/// boxes.
template <class B>
class Overrides : public internal::OverridesOf<B> {
 public:
  using internal::OverridesOf<B>::OverridesOf;

  /// Destroys an object that C++ deletes: its memory may be that of its box.
  static void operator delete(Overrides* self, std::destroying_delete_t) {
    internal::DeleteOverriding<B>(self);
  }
};
template <class B>
  requires(!std::has_virtual_destructor_v<B>)
class Overrides<B> : public internal::OverridesOf<B> {
 public:
  using internal::OverridesOf<B>::OverridesOf;
};

}  // namespace tain

// The parameters of a list of types, and the arguments that forward them. Each name is that of the
// parameter before and an x.
#define TAIN_INTERNAL_PARAMETER_AGAIN() TAIN_INTERNAL_PARAMETER
#define TAIN_INTERNAL_PARAMETER(name, T, ...) \
  T name __VA_OPT__(, TAIN_INTERNAL_PARAMETER_AGAIN TAIN_INTERNAL_PARENS(name##x, __VA_ARGS__))
#define TAIN_INTERNAL_PARAMETERS(...) \
  __VA_OPT__(TAIN_INTERNAL_SCAN3(TAIN_INTERNAL_PARAMETER(tain_x, __VA_ARGS__)))
#define TAIN_INTERNAL_ARGUMENT_AGAIN() TAIN_INTERNAL_ARGUMENT
#define TAIN_INTERNAL_ARGUMENT(name, T, ...)        \
  static_cast<std::add_rvalue_reference_t<T>>(name) \
      __VA_OPT__(, TAIN_INTERNAL_ARGUMENT_AGAIN TAIN_INTERNAL_PARENS(name##x, __VA_ARGS__))
#define TAIN_INTERNAL_FORWARD(...) \
  __VA_OPT__(TAIN_INTERNAL_SCAN3(TAIN_INTERNAL_ARGUMENT(tain_x, __VA_ARGS__)))

// Each is written out, because every macro in another one adds three lines to the errors of clang.
/// The body of a function `name(...)`: calls the method of this name in a Python subclass, else
/// B::name(...).
#define TAIN_CALL_OVERRIDE(name, ...)                                                       \
  return ::tain::internal::CallPythonOr<decltype(this->TainBase::name(__VA_ARGS__)), false, \
                                        noexcept(this->name(__VA_ARGS__)),                  \
                                        ::tain::internal::OverrideBit(#name)>(              \
      this->TainLink(), #name, [&]() -> decltype(this->TainBase::name(__VA_ARGS__)) {       \
        return this->TainBase::name(__VA_ARGS__);                                           \
      } __VA_OPT__(, ) __VA_ARGS__)
/// TAIN_CALL_OVERRIDE for a function that has no code in B.
#define TAIN_CALL_OVERRIDE_PURE(name, ...)                                       \
  return ::tain::internal::CallPythonOr<decltype(this->name(__VA_ARGS__)), true, \
                                        noexcept(this->name(__VA_ARGS__)),       \
                                        ::tain::internal::OverrideBit(#name)>(   \
      this->TainLink(), #name, [&]() -> decltype(this->name(__VA_ARGS__)) {      \
        this->TainThrowPure(#name);                                              \
      } __VA_OPT__(, ) __VA_ARGS__)
/// TAIN_CALL_OVERRIDE for a method that has another name in Python, such as "__call__".
#define TAIN_CALL_OVERRIDE_AS(python_name, name, ...)                                       \
  return ::tain::internal::CallPythonOr<decltype(this->TainBase::name(__VA_ARGS__)), false, \
                                        noexcept(this->name(__VA_ARGS__)),                  \
                                        ::tain::internal::OverrideBit(python_name)>(        \
      this->TainLink(), python_name, [&]() -> decltype(this->TainBase::name(__VA_ARGS__)) { \
        return this->TainBase::name(__VA_ARGS__);                                           \
      } __VA_OPT__(, ) __VA_ARGS__)
/// TAIN_CALL_OVERRIDE_PURE for a method that has another name in Python.
#define TAIN_CALL_OVERRIDE_PURE_AS(python_name, name, ...)                           \
  return ::tain::internal::CallPythonOr<decltype(this->name(__VA_ARGS__)), true,     \
                                        noexcept(this->name(__VA_ARGS__)),           \
                                        ::tain::internal::OverrideBit(python_name)>( \
      this->TainLink(), python_name, [&]() -> decltype(this->name(__VA_ARGS__)) {    \
        this->TainThrowPure(python_name);                                            \
      } __VA_OPT__(, ) __VA_ARGS__)

/// Overrides `virtual R name(types)` by the method `name` of Python subclasses.
#define TAIN_OVERRIDE(R, name, ...)                                            \
  R name(TAIN_INTERNAL_PARAMETERS(__VA_ARGS__)) override {                     \
    TAIN_CALL_OVERRIDE(name __VA_OPT__(, TAIN_INTERNAL_FORWARD(__VA_ARGS__))); \
  }
/// The same for `virtual R name(types) const`.
#define TAIN_OVERRIDE_CONST(R, name, ...)                                      \
  R name(TAIN_INTERNAL_PARAMETERS(__VA_ARGS__)) const override {               \
    TAIN_CALL_OVERRIDE(name __VA_OPT__(, TAIN_INTERNAL_FORWARD(__VA_ARGS__))); \
  }
/// The same for `virtual R name(types) = 0`.
#define TAIN_OVERRIDE_PURE(R, name, ...)                                            \
  R name(TAIN_INTERNAL_PARAMETERS(__VA_ARGS__)) override {                          \
    TAIN_CALL_OVERRIDE_PURE(name __VA_OPT__(, TAIN_INTERNAL_FORWARD(__VA_ARGS__))); \
  }
/// The same for `virtual R name(types) const = 0`.
#define TAIN_OVERRIDE_PURE_CONST(R, name, ...)                                      \
  R name(TAIN_INTERNAL_PARAMETERS(__VA_ARGS__)) const override {                    \
    TAIN_CALL_OVERRIDE_PURE(name __VA_OPT__(, TAIN_INTERNAL_FORWARD(__VA_ARGS__))); \
  }

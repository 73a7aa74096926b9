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

// The parameters of a list of types, and the arguments that forward them.
#define TAIN_INTERNAL_NTH(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define TAIN_INTERNAL_COUNT(...) \
  TAIN_INTERNAL_NTH(__VA_ARGS__ __VA_OPT__(, ) 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TAIN_INTERNAL_PARAMETERS_0()
#define TAIN_INTERNAL_PARAMETERS_1(T) T tain_1
#define TAIN_INTERNAL_PARAMETERS_2(T, ...) T tain_2, TAIN_INTERNAL_PARAMETERS_1(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_3(T, ...) T tain_3, TAIN_INTERNAL_PARAMETERS_2(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_4(T, ...) T tain_4, TAIN_INTERNAL_PARAMETERS_3(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_5(T, ...) T tain_5, TAIN_INTERNAL_PARAMETERS_4(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_6(T, ...) T tain_6, TAIN_INTERNAL_PARAMETERS_5(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_7(T, ...) T tain_7, TAIN_INTERNAL_PARAMETERS_6(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_8(T, ...) T tain_8, TAIN_INTERNAL_PARAMETERS_7(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_9(T, ...) T tain_9, TAIN_INTERNAL_PARAMETERS_8(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_10(T, ...) T tain_10, TAIN_INTERNAL_PARAMETERS_9(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_11(T, ...) T tain_11, TAIN_INTERNAL_PARAMETERS_10(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS_12(T, ...) T tain_12, TAIN_INTERNAL_PARAMETERS_11(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_0()
#define TAIN_INTERNAL_FORWARD_1(T) static_cast<std::add_rvalue_reference_t<T>>(tain_1)
#define TAIN_INTERNAL_FORWARD_2(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_2), TAIN_INTERNAL_FORWARD_1(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_3(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_3), TAIN_INTERNAL_FORWARD_2(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_4(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_4), TAIN_INTERNAL_FORWARD_3(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_5(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_5), TAIN_INTERNAL_FORWARD_4(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_6(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_6), TAIN_INTERNAL_FORWARD_5(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_7(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_7), TAIN_INTERNAL_FORWARD_6(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_8(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_8), TAIN_INTERNAL_FORWARD_7(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_9(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_9), TAIN_INTERNAL_FORWARD_8(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_10(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_10), TAIN_INTERNAL_FORWARD_9(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_11(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_11), TAIN_INTERNAL_FORWARD_10(__VA_ARGS__)
#define TAIN_INTERNAL_FORWARD_12(T, ...) \
  static_cast<std::add_rvalue_reference_t<T>>(tain_12), TAIN_INTERNAL_FORWARD_11(__VA_ARGS__)
#define TAIN_INTERNAL_JOIN(a, b) a##b
#define TAIN_INTERNAL_EACH(what, count, ...) TAIN_INTERNAL_JOIN(what, count)(__VA_ARGS__)
#define TAIN_INTERNAL_PARAMETERS(...) \
  TAIN_INTERNAL_EACH(TAIN_INTERNAL_PARAMETERS_, TAIN_INTERNAL_COUNT(__VA_ARGS__), __VA_ARGS__)
#define TAIN_INTERNAL_FORWARD(...) \
  TAIN_INTERNAL_EACH(TAIN_INTERNAL_FORWARD_, TAIN_INTERNAL_COUNT(__VA_ARGS__), __VA_ARGS__)

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

// SPDX-License-Identifier: Apache-2.0
// How a reflected function is called: its signature as it crosses, the callables for default
// arguments and for objects that are passed or returned by value, and why a function cannot cross.
#pragma once

#if defined(__cpp_impl_reflection)
#include <string>
#include <utility>
#include <vector>

#include "tain/internal/reflect/notes.h"
#include "tain/internal/with_defaults.h"
#include "tain/ref.h"

namespace tain::internal::reflect {

/// A parameter of type P as it crosses: an object that is taken by value comes as a reference.
template <class P>
struct Crossing {
  using Parameter = P;
  using Result = P;
};
template <class P>
  requires(IsObject<std::remove_cvref_t<P>> && !std::is_lvalue_reference_v<P>)
struct Crossing<P> {
  using Parameter = const std::remove_cvref_t<P>&;
  using Result = Ref<std::remove_cvref_t<P>>;
};
template <class P>
using CrossingParameter = typename Crossing<P>::Parameter;
template <class P>
using CrossingResult = typename Crossing<P>::Result;

/// Returns a result of type R as it crosses: an object by value moves into a new object.
template <class R, class V>
CrossingResult<R> ResultOf(V&& value) {
  if constexpr (std::is_same_v<R, CrossingResult<R>>) {
    return static_cast<V&&>(value);
  } else {
    return make_object<std::remove_cvref_t<R>>(static_cast<V&&>(value));
  }
}

/// Calls a member function with these parameters, of which the first is the receiver.
template <info kFunction, class R, class... P>
struct MethodCaller;
template <info kFunction, class R, class Self, class... P>
struct MethodCaller<kFunction, R, Self, P...> {
  CrossingResult<R> operator()(Self self, CrossingParameter<P>... args) const {
    if constexpr (std::is_void_v<R>) {
      self.[:kFunction:](static_cast<CrossingParameter<P>&&>(args)...);
    } else {
      return ResultOf<R>(self.[:kFunction:](static_cast<CrossingParameter<P>&&>(args)...));
    }
  }
};
/// Calls a function with these parameters, which may be only its first ones.
template <info kFunction, class R, class... P>
struct FunctionCaller {
  CrossingResult<R> operator()(CrossingParameter<P>... args) const {
    if constexpr (std::is_void_v<R>) {
      [:kFunction:](static_cast<CrossingParameter<P>&&>(args)...);
    } else {
      return ResultOf<R>([:kFunction:](static_cast<CrossingParameter<P>&&>(args)...));
    }
  }
};
/// Calls an operator whose second operand is the receiver.
template <info kFunction, class R, class Left, class Self>
struct SwappedCaller {
  CrossingResult<R> operator()(CrossingParameter<Self> self, CrossingParameter<Left> left) const {
    return ResultOf<R>([:kFunction:](static_cast<CrossingParameter<Left>&&>(left), self));
  }
};

consteval info TypeAlias(info alias, info type) { return dealias(substitute(alias, {type})); }

/// A function that shall be registered: its receiver (a reference type, or null for a function
/// without), and the types of its result and of its parameters.
struct Callee {
  info function;
  info receiver{};
  info result;
  std::vector<info> parameters{};
  size_t num_defaults = 0;
};

/// Returns a function as a Callee. A member function has a receiver of class `self`.
consteval Callee CalleeOf(info function, info self) {
  Callee callee{function, {}, ^^void};
  const bool has_receiver = is_class_member(function) && !is_static_member(function);
  if (has_receiver && !is_constructor(function)) {
    callee.receiver = add_lvalue_reference(is_const(function) ? add_const(self) : self);
  }
  if (!is_constructor(function)) callee.result = dealias(return_type_of(function));
  for (const info parameter : parameters_of(function)) {
    callee.parameters.push_back(dealias(type_of(parameter)));
    if (has_default_argument(parameter)) ++callee.num_defaults;
  }
  return callee;
}

/// Returns the signature as it crosses, with the receiver first.
consteval info CrossingSignature(const Callee& callee) {
  std::vector<info> types = {TypeAlias(^^CrossingResult, callee.result)};
  if (callee.receiver != info{}) types.push_back(callee.receiver);
  for (const info parameter : callee.parameters) {
    types.push_back(TypeAlias(^^CrossingParameter, parameter));
  }
  return substitute(^^Signature, types);
}

template <class T>
inline constexpr bool kIsByValue = !std::is_same_v<T, CrossingParameter<T>>;
template <class T>
inline constexpr bool kParameterCrosses = ParamType<T>::kCrosses;
template <class T>
inline constexpr bool kParameterIsMutable = !ParamType<T>::kNoMutableReference;
template <class T>
inline constexpr bool kResultCrosses = ResultType<T>::kCrosses;
template <class T>
inline constexpr bool kCanCopy =
    !IsObject<std::remove_cvref_t<T>> || std::is_lvalue_reference_v<T> ||
    std::is_move_constructible_v<std::remove_cvref_t<T>>;

/// Returns a template's value for a type.
consteval bool IsTrue(info variable_template, info type) {
  return extract<bool>(substitute(variable_template, {type}));
}

consteval bool IsWithin(info declaration, info scope) {
  while (declaration != ^^::) {
    if (declaration == scope) return true;
    declaration = parent_of(declaration);
  }
  return scope == ^^::;
}

/// Returns why a type cannot be that of a parameter, a result or a field of a library whose enums
/// are in `scope`; an empty text if it can.
consteval std::string WhyTypeFails(info type, info scope) {
  info bare = dealias(remove_cvref(type));
  const std::string text(display_string_of(bare));
  if (is_pointer_type(bare)) bare = dealias(remove_cv(remove_pointer(bare)));
  if ((is_class_type(bare) || is_union_type(bare)) && !is_complete_type(bare)) {
    return text + " is incomplete";
  }
  if (is_enum_type(bare) && !IsTrue(^^enum_as_int, bare) && !IsWithin(bare, scope)) {
    return text + " is an enum outside of what is reflected";
  }
  return "";
}

/// Returns why a function cannot be called from Python; an empty text if it can.
consteval std::string WhyCallFails(const Callee& callee, info scope) {
  if (is_vararg_function(callee.function)) return "it takes C's variable arguments";
  if (is_volatile(callee.function)) return "it is volatile";
  const std::vector<info> parameters = parameters_of(callee.function);
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const info type = callee.parameters[i];
    const std::string where =
        "parameter " + (has_identifier(parameters[i]) ? std::string(identifier_of(parameters[i]))
                                                       : std::to_string(i));
    if (is_explicit_object_parameter(parameters[i])) return "it has an explicit object parameter";
    if (const std::string why = WhyTypeFails(type, scope); !why.empty()) {
      return where + ": " + why;
    }
    if (!IsTrue(^^kParameterCrosses, type)) {
      return where + ": " + std::string(display_string_of(type)) + " does not cross";
    }
    if (IsTrue(^^kParameterIsMutable, type)) {
      return where + " is a reference to a value that C++ may change";
    }
    if (IsTrue(^^kIsByValue, type) && !is_copy_constructible_type(remove_cvref(type))) {
      return where + ": the object is taken by value, and cannot be copied";
    }
  }
  if (const std::string why = WhyTypeFails(callee.result, scope); !why.empty()) {
    return "the result: " + why;
  }
  if (!IsTrue(^^kResultCrosses, callee.result)) {
    return "the result: " + std::string(display_string_of(callee.result)) + " does not cross";
  }
  if (!IsTrue(^^kCanCopy, callee.result)) {
    return "the result is an object by value, which cannot be moved";
  }
  const bool good = extract<bool>(substitute(^^kGoodSignature, {CrossingSignature(callee)}));
  return good ? "" : "its signature does not cross";
}

/// Returns the caller of a function with its first `given` parameters.
consteval info CallerWith(const Callee& callee, size_t given) {
  std::vector<info> arguments = {std::meta::reflect_constant(callee.function), callee.result};
  if (callee.receiver != info{}) arguments.push_back(callee.receiver);
  for (size_t i = 0; i < given; ++i) arguments.push_back(callee.parameters[i]);
  return substitute(callee.receiver != info{} ? ^^MethodCaller : ^^FunctionCaller, arguments);
}

/// Whether the function's address is all that a registration needs.
consteval bool IsPlain(const Callee& callee) {
  if (callee.num_defaults != 0 || IsTrue(^^kIsByValue, callee.result)) return false;
  for (const info parameter : callee.parameters) {
    if (IsTrue(^^kIsByValue, parameter)) return false;
  }
  return true;
}

/// Returns the type of the callable that stands for a function; null if its address does.
consteval info CallerOf(const Callee& callee) {
  if (IsPlain(callee)) return {};
  const size_t count = callee.parameters.size();
  const info full = CallerWith(callee, count);
  if (callee.num_defaults == 0) return full;
  std::vector<info> all = {full};
  for (size_t i = 1; i <= callee.num_defaults; ++i) all.push_back(CallerWith(callee, count - i));
  return substitute(^^WithDefaults, all);
}

}  // namespace tain::internal::reflect
#endif

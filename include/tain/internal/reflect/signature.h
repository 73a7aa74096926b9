// SPDX-License-Identifier: Apache-2.0
// How a reflected function is called: its signature as it crosses, the callables for default
// arguments, and why a function cannot cross.
#pragma once

// clang-format 19 takes annotations and splices for other syntax.
// clang-format off

#if defined(__cpp_impl_reflection)
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "tain/internal/reflect/notes.h"
#include "tain/internal/with_defaults.h"
#include "tain/ref.h"

namespace tain::internal::reflect {

/// Calls a member function with these parameters, of which the first is the receiver.
template <info kFunction, class R, class... P>
struct MethodCaller;
template <info kFunction, class R, class Self, class... P>
struct MethodCaller<kFunction, R, Self, P...> {
  R operator()(Self self, P... args) const {
    if constexpr (std::is_void_v<R>) {
      self.[:kFunction:](static_cast<P&&>(args)...);
    } else {
      return self.[:kFunction:](static_cast<P&&>(args)...);
    }
  }
};
/// Calls a function with these parameters, which may be only its first ones.
template <info kFunction, class R, class... P>
struct FunctionCaller {
  R operator()(P... args) const {
    if constexpr (std::is_void_v<R>) {
      [:kFunction:](static_cast<P&&>(args)...);
    } else {
      return [:kFunction:](static_cast<P&&>(args)...);
    }
  }
};
/// Calls an operator whose second operand is the receiver.
template <info kFunction, class R, class Left, class Self>
struct SwappedCaller {
  R operator()(Self self, Left left) const {
    return [:kFunction:](static_cast<Left&&>(left), static_cast<Self&&>(self));
  }
};

/// A function that shall be registered: its receiver (a reference type, or null for a function
/// without), and the types of its result and of its parameters.
struct Callee {
  info function;
  info receiver{};
  info result;
  std::vector<info> parameters{};
  std::vector<info> declared{};  ///< the parameters themselves
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
  callee.declared = parameters_of(function);
  callee.parameters.reserve(callee.declared.size());
  for (const info parameter : callee.declared) {
    callee.parameters.push_back(dealias(type_of(parameter)));
    if (has_default_argument(parameter)) ++callee.num_defaults;
  }
  return callee;
}

template <class T>
inline constexpr bool kParameterCrosses = ParamType<T>::kCrosses;

/// The scope that a library registers: a namespace, and whether plain classes in it are boxed.
struct Scope {
  info where;
  bool boxes;
};

consteval bool IsWithin(info declaration, info scope) {
  while (declaration != ^^::) {
    if (declaration == scope) return true;
    declaration = parent_of(declaration);
  }
  return scope == ^^::;
}

template <class T>
inline constexpr bool kIsBoxed = CrossesInBox<T>;
template <class T>
inline constexpr bool kIsException = std::is_base_of_v<std::exception, T>;

/// Whether TAIN_REFLECT_FOREIGN boxes a class.
consteval bool IsBoxedIn(info type, Scope scope) {
  return scope.boxes && is_class_type(type) && has_identifier(type) && is_complete_type(type) &&
         IsWithin(type, scope.where) && IsTrue(^^kIsBoxed, type) && !IsTrue(^^kIsException, type) &&
         !NotesOf(type).is_hidden;
}

/// Returns why a type cannot be that of a parameter, a result or a field; an empty text if it can.
/// The arguments of a class template are seen too: a vector of enums has the enum's reason.
consteval std::string WhyTypeFails(info type, Scope scope) {
  info bare = dealias(remove_cvref(type));
  if (is_pointer_type(bare)) bare = dealias(remove_cv(remove_pointer(bare)));
  if (is_enum_type(bare) && !IsTrue(^^enum_as_int, bare) && !IsWithin(bare, scope.where)) {
    return std::string(display_string_of(bare)) + " is an enum outside of what is reflected";
  }
  if (!is_class_type(bare) && !is_union_type(bare)) return "";
  if (!is_complete_type(bare)) return std::string(display_string_of(bare)) + " is incomplete";
  if (IsTrue(^^kIsBoxed, bare) && !IsBoxedIn(bare, scope)) {
    return std::string(display_string_of(bare)) + " is no registered class";
  }
  if (!has_template_arguments(bare)) return "";
  for (const info argument : template_arguments_of(bare)) {
    if (!is_type(argument)) continue;
    if (std::string why = WhyTypeFails(argument, scope); !why.empty()) return why;
  }
  return "";
}

// These answers are computed once for each type, because most functions have the same few types.
template <class T, info kWhere, bool kBoxes>
consteval bool ParameterFits() {
  if constexpr (WhyTypeFails(^^T, {kWhere, kBoxes}).empty()) {
    return ParamType<T>::kCrosses && ParamType<T>::kNoMutableReference;
  }
  return false;
}
template <class T, info kWhere, bool kBoxes>
consteval bool ResultFits() {
  if constexpr (WhyTypeFails(^^T, {kWhere, kBoxes}).empty()) return ResultType<T>::kCrosses;
  return false;
}
template <class T, info kWhere, bool kBoxes>
inline constexpr bool kParameterFits = ParameterFits<T, kWhere, kBoxes>();
template <class T, info kWhere, bool kBoxes>
inline constexpr bool kResultFits = ResultFits<T, kWhere, kBoxes>();

/// Returns the value of a variable template for a type and a scope.
template <class V>
consteval V AskIn(info variable_template, info type, Scope scope) {
  return extract<V>(substitute(variable_template, {type, std::meta::reflect_constant(scope.where),
                                                   std::meta::reflect_constant(scope.boxes)}));
}
consteval bool IsTrueIn(info variable_template, info type, Scope scope) {
  return AskIn<bool>(variable_template, type, scope);
}

/// Returns a small number as a text.
consteval std::string TextOfNumber(size_t number) {
  std::string text = number < 10 ? "" : TextOfNumber(number / 10);
  return text + static_cast<char>('0' + number % 10);
}

template <class Sig, info kWhere, bool kBoxes>
inline constexpr bool kTypesFit = false;
template <class R, class... P, info kWhere, bool kBoxes>
inline constexpr bool kTypesFit<Signature<R, P...>, kWhere, kBoxes> =
    (kParameterFits<P, kWhere, kBoxes> && ...) && kResultFits<R, kWhere, kBoxes>;
template <class Sig, info kWhere, bool kBoxes>
consteval bool SignatureFits() {
  if constexpr (kTypesFit<Sig, kWhere, kBoxes>) return kGoodSignature<Sig>;
  return false;
}
/// Whether a function with such a signature, without the receiver, can be called from Python.
template <class Sig, info kWhere, bool kBoxes>
inline constexpr bool kSignatureFits = SignatureFits<Sig, kWhere, kBoxes>();

/// Returns why such a type does not cross.
consteval std::string WhyTypesFail(const Callee& callee, Scope scope) {
  for (size_t i = 0; i < callee.parameters.size(); ++i) {
    const info type = callee.parameters[i];
    const info declared = callee.declared[i];
    const std::string where =
        "parameter " + (has_identifier(declared) ? std::string(identifier_of(declared))
                                                 : TextOfNumber(i));
    if (const std::string why = WhyTypeFails(type, scope); !why.empty()) {
      return where + ": " + why;
    }
    if (!IsTrue(^^kParameterCrosses, type)) {
      return where + ": " + std::string(display_string_of(type)) + " does not cross";
    }
    if (!IsTrueIn(^^kParameterFits, type, scope)) {
      return where + " is a reference to a value that C++ may change";
    }
  }
  if (const std::string why = WhyTypeFails(callee.result, scope); !why.empty()) {
    return "the result: " + why;
  }
  return "the result: " + std::string(display_string_of(callee.result)) + " does not cross";
}

/// Returns why a function cannot be called from Python; an empty text if it can.
consteval std::string WhyCallFails(const Callee& callee, Scope scope) {
  if (is_vararg_function(callee.function)) return "it takes C's variable arguments";
  if (is_volatile(callee.function)) return "it is volatile";
  if (!callee.declared.empty() && is_explicit_object_parameter(callee.declared[0])) {
    return "it has an explicit object parameter";
  }
  std::vector<info> types = callee.parameters;
  types.insert(types.begin(), callee.result);
  const info signature = substitute(^^Signature, types);
  if (IsTrueIn(^^kSignatureFits, signature, scope)) return "";
  if (IsTrueIn(^^kTypesFit, signature, scope)) {
    return "an object is passed by value that cannot be copied or moved";
  }
  return WhyTypesFail(callee, scope);
}

/// Returns the caller of a function with its first `given` parameters.
consteval info CallerWith(const Callee& callee, size_t given) {
  std::vector<info> arguments = {std::meta::reflect_constant(callee.function), callee.result};
  if (callee.receiver != info{}) arguments.push_back(callee.receiver);
  for (size_t i = 0; i < given; ++i) arguments.push_back(callee.parameters[i]);
  return substitute(callee.receiver != info{} ? ^^MethodCaller : ^^FunctionCaller, arguments);
}

/// Returns the type of the callable that stands for a function; null if its address does.
consteval info CallerOf(const Callee& callee) {
  if (callee.num_defaults == 0) return {};
  const size_t count = callee.parameters.size();
  const info full = CallerWith(callee, count);
  std::vector<info> all = {full};
  for (size_t i = 1; i <= callee.num_defaults; ++i) all.push_back(CallerWith(callee, count - i));
  return substitute(^^WithDefaults, all);
}

}  // namespace tain::internal::reflect
#endif

// SPDX-License-Identifier: Apache-2.0
// ErrorDef<E>: describes a C++ exception class, from which Python gets an exception class.
//
//   struct CycleError : std::runtime_error {
//     using std::runtime_error::runtime_error;
//     std::string cell;
//   };
//   ErrorDef<CycleError>("sheet.CycleError", "ValueError", "A cell depends on itself.")
//       .def_ro("cell", &CycleError::cell, "The cell.");
// `throw CycleError("a cycle")` raises `tain.types.sheet.CycleError`, and a callback that raises
// this class throws CycleError in C++.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "tain/internal/error_record.h"
#include "tain/internal/type_name.h"
#include "tain/reflection/global_def.h"

namespace tain {
namespace internal {

template <class E>
class Thrown final : public E, public ErrorOrigin {
 public:
  Thrown(E made, ErrorOrigin from) : E(std::move(made)), ErrorOrigin(std::move(from)) {}
};

template <class E, class M, class C>
class ErrorMember final : public ErrorField {
 public:
  ErrorMember(const char* name, M C::* member, const char* doc)
      : ErrorField(name, doc), member_(member) {}
  TypeText type() const noexcept override { return &TypeTraits<Value>::TypeStr; }
  Any Convert(const AnyView& value, const std::string& where) const override {
    return Any(CastOrThrow<Value>(value.data(), where.c_str()));
  }
  Any Get(const void* exception) const override {
    return Any(static_cast<const E*>(exception)->*member_);
  }
  void Set(void* exception, const Any& value) const override {
    // A view would refer to memory that the exception does not keep.
    if constexpr (!std::is_const_v<M> && TypeTraits<Value>::kStorable) {
      try {
        if (auto fit = value.try_cast<Value>())
          static_cast<E*>(exception)->*member_ = *std::move(fit);
      } catch (const Error&) {
        // A conversion that fails leaves the member as it is: the exception itself matters more.
      }
    }
  }

 private:
  using Value = std::remove_const_t<M>;
  M C::* member_;
};

/// Whether an E can be made from a message without the help of its ErrorDef.
template <class E>
inline constexpr bool kMadeOfMessage =
    std::is_constructible_v<E, const std::string&> || std::is_constructible_v<E, const char*> ||
    std::is_default_constructible_v<E>;

/// How C++ makes an E of the message and the fields of an exception that Python raised. It is no
/// std::function, because <functional> brings algorithms and hash tables, which tain.h needs nowhere
/// else.
template <class E>
class ErrorFactory {
 public:
  virtual ~ErrorFactory() = default;
  virtual E Make(const std::string& message, const Map<String, Any>& fields) = 0;
};
template <class E, class F>
class ErrorFactoryOf final : public ErrorFactory<E> {
 public:
  explicit ErrorFactoryOf(F factory) : factory_(std::move(factory)) {}
  E Make(const std::string& message, const Map<String, Any>& fields) override {
    if constexpr (std::is_invocable_r_v<E, F&, const std::string&, const Map<String, Any>&>) {
      return factory_(message, fields);
    } else {
      return factory_(message);
    }
  }

 private:
  F factory_;
};

template <class E>
class ErrorRecordOf final : public ErrorRecord {
 public:
  using ErrorRecord::ErrorRecord;
  /// Takes ownership.
  void set_factory(ErrorFactory<E>* factory) {
    delete factory_;
    factory_ = factory;
  }
  const void* Caught(const CaughtException& caught, const std::exception** base) const override {
    if (caught.runtime != ThisRuntime()) {
      const E* exception = PartOf(caught);
      if (exception != nullptr) *base = exception;
      return exception;
    }
    try {
      throw;
    } catch (const E& exception) {  // the caller's handler keeps the exception alive
      *base = &exception;
      return &exception;
    } catch (...) {
      return nullptr;
    }
  }
  void* CaughtPointer(const CaughtException& caught) const override {
    if (caught.runtime != ThisRuntime()) return const_cast<E*>(PartOf(caught));
    try {
      throw;
    } catch (E* exception) {
      return exception;
    } catch (...) {
      return nullptr;
    }
  }
  bool can_make() const noexcept override { return kMadeOfMessage<E> || factory_ != nullptr; }
  Map<String, Any> Defaults(const std::string& message) const override {
    if (!can_make()) return {};
    try {
      E exception = Make(message, {});
      return SetFields(exception, {});
    } catch (...) {
      return {};  // the constructor refuses the message
    }
  }
  [[noreturn]] void Throw(const Error& error) const override {
    if (!can_make()) throw error;
    const Map<String, Any> given = ErrorFieldsOf(error);
    E exception = MakeOr(error, given);
    Map<String, Any> fields = SetFields(exception, given);
    if constexpr (std::is_final_v<E>) {
      throw exception;
    } else {
      throw Thrown<E>(std::move(exception), ErrorOrigin(*this, error, std::move(fields)));
    }
  }

 private:
  /// Returns the E in an exception that the handler of another C++ runtime caught; null if it is
  /// none, or if that cannot be told.
  static const E* PartOf([[maybe_unused]] const CaughtException& caught) noexcept {
#if TAIN_HAS_RTTI
    if (caught.base != nullptr && caught.standard_library == kStandardLibrary &&
        HasTypeInfo(*caught.base)) {
      return dynamic_cast<const E*>(caught.base);
    }
#endif
    return nullptr;
  }
  /// Sets the fields to the values that fit, and returns the values that they have then.
  Map<String, Any> SetFields(E& exception, const Map<String, Any>& values) const {
    try {
      throw &exception;  // a handler of a pointer to a base class gets that part
    } catch (E*) {
      CaughtException caught{};
      caught.runtime = ThisRuntime();
      caught.standard_library = kStandardLibrary;
      caught.base = &exception;
      return SetCaughtFields(*this, caught, values);
    }
  }
  /// Throws the error itself if an E cannot be made of it.
  E MakeOr(const Error& error, const Map<String, Any>& fields) const {
    try {
      return Make(error.message(), fields);
    } catch (...) {
      throw error;
    }
  }
  E Make(const std::string& message, const Map<String, Any>& fields) const {
    if (factory_ != nullptr) return factory_->Make(message, fields);
    if constexpr (std::is_constructible_v<E, const std::string&>) {
      return E(message);
    } else if constexpr (std::is_constructible_v<E, const char*>) {
      return E(message.c_str());
    } else if constexpr (std::is_default_constructible_v<E>) {
      return E();
    } else {
      throw std::logic_error("can_make() is false");
    }
  }

  ErrorFactory<E>* factory_ = nullptr;  // lives as long as the record, which is never freed
};

}  // namespace internal

namespace reflection {

/// Describes E. The destructor, at the end of the full expression, registers the class.
template <class E>
class ErrorDef : internal::NotCopied {
  static_assert(std::is_base_of_v<std::exception, E>,
                "ErrorDef<E>: E must derive publicly from std::exception");
  static_assert(std::is_copy_constructible_v<E>, "ErrorDef<E>: E must be copyable");

 public:
  /// `parent` is the key of another ErrorDef, or the name of a built-in exception of Python.
  explicit ErrorDef(const char* key, const char* parent = "RuntimeError", const char* doc = "")
      : record_(new internal::ErrorRecordOf<E>(key, parent, doc, internal::MangledNameOf<E>(),
                                               internal::ThisUnit())) {}
  ~ErrorDef() { internal::DefineError(internal::ThisUnit(), record_); }

  /// Says how C++ makes an E of an exception that Python raised: `factory` takes the message, and
  /// may take a Map<String, Any> with the values of the fields too. A class that is constructible
  /// from the message, or from nothing, needs no factory. Without either, C++ catches what Python
  /// raised as tain::Error.
  template <class F>
  ErrorDef& def_init(F factory) {
    using Fields = const Map<String, Any>&;
    constexpr bool kBoth = std::is_invocable_r_v<E, F&, const std::string&, Fields>;
    constexpr bool kMessage = std::is_invocable_r_v<E, F&, const std::string&>;
    static_assert(kBoth || kMessage,
                  "def_init: the factory takes the message (const std::string&), or the message "
                  "and the fields (const tain::Map<tain::String, tain::Any>&), and returns an E");
    if constexpr (requires { factory == nullptr; }) {  // a pointer, a std::function
      if (factory == nullptr) return *this;
    }
    if constexpr (kBoth || kMessage) {
      record_->set_factory(new internal::ErrorFactoryOf<E, F>(std::move(factory)));
    }
    return *this;
  }
  /// Adds a field: an attribute of the Python exception. Where C++ catches an exception that Python
  /// raised, the member has its value, unless it is const or a view.
  template <class M, class C>
  ErrorDef& def_ro(const char* name, M C::* member, const char* doc = "") {
    static_assert(std::is_base_of_v<C, E>, "def_ro: this is a member of another class");
    constexpr bool kCrosses = TypeTraits<std::remove_const_t<M>>::kCrosses;
    static_assert(kCrosses,
                  "def_ro: the field's type does not cross the border: give it a "
                  "tain::TypeTraits, or include tain/stl.h for standard types");
    if constexpr (kCrosses) record_->Add(new internal::ErrorMember<E, M, C>(name, member, doc));
    return *this;
  }
  /// The same as def_ro: Python may assign the attributes of exceptions.
  template <class M, class C>
  ErrorDef& def_rw(const char* name, M C::* member, const char* doc = "") {
    return def_ro(name, member, doc);
  }

 private:
  internal::ErrorRecordOf<E>* record_;  // never freed: exceptions may be thrown later
};

}  // namespace reflection
}  // namespace tain

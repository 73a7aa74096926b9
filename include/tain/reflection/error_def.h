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
#include <string>
#include <type_traits>
#include <utility>

#include "tain/internal/error_record.h"
#include "tain/reflection/global_def.h"

namespace tain {
namespace internal {

template <class E>
class Thrown final : public E, public ErrorOrigin {
 public:
  Thrown(E exception, ErrorOrigin origin)
      : E(std::move(exception)), ErrorOrigin(std::move(origin)) {}
};

template <class E, class M, class C>
class ErrorMember final : public ErrorField {
 public:
  ErrorMember(const char* name, M C::* member, const char* doc)
      : ErrorField(name, doc), member_(member) {}
  Any Get(const void* exception) const override {
    return Any(static_cast<const E*>(exception)->*member_);
  }
  void Set(void* exception, const Any& value) const override {
    if constexpr (!std::is_const_v<M>) {
      try {
        if (auto fit = value.try_cast<M>()) static_cast<E*>(exception)->*member_ = *std::move(fit);
      } catch (const Error&) {
        // A conversion that fails leaves the member as it is: the exception itself matters more.
      }
    }
  }

 private:
  M C::* member_;
};

template <class E>
class ErrorRecordOf final : public ErrorRecord {
 public:
  using ErrorRecord::ErrorRecord;
  const void* Caught(const std::exception** base) const override {
    try {
      throw;
    } catch (const E& exception) {  // the caller's handler keeps the exception alive
      *base = &exception;
      return &exception;
    } catch (...) {
      return nullptr;
    }
  }
  void* CaughtPointer() const override {
    try {
      throw;
    } catch (E* exception) {
      return exception;
    } catch (...) {
      return nullptr;
    }
  }
  [[noreturn]] void Throw(const Error& error) const override {
    E exception = Make(error);
    Map<String, Any> fields;
    try {
      throw &exception;  // a handler of a pointer to a base class gets that part
    } catch (E*) {
      fields = SetCaughtFields(*this, ErrorFieldsOf(error));
    }
    if constexpr (std::is_final_v<E>) {
      throw exception;
    } else {
      throw Thrown<E>(std::move(exception), ErrorOrigin(*this, error, std::move(fields)));
    }
  }

 private:
  /// Throws the error itself if the constructor of E throws.
  static E Make(const Error& error) {
    try {
      return MakeFrom(error.message());
    } catch (...) {
      throw error;
    }
  }
  static E MakeFrom(const std::string& message) {
    if constexpr (std::is_constructible_v<E, const std::string&>) {
      return E(message);
    } else if constexpr (std::is_constructible_v<E, const char*>) {
      return E(message.c_str());
    } else {
      return E();
    }
  }
};

}  // namespace internal

namespace reflection {

/// Describes E. The destructor, at the end of the full expression, registers the class.
template <class E>
class ErrorDef {
  static_assert(std::is_base_of_v<std::exception, E>,
                "ErrorDef<E>: E must derive publicly from std::exception");
  static_assert(std::is_constructible_v<E, const std::string&> ||
                    std::is_constructible_v<E, const char*> || std::is_default_constructible_v<E>,
                "ErrorDef<E>: E needs a constructor that takes the message, or none");
  static_assert(std::is_copy_constructible_v<E>, "ErrorDef<E>: E must be copyable");

 public:
  /// `parent` is the key of another ErrorDef, or the name of a built-in exception of Python.
  explicit ErrorDef(const char* key, const char* parent = "RuntimeError", const char* doc = "")
      : record_(new internal::ErrorRecordOf<E>(key, parent, doc, typeid(E))) {}
  ErrorDef(const ErrorDef&) = delete;
  ErrorDef& operator=(const ErrorDef&) = delete;
  ~ErrorDef() { internal::DefineError(internal::ThisUnit(), record_); }

  /// Adds a field: an attribute of the Python exception. If C++ catches an exception that Python
  /// raised, the member has the attribute's value, unless the member is const.
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

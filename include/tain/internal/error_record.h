// SPDX-License-Identifier: Apache-2.0
// The record of an exception class that ErrorDef describes. Records are never freed.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tain/any.h"
#include "tain/container/map.h"
#include "tain/error.h"
#include "tain/internal/caught.h"
#include "tain/traits.h"

namespace tain::internal {

/// With the key of an exception class, the name of the global function that returns its record.
inline constexpr std::string_view kErrorRecordPrefix = "ffi.Error.";

inline const char* TextOrNone(const char* text) noexcept { return text == nullptr ? "" : text; }

/// A field of an exception class.
class TAIN_DLL ErrorField {
 public:
  ErrorField(const char* name, const char* doc) : name_(TextOrNone(name)), doc_(TextOrNone(doc)) {}
  virtual ~ErrorField();
  const std::string& name() const noexcept { return name_; }
  const std::string& doc() const noexcept { return doc_; }
  /// The function that spells the type of the member, as for the fields of objects.
  virtual TypeText type() const noexcept = 0;
  /// Returns the value that the member would have after an assignment. Throws TypeError or
  /// OverflowError if the value does not fit; the message begins with `where`.
  virtual Any Convert(const AnyView& value, const std::string& where) const = 0;
  virtual Any Get(const void* exception) const = 0;
  /// Sets the field if it can be set and the value fits.
  virtual void Set(void* exception, const Any& value) const = 0;

 private:
  std::string name_;
  std::string doc_;
};

/// An exception class: how to catch it and how to throw it.
class TAIN_DLL ErrorRecord {
 public:
  /// `type_name` is the class's MangledNameOf, and `unit` the ThisUnit() of its library.
  ErrorRecord(const char* key, const char* parent, const char* doc, const char* type_name,
              const TainUnit* unit)
      : key_(TextOrNone(key)),
        parent_(TextOrNone(parent)),
        doc_(TextOrNone(doc)),
        type_name_(type_name),
        unit_(unit) {}
  virtual ~ErrorRecord();
  const std::string& key() const noexcept { return key_; }
  /// The key of an ErrorDef, or the kind of any other error, such as `ValueError`.
  const std::string& parent() const noexcept { return parent_; }
  const std::string& doc() const noexcept { return doc_; }
  std::string_view type_name() const noexcept { return type_name_; }
  const TainUnit* unit() const noexcept { return unit_; }
  const std::vector<const ErrorField*>& fields() const noexcept { return fields_; }
  void Add(const ErrorField* field) { fields_.push_back(field); }

  /// Returns a caught exception and its std::exception if it is one of the class, else null.
  virtual const void* Caught(const CaughtException& caught, const std::exception** base) const = 0;
  /// The same if the handler caught a pointer to the exception.
  virtual void* CaughtPointer(const CaughtException& caught) const = 0;
  /// Whether C++ can make an exception of the class from a message.
  virtual bool can_make() const noexcept = 0;
  /// Returns the values that the fields of a new exception have, those of parents too. Empty if the
  /// class cannot be made, or if its constructor throws.
  virtual Map<String, Any> Defaults(const std::string& message) const = 0;
  /// Throws an exception of the class with the message and fields of an error; the error itself if
  /// the class cannot be made.
  [[noreturn]] virtual void Throw(const Error& error) const = 0;

 private:
  std::string key_, parent_, doc_;
  const char* type_name_;
  const TainUnit* unit_;
  std::vector<const ErrorField*> fields_;
};

/// The part of a thrown exception that remembers the error from which it was made. If the exception
/// leaves C++ again, that error is raised, with the Python exception inside it.
class TAIN_DLL ErrorOrigin : public ErrorOriginBase {
 public:
  /// `fields` has the values that the exception's fields had when it was thrown.
  ErrorOrigin(const ErrorRecord& record, const Error& error, Map<String, Any> fields)
      : record_(&record), error_(error), fields_(std::move(fields)) {}
  ErrorOrigin(const ErrorOrigin&) = default;
  ErrorOrigin& operator=(const ErrorOrigin&) = default;
  ~ErrorOrigin() override;
  const ErrorRecord& record() const noexcept { return *record_; }
  const Error& error() const noexcept { return error_; }
  const Map<String, Any>& fields() const noexcept { return fields_; }

 private:
  const ErrorRecord* record_;
  Error error_;
  Map<String, Any> fields_;
};

/// Registers an exception class. A mistake becomes a fault of the unit.
TAIN_DLL void DefineError(const TainUnit* unit, const ErrorRecord* record) noexcept;
/// Returns the record of a key; null if no ErrorDef has it.
TAIN_DLL const ErrorRecord* FindErrorRecord(std::string_view key);
/// Returns the fields of a record and of its parents, those of parents first.
TAIN_DLL std::vector<const ErrorField*> AllErrorFields(const ErrorRecord& record);
/// The values of an error's fields by name; empty for other errors.
TAIN_DLL Map<String, Any> ErrorFieldsOf(const Error& error);
/// The fields that C++ has changed since the host raised the exception, by name.
TAIN_DLL Map<String, Any> ChangedErrorFields(const Error& error);
TAIN_DLL void SetErrorFields(const Error& error, const Map<String, Any>& fields);
/// Called in the handler of a pointer to an exception of a record's class: sets its fields, those
/// of parents too, to the values that fit. Returns the values that they have then.
TAIN_DLL Map<String, Any> SetCaughtFields(const ErrorRecord& record, const CaughtException& caught,
                                          const Map<String, Any>& values);
/// Announces an exception class of the host: whether it belongs to the language, and whether it can
/// be made from one text.
TAIN_DLL void AddHostError(std::string_view kind, bool is_builtin, bool takes_message);

}  // namespace tain::internal

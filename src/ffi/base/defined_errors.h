// SPDX-License-Identifier: Apache-2.0
// Errors that are exceptions of the classes that ErrorDef describes.
#pragma once

#include <string>

#include "base/error_object.h"
#include "tain/function.h"
#include "tain/internal/error_record.h"

namespace tain::internal {

/// How many parents of an exception class are followed.
inline constexpr int kMaxErrorDepth = 64;

/// The callable of the global function of an exception class, from which its record is read.
struct ErrorRecordGetter {
  const ErrorRecord* record;
  void* operator()() const noexcept { return const_cast<void*>(static_cast<const void*>(record)); }
};

/// The name of the global function of an exception class.
inline std::string RecordFunctionName(std::string_view key) {
  return std::string(kErrorRecordPrefix) + std::string(key);
}
/// Returns the record of such a function; null for any other function.
const ErrorRecord* RecordOfFunction(const TainObject* function) noexcept;
/// Announces a record, which is valid as long as its global function is registered.
void AddErrorRecord(const ErrorRecord* record);

/// If a caught exception is of a class that an ErrorDef describes, makes it the thread's raised error
/// and returns true. May throw.
bool RaiseDefined(const CaughtException& caught);
/// Raises the error from which a caught exception was made, with the fields that C++ handlers have
/// changed.
void RaiseAgain(const ErrorOrigin& origin, const CaughtException& caught) noexcept;
/// Throws the C++ exception of an error whose kind has an ErrorDef; returns if it has none.
/// `caller` is an address in the library that called.
void ThrowDefined(const Error& error, const void* caller);
/// Returns a copy of an error in which fields have other values.
Error WithChangedFields(const Error& error, const Map<String, Any>& changes);

/// The facts that libtain knows about an exception class of the host.
struct HostErrorClass {
  bool is_builtin;     ///< part of the host language
  bool takes_message;  ///< it can be made from one text
};
/// Whether a host has announced its exception classes.
bool KnowsHostErrors();
/// Returns the host's class of a kind; false if it has none.
bool FindHostError(std::string_view kind, HostErrorClass* out);
/// Returns the names of the host's classes that can be parents.
std::vector<std::string> HostErrorNames();

}  // namespace tain::internal

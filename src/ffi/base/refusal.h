// SPDX-License-Identifier: Apache-2.0
// The facts about the value that an error refuses, so that nobody reads them out of the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tain/error.h"

namespace tain::internal {

/// Stands beside the texts of an error. A plain error has kind kNone.
struct Refusal {
  enum class Kind : uint8_t {
    kNone,
    kValue,     ///< a value, by code that does not know where it stands
    kArgument,  ///< an argument of a call, before the callee's own code ran
    kCall       ///< the number or the names of a call's arguments
  };

  Kind kind = Kind::kNone;
  int32_t argument = -1;        ///< of kArgument, counted with the receiver
  size_t reason = 0;            ///< where the message goes on after the name of the function
  const char* joint = nullptr;  ///< of kValue: what stands between its place and the message
  const TainFunctionInfo* info = nullptr;  ///< of kArgument and kCall: whose arguments
  const TainAny* args = nullptr;           ///< the same: where they stand, until that call is over

  static Refusal OfCall(const TainFunctionInfo* info, const TainAny* args, size_t reason) noexcept {
    Refusal refusal;
    refusal.kind = Kind::kCall;
    refusal.reason = reason;
    refusal.info = info;
    refusal.args = args;
    return refusal;
  }
  /// `place` is the place inside the value with which the message begins.
  static Refusal OfValue(std::string_view place) noexcept {
    Refusal refusal;
    refusal.kind = Kind::kValue;
    refusal.joint = !place.empty() && place.front() == '[' ? "" : ": ";
    return refusal;
  }
};

/// The refusal of an error; null for errors that libtain did not make.
const Refusal* RefusalOf(const Error& error) noexcept;
/// The same of the thread's raised error.
const Refusal* RaisedRefusal() noexcept;
/// Throws an error with what is known of its refusal.
[[noreturn]] void ThrowError(const char* kind, const std::string& message, const Refusal& refusal);

/// Throws an error again with another message, as an exception of its C++ class if an ErrorDef
/// describes one.
[[noreturn]] void ThrowReworded(const Error& error, const std::string& message,
                                const Refusal& refusal = {});

/// Throws an error again that refuses a value, with the place of the value in front; any other error
/// as it is.
[[noreturn]] void ThrowPlacedAs(const Refusal& made, const std::string& where, const Error& error);

}  // namespace tain::internal

// SPDX-License-Identifier: Apache-2.0
// Checks a registration of a function, and makes its record.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "registry/keep_alive.h"
#include "registry/registration.h"

namespace tain::internal {

/// Returns the spelling of a type in a registration. Throws TypeError, whose text begins with
/// `where`, if the type contains an enum that no EnumDef describes.
std::string SpellType(std::string (*type)(), std::string_view where);

/// Returns the options of a function; empty ones if `said` is null.
const CallSpec& SpecOf(const CallSpec* said) noexcept;

/// The TainFunctionInfo of a callable and the texts to which it points. Throws ValueError for a
/// wrong registration.
class FunctionRecord : NotCopied {
 public:
  /// `has_receiver`: the first parameter of `shape` is the object. If `shape` is null, the function
  /// is packed.
  FunctionRecord(std::string name, const CallShape* shape, const CallSpec& spec, bool has_receiver);

  TainFunctionInfo& info() noexcept { return info_; }
  /// Copies the record and attaches it to the function. Returns the function that is to be
  /// registered: that one, or one around it that keeps objects alive.
  Function SetInfoOf(const Function& function) { return WithInfo(function, info_); }
  /// Copies a text to memory that lives as long as the record.
  TainByteArray Keep(std::string text);

 private:
  void AddArgs(const CallShape& shape, const CallSpec& spec, int32_t first);
  void CheckArgs() const;

  std::deque<std::string> texts_;
  std::vector<TainArgInfo> args_;
  TainFunctionInfo info_{};
};

}  // namespace tain::internal

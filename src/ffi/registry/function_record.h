// SPDX-License-Identifier: Apache-2.0
// What a registration says of a function, checked and put together.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "registry/registration.h"

namespace tain::internal {

/// The spelling of a type in a registration. Throws TypeError that begins with `where` if there is
/// an enum in it that nobody described.
std::string SpellType(std::string (*type)(), std::string_view where);

/// The TainFunctionInfo of a callable and the text that it points to. Throws ValueError on a
/// mistake of the author.
class FunctionRecord {
 public:
  /// `has_receiver`: the first parameter of `shape` is the object. A null shape is a packed
  /// function.
  FunctionRecord(std::string name, const CallShape* shape, const CallSpec& spec, bool has_receiver);
  FunctionRecord(const FunctionRecord&) = delete;
  FunctionRecord& operator=(const FunctionRecord&) = delete;

  TainFunctionInfo& info() noexcept { return info_; }
  /// Copies the record to the function.
  void SetInfoOf(const Function& function) {
    CheckCode(TainFunctionSetInfo(RefAccess::Header(function), &info_));
  }
  /// Text that lives as long as the record.
  TainByteArray Keep(std::string text);

 private:
  void AddArgs(const CallShape& shape, const CallSpec& spec, int32_t first);
  void CheckArgs() const;

  std::deque<std::string> texts_;
  std::vector<TainArgInfo> args_;
  TainFunctionInfo info_{};
};

}  // namespace tain::internal

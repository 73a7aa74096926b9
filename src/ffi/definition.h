// SPDX-License-Identifier: Apache-2.0
// What the halves of ObjectDef, GlobalDef and EnumDef in libtain share: a unit's scope, faults, and
// the record of a function.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "tain/reflection/info.h"

namespace tain::internal {

/// Opens a unit for the calling thread as long as it lives.
class UnitScope {
 public:
  explicit UnitScope(const TainUnit* unit) noexcept
      : unit_(unit), entered_(TainUnitEnter(unit) == 0) {}
  ~UnitScope() {
    if (entered_) TainUnitLeave(unit_);
  }
  UnitScope(const UnitScope&) = delete;
  UnitScope& operator=(const UnitScope&) = delete;
  /// False for a library that was compiled for another tain: it registers nothing.
  explicit operator bool() const noexcept { return entered_; }

 private:
  const TainUnit* unit_;
  bool entered_;
};

/// Throws what a C function raised. Mistakes that the tables find are recorded with the open unit
/// and do not come here.
inline void CheckCode(int code) {
  if (TAIN_UNLIKELY(code != 0)) throw Error::MoveFromRaised();
}

/// Records the exception being handled as a fault of the unit. Call inside catch.
void FaultFromException(const TainUnit* unit, std::string_view where) noexcept;

/// Runs `body`; what it throws becomes a fault of the unit that begins with `where` unless the text
/// says so itself.
template <class F>
inline bool FaultsOf(const TainUnit* unit, std::string_view where, F&& body) noexcept {
  try {
    body();
    return true;
  } catch (...) {
    FaultFromException(unit, where);
    return false;
  }
}

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
  void HangOn(const Function& function) {
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

/// A function that is to be one of several of its name.
struct Overload {
  TainObject* function;          ///< borrowed
  InPlaceConstructor construct;  ///< of a constructor that builds in place, or null
};
/// The function that calls the first of those of `known`, or `known` itself, and `next` that takes
/// the arguments. Throws ValueError if they cannot be overloads of each other.
Function MakeOverloaded(const Overload& known, const Overload& next);
/// In-place construction by an overloaded constructor; null if one of its functions has none.
InPlaceConstructor OverloadedConstructor(const Function& function);
/// Copies the info of an overloaded function to process-lifetime memory and hangs it on.
void SetOverloadInfo(TainObject* function, const TainFunctionInfo& info,
                     const std::vector<TainOverload>& overloads);
/// The global function of a name if this definition registered it, else null.
Function KnownOfDefinition(std::string_view name, uint64_t definition);
/// Makes a function global; one of the same definition is replaced.
int SetGlobalOfDefinition(std::string_view name, const Function& function,
                          uint64_t definition) noexcept;
/// Puts an overloaded function in the place of the type's method of that name.
int ReplaceMethod(int32_t type_index, const TainMethodDef& def) noexcept;
/// Puts an overloaded function in the place of the type's constructor.
int ReplaceConstructor(int32_t type_index, const Function& function,
                       InPlaceConstructor construct) noexcept;

/// Registers a function as the constructor of a type and as its static method `__create__`; beside
/// one that is there already only if `overloads`.
void DefineConstructor(int32_t type_index, const Function& function, InPlaceConstructor construct,
                       const char* doc, bool overloads);
/// Makes the constructor of a type from its fields and registers it. Throws on a mistake.
void DefineFieldConstructor(int32_t type_index, const char* key);
/// The type index that the ABI's field record states.
int32_t StaticIndexOf(const TainFieldDef& def) noexcept;
/// Throws if a child's field constructor was made before its parent was described.
void CheckNotLate(int32_t type_index);

}  // namespace tain::internal

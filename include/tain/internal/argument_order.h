// SPDX-License-Identifier: Apache-2.0
// Which argument of a call goes to which parameter: the rules and the errors, shared by C++ callers
// and hosts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tain/object.h"

namespace tain::internal {

/// The arguments of one call as the caller passed them.
struct GivenArguments {
  const TainAny* values;  ///< positional arguments with the receiver, then keyword arguments
  int32_t num_positional;
  const std::string_view* names;  ///< the names of the keywords
  int32_t num_names;
};

/// Whether Python code cannot write the name: `from`. A keyword argument may then be spelt `from_`.
TAIN_DLL bool IsPythonKeyword(std::string_view name) noexcept;

/// The order in which the values of one call are handed to the callee. Arguments are numbered as
/// in GivenArguments.
class TAIN_DLL ArgumentOrder {
 public:
  enum : int32_t { kDefault = -1 };

  /// Finds the order for a function that has an info. Only the number and the names of the
  /// arguments matter. Returns false if they do not fit the parameters; Problem() and Throw() then
  /// give the reason.
  bool Bind(const TainFunctionInfo* info, const GivenArguments& given);

  /// Returns the number of parameters, with the receiver, for which the caller passes one value
  /// each. The callee knows the defaults of the later parameters.
  int32_t size() const noexcept { return static_cast<int32_t>(source_.size()); }
  /// Returns the number of the argument for parameter i, or kDefault.
  int32_t operator[](int32_t i) const noexcept { return source_[static_cast<size_t>(i)]; }
  /// Returns size() plus the number of the later parameters whose default is in the info.
  int32_t num_known() const noexcept { return num_known_; }
  /// Returns the info of parameter i; null for the receiver.
  const TainArgInfo* Parameter(int32_t i) const noexcept;
  /// Returns the first positional argument that belongs to the parameter that takes the rest.
  int32_t first_rest() const noexcept { return first_rest_; }
  bool has_rest() const noexcept { return first_rest_ < num_positional_; }
  /// Returns the keyword arguments that belong to the parameter that takes the rest of them.
  const std::vector<int32_t>& rest_keywords() const noexcept { return rest_keywords_; }

  /// Returns why the arguments do not fit: `missing argument 'x'`.
  std::string Problem() const;
  /// Throws TypeError: `geometry.area() missing argument 'x'`. `args` is the array of the arguments
  /// of the call, or null.
  [[noreturn]] void Throw(const TainAny* args) const;

 private:
  enum class Kind {
    kNone,
    kNoReceiver,
    kNoKeywords,  ///< the function takes no keywords at all
    kUnnamed,     ///< its parameters have no names
    kUnexpected,
    kMultiple,
    kTooMany,
    kMissing,
    kGap  ///< a given argument after a missing one whose default only the callee knows
  };
  bool BindPositional();
  bool BindKeywords(const std::string_view* names, int32_t num_names);
  bool FindMissing();
  bool FindGap();
  bool Refuse(Kind kind, std::string_view name = {});
  std::string CountText() const;
  std::string MissingText() const;
  std::string UnexpectedText() const;

  const TainFunctionInfo* info_ = nullptr;
  int32_t receiver_ = 0, num_positional_ = 0, num_known_ = 0, first_rest_ = 0;
  std::vector<int32_t> source_, rest_keywords_;
  Kind problem_ = Kind::kNone;
  std::string name_;                  ///< the keyword that the problem is about
  const TainArgInfo* gap_ = nullptr;  ///< the parameter of kGap
};
/// Returns `takes 1 to 2 arguments but 3 were given`; `what` is the singular, such as `argument`.
std::string CountProblem(int32_t least, int32_t most, int32_t given, const char* what);

}  // namespace tain::internal

// SPDX-License-Identifier: Apache-2.0
// Error texts for pointers and handles that do not refer to an object of make_object.
#include <string>

#include "tain/function.h"

namespace tain::internal {

void ThrowNotMade(const char* key, std::string_view where) {
  TAIN_THROW(TypeError) << where << (where.empty() ? "" : ": ")
                        << "expected an object made by tain::make_object<T>(...), got a " << key
                        << " that was made in another way, such as by new, or that is still in "
                        << "its constructor";
}

void ThrowResultNotMade(const TainFunctionInfo* info, const char* key) {
  std::string where = "result";
  if (info != nullptr) where = std::string(info->name.data, info->name.size) + ": " + where;
  ThrowNotMade(key, where);
}

void ThrowNullAccess(const char* type_key) {
  TAIN_THROW(ValueError) << type_key << ": expected an object before -> or *, got a null handle";
}

}  // namespace tain::internal

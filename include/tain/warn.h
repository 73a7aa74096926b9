// SPDX-License-Identifier: Apache-2.0
// warn(): a warning of Python from C++.
//
//   tain::warn("DeprecationWarning", "old_area() goes away: call area()");
// Python's filters decide what becomes of it; the place that it names is that of the Python code
// which called C++. In a program without Python it is written to stderr.
#pragma once

#include <string_view>

#include "tain/error.h"

namespace tain {

/// Issues a warning. `category` is the name of a class of warnings of Python, or the key of an
/// ErrorDef whose parent is one. It may be called with or without the GIL and on any thread. Throws
/// TypeError for another category, and the warning itself if a filter makes an error of it.
inline void warn(std::string_view category, std::string_view text) {
  const TainByteArray name{category.data(), category.size()};
  const TainByteArray message{text.data(), text.size()};
  if (TAIN_UNLIKELY(TainWarn(&name, &message) != 0)) throw Error::MoveFromRaised();
}
/// Issues a UserWarning.
inline void warn(std::string_view text) { warn("UserWarning", text); }

}  // namespace tain

// SPDX-License-Identifier: Apache-2.0
// The text of access paths, read and written.
//
//   path   = ["<root>"] { step }
//   step   = "." name | "." quoted | "[" key "]"
//   name   = letters, digits and underscores of any script, no digit first
//   key    = int | float | "True" | "False" | "None" | quoted | "b" quoted
//   quoted = a string in single or double quotes, with Python's escapes
// A key of another kind is written as its repr and cannot be read.
#pragma once

#include <string>
#include <string_view>

#include "tain/graph/access_path.h"

namespace tain::internal {

/// Appends `.name`, `[3]` or `["key"]`.
void AppendStep(const AccessStepObj& step, std::string* out);

/// Returns `<root>` and the first `count` steps, for messages: a long text is cut in the middle.
std::string ShortPath(const Array<AccessStep>& steps, int64_t count);

/// Reads a path. Throws ValueError that shows the position of a mistake.
Array<AccessStep> ParseSteps(std::string_view text);

}  // namespace tain::internal

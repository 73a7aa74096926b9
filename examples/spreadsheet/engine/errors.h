// SPDX-License-Identifier: Apache-2.0
// The exceptions of the engine. They know nothing of Python.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace spreadsheet {

/// A sheet cannot do what it was asked for.
struct SheetError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A formula is not well-formed.
struct ParseError : SheetError {
  using SheetError::SheetError;
  std::string formula;
  int64_t position = 0;  // of the mistake, from 0
};

/// The value of a cell depends on itself.
struct CycleError : SheetError {
  using SheetError::SheetError;
  std::vector<std::string> path;  // the cells, from the first one back to it
};

}  // namespace spreadsheet

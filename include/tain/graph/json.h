// SPDX-License-Identifier: Apache-2.0
// Graphs of objects as JSON text.
//
//   std::string text = tain::SaveJson(graph, 2);
//   tain::Any again = tain::LoadJson(text);
// The text is a flat list of nodes, so that a graph of any depth can be written and read. docs/
// saving.md describes the format, and what loading untrusted text can and cannot do.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tain/graph/upgrade.h"

namespace tain {

/// Receives the next part of what is saved.
using WriteBytes = std::function<void(std::string_view part)>;
/// Stores at most `size` bytes and returns how many; 0 at the end.
using ReadBytes = std::function<size_t(char* out, size_t size)>;

/// How graphs are saved.
struct SaveOptions {
  /// Whether an object of a subclass of the host's, and what such a class adds to it, is saved as an
  /// object of the registered type. Otherwise it cannot be saved.
  bool subclasses_as_parent = false;
};

/// Returns the text of a value and of all that can be reached from it. With an `indent` of 0 or more
/// the text has lines, and each level is indented by that many blanks. Throws TypeError, with the
/// path, if something cannot be saved.
TAIN_DLL std::string SaveJson(AnyView value, int indent = -1, const SaveOptions& options = {});
/// The same for graphs whose text should not be in memory as a whole.
TAIN_DLL void SaveJson(AnyView value, const WriteBytes& write, int indent = -1,
                       const SaveOptions& options = {});

/// Returns the value of a text. Throws ValueError if the text is malformed or a type is not
/// registered or not allowed, TypeError or OverflowError if a value does not fit its field.
TAIN_DLL Any LoadJson(std::string_view text, const LoadOptions& options = {});
TAIN_DLL Any LoadJson(const ReadBytes& read, const LoadOptions& options = {});

/// Writes the text to a file, which takes the place of an old one as a whole: if saving fails, the
/// old one stays. Devices and pipes are written to. Throws OSError if the file cannot be written.
TAIN_DLL void SaveJsonFile(AnyView value, const std::string& path, int indent = -1,
                           const SaveOptions& options = {});
/// Returns the value that a file contains, which is read in parts. Throws OSError if it cannot be
/// read.
TAIN_DLL Any LoadJsonFile(const std::string& path, const LoadOptions& options = {});

}  // namespace tain

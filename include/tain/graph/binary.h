// SPDX-License-Identifier: Apache-2.0
// Graphs of objects in a compact binary form.
//
//   tain::SaveBinaryFile(graph, "graph.tain");
//   tain::Any again = tain::LoadBinaryFile("graph.tain");  // tensors are views of the mapped file
// The elements of tensors are aligned, so that they can be used where they are.
#pragma once

#include "tain/graph/json.h"

namespace tain {

/// Returns the bytes of a value and of all that can be reached from it. Throws TypeError, with the
/// path, if something cannot be saved.
TAIN_DLL std::string SaveBinary(AnyView value, const SaveOptions& options = {});
TAIN_DLL void SaveBinary(AnyView value, const WriteBytes& write, const SaveOptions& options = {});
/// Writes the bytes to a file, which takes the place of an old one as a whole: if saving fails, the
/// old one stays. Devices and pipes are written to. Throws OSError if the file cannot be written.
TAIN_DLL void SaveBinaryFile(AnyView value, const std::string& path,
                             const SaveOptions& options = {});

/// Returns the value of saved bytes. Throws as LoadJson.
TAIN_DLL Any LoadBinary(std::string_view bytes, const LoadOptions& options = {});
TAIN_DLL Any LoadBinary(const ReadBytes& read, const LoadOptions& options = {});
/// Returns the value that a file contains. With `map` tensors are private views of the mapped file:
/// writing to them does not change it. The file must not be made shorter while they live; replace it
/// by renaming another one, as SaveBinaryFile does. What cannot be mapped is read in parts. Throws
/// OSError if the file cannot be read.
TAIN_DLL Any LoadBinaryFile(const std::string& path, bool map = true,
                            const LoadOptions& options = {});

}  // namespace tain

// SPDX-License-Identifier: Apache-2.0
// Saves graphs to files, and loads JSON from them.
#include "base/file_path.h"
#include "base/replaced_file.h"
#include "tain/graph/binary.h"
#include "tain/graph/json.h"

namespace tain {
namespace {

template <class F>
void SaveTo(const std::string& path, const char* where, F save) {
  internal::CheckFilePath(path, where);
  internal::ReplacedFile file(path);
  save([&](std::string_view part) { file.Write(part); });
  file.Finish();
}

}  // namespace

void SaveJsonFile(AnyView value, const std::string& path, int indent, const SaveOptions& options) {
  SaveTo(path, "save_json",
         [&](const WriteBytes& write) { SaveJson(value, write, indent, options); });
}

void SaveBinaryFile(AnyView value, const std::string& path, const SaveOptions& options) {
  SaveTo(path, "save_binary", [&](const WriteBytes& write) { SaveBinary(value, write, options); });
}

Any LoadJsonFile(const std::string& path, const LoadOptions& options) {
  internal::CheckFilePath(path, "load_json");
  internal::OpenFile file(path);
  return LoadJson([&](char* out, size_t size) { return file.Read(out, size); }, options);
}

}  // namespace tain

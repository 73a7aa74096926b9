// SPDX-License-Identifier: Apache-2.0
// The version of the binary contract, and a check for a second libtain in the process.
//
// Two copies would have two type tables. The other copy may have been opened with RTLD_LOCAL or be
// linked into another library, so neither dlsym nor file names can find it. So the symbol table of
// each loaded object is searched for a definition of TainCheckSingleCopy. Other systems than those
// with ELF files are not searched; there a second copy causes errors about unknown types.
#include <string>
#include <vector>

#include "base/guard.h"
#include "base/shared_symbols.h"

extern "C" void TainGetVersion(TainVersion* out) noexcept {
  if (out != nullptr) *out = {0, 1, 16};
}

using namespace tain::internal;

extern "C" int TainCheckSingleCopy(TainAny* out_text) noexcept {
  return Guard([&] {
    TainAny& out = NotNull(out_text, "TainCheckSingleCopy", "a place for the result");
    out = TainAny{};
    const std::vector<std::string> paths = FilesThatDefine("TainCheckSingleCopy");
    if (paths.size() < 2) return 0;
    std::string text;
    for (const std::string& path : paths) text += (text.empty() ? "" : " and ") + path;
    const TainByteArray bytes{text.data(), text.size()};
    return TainStringFromByteArray(&bytes, &out);
  });
}

extern "C" int TainListDefinitions(const TainByteArray* symbol,
                                   void (*visit)(const TainByteArray* file, void* context),
                                   void* context) noexcept {
  return Guard([&] {
    const char* where = "TainListDefinitions";
    const std::string name(TextOf(symbol, where, "the name of a symbol"));
    NotNull(visit, where, "a function");
    for (const std::string& path : FilesThatDefine(name.c_str())) {
      const TainByteArray file{path.data(), path.size()};
      visit(&file, context);
    }
  });
}

// SPDX-License-Identifier: Apache-2.0
// TainBacktrace: returns the place of a throw as text, or the whole C++ stack if TAIN_BACKTRACE=1.
//
// Frames are in Python's form, `  File "a.cc", line 3, in f`, the most recent call first. A frame
// that was found in a library's symbol table has no line number; it gets line 0.
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error_object.h"
#include "base/thread_end.h"
#include "tain/c_api.h"

#if defined(__has_include)
#if __has_include(<execinfo.h>) && __has_include(<dlfcn.h>)
#define TAIN_HAS_EXECINFO 1
#include <dlfcn.h>
#include <execinfo.h>
#endif
#endif

namespace tain::internal {
namespace {

/// The text that the last TainBacktrace of a thread returned.
struct BacktraceText {
  std::string text;
  TainByteArray view{"", 0};
};

/// Returns the position of the parenthesis that opens the one at the end.
size_t OpeningOf(std::string_view text) noexcept {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Shortens `double geometry::Point::norm(int) const [with T = int]` to `geometry::Point::norm`.
std::string_view ShortFunction(std::string_view name) noexcept {
  name = name.substr(0, name.find(" [with "));
  if (!name.empty() && name.back() == ']') name = name.substr(0, name.find(" ["));
  const size_t parameters_end = name.rfind(')');
  if (parameters_end != std::string_view::npos && name.find('>', parameters_end) == name.npos) {
    const size_t opening = OpeningOf(name.substr(0, parameters_end + 1));
    if (opening != std::string_view::npos && opening > 0) name = name.substr(0, opening);
  }
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    const char c = name[i];
    if (c == '>' || c == ')' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '{') --depth;
    if (c == ' ' && depth == 0) {
      const std::string_view before = name.substr(0, i);
      if (before.size() >= 8 && before.substr(before.size() - 8) == "operator") continue;
      return name.substr(i + 1);
    }
  }
  return name;
}

void AppendFrame(std::string_view file, int32_t line, std::string_view function, std::string* out) {
  out->append("  File \"").append(file).append("\", line ").append(std::to_string(line));
  out->append(", in ").append(function).append("\n");
}

#ifdef TAIN_HAS_EXECINFO
bool IsBorder(std::string_view function) noexcept {
  return function == "TainFunctionCall" || function.find("::SafeCall(") != std::string_view::npos;
}

void AppendStack(bool cross_border, std::string* out) {
  constexpr int kMaxFrames = 128;
  constexpr int kOwnFrames = 2;  // this function and TainBacktrace
  void* frames[kMaxFrames];
  const int count = backtrace(frames, kMaxFrames);
  for (int i = kOwnFrames; i < count; ++i) {
    Dl_info info{};
    if (dladdr(frames[i], &info) == 0) continue;
    const std::string function = ReadableName(info.dli_sname, "<unknown>");
    if (function.find("tain::internal::ErrorThrower") != std::string::npos) continue;
    if (!cross_border && IsBorder(function)) return;
    AppendFrame(info.dli_fname == nullptr ? "?" : info.dli_fname, 0, ShortFunction(function), out);
  }
}
#else
void AppendStack(bool, std::string*) {}
#endif

}  // namespace

constinit thread_local int loader_is_forbidden = 0;

bool WholeStackWanted() noexcept {
  const char* wanted = std::getenv("TAIN_BACKTRACE");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

}  // namespace tain::internal

extern "C" const TainByteArray* TainBacktrace(const char* filename, int32_t lineno,
                                              const char* function,
                                              int cross_ffi_boundary) noexcept {
  using namespace tain::internal;
  static const TainByteArray kNothing{"", 0};
  try {
    BacktraceText& last = ThreadOwn<BacktraceText>::Get();
    last.text.clear();
    if (filename != nullptr) {
      AppendFrame(filename, lineno, ShortFunction(function == nullptr ? "?" : function),
                  &last.text);
    }
    if (WholeStackWanted() && loader_is_forbidden == 0)
      AppendStack(cross_ffi_boundary != 0, &last.text);
    last.view = {last.text.data(), last.text.size()};
    return &last.view;
  } catch (...) {
    return &kNothing;
  }
}

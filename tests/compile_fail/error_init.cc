// SPDX-License-Identifier: Apache-2.0
// Wrong use: a factory of exceptions that takes something else than the message.
// expect: def_init: the factory takes the message (const std::string&), or the message and the fields
#include "tain/reflection/error_def.h"

#include <stdexcept>

struct ParseError : std::runtime_error {
  ParseError(const std::string& text, int line) : std::runtime_error(text), line(line) {}
  int line;
};

TAIN_REGISTER {
  tain::reflection::ErrorDef<ParseError>("wrong.ParseError").def_init([](int line) {
    return ParseError("", line);
  });
}

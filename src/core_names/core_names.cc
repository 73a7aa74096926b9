// SPDX-License-Identifier: Apache-2.0
// libtain_names: libtain's names for all libraries of a process, and no other name.
//
// A library that is put into the global scope takes with it all that it needs, which for libtain is
// libstdc++; extensions that were linked with a libstdc++ of their own would then find the wrong
// one. So the bridge puts this library there, which needs libc only. Each of libtain's exported
// names is an indirect function here: the loader calls its resolver, which gives the address in
// libtain, so that callers and data point straight to libtain. The list of names is read from
// libtain when it is built (cmake/core_names.cmake).
#include <cstddef>

extern "C" {

// Every name has the type of a function here; of the data among them only the address matters.
#define TAIN_NAME(index, name) +1
static void* addresses[0
#include "core_names.inc"
];
#undef TAIN_NAME

using Function = void();
// Compilers differ in how they mangle a static function's name, so it is given.
#define TAIN_NAME(index, name)                                             \
  static Function* tain_resolve_##index() __asm__("tain_resolve_" #index); \
  __attribute__((used)) static Function* tain_resolve_##index() {          \
    return reinterpret_cast<Function*>(addresses[index]);                  \
  }                                                                        \
  __attribute__((visibility("default"),                                    \
                 ifunc("tain_resolve_" #index))) void tain_name_##index() __asm__(name);
#include "core_names.inc"
#undef TAIN_NAME

/// Finds all names by `find(library, name)` and returns how many it did not find; to be called
/// before the first library needs one.
__attribute__((visibility("default"))) size_t TainNamesFill(void* (*find)(void*, const char*),
                                                            void* library) {
#define TAIN_NAME(index, name) name,
  static const char* const names[] = {
#include "core_names.inc"
  };
#undef TAIN_NAME
  size_t missing = 0;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    addresses[i] = find(library, names[i]);
    missing += addresses[i] == nullptr ? 1 : 0;
  }
  return missing;
}

}  // extern "C"

# SPDX-License-Identifier: Apache-2.0
# TAIN_SANITIZE: a list for -fsanitize, "address;undefined" or "thread", for everything below.
#
# Directory-wide and included before any target, so that nanobind's own sources take part.

set(TAIN_SANITIZE "" CACHE STRING "Sanitizers: \"address;undefined\" or \"thread\"")

if(TAIN_SANITIZE)
  if(MSVC)
    message(FATAL_ERROR "TAIN_SANITIZE is supported with GCC and Clang only")
  endif()
  list(JOIN TAIN_SANITIZE "," tain_sanitize_list)
  add_compile_options(-fsanitize=${tain_sanitize_list} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${tain_sanitize_list})
  if("undefined" IN_LIST TAIN_SANITIZE)
    # A report ends the test. `vptr` compares type_info objects, of which hidden visibility makes
    # one per library for types that are the same.
    add_compile_options(-fno-sanitize-recover=all -fno-sanitize=vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-shared-libsan)
    add_link_options(-shared-libsan)
    if("undefined" IN_LIST TAIN_SANITIZE)
      add_compile_options(-fno-sanitize=function)
    endif()
  endif()
endif()

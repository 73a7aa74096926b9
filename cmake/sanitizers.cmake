# SPDX-License-Identifier: Apache-2.0
# TAIN_SANITIZE: a list for -fsanitize, "address;undefined" or "thread", for everything below.
#
# Directory-wide and included before any target, so that nanobind's own sources take part.

# Reports name functions and lines, for which -g1 is enough.
set(TAIN_SANITIZE "" CACHE STRING "Sanitizers: \"address;undefined\" or \"thread\"")

if(TAIN_SANITIZE)
  if(MSVC)
    message(FATAL_ERROR "TAIN_SANITIZE is supported with GCC and Clang only")
  endif()
  list(JOIN TAIN_SANITIZE "," tain_sanitize_list)
  add_compile_options(-fsanitize=${tain_sanitize_list} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${tain_sanitize_list})
  if("undefined" IN_LIST TAIN_SANITIZE)
    # A report ends the test. `vptr` compares type_info objects, of which hidden visibility makes
    # one per library for types that are the same.
    add_compile_options(-fno-sanitize-recover=all -fno-sanitize=vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-shared-libsan)
    add_link_options(-shared-libsan)
    # Where its shared runtime is, for programs; python gets it by LD_PRELOAD.
    foreach(tain_runtime IN ITEMS asan tsan ubsan_standalone)
      execute_process(
        COMMAND "${CMAKE_CXX_COMPILER}"
                "-print-file-name=libclang_rt.${tain_runtime}-${CMAKE_SYSTEM_PROCESSOR}.so"
        OUTPUT_VARIABLE tain_runtime_file OUTPUT_STRIP_TRAILING_WHITESPACE)
      if(IS_ABSOLUTE "${tain_runtime_file}")
        cmake_path(GET tain_runtime_file PARENT_PATH tain_runtime_folder)
        list(APPEND CMAKE_BUILD_RPATH "${tain_runtime_folder}")
      endif()
    endforeach()
    list(REMOVE_DUPLICATES CMAKE_BUILD_RPATH)
    if("undefined" IN_LIST TAIN_SANITIZE)
      add_compile_options(-fno-sanitize=function)
    endif()
  endif()
endif()

# tain_quickly_compiled(<target>): a target that only tests use is not optimized under a sanitizer,
# which halves the time of its compilation.
function(tain_quickly_compiled target)
  if(TAIN_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# The target `tain_names` (src/core_names), where the system has indirect functions. As a script
# (`cmake -P`): writes the list of the names that the library LIBRARY exports to OUTPUT, by NM.

if(CMAKE_SCRIPT_MODE_FILE)
  # In the order of the table of symbols, which is also the order of a search of all names.
  execute_process(COMMAND "${NM}" -D --no-sort --defined-only --format=posix "${LIBRARY}"
                  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
  set(index 0)
  set(list "")
  foreach(line IN LISTS symbols)
    string(REGEX REPLACE " .*" "" name "${line}")
    # By this one copies of libtain are counted.
    if(NOT name STREQUAL "TainCheckSingleCopy")
      string(APPEND list "TAIN_NAME(${index}, \"${name}\")\n")
      math(EXPR index "${index} + 1")
    endif()
  endforeach()
  file(WRITE "${OUTPUT}" "${list}")
  return()
endif()

include(CheckCXXSourceCompiles)
check_cxx_source_compiles(
  "extern \"C\" { static void* find() __asm__(\"find\");
   __attribute__((used)) static void* find() { return nullptr; }
   __attribute__((ifunc(\"find\"))) void name(); }
   int main() {}"
  TAIN_HAS_INDIRECT_FUNCTIONS)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT TAIN_HAS_INDIRECT_FUNCTIONS)
  return()
endif()

set(tain_names_list "${PROJECT_BINARY_DIR}/core_names/core_names.inc")
add_custom_command(
  OUTPUT "${tain_names_list}"
  COMMAND "${CMAKE_COMMAND}" "-DNM=${CMAKE_NM}" "-DLIBRARY=$<TARGET_FILE:tain>"
          "-DOUTPUT=${tain_names_list}" -P "${CMAKE_CURRENT_LIST_FILE}"
  DEPENDS tain "${CMAKE_CURRENT_LIST_FILE}"
  VERBATIM)
add_library(tain_names MODULE "${PROJECT_SOURCE_DIR}/src/core_names/core_names.cc" "${tain_names_list}")
target_include_directories(tain_names PRIVATE "${PROJECT_BINARY_DIR}/core_names")
# The resolvers run while libraries are loaded: no instrumentation, no library but libc.
target_compile_options(tain_names PRIVATE -fno-sanitize=all -fvisibility=hidden -fno-exceptions)
target_link_options(tain_names PRIVATE -fno-sanitize=all -nodefaultlibs -Wl,-z,nodelete)
target_link_libraries(tain_names PRIVATE c)
tain_target_warnings(tain_names)
install(TARGETS tain_names LIBRARY DESTINATION "${tain_install_lib}")

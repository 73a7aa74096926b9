# SPDX-License-Identifier: Apache-2.0
# tain_add_library(<name> [COMPAT] <source>...): a shared library of registered types, lib<name>.so.
#
# With COMPAT the sources can include the headers of include/tain_compat, such as
# tvm/ffi/reflection/registry.h. What else it sets, and why:
# - C++20, position-independent, linked to tain::tain.
# - Hidden visibility and no GNU unique symbols: the index of a type is cached in a variable of each
#   library, which must never be shared between two builds of one library in the same process.
# - TAIN_UNIT_NAME="<name>": the name under which a newer build of the library redefines its types.
# - An install RPATH that finds libtain in the tain package beside the package that holds the
#   library, whether at its top level or in its lib/ folder. (In Python, importing tain has loaded
#   libtain before, and the RPATH is not needed.)
# - No search for C++ modules, which would nearly double the build: tain's headers use none. A library
#   of modules sets the property CXX_SCAN_FOR_MODULES after the call.

function(tain_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 given "COMPAT" "" "")
  set(sources ${given_UNPARSED_ARGUMENTS})
  if(NOT sources)
    message(FATAL_ERROR "tain_add_library(${name}): expected at least one source file")
  endif()
  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "tain_add_library(${name}): expected a name of letters, digits, _ . + -")
  endif()
  if(WIN32)
    set(prefix "")
  else()
    set(prefix "lib")
  endif()
  add_library(${name} SHARED ${sources})
  target_link_libraries(${name} PRIVATE tain::tain)
  if(given_COMPAT)
    target_link_libraries(${name} PRIVATE tain::compat)
  endif()
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_definitions(${name} PRIVATE "TAIN_UNIT_NAME=\"${name}\"")
  set_target_properties(
    ${name}
    PROPERTIES OUTPUT_NAME "${name}"
               PREFIX "${prefix}"
               CXX_EXTENSIONS OFF
               CXX_SCAN_FOR_MODULES OFF
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  if(APPLE)
    set(origin "@loader_path")
  else()
    set(origin "\$ORIGIN")
  endif()
  set_property(
    TARGET ${name} PROPERTY INSTALL_RPATH "${origin}" "${origin}/../tain/lib"
                            "${origin}/../../tain/lib")
endfunction()

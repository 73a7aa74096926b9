# SPDX-License-Identifier: Apache-2.0
# TAIN_UNITY and tain_unite(<target> <root> [APART <file>...]): compiles the sources of one folder
# below <root> as one file, and those of <root> itself six at a time, because most of the time of a
# small file goes into reading headers.
#
# For wheels and the presets core-gcc and core-clang, which compile everything at once. A developer's
# build compiles what changed, file by file. The files named after APART stay alone: they fill the
# same slots of several Python types, under the same names. Other files of a folder must not use a
# name twice in their unnamed namespaces.

if("${SKBUILD_STATE}" STREQUAL "wheel")
  set(tain_unity_default ON)
else()
  set(tain_unity_default OFF)
endif()
option(TAIN_UNITY "Compile the sources of a folder as one file" ${tain_unity_default})

function(tain_unite target root)
  cmake_parse_arguments(PARSE_ARGV 2 given "" "" "APART")
  if(NOT TAIN_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(number 0)
  foreach(source IN LISTS sources)
    cmake_path(IS_PREFIX root "${source}" inside)
    if(NOT inside)
      set_property(SOURCE "${source}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${root}" OUTPUT_VARIABLE name)
    if(name IN_LIST given_APART)
      set_property(SOURCE "${source}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(GET name PARENT_PATH folder)
    if(folder STREQUAL "")
      math(EXPR folder "${number} / 6")
      math(EXPR number "${number} + 1")
    endif()
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "all_${folder}")
  endforeach()
  # The headers come before any using-directive of a source file.
  set_target_properties(
    ${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_RELOCATABLE ON
                         UNITY_BUILD_CODE_BEFORE_INCLUDE "#include \"tain/tain.h\"")
endfunction()

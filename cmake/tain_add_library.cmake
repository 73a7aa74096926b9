# SPDX-License-Identifier: Apache-2.0
# tain_add_library(<name> [STATIC] [COMPAT] [STUB <folder>] [<source>...]
#                  [DESCRIBE [<header>...] [NAMESPACE <namespace>...] [SETTINGS <file>]]):
# a library of registered types, lib<name>.so or, with STATIC, lib<name>.a.
#
# A project may call it several times. With COMPAT the sources can include the headers of
# include/tain_compat, such as tvm/ffi/reflection/registry.h. What else it sets, and why:
# - C++20, position-independent, linked to tain::tain.
# - Hidden visibility and no GNU unique symbols: the index of a type is cached in a variable of each
#   library, which must never be shared between two builds of one library in the same process.
# - TAIN_UNIT_NAME="<name>": the name under which a newer build of the library redefines its types.
# - An install RPATH that finds libtain in the tain package beside the package that holds the
#   library, whether at its top level or in its lib/ folder; tain_install writes it for any folder.
#   (In Python, importing tain has loaded libtain before, and the RPATH is not needed.)
# - No search for C++ modules, which would nearly double the build: tain's headers use none. A library
#   of modules sets the property CXX_SCAN_FOR_MODULES after the call.
# - With STUB, the folder of the Python package that loads the library: each build loads it, so that
#   a faulty registration fails the build and not the import, and writes the stubs of the package.
#   -DTAIN_STUBS=OFF leaves that out, as cross-compiling does.
# - In a wheel, which serves on other machines, errors name files by their places in the project.
# - With DESCRIBE, the build writes <name>_tain.cc, the registration of what the headers declare
#   (`python -m tain describe`, which needs `tain[describe]`), and compiles it before the sources. It
#   is written again when a header or the settings change. The headers are found in the target's
#   include folders, so link their library by target_link_libraries.
# - With STATIC, whoever links the library links the whole archive. A linker takes from an archive
#   only the members that somebody refers to, and nobody refers to a file that registers types.

function(tain_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 given "COMPAT;STATIC" "STUB;SETTINGS" "DESCRIBE;NAMESPACE")
  set(sources ${given_UNPARSED_ARGUMENTS})
  if(given_DESCRIBE OR given_SETTINGS)
    _tain_describe(described ${name} "${given_SETTINGS}" "${given_NAMESPACE}" "${given_DESCRIBE}")
    list(PREPEND sources "${described}")
  elseif(given_NAMESPACE OR "DESCRIBE" IN_LIST given_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tain_add_library(${name}): expected DESCRIBE <header>... or SETTINGS <file>")
  endif()
  if(NOT sources)
    message(FATAL_ERROR "tain_add_library(${name}): expected at least one source file")
  endif()
  if(NOT name MATCHES "^[A-Za-z0-9_.+-]+$")
    message(FATAL_ERROR "tain_add_library(${name}): expected a name of letters, digits, _ . + -")
  endif()
  if(given_STATIC AND given_STUB)
    message(FATAL_ERROR "tain_add_library(${name}): STUB loads the library, which STATIC cannot be")
  endif()
  if("STUB" IN_LIST given_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tain_add_library(${name}): expected STUB <folder of a Python package>")
  endif()
  if(WIN32)
    set(prefix "")
  else()
    set(prefix "lib")
  endif()
  if(given_STATIC)
    # Who links the archive compiles the same headers, and its copies of their variables count too.
    set(kind STATIC)
    set(scope PUBLIC)
  else()
    set(kind SHARED)
    set(scope PRIVATE)
  endif()
  add_library(${name} ${kind} ${sources})
  target_link_libraries(${name} ${scope} tain::tain)
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
  target_compile_options(${name} ${scope} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  _tain_shorten_paths(${name})
  if(given_STATIC)
    _tain_link_whole(${name})
  else()
    _tain_origin(origin)
    set_property(
      TARGET ${name} PROPERTY INSTALL_RPATH "${origin}" "${origin}/../tain/lib"
                              "${origin}/../../tain/lib")
  endif()
  if(given_STUB)
    _tain_add_stub(${name} "${given_STUB}")
  endif()
endfunction()

# tain_install(<target>... DESTINATION <package> [TYPES <namespace>...]): installs libraries and
# programs into a Python package, or into a folder of one (<package>/lib), with a run path that
# finds libtain in the package `tain` and the other libraries beside the target. With TYPES, the
# namespaces that the package adopts and has a stub for, type checkers and editors also follow
# imports from tain.types.<namespace> to that stub: they search no other place for it than the
# package tain itself.
function(tain_install)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "DESTINATION" "TYPES")
  set(targets ${given_UNPARSED_ARGUMENTS})
  string(REPLACE ";" " " where "tain_install(${targets})")
  if(NOT targets)
    message(FATAL_ERROR "tain_install: expected at least one target")
  endif()
  if("${given_DESTINATION}" STREQUAL "")
    message(FATAL_ERROR "${where}: expected DESTINATION <package>")
  endif()
  cmake_path(SET folder NORMALIZE "${given_DESTINATION}/.")
  if(IS_ABSOLUTE "${folder}" OR folder MATCHES "^(\\.\\.?(/|$)|\\./)")
    message(FATAL_ERROR "${where}: expected as DESTINATION a Python package or a folder in one, "
                        "got '${given_DESTINATION}'")
  endif()
  # One step up for each folder of the destination leads to what contains the packages.
  string(REGEX REPLACE "[^/]+/?" "../" up "${folder}")
  _tain_origin(origin)
  foreach(target IN LISTS targets)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "${where}: there is no target ${target}")
    endif()
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(SHARED_LIBRARY|MODULE_LIBRARY|EXECUTABLE)$")
      message(FATAL_ERROR "${where}: expected shared libraries, modules or programs, "
                          "got ${target}, which is of the type ${type}")
    endif()
    set_property(TARGET ${target} PROPERTY INSTALL_RPATH "${origin}" "${origin}/${up}tain/lib")
  endforeach()
  # No ARCHIVE: the import library of a DLL is of no use in a package.
  install(TARGETS ${targets} LIBRARY DESTINATION "${folder}" RUNTIME DESTINATION "${folder}")
  if("${SKBUILD_STATE}" STREQUAL "editable")
    return()  # its import hook would take the folder tain/types for a package of the project's own
  endif()
  string(REGEX REPLACE "/.*" "" package "${folder}")
  foreach(namespace IN LISTS given_TYPES)
    string(REPLACE "." "/" place "${namespace}")
    string(REGEX REPLACE "^[^.]+" "${package}" module "${namespace}")
    set(stub "${CMAKE_CURRENT_BINARY_DIR}/tain_types/${place}/__init__.pyi")
    file(CONFIGURE OUTPUT "${stub}" CONTENT "from ${module} import *\n" NEWLINE_STYLE UNIX)
    install(FILES "${stub}" DESTINATION "tain/types/${place}")
  endforeach()
endfunction()

# In a build of a wheel, lets __FILE__, which errors show, begin in the project or in tain's headers.
# Elsewhere it is the whole path, so that tracebacks show the lines.
function(_tain_shorten_paths target)
  if(NOT "${SKBUILD_STATE}" STREQUAL "wheel" OR MSVC)
    return()
  endif()
  get_target_property(folders tain::tain INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder IN LISTS PROJECT_SOURCE_DIR folders)
    target_compile_options(${target} PRIVATE "-ffile-prefix-map=${folder}/=")
  endforeach()
endfunction()

# Adds a target <name>_stub, which loads the library and writes the stubs of the package <folder>.
function(_tain_add_stub name folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  string(REGEX REPLACE "/$" "" folder "${folder}")
  if(NOT EXISTS "${folder}/__init__.py")
    message(FATAL_ERROR "tain_add_library(${name}): expected as STUB the folder of a Python "
                        "package, got ${folder}, which has no __init__.py")
  endif()
  if(CMAKE_CROSSCOMPILING)
    set(default OFF)
  else()
    set(default ON)
  endif()
  option(TAIN_STUBS "Load libraries after linking, and write the stubs of packages" ${default})
  if(NOT TAIN_STUBS)
    return()
  endif()
  set(off "or leave out loading and stubs by -DTAIN_STUBS=OFF")
  find_package(Python 3.10 QUIET COMPONENTS Interpreter)
  if(NOT Python_FOUND)
    message(FATAL_ERROR "tain_add_library(${name} STUB): there is no Python: "
                        "set Python_EXECUTABLE, ${off}")
  endif()
  execute_process(COMMAND "${Python_EXECUTABLE}" -c "import tain" RESULT_VARIABLE failed
                  OUTPUT_QUIET ERROR_VARIABLE reason)
  if(failed)
    message(FATAL_ERROR "tain_add_library(${name} STUB): ${Python_EXECUTABLE} cannot import tain: "
                        "set Python_EXECUTABLE to one that can, ${off}\n${reason}")
  endif()
  cmake_path(GET folder PARENT_PATH root)
  cmake_path(GET folder FILENAME package)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.py")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}_stub.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND "${Python_EXECUTABLE}" -B -m tain stubgen "${package}" --source "${root}" --built
            "$<TARGET_FILE:${name}>"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${name} ${sources}
    COMMENT "Loading ${name}, writing the stubs of ${package}"
    VERBATIM)
  add_custom_target(${name}_stub ALL DEPENDS "${stamp}")
endfunction()

# Sets <variable> to what the loader replaces by the folder of the file it loads.
function(_tain_origin variable)
  if(APPLE)
    set(${variable} "@loader_path" PARENT_SCOPE)
  else()
    set(${variable} "\$ORIGIN" PARENT_SCOPE)
  endif()
endfunction()

# Sets <variable> to the file in which the build describes headers for the target <name>.
function(_tain_describe variable name settings namespaces headers)
  find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${name}_tain.cc")
  set(options --quiet --compiler "${CMAKE_CXX_COMPILER}")
  set(inputs "")
  foreach(namespace IN LISTS namespaces)
    list(APPEND options --namespace "${namespace}")
  endforeach()
  foreach(header IN LISTS headers)
    # A header of the project by its path, others as #include finds them.
    cmake_path(ABSOLUTE_PATH header OUTPUT_VARIABLE file)
    if(EXISTS "${file}")
      set(header "${file}")
      list(APPEND inputs "${file}")
    endif()
    list(APPEND options "${header}")
  endforeach()
  if(settings)
    cmake_path(ABSOLUTE_PATH settings OUTPUT_VARIABLE file)
    list(APPEND options --settings "${file}")
    list(APPEND inputs "${file}")
  endif()
  if(CMAKE_CXX_STANDARD GREATER_EQUAL 20)
    list(APPEND options --std "c++${CMAKE_CXX_STANDARD}")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    list(APPEND options --touch) # Ninja alone sees that a file has not changed
  endif()
  set(folders "$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>")
  set(macros "$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND
      "${Python_EXECUTABLE}" -B -m tain describe ${options} -o "${output}" --depfile "${output}.d"
      "$<$<BOOL:${folders}>:-I$<JOIN:$<REMOVE_DUPLICATES:${folders}>,;-I>>"
      "$<$<BOOL:${macros}>:-D$<JOIN:${macros},;-D>>"
    DEPENDS ${inputs}
    DEPFILE "${output}.d"
    COMMENT "Describing ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

# Adds an option to the link of all that link the archive <name>: take every member. The archive
# stands among the libraries too, where nothing is left to take.
function(_tain_link_whole name)
  set(archive "\"$<TARGET_FILE:${name}>\"")
  if(MSVC)
    set(option "SHELL:/WHOLEARCHIVE:${archive}")
  elseif(APPLE)
    set(option "SHELL:-Wl,-force_load ${archive}")
  else()
    set(option "SHELL:-Wl,--whole-archive ${archive} -Wl,--no-whole-archive")
  endif()
  target_link_options(${name} INTERFACE "${option}")
endfunction()

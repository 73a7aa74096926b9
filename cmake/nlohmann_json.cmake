# SPDX-License-Identifier: Apache-2.0
# tain_find_nlohmann_json(<out>): the directory of the nlohmann-json headers, or an empty string.
#
# First match: the CMake or environment variable NLOHMANN_JSON_INCLUDE_DIR, the wheel
# `nlohmann-json` of the interpreter CMake found, the same wheel in the active virtual environment
# (looked up as a path: the core is built without running any Python), an installed nlohmann_json.

function(tain_find_nlohmann_json out)
  set(${out} "" PARENT_SCOPE)
  set(candidates ${NLOHMANN_JSON_INCLUDE_DIR} $ENV{NLOHMANN_JSON_INCLUDE_DIR})
  if(Python_EXECUTABLE)
    execute_process(
      COMMAND "${Python_EXECUTABLE}" -c
              "import importlib.util as u; print(u.find_spec('nlohmann_json').submodule_search_locations[0])"
      RESULT_VARIABLE failed OUTPUT_VARIABLE package ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      list(APPEND candidates "${package}/include")
    endif()
  endif()
  if(DEFINED ENV{VIRTUAL_ENV})
    file(GLOB in_venv "$ENV{VIRTUAL_ENV}/lib/python3*/site-packages/nlohmann_json/include")
    list(APPEND candidates ${in_venv})
  endif()
  foreach(candidate IN LISTS candidates)
    if(EXISTS "${candidate}/nlohmann/json.hpp")
      set(${out} "${candidate}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  # Not cached: a directory of an isolated build is gone the next time.
  find_path(tain_nlohmann_json_dir nlohmann/json.hpp NO_CACHE)
  if(tain_nlohmann_json_dir)
    set(${out} "${tain_nlohmann_json_dir}" PARENT_SCOPE)
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# The target `_core`: the nanobind module tain._core, its generated stub, and their installation.

execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  RESULT_VARIABLE failed OUTPUT_VARIABLE tain_nanobind_dir ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed)
  message(FATAL_ERROR "nanobind was not found for ${Python_EXECUTABLE}: pip install 'nanobind>=3,<4'")
endif()
if(tain_is_wheel)
  # pip puts nanobind into a folder with a random name, which is gone the next time. With a copy that
  # keeps its name and its times, what was compiled with it stays up to date.
  cmake_path(GET tain_nanobind_dir PARENT_PATH tain_nanobind_package)
  set(tain_nanobind_copy "${PROJECT_BINARY_DIR}/nanobind")
  file(GLOB_RECURSE names RELATIVE "${tain_nanobind_package}" "${tain_nanobind_package}/*")
  list(FILTER names EXCLUDE REGEX "__pycache__")
  foreach(name IN LISTS names)
    cmake_path(GET name PARENT_PATH folder)
    file(MAKE_DIRECTORY "${tain_nanobind_copy}/${folder}")
    file(COPY_FILE "${tain_nanobind_package}/${name}" "${tain_nanobind_copy}/${name}"
         ONLY_IF_DIFFERENT)
  endforeach()
  set(tain_nanobind_dir "${tain_nanobind_copy}/cmake")
endif()
set(nanobind_DIR "${tain_nanobind_dir}" CACHE PATH "" FORCE)
find_package(nanobind CONFIG REQUIRED)

file(GLOB_RECURSE tain_bridge_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/bindings/*.cc")
# FREE_THREADED: of no meaning for a CPython with a GIL.
set(tain_bridge_options NB_STATIC NB_DOMAIN tain NOMINSIZE NB_SUPPRESS_WARNINGS FREE_THREADED)
if(TAIN_LTO AND NOT TAIN_SANITIZE)
  list(APPEND tain_bridge_options LTO) # nanobind: in release configurations only
endif()
nanobind_add_module(_core ${tain_bridge_options} ${tain_bridge_sources})
target_include_directories(_core PRIVATE "${PROJECT_SOURCE_DIR}/src/bindings")
# tsl::robin_map comes with nanobind.
target_include_directories(_core SYSTEM PRIVATE "${nanobind_DIR}/../ext/robin_map/include")
target_compile_features(_core PRIVATE cxx_std_20)
target_link_libraries(_core PRIVATE tain::tain)
target_compile_options(
  _core PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
                $<$<AND:$<CONFIG:Release>,$<NOT:$<CXX_COMPILER_ID:MSVC>>>:-O2>)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # nanobind's classes of exceptions are visible; no other library shall find them here.
  target_link_options(_core PRIVATE
                      "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/bridge.map")
endif()
set_target_properties(_core PROPERTIES CXX_EXTENSIONS OFF INSTALL_RPATH "${tain_origin}/lib")
tain_unite(
  _core "${PROJECT_SOURCE_DIR}/src/bindings"
  APART calls/method_descr.cc containers/dict.cc containers/list.cc containers/seq.cc
        containers/view.cc)
tain_target_warnings(_core)

nanobind_add_stub(
  tain_core_stub
  MODULE _core
  OUTPUT "${PROJECT_BINARY_DIR}/stub/_core.pyi"
  MARKER_FILE "${PROJECT_BINARY_DIR}/stub/py.typed"
  PATTERN_FILE "${PROJECT_SOURCE_DIR}/cmake/core_stub.pat"
  PYTHON_PATH "$<TARGET_FILE_DIR:_core>"
  DEPENDS _core)

# Only a wheel installs the bridge; `cmake --install` installs the core.
if(tain_is_wheel)
  install(TARGETS _core LIBRARY DESTINATION "${tain_install_package}")
  install(FILES "${PROJECT_BINARY_DIR}/stub/_core.pyi" "${PROJECT_BINARY_DIR}/stub/py.typed"
          DESTINATION "${tain_install_package}")
endif()

# SPDX-License-Identifier: Apache-2.0
# The targets `tain` (the core library) and `tain_testing` (types for tests), and their installation.

include(CMakePackageConfigHelpers)
find_package(Threads REQUIRED)

file(GLOB_RECURSE tain_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/ffi/*.cc")
file(GLOB_RECURSE tain_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/tain/*.h")
# Headers that need another binding library, or reflection, do not compile alone.
set(tain_interop_headers ${tain_headers})
list(FILTER tain_interop_headers INCLUDE REGEX "/tain/interop/|/reflection/auto\\.h$")
list(FILTER tain_headers EXCLUDE REGEX "/tain/interop/|/reflection/auto\\.h$")

# The objects are a target of their own, because tests of internals link them too.
add_library(tain_objects OBJECT ${tain_sources})
target_include_directories(
  tain_objects PRIVATE "${PROJECT_SOURCE_DIR}/src/ffi" "${PROJECT_SOURCE_DIR}/include")
target_compile_features(tain_objects PUBLIC cxx_std_20)
target_compile_definitions(tain_objects PRIVATE TAIN_EXPORTS)
target_link_libraries(tain_objects PRIVATE Threads::Threads)
set_target_properties(
  tain_objects
  PROPERTIES CXX_EXTENSIONS OFF
             CXX_VISIBILITY_PRESET hidden
             VISIBILITY_INLINES_HIDDEN ON
             POSITION_INDEPENDENT_CODE ON)
tain_unite(tain_objects "${PROJECT_SOURCE_DIR}/src/ffi")
tain_target_warnings(tain_objects)
target_compile_options(
  tain_objects
  PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
          $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
          $<$<AND:$<CONFIG:Release>,$<NOT:$<CXX_COMPILER_ID:MSVC>>>:-O2>)

add_library(tain SHARED $<TARGET_OBJECTS:tain_objects>)
add_library(tain::tain ALIAS tain)
target_sources(
  tain
  PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${tain_headers}
  PUBLIC FILE_SET interop TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES
         ${tain_interop_headers})
target_compile_features(tain PUBLIC cxx_std_20)
target_link_libraries(tain PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
set_target_properties(
  tain
  PROPERTIES LINKER_LANGUAGE CXX
             INTERFACE_HEADER_SETS_TO_VERIFY HEADERS
             INSTALL_RPATH "${tain_origin}")

# Names of the ecosystem for tain's own: not on the ordinary include path, so that an installed
# apache-tvm-ffi is found by those who want it.
file(GLOB_RECURSE tain_compat_headers CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/include/tain_compat/*.h")
add_library(tain_compat INTERFACE)
add_library(tain::compat ALIAS tain_compat)
target_sources(
  tain_compat INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include/tain_compat" FILES
                        ${tain_compat_headers})
target_link_libraries(tain_compat INTERFACE tain)
set_target_properties(tain_compat PROPERTIES EXPORT_NAME compat)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # Never unloaded: objects, classes and functions of the process live in it.
  # libtain calls its own functions directly: each name that the loader searches takes 1 us.
  target_link_options(tain PRIVATE -Wl,-z,nodelete -Wl,-Bsymbolic-functions
                      "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/libtain.map")
  set_property(TARGET tain APPEND PROPERTY LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/libtain.map")
  if(NOT TAIN_SANITIZE)
    target_link_options(tain PRIVATE -Wl,--no-undefined)
  endif()
endif()
if(NOT tain_is_wheel)
  # Wheels hold no symbolic links; there the file is plain libtain.so, and so is its SONAME.
  set_target_properties(
    tain PROPERTIES VERSION "${PROJECT_VERSION}"
                    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
endif()

install(
  TARGETS tain
  EXPORT tainTargets
  RUNTIME DESTINATION "${tain_install_bin}"
  LIBRARY DESTINATION "${tain_install_lib}"
  ARCHIVE DESTINATION "${tain_install_lib}"
  FILE_SET HEADERS DESTINATION "${tain_install_include}"
  FILE_SET interop DESTINATION "${tain_install_include}")
install(TARGETS tain_compat EXPORT tainTargets
        FILE_SET HEADERS DESTINATION "${tain_install_include}/tain_compat")
install(EXPORT tainTargets NAMESPACE tain:: DESTINATION "${tain_install_cmake}")
configure_package_config_file(
  tainConfig.cmake.in "${PROJECT_BINARY_DIR}/tainConfig.cmake"
  INSTALL_DESTINATION "${tain_install_cmake}" NO_SET_AND_CHECK_MACRO
  PATH_VARS tain_install_include)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/tainConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tainConfig.cmake"
              "${PROJECT_BINARY_DIR}/tainConfigVersion.cmake" tain_add_library.cmake
        DESTINATION "${tain_install_cmake}")

# The folders below the prefix, so that an installation can be moved; absolute ones stay.
set(tain_install_pkgconfig "${tain_install_lib}/pkgconfig")
set(tain_pc_prefix "\${pcfiledir}")
if(IS_ABSOLUTE "${tain_install_lib}")
  set(tain_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  string(REGEX REPLACE "[^/]+" ".." tain_pc_up "${tain_install_pkgconfig}")
  string(APPEND tain_pc_prefix "/${tain_pc_up}")
endif()
foreach(folder IN ITEMS include lib)
  cmake_path(ABSOLUTE_PATH tain_install_${folder} BASE_DIRECTORY "\${prefix}"
             OUTPUT_VARIABLE tain_pc_${folder})
endforeach()
configure_file(tain.pc.in "${PROJECT_BINARY_DIR}/tain.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tain.pc" DESTINATION "${tain_install_pkgconfig}")

if(tain_is_wheel)
  include(core_names.cmake)
endif()

# The types of the tests: a second library, made the way a user makes one, loaded on demand only.
file(GLOB tain_testing_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/testing_lib/*.cc")
if(tain_testing_sources)
  tain_add_library(tain_testing ${tain_testing_sources})
  tain_unite(
    tain_testing "${PROJECT_SOURCE_DIR}/tests/testing_lib"
    # They define macros of tain's, or names of their own, that others have too.
    APART mistakes.cc overloads.cc stl.cc)
  tain_target_warnings(tain_testing)
  # Tests call its functions with any numbers.
  target_compile_options(tain_testing PRIVATE $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-fwrapv>)
  # Its functions do little, and most of the time of a build went into optimizing them.
  target_compile_options(
    tain_testing PRIVATE $<$<AND:$<CONFIG:Release>,$<NOT:$<CXX_COMPILER_ID:MSVC>>>:-O1>)
  tain_quickly_compiled(tain_testing)
  # With -O1 GCC 12 says of results in a std::optional that they may be read before they are set.
  target_compile_options(tain_testing PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  set_target_properties(tain_testing PROPERTIES INSTALL_RPATH "${tain_origin}")
  if(tain_is_wheel OR TAIN_BUILD_TESTS)
    install(
      TARGETS tain_testing
      RUNTIME DESTINATION "${tain_install_bin}"
      LIBRARY DESTINATION "${tain_install_lib}"
      ARCHIVE DESTINATION "${tain_install_lib}")
  endif()
endif()

# SPDX-License-Identifier: Apache-2.0
# The targets `tain_cpp_tests` and `tain_internal_tests`, and one test of ctest for each of their
# source files. The latter tests what libtain hides: it has the objects of libtain inside of it.

find_package(doctest REQUIRED)
file(GLOB_RECURSE tain_test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/cpp/*/*.cc")
set(tain_internal_test_sources ${tain_test_sources})
list(FILTER tain_internal_test_sources INCLUDE REGEX "/internal_[^/]*\\.cc$")
list(FILTER tain_test_sources EXCLUDE REGEX "/internal_[^/]*\\.cc$")
# The main function of both.
add_library(tain_test_main OBJECT "${PROJECT_SOURCE_DIR}/tests/cpp/main.cc")
target_link_libraries(tain_test_main PRIVATE doctest::doctest)
target_compile_features(tain_test_main PRIVATE cxx_std_20)
add_executable(tain_cpp_tests ${tain_test_sources} $<TARGET_OBJECTS:tain_test_main>)
target_include_directories(tain_cpp_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests/cpp")
target_link_libraries(tain_cpp_tests PRIVATE tain::tain doctest::doctest Threads::Threads)
target_compile_definitions(
  tain_cpp_tests PRIVATE TAIN_UNIT_NAME="tain_cpp_tests"
                         TAIN_INCLUDE_DIR="${PROJECT_SOURCE_DIR}/include")
# As in tain_add_library, whose rules the tests share.
set_target_properties(tain_cpp_tests PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                                                VISIBILITY_INLINES_HIDDEN ON)
target_compile_options(tain_cpp_tests PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
tain_target_warnings(tain_cpp_tests)
tain_quickly_compiled(tain_cpp_tests)
tain_unite(tain_cpp_tests "${PROJECT_SOURCE_DIR}/tests/cpp")

add_executable(tain_internal_tests ${tain_internal_test_sources} $<TARGET_OBJECTS:tain_test_main>)
target_include_directories(
  tain_internal_tests
  PRIVATE "${PROJECT_SOURCE_DIR}/tests/cpp" "${PROJECT_SOURCE_DIR}/src/ffi"
          "${PROJECT_SOURCE_DIR}/include")
target_link_libraries(tain_internal_tests PRIVATE tain_objects doctest::doctest Threads::Threads
                                                  ${CMAKE_DL_LIBS})
tain_target_warnings(tain_internal_tests)
tain_quickly_compiled(tain_internal_tests)

# Libraries whose registrations are wrong on purpose: tain_faulty_<name>.
file(GLOB tain_faulty_sources CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/tests/testing_lib/faulty/*.cc")
foreach(source IN LISTS tain_faulty_sources)
  cmake_path(GET source STEM stem)
  tain_add_library(tain_faulty_${stem} "${source}")
  tain_quickly_compiled(tain_faulty_${stem})
  add_dependencies(tain_cpp_tests tain_faulty_${stem})
endforeach()
if(TARGET tain_testing)
  add_dependencies(tain_cpp_tests tain_testing)
endif()
target_compile_definitions(tain_cpp_tests
                           PRIVATE TAIN_TEST_LIBRARY_DIR="$<TARGET_FILE_DIR:tain>")

foreach(target tain_cpp_tests tain_internal_tests)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    if(source MATCHES "/tests/cpp/")
      add_test(NAME "cpp.${stem}" COMMAND ${target} "--source-file=*/tests/cpp/*/${stem}.cc")
    endif()
  endforeach()
endforeach()
set(tain_test_environment "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1"
                          "UBSAN_OPTIONS=print_stacktrace=1")
get_property(tain_tests DIRECTORY PROPERTY TESTS)
if(tain_tests)
  set_tests_properties(${tain_tests} PROPERTIES TIMEOUT 300 ENVIRONMENT "${tain_test_environment}")
endif()

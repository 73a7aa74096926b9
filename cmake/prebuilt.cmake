# SPDX-License-Identifier: Apache-2.0
# TAIN_PREBUILT: the core library from an installed tain package, byte for byte, in a new wheel.
#
# One libtain serves the bridges of all Python versions; this is how the matrix tests that, and it
# saves compiling the core again for each interpreter.

set(tain_prebuilt_library "${TAIN_PREBUILT}/lib/libtain${CMAKE_SHARED_LIBRARY_SUFFIX}")
if(NOT tain_is_wheel OR NOT EXISTS "${tain_prebuilt_library}")
  message(FATAL_ERROR "TAIN_PREBUILT: expected the folder of an installed tain package and a build "
                      "of a wheel, got '${TAIN_PREBUILT}'")
endif()

add_library(tain SHARED IMPORTED)
add_library(tain::tain ALIAS tain)
set_target_properties(
  tain PROPERTIES IMPORTED_LOCATION "${tain_prebuilt_library}" INTERFACE_COMPILE_FEATURES cxx_std_20
                  INTERFACE_INCLUDE_DIRECTORIES "${TAIN_PREBUILT}/include")
install(DIRECTORY "${TAIN_PREBUILT}/lib" "${TAIN_PREBUILT}/include"
        DESTINATION "${tain_install_package}" USE_SOURCE_PERMISSIONS)

# SPDX-License-Identifier: Apache-2.0
# tain_read_version(<header>): TAIN_VERSION_{MAJOR,MINOR,PATCH} and TAIN_VERSION from the one header.

function(tain_read_version header)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS "${header}" line REGEX "^#define TAIN_VERSION_${part} [0-9]+$")
    if(NOT line MATCHES "([0-9]+)$")
      message(FATAL_ERROR "${header} defines no TAIN_VERSION_${part}")
    endif()
    set(TAIN_VERSION_${part} "${CMAKE_MATCH_1}")
    set(TAIN_VERSION_${part} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endforeach()
  set(version "${TAIN_VERSION_MAJOR}.${TAIN_VERSION_MINOR}.${TAIN_VERSION_PATCH}")
  file(STRINGS "${header}" line REGEX "^#define TAIN_VERSION \"")
  if(NOT line STREQUAL "#define TAIN_VERSION \"${version}\"")
    message(FATAL_ERROR "${header}: TAIN_VERSION differs from its three parts ${version}: ${line}")
  endif()
  set(TAIN_VERSION "${version}" PARENT_SCOPE)
endfunction()

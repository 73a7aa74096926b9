# SPDX-License-Identifier: Apache-2.0
# tain_target_warnings(<target>): the warnings tain's own code is held to; errors with TAIN_WERROR.

function(tain_target_warnings target)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 $<$<BOOL:${TAIN_WERROR}>:/WX>)
    return()
  endif()
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wundef
            -Wvla
            -Woverloaded-virtual
            # records of the binary contract are filled partly on purpose
            -Wno-missing-field-initializers
            $<$<BOOL:${TAIN_WERROR}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # `local` only: a constructor argument may carry the name of the member it fills.
    target_compile_options(${target} PRIVATE -Wshadow=local -Wlogical-op -Wduplicated-cond)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 warns about std::string's own memcpy where it inlines operator+ (GCC bug 105651).
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
endfunction()

# SPDX-License-Identifier: Apache-2.0
# Where things are installed: inside the package `tain` in a wheel, else as GNUInstallDirs says.

if(tain_is_wheel)
  set(tain_install_lib "tain/lib")
  set(tain_install_bin "tain/lib")
  set(tain_install_include "tain/include")
  set(tain_install_package "tain")
else()
  include(GNUInstallDirs)
  set(tain_install_lib "${CMAKE_INSTALL_LIBDIR}")
  set(tain_install_bin "${CMAKE_INSTALL_BINDIR}")
  set(tain_install_include "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(tain_install_cmake "${tain_install_lib}/cmake/tain")

if(APPLE)
  set(tain_origin "@loader_path")
else()
  set(tain_origin "\$ORIGIN")
endif()

# find_package(tensorexpr CONFIG): the target tensorexpr::tensorexpr, and all of find_package(tain).
include(CMakeFindDependencyMacro)
find_dependency(tain CONFIG)
include("${CMAKE_CURRENT_LIST_DIR}/tensorexprTargets.cmake")

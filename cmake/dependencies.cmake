# Every dependency, found in the system and included as SYSTEM; nothing is downloaded. The Debian packages that bring
# them are listed in cmake/packages.txt. The installed CMake package includes this file too.
find_package(Boost 1.74 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Threads REQUIRED)

# attest_system_library(NAME header library...): an imported target for a library that ships no CMake package.
function(attest_system_library name header)
  find_path(${name}_INCLUDE ${header} REQUIRED)
  add_library(${name} INTERFACE IMPORTED)
  target_include_directories(${name} SYSTEM INTERFACE "${${name}_INCLUDE}")
  foreach(library IN LISTS ARGN)
    find_library(${name}_${library}_LIBRARY ${library} REQUIRED)
    target_link_libraries(${name} INTERFACE "${${name}_${library}_LIBRARY}")
  endforeach()
endfunction()

attest_system_library(attest_gmp gmpxx.h gmpxx gmp)
attest_system_library(attest_flint flint/flint.h flint-arb flint mpfr gmp)
attest_system_library(attest_openblas cblas.h openblas)
add_library(attest_eigen INTERFACE IMPORTED)
target_link_libraries(attest_eigen INTERFACE Eigen3::Eigen)

# What only attest's own build needs.
if(PROJECT_NAME STREQUAL "attest")
  find_package(CLI11 2.1 REQUIRED)
  if(ATTEST_BUILD_TESTS)
    find_package(Catch2 2.13 REQUIRED)
    find_package(rapidcheck REQUIRED)
  endif()
  find_package(benchmark QUIET)
endif()

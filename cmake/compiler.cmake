include(GNUInstallDirs)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Certified bounds rest on IEEE arithmetic evaluated as written.
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
foreach(variable CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_${build_type} CMAKE_CUDA_FLAGS CMAKE_CUDA_FLAGS_${build_type})
  if("${${variable}}" MATCHES "-ffast-math|-Ofast|-funsafe-math|-fassociative-math|-freciprocal-math|-ffinite-math|-fno-signed-zeros|-ffp-contract=(fast|on)|use_fast_math")
    message(FATAL_ERROR "${variable} is '${${variable}}': fast-math breaks every bound in attest; remove it from the flags")
  endif()
endforeach()

find_program(ATTEST_CCACHE ccache)
if(ATTEST_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ATTEST_CCACHE})
endif()

add_library(attest_options INTERFACE)
target_compile_options(attest_options INTERFACE -ffp-contract=off -fno-trapping-math -Wall -Wextra -Wpedantic -Wshadow
                                                -Wconversion -Wno-sign-conversion)
# libstdc++ 12's own stable_sort uses get_temporary_buffer, which clang reports at our call.
target_compile_options(attest_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
option(ATTEST_WARNINGS_AS_ERRORS "Treat every warning as an error" ON)
if(ATTEST_WARNINGS_AS_ERRORS)
  target_compile_options(attest_options INTERFACE -Werror)
endif()

# CUDA sources are compiled where the cuda preset is used; fused multiply-adds only where a kernel writes them.
option(ATTEST_CUDA "Enable nvcc" OFF)
if(ATTEST_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES 80 90 CACHE STRING "CUDA architectures")
  enable_language(CUDA)
  add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>")
endif()

# Every package that anything here is built with, each found once. Which folder may use which: docs/ARCHITECTURE.md.
# The runtime alone (DETENT_RUNTIME_ONLY) needs none of them and does not read this file.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_package(LibArchive REQUIRED)
# Loaded when it is needed, by the name that programs are linked with, libarchive.so.13: the file behind it changes with
# every update.
get_filename_component(detent_archive_name ${LibArchive_LIBRARIES} REALPATH)
string(REGEX MATCH "[^/]+\\.so\\.[0-9]+" detent_archive_name ${detent_archive_name})
find_path(DETENT_TOML_INCLUDE toml++/toml.h REQUIRED)  # headers alone: its CMake target would link the shared library
if(DETENT_FUZZ)
  return()
endif()

find_path(DETENT_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
pkg_check_modules(Z3 REQUIRED IMPORTED_TARGET z3>=4.8)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
# The library is built as C++17; headers included from C++20 must agree with it.
target_compile_definitions(PkgConfig::SYSTEMC INTERFACE SC_CPLUSPLUS=201703L)
find_path(DETENT_CLANG_INCLUDE clang-c/Index.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH REQUIRED)
find_library(DETENT_CLANG_LIBRARY NAMES clang clang-19 PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH REQUIRED)
get_filename_component(detent_clang_file ${DETENT_CLANG_LIBRARY} REALPATH)

if(DETENT_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck CONFIG REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
# Peers of the benchmarks, where they are installed.
if(DETENT_BUILD_BENCH)
  find_package(TBB QUIET)
  find_package(OpenMP QUIET COMPONENTS CXX)
  pkg_check_modules(SIMGRID QUIET IMPORTED_TARGET simgrid)
endif()

// libclang and libarchive are found when they are needed; where they are not, the error names the file and the package.
#include <gtest/gtest.h>

#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/clang/libclang.hpp"
#include "models/import/tvm/files/libarchive.hpp"

namespace detent::models::tvm {
namespace {

template <typename Library>
std::string error_of(Library (*load)(const char*), const char* file) {
  try {
    load(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LibClang, EveryFunctionIsThere) {
#define DETENT_LIBCLANG_EXPECT(name) EXPECT_NE(libclang().name, nullptr) << #name;
  DETENT_LIBCLANG_FUNCTIONS(DETENT_LIBCLANG_EXPECT)
#undef DETENT_LIBCLANG_EXPECT
}

TEST(LibClang, AMissingLibraryIsNamedWithItsPackage) {
  const std::string error = error_of(load_libclang, "/nonexistent/libclang.so");
  EXPECT_EQ(error.find("/nonexistent/libclang.so: cannot be loaded"), 0U) << error;
  EXPECT_NE(error.find("libclang1-19"), std::string::npos) << error;
}

TEST(LibClang, ALibraryWithoutTheFunctionsIsRefused) {
  const std::string error = error_of(load_libclang, "libm.so.6");
  EXPECT_EQ(error.find("libm.so.6: has no function clang_"), 0U) << error;
}

TEST(LibArchive, EveryFunctionIsThere) {
#define DETENT_LIBARCHIVE_EXPECT(name) EXPECT_NE(libarchive().name, nullptr) << #name;
  DETENT_LIBARCHIVE_FUNCTIONS(DETENT_LIBARCHIVE_EXPECT)
#undef DETENT_LIBARCHIVE_EXPECT
}

TEST(LibArchive, AMissingLibraryIsNamedWithItsPackage) {
  const std::string error = error_of(load_libarchive, "/nonexistent/libarchive.so");
  EXPECT_EQ(error.find("/nonexistent/libarchive.so: cannot be loaded"), 0U) << error;
  EXPECT_NE(error.find("libarchive13"), std::string::npos) << error;
}

TEST(LibArchive, ALibraryWithoutTheFunctionsIsRefused) {
  const std::string error = error_of(load_libarchive, "libm.so.6");
  EXPECT_EQ(error.find("libm.so.6: has no function archive_"), 0U) << error;
}

}  // namespace
}  // namespace detent::models::tvm

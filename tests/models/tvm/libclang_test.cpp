// libclang is found when it is needed; where it is not, the error names the file and the package.
#include "models/tvm/libclang.hpp"

#include <gtest/gtest.h>

#include <string>

#include "models/input_error.hpp"

namespace detent::models::tvm {
namespace {

std::string error_of(const char* file) {
  try {
    load_libclang(file);
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
  const std::string error = error_of("/nonexistent/libclang.so");
  EXPECT_EQ(error.find("/nonexistent/libclang.so: cannot be loaded"), 0U) << error;
  EXPECT_NE(error.find("libclang1-19"), std::string::npos) << error;
}

TEST(LibClang, ALibraryWithoutTheFunctionsIsRefused) {
  const std::string error = error_of("libm.so.6");
  EXPECT_EQ(error.find("libm.so.6: has no function clang_"), 0U) << error;
}

}  // namespace
}  // namespace detent::models::tvm

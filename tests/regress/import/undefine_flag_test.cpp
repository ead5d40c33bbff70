// -U of a macro that the preprocessor means itself ended the program: the fault left preprocess() as it was thrown.
#include <gtest/gtest.h>

#include <string>

#include "base/input_error.hpp"
#include "models/import/tvm/preprocess/preprocess.hpp"

namespace detent::models::tvm {
namespace {

TEST(UndefineFlag, ReservedNameIsRefusedAsInput) {
  const IncludePath path({});
  for (const std::string& name : {std::string("__FILE__"), std::string("defined"), std::string("__has_include")}) {
    try {
      preprocess("int a;\n", "t.c", {}, path, {.flags = {"-U" + name}});
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), "--cflags: -U" + name + ": #undef " + name + " is not supported");
    }
  }
}

}  // namespace
}  // namespace detent::models::tvm

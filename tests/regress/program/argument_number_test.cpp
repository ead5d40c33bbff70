// The footprint of a packed function that unpacks argument 4096 or a later one: its name was written behind the end of
// the list of arguments. Such a function is opaque.
#include <gtest/gtest.h>

#include <string>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"

namespace detent::models::tvm {
namespace {

FunctionFootprint footprint_with_argument(const std::string& number) {
  const CUnit unit = parse_c(
      "int32_t f(void* args, int32_t* ids, int32_t n, void* value, int32_t* code, void* handle) {\n"
      "  void* x = (((TVMValue*)args)[" +
          number +
          "].v_handle);\n"
          "  void* x_1 = (((DLTensor*)x)[0].data);\n  ((float*)x_1)[0] = 1.0f;\n  return 0;\n}\n",
      "op.c");
  return analyse_function(unit, unit.functions.back(), {.packed = true});
}

TEST(ArgumentNumber, BeyondAnyFunctionsMakesTheFunctionOpaque) {
  const FunctionFootprint last = footprint_with_argument("4095");
  EXPECT_TRUE(last.understood) << last.why;
  ASSERT_EQ(last.params.size(), 4096U);
  EXPECT_EQ(last.param_names[4095], "x");
  EXPECT_EQ(last.params[4095].writes, ByteSet({0, 4}));
  for (const char* number : {"4096", "2000000000", "9000000000000000000"}) {
    const FunctionFootprint opaque = footprint_with_argument(number);
    EXPECT_FALSE(opaque.understood) << number;
    EXPECT_TRUE(opaque.params.empty()) << number;
  }
  EXPECT_EQ(footprint_with_argument("4096").why, "an argument number beyond any function's");
  EXPECT_EQ(footprint_with_argument("4096").line, 2U);
}

}  // namespace
}  // namespace detent::models::tvm

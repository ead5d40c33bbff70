// Conditions that the reader of C text decides itself (__cplusplus, #if 0): an #elif behind a group that is left out
// was read whatever it asked, and of three groups whose first one was read, the third was read, too.
#include <gtest/gtest.h>

#include <string>

#include "models/import/tvm/clang/source.hpp"

namespace detent::models::tvm {
namespace {

std::string functions_of(const std::string& text) {
  std::string names;
  for (const Function& function : parse_c(text, "unit.c").functions) names += function.name + " ";
  return names;
}

TEST(ElifGroups, AreReadWhereTheCompilerReadsThem) {
  const auto groups = [](const std::string& first, const std::string& second) {
    return functions_of(first + "\nint a(void);\n" + second + "\nint b(void);\n#else\nint c(void);\n#endif\n");
  };
  EXPECT_EQ(groups("#if 0", "#elif 0"), "c ");
  EXPECT_EQ(groups("#if 0", "#elif 1"), "b ");
  EXPECT_EQ(groups("#ifdef __cplusplus", "#elif defined(NOWHERE)"), "c ");
  EXPECT_EQ(groups("#ifdef __cplusplus", "#elif !defined(NOWHERE)"), "b ");
  EXPECT_EQ(groups("#ifdef __cplusplus", "#elif __has_include(\"unit.h\")"), "c ");
  EXPECT_EQ(groups("#ifndef __cplusplus", "#elif 1"), "a ");
  EXPECT_EQ(groups("#ifndef __cplusplus", "#elif 0"), "a ");
}

TEST(ElifGroups, ACommentBehindZeroChangesNothing) {
  for (const char* zero : {"#if 0", "#if 0 ", "#if 0// no", "#if 0 // no", "#if 0/* no */", "#if 0\t/* no */"})
    EXPECT_EQ(functions_of(std::string(zero) + "\nit's no C {\n#endif\nint a(void);\n"), "a ") << zero;
  for (const char* one : {"#if 0 + 1", "#if 01", "#if 0 || 1 // no", "#if 0x1", "#if 0u + 1"})
    EXPECT_EQ(functions_of(std::string(one) + "\nint a(void);\n#endif\n"), "a ") << one;
}

}  // namespace
}  // namespace detent::models::tvm

// No code compiled for a wide instruction set can be linked in for a small one: the objects of one set define symbols
// in its own namespace only, and none that the linker may merge with another object's.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "runtime/kernels/variants.h"
#include "tests/build.hpp"

namespace detent::ops_test {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  pclose(pipe);
  return text;
}

}  // namespace

TEST(Linkage, ObjectsOfOneInstructionSetShareNothing) {
  if (kIsInstrumented) GTEST_SKIP() << "instrumentation adds symbols of its own";
  const std::string objects = std::string(kBuildFolder) + "/tests/runtime/kernels/objects.txt";
  const std::string names = output_of("nm -C --defined-only @" + objects + " 2>&1");
  ASSERT_NE(names.find("run_conv2d_f32"), std::string::npos) << names;
  std::size_t begin = 0;
  while (begin < names.size()) {
    const std::size_t end = names.find('\n', begin);
    const std::string line = names.substr(begin, end - begin);
    begin = end + 1;
    if (line.size() < 20 || line[16] != ' ') continue;  // a file's heading
    const bool local = line[17] >= 'a' && line[17] <= 'z' && line[17] != 'w' && line[17] != 'v' && line[17] != 'u';
    EXPECT_TRUE(local || line.find(" detent::ops::v") == 18 || line.find(" detent::ops::base::") == 18) << line;
  }
}

}  // namespace detent::ops_test

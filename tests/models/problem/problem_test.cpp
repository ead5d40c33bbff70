// Memory problems: columns by name, numbers, alignment, the lower bound, and every refusal.
#include "models/plan/problem/problem.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/error_text.hpp"

namespace detent::models::packing {
namespace {

MemoryProblem problem(const std::string& text) { return parse_memory_problem(text, "p.csv"); }

void refused(const std::string& rows, std::initializer_list<const char*> parts) {
  expect_error([&] { return problem("id,lower,upper,size\n" + rows); }, parts);
}

TEST(MemoryProblem, ColumnsStandInAnyOrder) {
  const MemoryProblem read =
      problem("\xEF\xBB\xBFsize, upper ,id,lower,alignment,hint\r\n12,9,\"a, b\",0,,7\r\n\n# note\n4,3,c,2,64,\n");
  ASSERT_EQ(read.buffers.size(), 2U);
  EXPECT_EQ(read.buffers[0].id, "a, b");
  EXPECT_EQ(read.buffers[0].lower, 0);
  EXPECT_EQ(read.buffers[0].upper, 9);
  EXPECT_EQ(read.buffers[0].size_bytes, 12U);
  EXPECT_EQ(read.buffers[0].align_bytes, 1U);
  EXPECT_EQ(read.buffers[1].align_bytes, 64U);
  EXPECT_EQ(read.unused_columns, std::vector<std::string>{"hint"});
}

TEST(MemoryProblem, AHeadingThatIsNoneIsRefused) {
  const auto heading = [](const std::string& text, std::initializer_list<const char*> parts) {
    expect_error([&] { return problem(text); }, parts);
  };
  heading("", {"p.csv: is empty", "id,lower,upper,size"});
  heading("id,lower,upper\na,0,1\n", {"p.csv:1", "no column size"});
  heading("id,lower,upper,size,size\n", {"duplicate column size"});
  heading("id,lower,uper,size\n", {"unknown column \"uper\"; did you mean upper?"});
  heading("id,lower,upper,size\n", {"has no buffer"});
}

TEST(MemoryProblem, RefusalsShow64BytesOfALongName) {
  const std::string name(100, 'x');
  for (const std::string& text :
       {"id,lower,upper," + name + "\n", "id,lower,upper,size\n" + name + ",0,1,8\n" + name + ",1,2,8\n",
        "id,lower,upper,size\na," + name + ",1,8\n"}) {
    const std::string error = error_text([&] { return problem(text); });
    EXPECT_EQ(shown_length(error), 64U) << error;
  }
}

TEST(MemoryProblem, ARowThatIsNoneIsRefused) {
  refused("a,0,1,8\na,1,2,8\n", {"p.csv:3", "duplicate id \"a\""});
  refused("a,-1,1,8\n", {"p.csv:2", "lower: \"-1\" is not a whole number"});
  refused("a,3,3,8\n", {"lower 3 is not below upper 3"});
  refused("a,4,3,8\n", {"lower 4 is not below upper 3"});
  refused("a,0,1,0\n", {"size: \"0\""});
  refused("a,0,1,-8\n", {"size: \"-8\""});
  refused("a,0,1,1e3\n", {"size: \"1e3\""});
  refused("a,0,1,1.5\n", {"size: \"1.5\""});
  refused("a,0,1,18446744073709551616\n", {"size:"});
  refused("a,0,9223372036854775808,8\n", {"upper:"});
  refused("a,0,1,\n", {"size: \"\""});
  refused("a,0,1\n", {"3 cells under 4 columns"});
  refused("a,0,1,8,9\n", {"5 cells under 4 columns"});
  refused(",0,1,8\n", {"id: "});
  refused("\"a,0,1,8\n", {"a quote that does not end on its line"});
  refused("a,0,1,1152921504606846976\nb,0,1,1\n", {"p.csv:3", "add up to more than"});
}

TEST(MemoryProblem, AlignmentIsAPowerOfTwoAndGapsAreRefused) {
  expect_error([] { return problem("id,lower,upper,size,alignment\na,0,1,8,12\n"); }, {"12 is not a power of two"});
  expect_error([] { return problem("id,lower,upper,size,alignment\na,0,1,8,0\n"); }, {"alignment: \"0\""});
  expect_error([] { return problem("id,lower,upper,size,gaps\na,0,9,8,2-4\n"); }, {"gaps: ", "leave the cell empty"});
  EXPECT_EQ(problem("id,lower,upper,size,gaps\na,0,9,8,\n").buffers.size(), 1U);
}

TEST(MemoryProblem, MoreBuffersThanTheLimitAreRefused) {
  std::string rows;
  for (std::size_t i = 0; i <= kMaxBuffers; ++i) rows += std::to_string(i) + ",0,1,1\n";
  refused(rows, {"p.csv:20002", "more than 20000 buffers"});
}

TEST(MemoryProblem, TheLowerBoundIsThePeakWithPaddingBelowTheUppermost) {
  EXPECT_EQ(lower_bound_bytes(problem("id,lower,upper,size\na,0,3,4\nb,3,9,4\nc,0,9,4\n").buffers), 8U);
  const std::string heading = "id,lower,upper,size,alignment\n";
  EXPECT_EQ(lower_bound_bytes(problem(heading + "a,0,3,5,8\nb,0,3,3,8\n").buffers), 11U);
  EXPECT_EQ(lower_bound_bytes(problem(heading + "a,0,3,5,8\nb,0,3,3,1\n").buffers), 8U);
}

}  // namespace
}  // namespace detent::models::packing

// detent.costs/1: what is written is read back; every broken rule is an error that names its line.
#include "sim/cost/cost_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace detent::sim {
namespace {

/// A file that is gone when the test is.
class CostFile {
 public:
  explicit CostFile(const std::string& text)
      : path_(testing::TempDir() + "detent_costs_" + std::to_string(::getpid()) + ".toml") {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~CostFile() { static_cast<void>(std::remove(path_.c_str())); }
  CostFile(const CostFile&) = delete;
  CostFile& operator=(const CostFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

CostTable sample_table() {
  CostTable table;
  table.model = "two \"ops\"\n";
  table.source = "host: a\\b";
  table.use_cold = true;
  table.ops.push_back({"add", "binary_f32", {10, 20, 30, 40, {10, 20, 40}}, {11, 21, 31, 41, {}}, 4096});
  table.ops.push_back({"conv\t1", "conv2d_f32", {0, 0, 0, 1, {0, 1}}, {5, 5, 5, 5, {5, 5}}, 0});
  return table;
}

/// A file with one op, whose lines may be replaced: line 1 schema, 2 model, 4 [[op]], 5 name, 6 kernel, 7 warm, 8 cold.
std::string one_op(const std::string& warm, const std::string& rest = "") {
  return "schema = \"detent.costs/1\"\nmodel = \"m\"\n\n[[op]]\nname = \"a\"\nkernel = \"mix\"\nwarm = { " + warm +
         " }\n" + rest;
}

constexpr const char* kGoodTimes = "min_ps = 1, median_ps = 2, p99_ps = 3, max_ps = 4";

std::string error_of(const std::string& text) {
  const CostFile file(text);
  try {
    static_cast<void>(read_costs(file.path()));
  } catch (const std::invalid_argument& error) {
    return std::string(error.what()).substr(file.path().size());
  }
  return "no error";
}

TEST(CostTable, RoundTripGivesTheSameBytes) {
  const std::string text = format_costs(sample_table());
  const CostFile file(text);
  const CostTable back = read_costs(file.path());
  EXPECT_EQ(format_costs(back), text);
  EXPECT_EQ(back.model, "two \"ops\"\n");
  EXPECT_EQ(back.source, "host: a\\b");
  EXPECT_TRUE(back.use_cold);
  EXPECT_EQ(back.measured, CostTable::Measured::kUnsaid);
  ASSERT_EQ(back.ops.size(), 2U);
  EXPECT_EQ(back.ops[0].warm.quantiles_ps, (std::vector<std::uint64_t>{10, 20, 40}));
  EXPECT_EQ(back.ops[0].dram_bytes, 4096U);
  EXPECT_EQ(back.ops[1].name, "conv\t1");
  EXPECT_EQ(back.ops[1].cold.max_ps, 5U);
}

TEST(CostTable, OpsAreSortedByNameAndColdDefaultsToWarm) {
  const CostFile file(one_op(kGoodTimes) + "\n[[op]]\nname = \"A\"\nkernel = \"mix\"\nwarm = { " + kGoodTimes + " }\n");
  const CostTable table = read_costs(file.path());
  ASSERT_EQ(table.ops.size(), 2U);
  EXPECT_EQ(table.ops[0].name, "A");
  EXPECT_EQ(table.ops[0].cold.p99_ps, 3U);
  EXPECT_FALSE(table.use_cold);
  EXPECT_TRUE(table.ops[0].warm.quantiles_ps.empty());
}

TEST(CostTable, FindsAnOpByNameAndKernel) {
  const CostTable table = sample_table();
  const char* kernels[] = {"conv2d_f32", "binary_f32"};
  detent_op ops[4]{};
  ops[0].name = "conv\t1";
  ops[1].name = "add";
  ops[1].kernel = 1;
  ops[2].name = "add";  // kernel 0: another one than measured
  detent_desc desc{};
  desc.ops = ops;
  desc.op_count = 4;
  desc.kernels = kernels;
  desc.kernel_count = 2;
  EXPECT_EQ(find_measured(table, desc, 0), &table.ops[1]);
  EXPECT_EQ(find_measured(table, desc, 1), &table.ops[0]);
  EXPECT_EQ(find_measured(table, desc, 2), nullptr);
  EXPECT_EQ(find_measured(table, desc, 3), nullptr);
  ops[3].name = "zzz";
  EXPECT_EQ(find_measured(table, desc, 3), nullptr);
}

TEST(CostTable, SaysWhereItWasMeasured) {
  using enum CostTable::Measured;
  const std::string op = std::string("[[op]]\nname = \"a\"\nkernel = \"mix\"\nwarm = { ") + kGoodTimes + " }\n";
  for (const auto& [word, measured] : {std::pair("here", kHere), {"target", kOnTarget}, {"vendor", kByVendor}}) {
    const std::string line = "\nmeasured = \"" + std::string(word) + "\"\n";
    const CostTable table = parse_costs("schema = \"detent.costs/1\"\nmodel = \"m\"" + line + op, "f");
    EXPECT_EQ(table.measured, measured);
    EXPECT_NE(format_costs(table).find(line), std::string::npos);
  }
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodel = \"m\"\nmeasured = \"there\"\n"),
            ":3: 'there' is not known; write here, target or vendor");
}

TEST(CostTable, B72_UnknownKeysNameTheLine) {
  EXPECT_EQ(
      error_of(one_op(kGoodTimes) + "dramm_bytes = 3\n"),
      ":8: unknown key 'op.dramm_bytes'; did you mean dram_bytes? Keys here are name, kernel, dram_bytes, warm, cold");
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodle = \"m\"\n"),
            ":2: unknown key 'modle'; did you mean model? Keys here are schema, model, source, measured, use_cold, op");
  EXPECT_EQ(error_of(one_op(std::string(kGoodTimes) + ", mean_ps = 2")),
            ":7: unknown key 'op.warm.mean_ps'; did you mean min_ps? Keys here are min_ps, median_ps, p99_ps, max_ps, "
            "quantiles_ps");
}

TEST(CostTable, B71_UnsortedAndNegativeBins) {
  const std::string good = kGoodTimes;
  EXPECT_EQ(error_of(one_op(good + ", quantiles_ps = [1, 3, 2, 4]")),
            ":7: 'op.warm.quantiles_ps' must be in ascending order; sort it");
  EXPECT_EQ(error_of(one_op(good + ", quantiles_ps = [-1, 4]")),
            ":7: 'op.warm.quantiles_ps' has an entry that is not a time; use integers from 0 to 1000000000000000000");
  EXPECT_EQ(error_of(one_op(good + ", quantiles_ps = [1, 3]")),
            ":7: 'op.warm.quantiles_ps' must begin with min_ps and end with max_ps; correct them");
  EXPECT_EQ(error_of(one_op(good + ", quantiles_ps = [1]")),
            ":7: 'op.warm.quantiles_ps' has 1 entries; give 2 to 65, or leave it out");
  EXPECT_EQ(error_of(one_op("min_ps = 1, median_ps = 4, p99_ps = 3, max_ps = 4")),
            ":7: 'op.warm.min_ps', median_ps, p99_ps and max_ps are out of order; none may be below the one before");
}

TEST(CostTable, B17_InvalidNumbersAreRefused) {
  for (const char* number : {"-1", "1.5", "\"1\"", "nan", "1e3"}) {
    EXPECT_EQ(error_of(one_op("min_ps = " + std::string(number) + ", median_ps = 2, p99_ps = 3, max_ps = 4")),
              ":7: 'op.warm.min_ps' is not valid; give an integer from 0 to 1000000000000000000")
        << number;
  }
  for (const char* number : {"18446744073709551616", "1e400", "0x"}) {
    EXPECT_NE(
        error_of(one_op("min_ps = " + std::string(number) + ", median_ps = 2, p99_ps = 3, max_ps = 4")).find(":7: "),
        std::string::npos)
        << number;
  }
}

TEST(CostTable, WrongTypesAndMissingKeys) {
  EXPECT_EQ(error_of("model = \"m\"\n"), ":1: missing key 'schema'; add it");
  EXPECT_EQ(error_of("schema = 3\n"), ":1: 'schema' must be a string; write it in quotes");
  EXPECT_EQ(error_of("schema = \"detent.costs/2\"\n"), ":1: unknown schema 'detent.costs/2'; write \"detent.costs/1\"");
  // No message repeats an input of any size, nor half a character of it.
  const std::string euros =
      "x\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac\u20ac";
  const std::string long_text = euros + euros + euros + euros;
  EXPECT_EQ(error_of("schema = \"" + long_text + "\"\n"),
            ":1: unknown schema '" + long_text.substr(0, 99) + "...'; write \"detent.costs/1\"");
  EXPECT_TRUE(
      error_of("\"" + long_text + "\" = 1\n").starts_with(":1: unknown key '" + long_text.substr(0, 99) + "...'"));
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodel = \"m\"\nop = 3\n"),
            ":3: 'op' must be a list of tables; write [[op]] once per entry");
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodel = \"m\"\nuse_cold = 1\n[[op]]\n"),
            ":3: 'use_cold' is not a boolean; write true or false");
  EXPECT_EQ(error_of(one_op(kGoodTimes, "cold = 3\n")), ":8: 'op.cold' must be a table; write [op.cold]");
  EXPECT_EQ(error_of(one_op(std::string(kGoodTimes) + ", quantiles_ps = 3")),
            ":7: 'op.warm.quantiles_ps' must be a list; write [1, 2, 3]");
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodel = \"m\"\n[[op]]\nname = \"\"\n"),
            ":4: 'op.name' is empty; name an op of the model");
  EXPECT_EQ(error_of("schema = \"detent.costs/1\"\nmodel = \"m\"\n[[op]]\nname = \"a\"\nkernel = \"\"\n"),
            ":5: 'op.kernel' is empty; name the op's kernel");
}

TEST(CostTable, B16_AnOpTwiceAndAKeyTwice) {
  EXPECT_EQ(error_of(one_op(kGoodTimes) + "\n[[op]]\nname = \"a\"\nkernel = \"mix\"\nwarm = { " + kGoodTimes + " }\n"),
            ":9: duplicate op 'a'; keep one");
  EXPECT_NE(error_of(one_op(kGoodTimes, "kernel = \"mix\"\n")).find(":8: "), std::string::npos);
}

TEST(CostTable, FilesThatCannotBeRead) {
  EXPECT_THROW(static_cast<void>(read_costs("/nonexistent/costs.toml")), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(read_costs(testing::TempDir())), std::invalid_argument);
  EXPECT_NE(error_of("schema = \n").find(":1: "), std::string::npos);
}

}  // namespace
}  // namespace detent::sim

#include "app/settings/transfers.hpp"

#include <gtest/gtest.h>

#include "app/model/loaded_model.hpp"
#include "app/settings/op_settings.hpp"
#include "models/core/dag.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string with_rows(const std::string& rows) { return "schema = \"detent.set/1\"\n" + rows; }

std::vector<TransferRule> rules_of(const std::string& rows) {
  return parse_op_settings(with_rows(rows), "s").transfers;
}

std::string refused(const std::string& rows) {
  return refusal_of([&] { return parse_op_settings(with_rows("[[transfers]]\n" + rows), "s.toml"); });
}

TEST(Transfers, AreReadWithUnits) {
  const std::vector<TransferRule> rules = rules_of(
      "[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"20us\"\nbytes_per_s = 4_000_000_000\n"
      "[[transfers]]\nfrom = \"*\"\nto = \"cpu\"\ntime = \"7ns\"\n");
  const std::vector<TransferRule> wanted = {
      {.from = "cpu", .to = "npu", .time_ps = 20'000'000, .bytes_per_s = 4'000'000'000},
      {.from = "*", .to = "cpu", .time_ps = 7'000, .bytes_per_s = 0}};
  EXPECT_EQ(rules, wanted);
  EXPECT_EQ(rules_of(format_transfers(rules)), rules) << "written and read again";
}

TEST(Transfers, AreReadStrictly) {
  EXPECT_EQ(refused("from = \"npu\"\nto = \"npu\"\ntime = \"1us\""),
            "s.toml:4: 'transfers.to' is the class that 'from' has, and nothing is transferred there");
  EXPECT_EQ(refused("from = \"cpu\"\nto = \"npu\""), "s.toml:2: a transfer takes no time; give it time or bytes_per_s");
  EXPECT_EQ(refused("from = \"delay\"\nto = \"npu\"\ntime = \"1us\""),
            "s.toml:3: 'transfers.from' is of pseudo-ops; name a class of cores, or \"*\"");
  const std::string row = "from = \"cpu\"\nto = \"npu\"\ntime = \"1us\"\n";
  EXPECT_EQ(refused(row + "[[transfers]]\n" + row), "s.toml:6: a second transfer of these classes; keep one");
  for (const char* text :
       {"", "from = \"cpu\"\ntime = \"1us\"", "to = \"cpu\"\ntime = \"1us\"",
        "from = \"cpu\"\nto = \"n p\"\ntime = \"1us\"", "from = \"cpu\"\nto = \"npu\"\ntime = \"1 hour\"",
        "from = \"cpu\"\nto = \"npu\"\ntime = 1", "from = \"cpu\"\nto = \"npu\"\nbytes_per_s = 0",
        "from = \"cpu\"\nto = \"npu\"\ntime = \"1us\"\nspeed = 1"}) {
    EXPECT_NE(refused(text), "") << text;
  }
}

/// diamond: fork, left and right, join; left on another class.
class TransfersOfADiamond : public testing::Test {
 protected:
  void SetUp() override { model_.ops[1].core_class = "npu"; }
  [[nodiscard]] std::uint64_t delay_ps(std::uint32_t from, std::uint32_t to) const {
    for (const models::Edge& edge : model_.edges) {
      if (edge.from != from || edge.to != to) continue;
      EXPECT_EQ(edge.min_ps, edge.max_ps);
      return edge.max_ps;
    }
    ADD_FAILURE() << "no edge";
    return 0;
  }
  models::Model model_ = load("diamond", {}).model;
};

TEST_F(TransfersOfADiamond, AreOnEdgesBetweenClasses) {
  EXPECT_EQ(apply_transfers({{.from = "cpu", .to = "npu", .time_ps = 5}, {.from = "*", .to = "*", .time_ps = 9}}, "s",
                            model_),
            2U);
  EXPECT_EQ(delay_ps(0, 1), 5U) << "the first rule that fits";
  EXPECT_EQ(delay_ps(1, 3), 9U);
  EXPECT_EQ(delay_ps(0, 2), 0U) << "one class";
  apply_transfers({{.from = "npu", .to = "cpu", .time_ps = 2}}, "s", model_);
  EXPECT_EQ(delay_ps(1, 3), 11U) << "added to what the edge has";
  EXPECT_EQ(delay_ps(0, 1), 5U);
}

TEST_F(TransfersOfADiamond, BytesTakeTimeThatIsRoundedUp) {
  const std::uint64_t bytes = models::bytes_over(model_, OpId(0), OpId(1));
  ASSERT_GT(bytes, 0U);
  apply_transfers({{.from = "cpu", .to = "npu", .time_ps = 5, .bytes_per_s = 3}}, "s", model_);
  EXPECT_EQ(delay_ps(0, 1), 5 + (bytes * 1'000'000'000'000 + 2) / 3);
  EXPECT_EQ(delay_ps(1, 3), 0U) << "no rule";
}

TEST_F(TransfersOfADiamond, MoreThan64BitsIsRefused) {
  const std::vector<TransferRule> longest = {{.from = "*", .to = "*", .time_ps = UINT64_MAX}};
  EXPECT_EQ(apply_transfers(longest, "s", model_), 2U);
  EXPECT_EQ(refusal_of([&] {
              return apply_transfers({{.from = "*", .to = "*", .time_ps = 1}}, "s", model_);
            }).rfind("s: the transfer from op 'fork' to op ", 0),
            0U);
}

TEST(Transfers, BytesOverAnEdgeAreThoseThatBothHave) {
  const models::Model model = load("resnet18:64", {}).model;
  for (const models::Edge& edge : model.edges) {
    std::uint64_t written = 0, read = 0;
    for (const std::uint32_t tensor : model.ops[edge.from].outputs) written += model.tensors[tensor].size_bytes;
    for (const std::uint32_t tensor : model.ops[edge.to].inputs) read += model.tensors[tensor].size_bytes;
    const std::uint64_t bytes = models::bytes_over(model, OpId(edge.from), OpId(edge.to));
    EXPECT_LE(bytes, written);
    EXPECT_LE(bytes, read);
    EXPECT_GT(bytes, 0U) << "edges of an unplanned network are flows of data";
  }
  EXPECT_EQ(models::bytes_over(model, OpId(0), OpId(0)), 0U) << "its own output is not its input";
}

TEST(Transfers, BytesOfRangesAreThoseOfTheirPlaces) {
  models::Model model;
  model.regions = {{.name = "w", .size_bytes = 100}};
  const auto range = [&](std::uint64_t offset, std::uint64_t size) {
    models::Tensor tensor;
    tensor.role = models::TensorRole::kRange;
    tensor.region = 0;
    tensor.offset_bytes = offset;
    tensor.size_bytes = tensor.block_bytes = size;
    model.tensors.push_back(tensor);
    return static_cast<std::uint32_t>(model.tensors.size() - 1);
  };
  model.ops.resize(2);
  model.ops[0].outputs = {range(0, 10), range(40, 4)};
  model.ops[1].inputs = {range(6, 20), range(41, 1), range(60, 5)};
  EXPECT_EQ(models::bytes_over(model, OpId(0), OpId(1)), 5U);
  EXPECT_EQ(models::bytes_over(model, OpId(1), OpId(0)), 0U);
}

}  // namespace
}  // namespace detent::app

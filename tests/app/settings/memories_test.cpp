// [[memories]] of a settings file.
#include "app/settings/memories.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/model/loaded_model.hpp"
#include "app/settings/op_settings.hpp"
#include "models/files/package.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string memory_file(const std::string& rows) { return "schema = \"detent.set/1\"\n" + rows; }

std::string memory_refusal(const std::string& rows) {
  return refusal_of([&] { return parse_op_settings(memory_file("[[memories]]\n" + rows), "s.toml"); });
}

TEST(MemoryRules, AreRead) {
  const std::vector<MemoryRule> rules =
      parse_op_settings(
          memory_file("[[memories]]\nclass = \"npu\"\n"
                      "[[memories]]\nclass = \"dsp\"\ncopies = \"dma\"\ncapacity = \"2MiB\"\nalign = 256\n"),
          "s")
          .memories;
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].core_class, "npu");
  EXPECT_EQ(rules[0].copied_by, "npu");
  EXPECT_EQ(rules[0].capacity_bytes, 0U);
  EXPECT_EQ(rules[0].align_bytes, 1U);
  EXPECT_EQ(rules[1].core_class, "dsp");
  EXPECT_EQ(rules[1].copied_by, "dma");
  EXPECT_EQ(rules[1].capacity_bytes, 2U * 1024 * 1024);
  EXPECT_EQ(rules[1].align_bytes, 256U);
}

TEST(MemoryRules, AreReadStrictly) {
  EXPECT_EQ(memory_refusal("class = \"npu\"\n[[memories]]\nclass = \"npu\"\ncopies = \"dma\""),
            "s.toml:4: a second memory of this class; keep one");
  EXPECT_EQ(memory_refusal("class = \"npu\"\ncopies = \"delay\""),
            "s.toml:4: 'memories.copies' is of pseudo-ops; name a class of cores");
  EXPECT_EQ(memory_refusal("class = \"npu\"\nalign = 24"), "s.toml:4: 'memories.align' must be a power of two");
  for (const char* text :
       {"", "copies = \"npu\"", "class = \"n p\"", "class = \"npu\"\ncapacity = \"0\"",
        "class = \"npu\"\ncapacity = \"much\"", "class = \"npu\"\ncapacity = 4096", "class = \"npu\"\nalign = 0",
        "class = \"npu\"\nalign = 131072", "class = \"npu\"\nspeed = 1"}) {
    EXPECT_NE(memory_refusal(text), "") << text;
  }
}

class MemoriesOfAFile : public testing::Test {
 protected:
  [[nodiscard]] LoadedModel loaded(const std::string& name, const std::string& rows) {
    ModelOptions options{.guards = ModelOptions::Guards::kKept};
    options.set = place_.write("s.toml", memory_file(rows));
    return load(name, options);
  }
  [[nodiscard]] std::string refusal(const std::string& name, const std::string& rows) {
    return refusal_of([&] { return loaded(name, rows); });
  }
  TemporaryDirectory place_;
};

TEST_F(MemoriesOfAFile, AreSaidWithTheirSizeAndComeBeforeTransfers) {
  const LoadedModel net = loaded("branchnet",
                                 "[[memories]]\nclass = \"npu\"\ncapacity = \"4MiB\"\n"
                                 "[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"5us\"\n");
  EXPECT_NE(net.settings.find(" copy ops into and out of the memory of npu ("), std::string::npos) << net.settings;
  const auto is_copy = [](const models::Op& op) { return op.kernel == "copy_blocks"; };
  EXPECT_GT(std::ranges::count_if(net.model.ops, is_copy), 4);
  // Every edge from CPU to NPU leads to a copy, and has the delay.
  for (const models::Edge& edge : net.model.edges) {
    const models::Op &from = net.model.ops[edge.from], &to = net.model.ops[edge.to];
    if (from.core_class != "cpu" || to.core_class != "npu") continue;
    EXPECT_TRUE(is_copy(to)) << from.name << " " << to.name;
    EXPECT_EQ(edge.max_ps, 5'000'000U) << from.name << " " << to.name;
  }
}

TEST_F(MemoriesOfAFile, APackageKeepsThem) {
  const models::Model model = loaded("branchnet", "[[memories]]\nclass = \"npu\"\n").model;
  const std::string bytes = models::encode_package(model);
  EXPECT_EQ(models::decode_package(bytes, "net.pkg"), model);
  models::Model wrong = model;
  for (models::Region& region : wrong.regions) {
    if (region.kind == DETENT_REGION_INPUT) region.is_separate = true;
  }
  EXPECT_NE(refusal_of([&] {
              return models::decode_package(models::encode_package(wrong), "net.pkg");
            }).find("memory of its own, of a region of kind 1"),
            std::string::npos);
}

TEST_F(MemoriesOfAFile, WhatCannotBeIsSaidWithARemedy) {
  EXPECT_EQ(
      refusal("resnet18:32", "[[memories]]\nclass = \"npu\"\n").find("/s.toml: no op of resnet18:32 is of class npu; "),
      refusal("resnet18:32", "[[memories]]\nclass = \"npu\"\n").rfind("/s.toml: "));
  const std::string small = refusal("branchnet", "[[memories]]\nclass = \"npu\"\ncapacity = \"4KiB\"\n");
  EXPECT_NE(small.find("the memory of npu holds 4.0 KiB, and what its ops use takes "), std::string::npos) << small;
  EXPECT_NE(small.find("; give it more, or move ops off it"), std::string::npos) << small;
}

}  // namespace
}  // namespace detent::app

// Buffers of op graph files that have sizes and no places.
#include "models/files/graph_buffers.hpp"

#include <gtest/gtest.h>

#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

std::string buffers_graph(const std::string& buffers, const std::string& ops, const std::string& edges = "") {
  return R"({"schema": "detent.graph/1", "name": "g", "buffers": [)" + buffers + R"(], "ops": [)" + ops +
         R"(], "edges": [)" + edges + "]}";
}

/// x -> a -> b -> c -> y in one chain: a and c may share, b lives beside both.
const std::string kBufferChain = buffers_graph(
    R"({"name": "x", "size": 10, "role": "input"}, {"name": "a", "size": 100}, {"name": "b", "size": 60, "align": 128},
       {"name": "c", "size": 100}, {"name": "y", "size": 8, "role": "output"})",
    R"({"id": 0, "reads": [{"buffer": "x"}], "writes": [{"buffer": "a"}]},
       {"id": 1, "reads": [{"buffer": "a"}], "writes": [{"buffer": "b"}]},
       {"id": 2, "reads": [{"buffer": "b"}], "writes": [{"buffer": "c"}]},
       {"id": 3, "reads": [{"buffer": "c"}], "writes": [{"buffer": "y"}]})",
    "[0, 1], [1, 2], [2, 3]");

Model parse_buffers(const std::string& text) { return parse_graph(text, "g.json"); }

void expect_buffers_refused(const std::string& text, std::initializer_list<const char*> parts) {
  expect_error([&] { return parse_buffers(text); }, parts);
}

TEST(GraphBuffers, AreTensorsWithoutPlaces) {
  const Model m = parse_buffers(kBufferChain);
  ASSERT_EQ(m.tensors.size(), 5U);
  EXPECT_EQ(m.tensors[1].name, "a");
  EXPECT_EQ(m.tensors[1].region, kNone);
  EXPECT_EQ(m.tensors[1].dims, std::vector<std::int32_t>{100}) << "binding asks for dimensions";
  EXPECT_EQ(m.tensors[1].role, TensorRole::kActivation);
  EXPECT_EQ(m.tensors[2].align_bytes, 128U);
  EXPECT_EQ(m.inputs, std::vector<std::uint32_t>{0});
  EXPECT_EQ(m.outputs, std::vector<std::uint32_t>{4});
  EXPECT_EQ(m.ops[1].inputs, std::vector<std::uint32_t>{1});
}

TEST(GraphBuffers, ThePlannerPlacesThemByPaths) {
  Model m = parse_buffers(kBufferChain);
  const MemoryPlan plan = plan_memory(m);
  EXPECT_EQ(plan.arena_bytes, 256U) << "two of 128 bytes, the alignment of b";
  EXPECT_EQ(m.tensors[1].offset_bytes, m.tensors[3].offset_bytes);
  EXPECT_TRUE(find_plan_faults(m).empty());
}

TEST(GraphBuffers, IdsAreNoOrder) {
  // As kBufferChain without its edges: nothing orders the users.
  std::string text = kBufferChain;
  text.replace(text.find("[0, 1], [1, 2], [2, 3]"), 22, "");
  Model m = parse_buffers(text);
  EXPECT_EQ(plan_memory(m).arena_bytes, 3U * 128);
}

TEST(GraphBuffers, StandBesideByteRanges) {
  Model m = parse_buffers(R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}],
    "buffers": [{"name": "a", "size": 64}],
    "ops": [{"id": 0, "writes": [{"buffer": "a"}, {"region": "ws", "offset": 0, "size": 64}]}]})");
  EXPECT_EQ(plan_memory(m).arena_bytes, 128U);
  EXPECT_EQ(m.regions[0].name, "ws");
}

TEST(GraphBuffers, TheTextAndThePackageGiveTheModelBack) {
  const Model m = parse_buffers(kBufferChain);
  EXPECT_EQ(parse_buffers(format_graph(m)), m);
  EXPECT_EQ(decode_package(encode_package(m), "p"), m);
}

TEST(GraphBuffers, WhatIsNoBufferIsRefused) {
  const std::string op = R"({"id": 0, "writes": [{"buffer": "a"}]})";
  expect_buffers_refused(buffers_graph(R"({"name": "a", "size": 1}, {"name": "a", "size": 1})", op),
                         {"buffers[1].name", "a buffer of this name exists already"});
  expect_buffers_refused(buffers_graph(R"({"name": "a", "size": 0})", op), {"buffers[0].size", "a size of 0"});
  expect_buffers_refused(buffers_graph(R"({"name": "a", "size": 1, "align": 3})", op),
                         {"align", "must be a power of two"});
  expect_buffers_refused(buffers_graph(R"({"name": "a", "size": 1, "align": 8192})", op), {"align"});
  expect_buffers_refused(buffers_graph(R"({"name": "a", "size": 1, "role": "weight"})", op),
                         {"role", "must be \"input\" or \"output\""});
  expect_buffers_refused(buffers_graph(R"({"name": "ab", "size": 1})", op), {"no buffer of the name \"a\""});
  expect_buffers_refused(
      buffers_graph(R"({"name": "a", "size": 1})", R"({"id": 0, "writes": [{"buffer": "a", "size": 1}]})"),
      {"unknown key"});
}

TEST(GraphBuffers, WhatIsReadIsWrittenOrAnInput) {
  const std::string a = R"({"name": "a", "size": 4)";
  const std::string read = R"({"id": 0, "reads": [{"buffer": "a"}]})",
                    write = R"({"id": 0, "writes": [{"buffer": "a"}]})";
  expect_buffers_refused(buffers_graph(a + "}", read), {"buffers[0]", "is read, and no op writes it"});
  expect_buffers_refused(buffers_graph(a + R"(, "role": "input"})", write), {"is an input, and an op writes it"});
  expect_buffers_refused(buffers_graph(a + R"(, "role": "output"})", read), {"no op writes it"});
  EXPECT_EQ(parse_buffers(buffers_graph(a + R"(, "role": "input"})", read)).inputs.size(), 1U);
}

TEST(GraphBuffers, OperatorsTakeByteRanges) {
  expect_buffers_refused(
      buffers_graph(R"({"name": "a", "size": 16, "role": "input"}, {"name": "b", "size": 16})",
                    R"({"id": 0, "kernel": "relu", "dtype": "f32", "shape": [4], "reads": [{"buffer": "a"}],
                  "writes": [{"buffer": "b"}]})"),
      {"kernel", "operators take byte ranges"});
}

}  // namespace
}  // namespace detent::models

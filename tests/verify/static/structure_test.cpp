// Structure: one model to accept, one to reject per law, and the runtime's own check as second opinion.
#include "verify/static/structure.hpp"

#include <gtest/gtest.h>

#include <detent/detent.h>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using namespace testing;

GraphSpec diamond() {
  GraphSpec spec = make_ops(4);
  spec.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  return spec;
}

detent_status runtime_verdict(const detent_desc& desc) {
  std::vector<std::uint64_t> work(detent_check_bytes(&desc) / 8 + 1);
  detent_error error{};
  return detent_check(&desc, work.data(), work.size() * 8, &error);
}

/// Violated, with this catalogue number first; the runtime refuses too.
void expect_fault(const detent_desc& desc, const std::string& number) {
  const Verdict verdict = check_structure(desc);
  EXPECT_EQ(verdict.property, Property::kStructure);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.witnesses.at(0).text.substr(0, 3), number) << verdict.witnesses[0].text;
  EXPECT_NE(runtime_verdict(desc), DETENT_OK);
}

TEST(Structure, ADiamondHolds) {
  const DescTables tables(diamond());
  const Verdict verdict = check_structure(tables.desc);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.summary;
  EXPECT_TRUE(verdict.witnesses.empty());
  EXPECT_EQ(runtime_verdict(tables.desc), DETENT_OK);
}

TEST(Structure, B20_CycleIsNamedInOrder) {
  GraphSpec spec = make_ops(5);
  spec.edges = {{0, 3}, {3, 1}, {1, 2}, {2, 3}, {2, 4}};
  const DescTables tables(spec);
  expect_fault(tables.desc, "B20");
  const Verdict verdict = check_structure(tables.desc);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(verdict.witnesses[0].text, "B20: cycle: op 1 (op1) -> op 2 (op2) -> op 3 (op3) -> op 1 (op1)");
}

TEST(Structure, B09_B29_EveryNumberOfAnOpLiesInItsTable) {
  const auto broken = [](auto change, const std::string& number) {
    DescTables tables(diamond());
    change(tables);
    expect_fault(tables.desc, number);
  };
  broken([](DescTables& t) { t.ops[2].kernel = t.desc.kernel_count; }, "B29");
  broken([](DescTables& t) { t.ops[2].core_class = t.desc.class_count; }, "B29");
  broken([](DescTables& t) { t.ops[2].config_size = 1; }, "B09");
  broken([](DescTables& t) { t.ops[2].config_offset = 4; }, "B09");
}

TEST(Structure, B09_InputsAndOutputsOfTheModelAreTensors) {
  DescTables tables(diamond());
  const std::uint32_t beyond = tables.desc.tensor_count;
  tables.desc.inputs = &beyond;
  tables.desc.input_count = 1;
  expect_fault(tables.desc, "B09");
  tables.desc.input_count = 0;
  tables.desc.outputs = &beyond;
  tables.desc.output_count = 1;
  expect_fault(tables.desc, "B09");
}

TEST(Structure, B20_ACycleBehindAnotherIsFoundOnce) {
  GraphSpec spec = make_ops(6);
  spec.edges = {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 4}, {4, 5}};
  EXPECT_EQ(find_cycle(DescTables(spec).desc), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Structure, B20_EveryCycleFoundIsOne) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    GraphSpec spec = make_random_spec(seed, {.op_count = 12});
    Random random{seed};
    for (int k = 0; k < 3; ++k) {
      const support::Edge edge{random.below(12), random.below(12)};
      if (edge.from != edge.to) spec.edges.push_back(edge);
    }
    const DescTables tables(spec);
    const auto reach = close_naively(tables.desc);
    const std::vector<std::uint32_t> cycle = find_cycle(tables.desc);
    bool cyclic = false;
    for (std::uint32_t op = 0; op < 12; ++op) cyclic = cyclic || reach[op][op];
    ASSERT_EQ(!cycle.empty(), cyclic) << seed;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const support::Edge edge{cycle[i], cycle[(i + 1) % cycle.size()]};
      ASSERT_NE(std::find(spec.edges.begin(), spec.edges.end(), edge), spec.edges.end()) << seed;
    }
  }
}

TEST(Structure, B21_SelfEdge) {
  GraphSpec spec = diamond();
  spec.edges.emplace_back(2, 2);
  expect_fault(DescTables(spec).desc, "B21");
}

TEST(Structure, B22_SuccessorOutOfRange) {
  DescTables tables(diamond());
  tables.successors.back() = 4;
  expect_fault(tables.desc, "B22");
}

TEST(Structure, B23_DuplicateEdge) {
  GraphSpec spec = diamond();
  spec.edges.emplace_back(0, 1);
  const DescTables tables(spec);
  expect_fault(tables.desc, "B23");
  EXPECT_EQ(check_structure(tables.desc).witnesses[0].ops, (std::vector<std::uint32_t>{0, 1}));
}

TEST(Structure, B24_IndegreeDisagrees) {
  DescTables tables(diamond());
  tables.ops[3].entry_count = 1;
  expect_fault(tables.desc, "B24");
}

TEST(Structure, B25_NoEntry) {
  GraphSpec spec = make_ops(2);
  spec.edges = {{0, 1}, {1, 0}};
  expect_fault(DescTables(spec).desc, "B25");
}

TEST(Structure, B25_NoOps) { expect_fault(DescTables(make_ops(0)).desc, "B25"); }

TEST(Structure, B26_DuplicateId) {
  DescTables tables(diamond());
  tables.ops[2].id = 1;
  expect_fault(tables.desc, "B26");
}

TEST(Structure, B09_SliceLeavesItsTable) {
  DescTables tables(diamond());
  tables.ops[1].inputs = {0, 1};
  expect_fault(tables.desc, "B09");
  DescTables edges(diamond());
  edges.ops[3].successors = {4, 0xFFFFFFFFU};
  expect_fault(edges.desc, "B09");
}

TEST(Structure, WitnessesAreCappedAndCounted) {
  DescTables tables(make_ops(100));
  for (detent_op& op : tables.ops) op.entry_count = 5;
  const Verdict verdict = check_structure(tables.desc);
  EXPECT_EQ(verdict.witnesses.size(), 16U);
  EXPECT_EQ(verdict.summary, "100 ops, 0 edges: 100 faults");
}

}  // namespace
}  // namespace detent::verify

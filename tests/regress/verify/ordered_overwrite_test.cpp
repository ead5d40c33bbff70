// An overwrite that the edges order is found whatever the ids: lifetimes were taken in id order, and only where the ids
// happened to be a topological order, so that A writes T1, B overwrites, C reads T1 with ids 0, 2, 1 passed every
// check.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <detent/detent.h>

#include "models/lower/lower.hpp"
#include "verify/smt/plan_proof.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent {
namespace {

models::Tensor tensor(const std::string& name, std::uint64_t offset) {
  models::Tensor result;
  result.name = name;
  result.dtype = DETENT_U8;
  result.dims = {64};
  result.size_bytes = result.block_bytes = 64;
  result.region = 0;
  result.offset_bytes = offset;
  return result;
}

/// A writes "wanted", B writes "intruder" on its bytes, C reads "wanted" and writes "last"; A before B before C.
models::Model overwritten(const std::array<std::uint32_t, 3>& ids) {
  models::Model model;
  model.name = "overwritten";
  model.regions = {{"ws", DETENT_REGION_WORKSPACE, 256, 64}};
  model.tensors = {tensor("wanted", 0), tensor("intruder", 0), tensor("last", 128)};
  model.ops.resize(3);
  for (models::Op& op : model.ops) op.kernel = "mix";
  const auto [a, b, c] = ids;
  model.ops[a].outputs = {0};
  model.ops[b].outputs = {1};
  model.ops[c].inputs = {0};
  model.ops[c].outputs = {2};
  model.edges = {{a, b, 0, 0}, {b, c, 0, 0}};
  return model;
}

detent_status bind_status(const detent_desc& desc) {
  std::vector<std::uint64_t> work(detent_check_bytes(&desc) / 8 + 1);
  return detent_check(&desc, work.data(), work.size() * 8, nullptr);
}

class OrderedOverwrite : public testing::TestWithParam<std::array<std::uint32_t, 3>> {};

TEST_P(OrderedOverwrite, IsFoundByEveryCheckOfThePlan) {
  const models::LoweredModel lowered = models::lower(overwritten(GetParam()));
  const detent_desc& desc = lowered.desc();
  EXPECT_EQ(verify::check_buffer_races(desc).outcome, verify::Outcome::kHolds) << "every pair is ordered";
  const verify::Verdict by_l0 = verify::check_memory_plan(desc);
  ASSERT_EQ(by_l0.outcome, verify::Outcome::kViolated) << by_l0.summary;
  const std::string intruder = std::to_string(GetParam()[1]);
  EXPECT_EQ(by_l0.witnesses.at(0).text, "B42: tensor 0 (wanted) and tensor 1 (intruder) both live at op " + intruder +
                                            " and share bytes [0, 64) of ws");
  const verify::smt::PlanProof by_z3 = verify::smt::prove_memory_plan(desc);
  EXPECT_TRUE(by_z3.complete) << by_z3.reason;
  ASSERT_EQ(by_z3.faults.size(), 1U);
  EXPECT_EQ(by_z3.faults[0].text.rfind("B42: tensor 0 (wanted) and tensor 1 (intruder) both live at op " + intruder, 0),
            0U)
      << by_z3.faults[0].text;
  EXPECT_EQ(bind_status(desc), DETENT_OVERLAP);
}

INSTANTIATE_TEST_SUITE_P(Ids, OrderedOverwrite,
                         testing::Values(std::array<std::uint32_t, 3>{0, 1, 2}, std::array<std::uint32_t, 3>{0, 2, 1},
                                         std::array<std::uint32_t, 3>{1, 0, 2}, std::array<std::uint32_t, 3>{1, 2, 0},
                                         std::array<std::uint32_t, 3>{2, 0, 1}, std::array<std::uint32_t, 3>{2, 1, 0}));

}  // namespace
}  // namespace detent

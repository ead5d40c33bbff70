// Conflicts, the graph by names and the graph that is safe.
#include "models/tvm/hazards.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/models/tvm/import_text.hpp"

namespace detent::models::tvm {
namespace {

TEST(Hazards, SeparateBuffersLeaveBranchesParallel) {
  const Import import = import_of(artifact_of(diamond_text(0, 64, 128)));
  const std::vector<CallEdge> expected = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(import.hazards.name_edges, expected);
  EXPECT_EQ(import.hazards.hazard_edges, expected);
  EXPECT_EQ(import.hazards.racing_pairs, 0U);
  EXPECT_EQ(import.hazards.unordered_pairs, 1U);
  EXPECT_EQ(import.hazards.conflicts.size(), 4U);
  EXPECT_EQ(import.hazards.raw, 4U);
  EXPECT_EQ(import.hazards.war, 0U);
}

TEST(Hazards, ScratchInTheOtherBranchsTensorRaces) {
  // b's scratch lies where c writes: the names do not see it.
  const Import import = import_of(artifact_of(diamond_text(0, 64, 128, 160)));
  ASSERT_EQ(import.hazards.racing_pairs, 1U);
  const auto race = std::find_if(import.hazards.conflicts.begin(), import.hazards.conflicts.end(),
                                 [](const Conflict& conflict) { return !conflict.is_ordered; });
  EXPECT_EQ(race->a, 1U);
  EXPECT_EQ(race->b, 2U);
  EXPECT_EQ(race->kinds, kWaw);  // b reads there only what it has written itself
  ASSERT_FALSE(race->overlaps.empty());
  EXPECT_EQ(race->overlaps[0].what_a, "tmp_let");
  EXPECT_EQ(race->overlaps[0].what_b, "sid_3_let");
  EXPECT_EQ(race->overlaps[0].bytes, ByteSet({160, 192}));
  const std::vector<CallEdge> safe = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(import.hazards.hazard_edges, safe);
}

TEST(Hazards, OneByteDecides) {
  EXPECT_EQ(import_of(artifact_of(diamond_text(0, 64, 128, 192))).hazards.racing_pairs, 0U);
  EXPECT_EQ(import_of(artifact_of(diamond_text(0, 64, 128, 191))).hazards.racing_pairs, 1U);
}

TEST(Hazards, APoolTouchedWithoutAnAliasCounts) {
  const std::string direct =
      "int32_t tvmgen_default_fused_b(float* p0, float* T_out, uint8_t* global_workspace_9_var) {\n"
      "  for (int32_t i = 0; i < 16; ++i) {\n    ((float*)(global_workspace_9_var + 128))[i] = p0[i];\n  }\n"
      "  for (int32_t j = 0; j < 16; ++j) {\n    T_out[j] = ((float*)(global_workspace_9_var + 128))[j];\n  }\n  "
      "return 0;\n}\n";
  std::string text = diamond_text(0, 64, 128);
  text.replace(text.find(copy_operator("fused_b", 16)), copy_operator("fused_b", 16).size(), direct);
  EXPECT_EQ(import_of(artifact_of(text)).hazards.racing_pairs, 1U);
}

TEST(Hazards, AFunctionWithoutABodyMayUseItsPools) {
  const std::string declared = "int32_t tvmgen_default_fused_b(float*, float*, uint8_t*);\n";
  std::string text = diamond_text(0, 64, 128);
  text.replace(text.find(copy_operator("fused_b", 16)), copy_operator("fused_b", 16).size(), declared);
  const Import import = import_of(artifact_of(text));
  EXPECT_EQ(import.hazards.racing_pairs, 1U);
  ASSERT_EQ(import.notes.size(), 1U);
  EXPECT_NE(import.notes[0].find("call 1, tvmgen_default_fused_b: opaque"), std::string::npos) << import.notes[0];
}

TEST(Hazards, CallsOfOneDeviceKeepTheirOrder) {
  Program program;
  for (int i = 0; i < 3; ++i) {
    program.calls.push_back(
        {.function = "f", .arguments = {}, .device = i == 1 ? UINT32_MAX : 0, .before = {}, .after = {}});
  }
  const HazardReport report = find_hazards(program, CallAccesses(3), {});
  EXPECT_EQ(report.hazard_edges, (std::vector<CallEdge>{{0, 2}}));
}

TEST(Parallelism, WidthDepthAndCriticalPath) {
  const std::vector<CallEdge> diamond = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  const Parallelism p = parallelism(4, diamond, {5, 10, 20, 1});
  EXPECT_EQ(p.width, 2U);
  EXPECT_EQ(p.depth, 3U);
  EXPECT_EQ(p.critical_path, 26U);
  EXPECT_EQ(p.work, 36U);
  EXPECT_EQ(parallelism(5, {}, {}).width, 5U);
  EXPECT_EQ(parallelism(3, {{0, 1}, {1, 2}}, {}).width, 1U);
  // An antichain that no level of the graph shows: 1 and 2 and 3, where 4 is deeper.
  EXPECT_EQ(parallelism(5, {{0, 1}, {0, 2}, {3, 4}}, {}).width, 3U);
}

}  // namespace
}  // namespace detent::models::tvm

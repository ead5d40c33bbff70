// Conflicts, the graph by names and the graph that is safe.
#include "models/import/tvm/hazards/hazards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/input_error.hpp"
#include "tests/models/import/tvm/import_text.hpp"

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

/// The diamond without pools in its calls, its branches with a body of their own.
std::string branches_text(const std::string& declarations, const std::string& b, const std::string& c) {
  const auto op = [](const std::string& name, const std::string& body) {
    return "int32_t tvmgen_default_fused_" + name + "(float* p0, float* T_out) {\n" + body + "  return 0;\n}\n";
  };
  const auto call = [](const std::string& name, const std::string& arguments) {
    return "  if (tvmgen_default_fused_" + name + "(" + arguments + ") != 0 ) return -1;\n";
  };
  const std::string copy = "  for (int32_t i = 0; i < 16; ++i) {\n    T_out[i] = p0[i];\n  }\n";
  const auto sid = [](const std::string& name) {
    return "  void* " + name + " = TVMBackendAllocWorkspace(1, 0, (uint64_t)64, 2, 32);\n";
  };
  return declarations + op("a", copy) + op("b", copy + b) + op("c", copy + c) +
         "int32_t tvmgen_default_fused_d(float* p0, float* p1, float* T_add) {\n  for (int32_t i = 0; i < 16; ++i) {\n"
         "    T_add[i] = (p0[i] + p1[i]);\n  }\n  return 0;\n}\n"
         "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n" +
         sid("sid_1") + sid("sid_2") + sid("sid_3") + call("a", "x_buffer_var, sid_1") + call("b", "sid_1, sid_2") +
         call("c", "sid_1, sid_3") + call("d", "sid_2, sid_3, output_buffer_var") + "  return 0;\n}\n";
}

TEST(Hazards, HiddenStateConflictsLikeAByte) {
  const std::string counts = "  T_out[0] = T_out[0] + (float)(count++);\n";
  for (const auto& [declarations, b, c] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"static int32_t count;\n", counts, counts},
           {"static int32_t count;\n", counts, "  T_out[0] = (float)count;\n"},
           {"", "  static int32_t k;\n  T_out[0] = (float)(k++);\n", "  static int32_t k;\n  k = 1;\n"},
           {"static struct { int32_t n; } all;\n", "  all.n++;\n", "  T_out[0] = (float)all.n;\n"},
           {"static union { int32_t n; float x; } all;\n", "  all.n = 1;\n", "  T_out[0] = all.x;\n"},
           {"static int32_t t[4];\n", "  int32_t* p = t;\n  p[1] = 3;\n", "  T_out[0] = (float)t[1];\n"},
           {"static int32_t t[4];\n", "  *(1 + t) = 3;\n", "  T_out[0] = (float)t[1];\n"},
           {"static int32_t t[4];\n", "  memset(t, 1, 4);\n", "  T_out[0] = (float)t[0];\n"},
           {"static int32_t n;\nstatic int32_t* const list[100] = {&n, /*" + std::string(600, ' ') + "*/};\n",
            "  (*list[0])++;\n", "  T_out[0] = (float)n;\n"},
           {"static int32_t n;\n", "  __asm__(\"incl %0\" : \"+m\"(n));\n", "  T_out[0] = (float)n;\n"},
           {"int32_t n;\nvoid vendor(void);\n", "  vendor();\n", "  T_out[0] = (float)n;\n"},
           {"int rand(void);\n", "  T_out[0] = (float)rand();\n", "  T_out[0] = (float)rand();\n"},
           {"extern void vendor(float*);\n", "  vendor(T_out);\n", "  vendor(T_out);\n"},
           {"", "  volatile int32_t k = 1;\n  T_out[0] = (float)k;\n", "  __asm__ volatile(\"\");\n"}}) {
    const Import import = import_of(artifact_of(branches_text(declarations, b, c)));
    EXPECT_EQ(import.hazards.racing_pairs, 1U) << b << c;
    EXPECT_TRUE(std::ranges::count(import.hazards.hazard_edges, CallEdge{1, 2}) == 1) << b << c;
    EXPECT_TRUE(std::ranges::any_of(
        import.notes,
        [](const std::string& note) { return note.find("such calls keep the order of main") != std::string::npos; }))
        << b << c;
    const Replan replan = replan_parallel(import);
    EXPECT_TRUE(std::ranges::any_of(replan.model.edges, [](const Edge& e) { return e.from == 1 && e.to == 2; }));
  }
}

/// b and c read what a wrote; a body that is not understood may write it, whatever its parameter is called.
TEST(Hazards, NamesDoNotTellWhatAnOpaqueBodyWrites) {
  for (const auto& [declarations, b, races] : std::vector<std::tuple<std::string, std::string, std::uint64_t>>{
           {"", "  switch (1) {\n    case 1: p0[0] = 3.0f;\n  }\n", 1U},
           {"void vendor(float*);\n", "  vendor(p0);\n", 1U},
           {"void vendor(const float*);\n", "  vendor(p0);\n", 0U},
           {"int32_t arm_relu_q7(float*);\n", "  arm_relu_q7(p0);\n", 0U}}) {
    const Import import = import_of(artifact_of(branches_text(declarations, b, "")));
    EXPECT_EQ(import.hazards.racing_pairs, races) << b;
  }
}

TEST(Hazards, ThreadLocalStateIsRefused) {
  for (const auto& [declarations, b] :
       std::vector<std::pair<std::string, std::string>>{{"static __thread int32_t n;\n", "  n++;\n"},
                                                        {"", "  static _Thread_local int32_t n;\n  n++;\n"},
                                                        {"int fesetround(int);\n", "  fesetround(2048);\n"}}) {
    std::string said;
    try {
      import_of(artifact_of(branches_text(declarations, b, "")));
    } catch (const InputError& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("no order of the calls makes several workers agree"), std::string::npos) << b << said;
  }
}

TEST(Hazards, StateOfASingleCallDoesNotRace) {
  const std::string table = "static float table[2] = {1.0f, 2.0f};\n";
  for (const auto& [declarations, b, c] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"static int32_t count;\n", "  T_out[0] = (float)(count++);\n", ""},
           {table, "  T_out[0] = table[0];\n", "  T_out[0] = table[1];\n"}}) {
    const Import import = import_of(artifact_of(branches_text(declarations, b, c)));
    EXPECT_EQ(import.hazards.racing_pairs, 0U) << b << c;
    EXPECT_EQ(import.hazards.hazard_edges, import.hazards.name_edges);
  }
}

TEST(Hazards, ReadOfItsOwnOutputIsNotARead) {
  const std::string pool =
      "  for (int32_t i = 0; i < 16; ++i) {\n    T_out[i] = -1.0f;\n    for (int32_t k = 0; k < 2; ++k) {\n"
      "      T_out[i] = T_out[i] > p0[(i + k) & 15] ? T_out[i] : p0[(i + k) & 15];\n    }\n  }\n";
  const CUnit unit = parse_c("int32_t f(float* p0, float* T_out) {\n" + pool + "  return 0;\n}\n", "ops.c");
  const FunctionFootprint footprint = analyse_function(unit, unit.functions[0]);
  EXPECT_TRUE(footprint.params[1].reads.empty());
  EXPECT_EQ(footprint.params[1].writes, ByteSet({0, 64}));
}

}  // namespace
}  // namespace detent::models::tvm

// Values of buffers, scratch layouts and the plan that keeps only true dependencies.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/input_error.hpp"
#include "models/import/tvm/hazards/versions.hpp"
#include "models/import/tvm/module/scratch_layout.hpp"
#include "models/import/tvm/replan/order.hpp"
#include "models/plan/plan_check.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::models::tvm {
namespace {

const std::string& text_of(const Model& model, const std::string& name) {
  const auto found = std::find_if(model.sources.begin(), model.sources.end(),
                                  [&](const SourceFile& file) { return file.name == name; });
  return found->text;
}

std::vector<CallEdge> edges_of(const Model& model) {
  std::vector<CallEdge> edges;
  for (const Edge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
  return edges;
}

TEST(Replan, OnlyTrueDependenciesRemain) {
  const Import import = import_of(artifact_of(diamond_text(0, 64, 128, 160)));
  for (const std::uint64_t limit : {0U, 16384U}) {
    const Replan replan = replan_parallel(import, {.stack_limit_bytes = limit});
    EXPECT_EQ(edges_of(replan.model), (std::vector<CallEdge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(replan.local_buffers, limit == 0 ? 0U : 1U);
    EXPECT_EQ(replan.moved_buffers, limit == 0 ? 1U : 0U);
  }
}

TEST(Replan, ScratchBecomesALocalArrayOrMovesToABlock) {
  const Import import = import_of(artifact_of(diamond_text(0, 64, 128, 160)));
  const std::string local = text_of(replan_parallel(import).model, "operators.c");
  EXPECT_NE(local.find("float tmp_let[16] __attribute__((aligned(16)));"), std::string::npos);
  EXPECT_EQ(local.find("___tvm_main__(float* x"), std::string::npos) << "main no longer holds";
  const std::string moved = text_of(replan_parallel(import, {.stack_limit_bytes = 0}).model, "operators.c");
  EXPECT_NE(moved.find("void* tmp_let = (&(global_workspace_9_var[0]));"), std::string::npos);
}

TEST(Replan, EveryTensorHasItsPlace) {
  const Import import = import_of(artifact_of(diamond_text(0, 64, 128, 160)));
  const Replan replan = replan_parallel(import, {.stack_limit_bytes = 0});
  EXPECT_EQ(replan.tvm_arena_bytes, 224U);
  EXPECT_EQ(replan.plans.at(0).arena_bytes,
            256U);  // sid_1, sid_2 and sid_3 and b's scratch cannot share: b runs beside c
  for (const Tensor& tensor : replan.model.tensors) EXPECT_NE(tensor.region, kNone) << tensor.name;
}

TEST(Replan, LanesExcludeEachOtherAndCommute) {
  // Two operators with much scratch on two branches: one block serves both when there is one worker.
  const Import import = import_of(artifact_of(
      copy_operator("fused_a", 16) + copy_operator("fused_b", 256, 4096) + copy_operator("fused_c", 256, 8192) +
      add_operator("fused_d", 16) +
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* y_buffer_var, float* output_buffer_var, float* "
      "output2_buffer_var, "
      "uint8_t* global_workspace_1_var) {\n"
      "  if (tvmgen_default_fused_b(x_buffer_var, output_buffer_var, global_workspace_1_var) != 0 ) return -1;\n"
      "  if (tvmgen_default_fused_c(y_buffer_var, output2_buffer_var, global_workspace_1_var) != 0 ) return -1;\n"
      "  return 0;\n}\n"));
  const Replan replan = replan_parallel(import, {.stack_limit_bytes = 0, .workers = 1});
  EXPECT_EQ(replan.plan().strategy, ScratchPlace::kPerLane);
  EXPECT_EQ(replan.plans.at(1).arena_bytes, 1024U);
  EXPECT_EQ(replan.plans.at(0).arena_bytes, 2048U);
  EXPECT_EQ(replan.plans.at(0).parallelism.unordered_pairs, 1U);
  EXPECT_EQ(replan.plans.at(1).parallelism.unordered_pairs, 0U) << "one block, one call at a time";
  EXPECT_EQ(replan.model.ops[0].mutexes, replan.model.ops[1].mutexes);
  EXPECT_EQ(replan.model.ops[0].commutes, replan.model.ops[1].commutes);
  EXPECT_FALSE(replan.model.ops[0].commutes.empty());
}

/// x -> a -> b -> output over 64 floats; b goes through two scratch buffers, of which one lies over what b has read.
std::string two_stage_text() {
  return copy_operator("fused_a", 64) +
         "int32_t tvmgen_default_fused_b(float* p0, float* T_out, uint8_t* global_workspace_9_var) {\n"
         "  void* s1_let = (&(global_workspace_9_var[256]));\n  void* s2_let = (&(global_workspace_9_var[0]));\n"
         "  for (int32_t i = 0; i < 64; ++i) {\n    ((float*)s1_let)[i] = p0[i];\n  }\n"
         "  for (int32_t j = 0; j < 64; ++j) {\n    ((float*)s2_let)[j] = ((float*)s1_let)[63 - j];\n  }\n"
         "  for (int32_t k = 0; k < 64; ++k) {\n    T_out[k] = ((float*)s2_let)[k];\n  }\n  return 0;\n}\n"
         "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
         "global_workspace_1_var) {\n  void* sid_1_let = (&(global_workspace_1_var[0]));\n"
         "  if (tvmgen_default_fused_a(x_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;\n"
         "  if (tvmgen_default_fused_b(sid_1_let, output_buffer_var, global_workspace_1_var) != 0 ) return -1;\n"
         "  return 0;\n}\n";
}

TEST(Replan, PlacesOfTvmStayWhereTheyLeaveAsMuchParallelism) {
  const Import import = import_of(artifact_of(two_stage_text()));
  const Replan replan = replan_parallel(import, {.stack_limit_bytes = 0});
  EXPECT_EQ(replan.tvm_arena_bytes, 512U);
  EXPECT_EQ(replan.plans.front().arena_bytes, 768U);
  EXPECT_EQ(replan.plan().strategy, ScratchPlace::kAsImported);
  EXPECT_EQ(replan.plan().arena_bytes, 512U);
  EXPECT_TRUE(replan.plan().leaves_all);
  EXPECT_EQ(replan.lower_bound_bytes, 512U);
  EXPECT_EQ(edges_of(replan.model), (std::vector<CallEdge>{{0, 1}}));
  // Scratch that becomes local arrays leaves TVM's places, too.
  const Replan local = replan_parallel(import, {.stack_limit_bytes = 256, .stays_within_tvm = true});
  EXPECT_EQ(local.plan().strategy, ScratchPlace::kPerCall);
  EXPECT_EQ(local.plan().arena_bytes, 512U);
}

TEST(Replan, ArenaOfAChainIsNoLargerThanThatOfTvm) {
  // Each output over the half of its input that is read already, as TVM never places them.
  std::string text, calls;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "fused_" + std::to_string(i);
    text += copy_operator(name, 64);
    const std::string from = i == 0 ? "x_buffer_var" : "sid_" + std::to_string(i) + "_let";
    const std::string to = i == 4 ? "output_buffer_var" : "sid_" + std::to_string(i + 1) + "_let";
    calls += "  if (tvmgen_default_" + name + "(" + from + ", " + to + ", global_workspace_1_var) != 0 ) return -1;\n";
  }
  const std::string main =
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
      "global_workspace_1_var) {\n"
      "  void* sid_1_let = (&(global_workspace_1_var[0]));\n  void* sid_2_let = (&(global_workspace_1_var[256]));\n"
      "  void* sid_3_let = (&(global_workspace_1_var[0]));\n  void* sid_4_let = (&(global_workspace_1_var[256]));\n" +
      calls + "  return 0;\n}\n";
  const Replan replan = replan_parallel(import_of(artifact_of(text + main)));
  EXPECT_EQ(replan.tvm_arena_bytes, 512U);
  EXPECT_EQ(replan.plan().arena_bytes, 256U);
  EXPECT_EQ(replan.lower_bound_bytes, 256U);
  EXPECT_EQ(replan.shared_in_place, 3U);
  EXPECT_TRUE(find_plan_faults(replan.model).empty());
}

TEST(Replan, AValueInTwoArgumentsIsReadInTimeThroughBoth) {
  // p0 is read element by element, p1 from its end on: given one tensor for both, the second half would be lost.
  const std::string sum =
      "int32_t tvmgen_default_fused_sum(float* p0, float* p1, float* T_out, uint8_t* global_workspace_9_var) {\n"
      "  for (int32_t i = 0; i < 64; ++i) {\n    T_out[i] = p0[i] + p1[63 - i];\n  }\n  return 0;\n}\n";
  const auto import = [&](const std::string& first, const std::string& second) {
    return import_of(artifact_of(
        copy_operator("fused_a", 64) + sum +
        "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
        "global_workspace_1_var) {\n  void* sid_1_let = (&(global_workspace_1_var[0]));\n"
        "  void* sid_2_let = (&(global_workspace_1_var[256]));\n"
        "  if (tvmgen_default_fused_a(x_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;\n"
        "  if (tvmgen_default_fused_sum(" +
        first + ", " + second +
        ", sid_2_let, global_workspace_1_var) != 0 ) return -1;\n"
        "  if (tvmgen_default_fused_a(sid_2_let, output_buffer_var, global_workspace_1_var) != 0 ) return -1;\n"
        "  return 0;\n}\n"));
  };
  EXPECT_EQ(replan_parallel(import("sid_1_let", "x_buffer_var")).plan().arena_bytes, 256U);
  EXPECT_EQ(replan_parallel(import("x_buffer_var", "sid_1_let")).plan().arena_bytes, 512U);
  EXPECT_EQ(replan_parallel(import("sid_1_let", "sid_1_let")).plan().arena_bytes, 512U);
}

/// x -> a_i -> b_i -> one output each, four times; TVM uses two buffers for all.
std::string fan_text() {
  const std::string twice = "  for (int32_t k = 0; k < 4; ++k) {\n    for (int32_t i = 0; i < 64; ++i) {\n";
  const auto slow = [&](const std::string& name) {
    return "int32_t tvmgen_default_" + name + "(float* p0, float* T_out, uint8_t* global_workspace_9_var) {\n" + twice +
           "      T_out[i] = p0[63 - i] * 2.0f;\n    }\n  }\n  return 0;\n}\n";
  };
  std::string text = slow("fused_a") + slow("fused_b");
  std::string main = "int32_t tvmgen_default___tvm_main__(float* x_buffer_var";
  for (const char* name : {"output", "output2", "output3", "output4"})
    main += ", float* " + std::string(name) + "_buffer_var";
  main += ", uint8_t* global_workspace_1_var) {\n";
  for (int i = 1; i <= 4; ++i) {
    const std::string sid = "sid_" + std::to_string(i) + "_let";
    main += "  void* " + sid + " = (&(global_workspace_1_var[" + std::to_string(i % 2 * 256) + "]));\n";
  }
  for (int i = 1; i <= 4; ++i) {
    const std::string sid = "sid_" + std::to_string(i) + "_let";
    const std::string output = "output" + (i > 1 ? std::to_string(i) : "") + "_buffer_var";
    main += "  if (tvmgen_default_fused_a(x_buffer_var, " + sid + ", global_workspace_1_var) != 0 ) return -1;\n";
    main += "  if (tvmgen_default_fused_b(" + sid + ", " + output + ", global_workspace_1_var) != 0 ) return -1;\n";
  }
  return text + main + "  return 0;\n}\n";
}

TEST(Replan, ArenaLimitGivesUpParallelismUntilThePlanFits) {
  const Import import = import_of(artifact_of(fan_text()));
  const Replan all = replan_parallel(import);
  EXPECT_EQ(all.tvm_arena_bytes, 512U);
  EXPECT_EQ(all.plan().arena_bytes, 1024U);
  EXPECT_EQ(all.plan().parallelism.unordered_pairs, 24U);
  EXPECT_GT(all.plans.size(), 2U);
  std::uint64_t before = UINT64_MAX;
  for (const std::uint64_t limit : {1024U, 768U, 512U, 256U}) {
    const Replan replan = replan_parallel(import, {.arena_limit_bytes = limit});
    EXPECT_LE(replan.plan().arena_bytes, limit);
    EXPECT_LE(replan.lower_bound_bytes, replan.plan().arena_bytes);
    EXPECT_LE(replan.plan().parallelism.unordered_pairs, before);
    before = replan.plan().parallelism.unordered_pairs;
    if (replan.plan().strategy != ScratchPlace::kAsImported) {
      EXPECT_TRUE(find_plan_faults(replan.model).empty());
    }
    for (const Edge& edge : all.model.edges) {
      EXPECT_NE(std::find(replan.model.edges.begin(), replan.model.edges.end(), edge), replan.model.edges.end());
    }
  }
  EXPECT_EQ(before, 0U) << "one buffer: one call after the other";
  EXPECT_LE(replan_parallel(import, {.stays_within_tvm = true}).plan().arena_bytes, 512U);
  EXPECT_THROW(replan_parallel(import, {.arena_limit_bytes = 128}), InputError);
}

TEST(ReplanOrder, OfOneWorkerIsMains) {
  const std::vector<CallEdge> edges = {{0, 2}, {1, 2}};
  EXPECT_EQ(order_of_schedule(edges, {1, 1, 1}, 1), (std::vector<CallEdge>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(order_of_schedule(edges, {1, 1, 1}, 2), (std::vector<CallEdge>{{0, 2}, {1, 2}}));
  EXPECT_EQ(order_of_schedule(edges, {1, 1, 1}, 0), (std::vector<CallEdge>{{0, 2}, {1, 2}}));
  // 0 and 1 start at once; 2 takes the place of 0, which ends first.
  EXPECT_EQ(order_of_schedule({}, {2, 5, 2}, 2), (std::vector<CallEdge>{{0, 2}}));
}

TEST(Versions, AReusedBufferHoldsOneValueAfterTheOther) {
  const Import import =
      import_of(artifact_of("int32_t tvmgen_default_f(float* p0, float* T_out) { for (int32_t i = 0; i < 4; ++i) { "
                            "T_out[i] = p0[i]; } return 0; }\n"
                            "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
                            "  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);\n"
                            "  void* sid_2 = TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);\n"
                            "  if (tvmgen_default_f(x_buffer_var, sid_1) != 0 ) return -1;\n"
                            "  if (tvmgen_default_f(sid_1, sid_2) != 0 ) return -1;\n"
                            "  if (tvmgen_default_f(sid_2, sid_1) != 0 ) return -1;\n"
                            "  if (tvmgen_default_f(sid_1, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n"));
  const Versions versions = find_versions(import.program, import.accesses);
  EXPECT_NE(versions.uses[0][1].version, versions.uses[2][1].version);
  EXPECT_EQ(versions.uses[0][1].version, versions.uses[1][0].version);
  EXPECT_EQ(versions.uses[2][1].version, versions.uses[3][0].version);
  EXPECT_EQ(edges_of(replan_parallel(import).model), (std::vector<CallEdge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(Versions, APartialWriteContinuesTheValueBefore) {
  const Import import =
      import_of(artifact_of("int32_t tvmgen_default_f(float* p0, float* T_out) { for (int32_t i = 0; i < 4; ++i) { "
                            "T_out[i] = p0[i]; } return 0; }\n"
                            "int32_t tvmgen_default_g(float* p0, float* T_out) { for (int32_t i = 0; i < 2; ++i) { "
                            "T_out[i] = p0[i]; } return 0; }\n"
                            "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
                            "  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);\n"
                            "  if (tvmgen_default_f(x_buffer_var, sid_1) != 0 ) return -1;\n"
                            "  if (tvmgen_default_g(x_buffer_var, sid_1) != 0 ) return -1;\n"
                            "  if (tvmgen_default_f(sid_1, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n"));
  const Versions versions = find_versions(import.program, import.accesses);
  EXPECT_EQ(versions.uses[0][1].version, versions.uses[1][1].version);
  EXPECT_EQ(edges_of(replan_parallel(import).model), (std::vector<CallEdge>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(ScratchLayout, BuffersThatSharedBytesKeepTheirDistances) {
  const std::string text =
      "int32_t tvmgen_default_f(float* p0, float* T_out, uint8_t* global_workspace_2_var) {\n"
      "  void* a_let = (&(global_workspace_2_var[1000]));\n  void* b_let = (&(global_workspace_2_var[1016]));\n"
      "  void* c_let = (&(global_workspace_2_var[5000]));\n"
      "  for (int32_t i = 0; i < 8; ++i) { ((float*)a_let)[i] = p0[i]; ((float*)b_let)[i] = p0[i]; ((float*)c_let)[i] "
      "= p0[i]; "
      "T_out[i] = ((float*)c_let)[i]; }\n  return 0;\n}\n";
  const CUnit unit = parse_c(text, "ops.c");
  const FunctionFootprint footprint = analyse_function(unit, unit.functions[0]);
  const ScratchLayout layout = lay_out_scratch(unit, footprint, {false, false, true}, 0);
  const std::string changed = apply_edits(text, layout.edits);
  EXPECT_NE(changed.find("a_let = (&(global_workspace_2_var[0]))"), std::string::npos) << changed;
  EXPECT_NE(changed.find("b_let = (&(global_workspace_2_var[16]))"), std::string::npos) << changed;
  EXPECT_NE(changed.find("c_let = (&(global_workspace_2_var[48]))"), std::string::npos) << changed;
  EXPECT_EQ(layout.block_bytes, 80U);
  EXPECT_EQ(layout.moved_buffers, 3U);
}

TEST(ScratchLayout, LocalArraysHoldTheirBytesOnEveryTarget) {
  const auto array_of = [](const std::string& element) {
    CUnit unit;
    unit.text = "declaration";
    FunctionFootprint footprint;
    PoolUse use;
    use.name = "x_let";
    use.declaration = {0, unit.text.size()};
    use.element = element;
    use.literal_size_bytes = 101;
    footprint.pool_uses = {use};
    const std::string text = lay_out_scratch(unit, footprint, {true}, 1000).edits.at(0).text;
    return text.substr(0, text.find(" __attribute__((aligned(16)));"));
  };
  for (const char* type : {"int8_t", "uint8_t", "char", "signed char", "unsigned char"}) {
    EXPECT_EQ(array_of(type), std::string(type) + " x_let[101]");
  }
  for (const char* type : {"int16_t", "uint16_t", "short", "unsigned short"}) {
    EXPECT_EQ(array_of(type), std::string(type) + " x_let[51]");
  }
  for (const char* type : {"float", "int32_t", "uint32_t", "int", "unsigned int"}) {
    EXPECT_EQ(array_of(type), std::string(type) + " x_let[26]");
  }
  for (const char* type : {"double", "int64_t", "uint64_t"}) {
    EXPECT_EQ(array_of(type), std::string(type) + " x_let[13]");
  }
  // Four bytes on some targets, eight on others.
  EXPECT_EQ(array_of("long"), "long x_let[(101 + sizeof(long) - 1) / sizeof(long)]");
  EXPECT_EQ(array_of("unsigned long"),
            "unsigned long x_let[(101 + sizeof(unsigned long) - 1) / sizeof(unsigned long)]");
  EXPECT_EQ(array_of("struct pair"), "uint8_t x_let[101]");
  EXPECT_EQ(array_of(""), "uint8_t x_let[101]");
}

TEST(ModuleText, EditsDoNotOverlap) {
  EXPECT_EQ(apply_edits("abcdef", {{{4, 5}, "X"}, {{0, 2}, ""}}), "cdXf");
  EXPECT_THROW(apply_edits("abcdef", {{{0, 3}, ""}, {{2, 4}, ""}}), std::logic_error);
  EXPECT_EQ(apply_edits("abcdef", {{{2, 3}, "in"}, {{1, 5}, "X"}, {{1, 2}, "in"}, {{4, 5}, "in"}}), "aXf");
  EXPECT_EQ(apply_edits("abcdef", {{{1, 5}, "first"}, {{1, 5}, "second"}}), "afirstf");
  EXPECT_EQ(apply_edits("abcdef", {{{1, 1}, "X"}, {{1, 2}, "Y"}, {{2, 2}, "Z"}}), "aXYZcdef");
}

TEST(ModuleText, FunctionsThatDoNotCompileAreLeftOutWithTheirCallers) {
  const Import import = import_of(artifact_of(
      "#include \"vendor.h\"\n"
      "int32_t tvmgen_default_bad(float* p0, float* T_out) { vendor_t v; vendor_call(p0, T_out); return 0; }\n"
      "int32_t tvmgen_default_good(float* p0, float* T_out) { for (int32_t i = 0; i < 4; ++i) { T_out[i] = p0[i]; } "
      "return 0; }\n"
      "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
      "  void* sid_1 = TVMBackendAllocWorkspace(1, 0, (uint64_t)16, 0, 8);\n"
      "  if (tvmgen_default_bad(x_buffer_var, sid_1) != 0 ) return -1;\n"
      "  if (tvmgen_default_good(sid_1, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n"));
  EXPECT_EQ(import.hazards.name_edges, (std::vector<CallEdge>{{0, 1}}));
  const std::string text = text_of(imported_model(import), "operators.c");
  EXPECT_EQ(text.find("vendor_call("), std::string::npos);
  EXPECT_NE(text.find("/* left out: vendor.h */"), std::string::npos);
  EXPECT_NE(text.find("\"tvmgen_default_good\""), std::string::npos);
  EXPECT_EQ(text.find("\"tvmgen_default_bad\""), std::string::npos);
  EXPECT_TRUE(reference_model(import).ops.empty());
}

}  // namespace
}  // namespace detent::models::tvm

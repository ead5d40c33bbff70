// Values of buffers, scratch layouts and the plan that keeps only true dependencies.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/tvm/scratch_layout.hpp"
#include "models/tvm/versions.hpp"
#include "tests/models/tvm/import_text.hpp"

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
  EXPECT_EQ(replan.per_call_arena_bytes, 256U);  // sid_1, sid_2 and sid_3 and b's scratch cannot share: b runs beside c
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
  EXPECT_EQ(replan.strategy, ScratchPlace::kPerLane);
  EXPECT_EQ(replan.per_lane_arena_bytes, 1024U);
  EXPECT_EQ(replan.per_call_arena_bytes, 2048U);
  EXPECT_EQ(replan.model.ops[0].mutexes, replan.model.ops[1].mutexes);
  EXPECT_EQ(replan.model.ops[0].commutes, replan.model.ops[1].commutes);
  EXPECT_FALSE(replan.model.ops[0].commutes.empty());
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
  EXPECT_NE(changed.find("c_let = (&(global_workspace_2_var[64]))"), std::string::npos) << changed;
  EXPECT_EQ(layout.block_bytes, 96U);
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

TEST(ModuleText, WhatDoesNotCompileIsLeftOutWithItsCallers) {
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

// Imports from C text, for tests: what import_artifact does, without files.
#pragma once

#include <string>
#include <utility>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/model/import.hpp"

namespace detent::models::tvm {

inline Artifact artifact_of(const std::string& text, const std::string& main = "tvmgen_default___tvm_main__") {
  Artifact artifact;
  artifact.origin = "ops.c";
  artifact.module_name = "default";
  artifact.operators = parse_c(text, "ops.c");
  artifact.main_symbol = main;
  return artifact;
}

inline Import import_of(Artifact artifact) { return analyse_artifact(std::move(artifact)); }

/// One operator: out[i] = f(in[i]) over `n` floats, with `n` floats of scratch at `scratch` when that is >= 0.
inline std::string copy_operator(const std::string& name, int n, int scratch = -1) {
  const std::string count = std::to_string(n);
  std::string text =
      "int32_t tvmgen_default_" + name + "(float* p0, float* T_out, uint8_t* global_workspace_9_var) {\n";
  if (scratch >= 0) {
    text += "  void* tmp_let = (&(global_workspace_9_var[" + std::to_string(scratch) +
            "]));\n  for (int32_t i = 0; i < " + count +
            "; ++i) {\n    ((float*)tmp_let)[i] = (p0[i] * 2.000000e+00f);\n  }\n  for (int32_t j = 0; j < " + count +
            "; ++j) {\n    T_out[j] = ((float*)tmp_let)[j];\n  }\n";
  } else {
    text += "  for (int32_t i = 0; i < " + count + "; ++i) {\n    T_out[i] = (p0[i] + 1.000000e+00f);\n  }\n";
  }
  return text + "  return 0;\n}\n";
}

inline std::string add_operator(const std::string& name, int n) {
  return "int32_t tvmgen_default_" + name +
         "(float* p0, float* p1, float* T_add, uint8_t* global_workspace_9_var) {\n  for (int32_t i = 0; i < " +
         std::to_string(n) + "; ++i) {\n    T_add[i] = (p0[i] + p1[i]);\n  }\n  return 0;\n}\n";
}

/// A diamond: in -> a -> {b, c} -> d -> out over 16 floats, with the places of the four buffers given.
inline std::string diamond_text(int a, int b, int c, int scratch_of_b = -1) {
  const auto sid = [](const char* name, int at) {
    return "  void* " + std::string(name) + "_let = (&(global_workspace_1_var[" + std::to_string(at) + "]));\n";
  };
  return copy_operator("fused_a", 16) + copy_operator("fused_b", 16, scratch_of_b) + copy_operator("fused_c", 16) +
         add_operator("fused_d", 16) +
         "int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var, uint8_t* "
         "global_workspace_1_var) {\n" +
         sid("sid_1", a) + sid("sid_2", b) + sid("sid_3", c) +
         "  if (tvmgen_default_fused_a(x_buffer_var, sid_1_let, global_workspace_1_var) != 0 ) return -1;\n"
         "  if (tvmgen_default_fused_b(sid_1_let, sid_2_let, global_workspace_1_var) != 0 ) return -1;\n"
         "  if (tvmgen_default_fused_c(sid_1_let, sid_3_let, global_workspace_1_var) != 0 ) return -1;\n"
         "  if (tvmgen_default_fused_d(sid_2_let, sid_3_let, output_buffer_var, global_workspace_1_var) != 0 ) return "
         "-1;\n"
         "  return 0;\n}\n";
}

}  // namespace detent::models::tvm

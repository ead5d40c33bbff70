// Artifacts of TVM that compile on their own and must be imported, executed and emitted; and what is refused instead.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "app/import/tvm_runs.hpp"
#include "tests/e2e/program.hpp"

namespace detent {
namespace {

namespace fs = std::filesystem;

const std::string kSources = "/codegen/host/src/";

/// A copy of a fixture to edit.
std::string copy_of(const std::string& fixture, const std::string& name) {
  const std::string path = e2e::scratch(name) + "/" + fixture;
  fs::copy(std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/fixtures/" + fixture, path,
           fs::copy_options::recursive);
  return path;
}

void replace_in(const std::string& path, const std::string& old, const std::string& with) {
  std::string text = e2e::read_file(path);
  ASSERT_NE(text.find(old), std::string::npos) << old;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  e2e::write_file(path, text);
}

/// Statements at the beginning of a function.
void begin_function(const std::string& path, const std::string& head, const std::string& statements) {
  replace_in(path, head + " {\n", head + " {\n" + statements);
}

/// Imported, audited, executed and emitted; all with the digest of the artifact's own main.
/// @param replans  options of import: as it is, re-planned
void expect_runs(const std::string& artifact, const std::vector<std::string>& replans = {""}) {
  for (const std::string& replan : replans) {
    const std::string package = artifact + (replan.empty() ? ".pkg" : ".replanned.pkg");
    const e2e::Answer import =
        e2e::run_detent("import tvm " + artifact + " -o " + package + " --audit --json -" + replan);
    ASSERT_EQ(import.exit_code, 0) << import.error << import.output;
    const nlohmann::json audit = e2e::parse(import)["audit"];
    EXPECT_EQ(audit["results"], "holds");
    EXPECT_EQ(audit["reference_digest"], audit["serial_digest"]);
    const e2e::Answer run = e2e::run_detent("run " + package + " --workers 2");
    EXPECT_EQ(run.exit_code, 0) << run.error;
    EXPECT_NE(run.output.find(audit["serial_digest"].get<std::string>()), std::string::npos) << run.output;
    const e2e::Answer verify = e2e::run_detent("verify " + package);
    EXPECT_NE(verify.exit_code, 2) << verify.error;
    const e2e::Answer emit = e2e::run_detent("emit c " + package + " -o " + package + ".firmware --force");
    EXPECT_EQ(emit.exit_code, 0) << emit.error;
  }
}

TEST(Regress, TvmOwnPrototypesOfLibraryFunctions) {
  const std::string artifact = copy_of("no_usmp", "tvm_own_prototypes");
  replace_in(artifact + kSources + "default_lib1.c", "#include <math.h>\n",
             "#include <math.h>\nTVM_DLL float expf(float);\nTVM_DLL float sqrtf(float);\nTVM_DLL double pow(double, "
             "double);\n");
  expect_runs(artifact);
}

TEST(Regress, TvmPooledConstantsAlignedToFour) {
  const std::string artifact = copy_of("usmp", "tvm_aligned_to_four");
  const std::string glue = artifact + kSources + "default_lib0.c", operators = artifact + kSources + "default_lib1.c";
  replace_in(glue, "packed, aligned(16)", "packed, aligned(4)");
  for (const auto& [old, with] :
       {std::pair{"2576", "2572"}, {"2592", "2584"}, {"2608", "2596"}, {"2624", "2600"}, {"2640", "2604"}}) {
    replace_in(operators, std::string("_var[") + old + "]", std::string("_var[") + with + "]");
  }
  expect_runs(artifact, {" --replan parallel"});
}

TEST(Regress, TvmWorkspaceBlocksAreRoundedEachByItself) {
  const std::string artifact = copy_of("no_usmp", "tvm_workspace");
  begin_function(artifact + kSources + "default_lib1.c",
                 "TVM_DLL int32_t tvmgen_default_fused_nn_relu(float* p0, float* T_relu)",
                 "  void* one = TVMBackendAllocWorkspace(1, 0, (uint64_t)5336, 2, 32);\n"
                 "  if (one == NULL) {\n    return -1;\n  }\n"
                 "  void* two = TVMBackendAllocWorkspace(1, 0, (uint64_t)4, 2, 32);\n"
                 "  if (two == NULL) {\n    return -1;\n  }\n"
                 "  ((float*)one)[0] = 1.0f;\n  ((float*)two)[0] = 1.0f;\n"
                 "  if (TVMBackendFreeWorkspace(1, 0, two) != 0) {\n    return -1;\n  }\n"
                 "  if (TVMBackendFreeWorkspace(1, 0, one) != 0) {\n    return -1;\n  }\n");
  expect_runs(artifact, {"", " --replan parallel"});
}

TEST(Regress, TvmHeadersByRelativePath) {
  const std::string artifact = copy_of("v08", "tvm_relative");
  for (const char* header : {"c_runtime_api.h", "c_backend_api.h"}) {
    replace_in(artifact + kSources + "default_lib0.c", std::string("\"tvm/runtime/") + header,
               std::string("\"../../runtime/include/tvm/runtime/") + header);
  }
  expect_runs(artifact);
}

TEST(Regress, TvmMacrosAndInstructionsOfArm) {
  const std::string artifact = copy_of("no_usmp", "tvm_arm");
  const std::string operators = artifact + kSources + "default_lib1.c";
  replace_in(operators, "#include <math.h>\n",
             "#include <math.h>\n#include <arm_math.h>\n#include <arm_acle.h>\n#include <arm_nnsupportfunctions.h>\n"
             "__STATIC_FORCEINLINE int32_t dot(uint32_t a, uint32_t b) {\n"
             "  return __SMLAD(__sxtb16(a), __ROR(b, 8), __ssat(__smuad(a, b), 4));\n}\n");
  begin_function(operators, "TVM_DLL int32_t tvmgen_default_fused_nn_relu(float* p0, float* T_relu)",
                 "  T_relu[0] = (float)dot(0x00FF0002u, 0x00030004u);\n");
  expect_runs(artifact);
}

TEST(Regress, TvmMainThatPrints) {
  const std::string artifact = copy_of("no_usmp", "tvm_prints");
  const std::string operators = artifact + kSources + "default_lib1.c";
  replace_in(operators, "#include <math.h>\n", "#include <math.h>\n#include <stdio.h>\n");
  replace_in(operators, "  if (tvmgen_default_fused_nn_relu(x_buffer_var",
             "  printf(\"\");\n  if (tvmgen_default_fused_nn_relu(x_buffer_var");
  expect_runs(artifact, {"", " --replan parallel"});
}

/// An application that wraps main in a function of a like name, old style.
TEST(Regress, TvmWrappersNamedLikeMain) {
  const std::string artifact = copy_of("v08", "tvm_wrapper");
  replace_in(artifact + kSources + "default_lib1.c", "TVM_DLL int32_t tvmgen_default_run_model(void* x,void* output0);",
             "TVM_DLL int32_t tvmgen_default_run_model();");
  e2e::write_file(artifact + kSources + "app.c",
                  "int32_t tvmgen_default_run_model();\nstatic float in[32], out[32];\n"
                  "int app_run_model() { return tvmgen_default_run_model(in, out); }\n"
                  "int tvmgen_app_run_model(x) float* x; { return tvmgen_default_run_model(x, out); }\n"
                  "int demo___tvm_main__() { return app_run_model(); }\n");
  const e2e::Answer import = e2e::run_detent("import tvm " + artifact + " -o " + artifact + ".pkg --json -");
  EXPECT_EQ(import.exit_code, 0) << import.error;
  EXPECT_EQ(e2e::parse(import)["ops"], 6);
}

/// Nothing tells how long x is, and an operator that reads until it finds a zero may read all of it.
TEST(Regress, TvmInputOfUnknownLength) {
  const std::string directory = e2e::scratch("tvm_unknown_length");
  e2e::write_file(directory + "/lib1.c",
                  "#include \"tvm/runtime/c_runtime_api.h\"\n"
                  "TVM_DLL int32_t tvmgen_default_f(float* p0, float* T_out) {\n"
                  "  int32_t k = 0;\n  while (p0[k] != 0.0f) { ++k; }\n"
                  "  for (int32_t i = 0; i < 4; ++i) { T_out[i] = p0[k]; }\n  return 0;\n}\n"
                  "TVM_DLL int32_t tvmgen_default___tvm_main__(float* x_buffer_var, float* output_buffer_var) {\n"
                  "  if (tvmgen_default_f(x_buffer_var, output_buffer_var) != 0 ) return -1;\n  return 0;\n}\n");
  for (const std::string replan : {"", " --replan parallel"}) {
    const std::string package = directory + "/p.pkg";
    const e2e::Answer import = e2e::run_detent("import tvm " + directory + " -o " + package + replan);
    EXPECT_EQ(import.exit_code, 0) << import.error;
    EXPECT_NE(import.output.find("the length of x_buffer_var is not known"), std::string::npos) << import.output;
    EXPECT_EQ(e2e::run_detent("run " + package + " --workers 0").exit_code, 2);
    EXPECT_EQ(e2e::run_detent("emit c " + package + " -o " + directory + "/firmware").exit_code, 2);
    EXPECT_FALSE(fs::exists(directory + "/firmware"));
    EXPECT_EQ(e2e::run_detent("verify " + package).exit_code, 0);
  }
}

TEST(Regress, TvmFirmwareOfAPackageWithoutItsCodeIsRefused) {
  const std::string artifact = copy_of("byoc_c_source", "tvm_no_firmware");
  fs::remove(artifact + kSources + "default_lib2.c");
  ASSERT_EQ(e2e::run_detent("import tvm " + artifact + " -o " + artifact + ".pkg").exit_code, 0);
  const e2e::Answer emit = e2e::run_detent("emit c " + artifact + ".pkg -o " + artifact + ".firmware");
  EXPECT_EQ(emit.exit_code, 2);
  EXPECT_NE(emit.error.find("cannot be executed: no definition of tvmgen_default_esp_main_0 (op 1, 3)"),
            std::string::npos)
      << emit.error;
  EXPECT_FALSE(fs::exists(artifact + ".firmware"));
}

TEST(Regress, TvmAuditWithTwoDigestsDoesNotHold) {
  app::ImportAudit audit;
  audit.kernels.accesses.verdict.outcome = audit.text.outcome = audit.runs.verdict.outcome = verify::Outcome::kHolds;
  audit.runs.serial_digest = 7;
  EXPECT_EQ(audit.results(), verify::Outcome::kHolds);
  EXPECT_EQ(audit.outcome(), verify::Outcome::kHolds);
  audit.reference_digest = 7;
  EXPECT_EQ(audit.results(), verify::Outcome::kHolds);
  audit.reference_digest = 8;
  EXPECT_EQ(audit.results(), verify::Outcome::kViolated);
  EXPECT_EQ(audit.outcome(), verify::Outcome::kViolated);
  audit.runs.verdict.outcome = verify::Outcome::kUnknown;  // no run: there is no digest to compare
  EXPECT_EQ(audit.results(), verify::Outcome::kUnknown);
  EXPECT_EQ(audit.outcome(), verify::Outcome::kUnknown);
  audit.text.outcome = verify::Outcome::kViolated;
  EXPECT_EQ(audit.outcome(), verify::Outcome::kViolated);
}

}  // namespace
}  // namespace detent

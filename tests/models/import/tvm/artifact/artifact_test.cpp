// What artifacts tell: every fixture, and whose word counts where two files tell the same thing.
#include "models/import/tvm/artifact/artifact.hpp"

#include <gtest/gtest.h>

#include <set>

#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

std::vector<std::string> names(const std::optional<std::vector<IoInfo>>& list) {
  std::vector<std::string> out;
  for (const IoInfo& info : list.value_or(std::vector<IoInfo>{})) out.push_back(info.name);
  return out;
}

TEST(Artifact, EveryFixtureIsReadWithoutNotes) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kFixtures)) {
    if (!entry.is_directory()) continue;
    ++count;
    const Artifact artifact = read_artifact(entry.path().string());
    EXPECT_FALSE(artifact.main_symbol.empty()) << entry.path();
    EXPECT_TRUE(artifact.notes.empty()) << entry.path() << artifact.notes[0];
    ASSERT_TRUE(artifact.inputs && artifact.outputs) << entry.path();
    EXPECT_FALSE(artifact.tvm_version.empty());
    for (const PoolInfo& found : artifact.pools) EXPECT_GT(found.size_bytes, 0U) << entry.path() << found.name;
    for (const Function& function : artifact.operators.functions)
      EXPECT_FALSE(function.damaged) << entry.path() << function.name;
    for (const CUnit& unit : artifact.externals) {
      for (const Function& function : unit.functions)
        EXPECT_EQ(function.damaged, false) << entry.path() << function.name;
    }
  }
  EXPECT_GE(count, 20U);
}

TEST(Artifact, UsmpTellsPoolsConstantsAndInterface) {
  const Artifact artifact = read_artifact(kFixtures + "usmp");
  EXPECT_EQ(artifact.module_name, "default");
  EXPECT_EQ(artifact.tvm_version, "0.14.0");
  EXPECT_EQ(artifact.main_symbol, "tvmgen_default___tvm_main__");
  EXPECT_EQ(artifact.run_symbol, "tvmgen_default_run");
  EXPECT_FALSE(artifact.packed);
  EXPECT_EQ(artifact.glue_file, kSources + "default_lib0.c");
  EXPECT_EQ(artifact.header_file, "codegen/host/include/tvmgen_default.h");
  EXPECT_EQ(artifact.glue_text, read_text(kFixtures + "usmp/" + artifact.glue_file));
  EXPECT_EQ(artifact.header_text, read_text(kFixtures + "usmp/" + artifact.header_file));
  ASSERT_EQ(artifact.pools.size(), 2U);
  EXPECT_EQ(artifact.pools[0].name, "global_const_workspace");
  EXPECT_TRUE(artifact.pools[0].is_const);
  EXPECT_FALSE(artifact.pools[1].is_const);
  ASSERT_EQ(artifact.inputs->size(), 1U);
  EXPECT_EQ((*artifact.inputs)[0].name, "x");
  EXPECT_EQ((*artifact.inputs)[0].size_bytes, 256U);
  EXPECT_EQ((*artifact.inputs)[0].dtype, "float32");
  EXPECT_TRUE(artifact.constants_complete);
  ASSERT_EQ(artifact.constants.size(), 7U);
  for (std::size_t i = 1; i < artifact.constants.size(); ++i) {
    EXPECT_GE(artifact.constants[i].offset_bytes,
              artifact.constants[i - 1].offset_bytes + artifact.constants[i - 1].bytes.size());
  }
  EXPECT_EQ(artifact.constants[0].name, "fused_nn_dense_constant_let");
  EXPECT_EQ(artifact.constants[0].bytes.size(), 64U * 10 * 4);
}

TEST(Artifact, ConstantsOfTheGlueAndOfTheTablesAgree) {
  const Artifact glue = read_artifact(kFixtures + "packed_usmp");
  Scratch scratch;
  const fs::path path = scratch.copy("packed_usmp");
  fs::remove(path / kSources / "default_lib0.c");
  const Artifact tables = read_artifact(path.string());
  EXPECT_TRUE(tables.glue_text.empty());
  EXPECT_TRUE(tables.constants_complete);
  ASSERT_EQ(tables.constants.size(), glue.constants.size());
  for (std::size_t i = 0; i < glue.constants.size(); ++i) {
    EXPECT_EQ(tables.constants[i].name, glue.constants[i].name);
    EXPECT_EQ(tables.constants[i].offset_bytes, glue.constants[i].offset_bytes);
    EXPECT_EQ(tables.constants[i].bytes, glue.constants[i].bytes);
  }
}

TEST(Artifact, PackedTablesTellShapesAndTypes) {
  const Artifact artifact = read_artifact(kFixtures + "packed_no_usmp");
  EXPECT_TRUE(artifact.packed);
  EXPECT_EQ((*artifact.inputs)[0].shape, (std::vector<std::int64_t>{1, 32}));
  EXPECT_EQ((*artifact.inputs)[0].dtype, "float32");
  EXPECT_EQ((*artifact.outputs)[0].size_bytes, 128U);
  EXPECT_FALSE(read_artifact(kFixtures + "packed_interface").packed);
}

TEST(Artifact, PackedFunctionsOfOlderTvmHaveFiveParameters) {
  const std::string head = "#include <stdint.h>\nint32_t f(";
  const auto is_packed_text = [&](const std::string& params) {
    return is_packed(parse_c(head + params + ") { return 0; }\n", "ops.c").functions.front());
  };
  EXPECT_TRUE(is_packed_text("void* args, int32_t* ids, int32_t count, void* value, int32_t* code, void* handle"));
  EXPECT_TRUE(is_packed_text("void* args, int32_t* ids, int32_t count, void* value, int32_t* code"));
  EXPECT_FALSE(is_packed_text("void* args, int32_t* ids, int32_t count, void* value"));
  EXPECT_FALSE(is_packed_text("float* args, int32_t* ids, int32_t count, void* value, int32_t* code"));
  EXPECT_FALSE(is_packed_text("void* args, float* ids, int32_t count, void* value, int32_t* code"));
  EXPECT_FALSE(is_packed_text("void* args, int32_t* ids, int32_t* count, void* value, int32_t* code"));
  EXPECT_FALSE(is_packed_text("void* args, int32_t* ids, float count, void* value, int32_t* code"));
}

TEST(Artifact, CppRuntimeHasNoGlue) {
  const Artifact artifact = read_artifact(kFixtures + "cpp_runtime");
  EXPECT_TRUE(artifact.packed);
  EXPECT_TRUE(artifact.run_symbol.empty());
  EXPECT_EQ(artifact.constants.size(), 4U);
  EXPECT_EQ(pool(artifact, "global_workspace").size_bytes, 416U);
}

TEST(Artifact, V08HasOtherNamesAndOrder) {
  const Artifact artifact = read_artifact(kFixtures + "v08");
  EXPECT_EQ(artifact.main_symbol, "tvmgen_default_run_model");
  EXPECT_EQ(artifact.tvm_version, "0.8.0");
  EXPECT_EQ(artifact.glue_file, kSources + "default_lib1.c");
  EXPECT_TRUE(artifact.pools.empty());
}

TEST(Artifact, ExternalPools) {
  const Artifact artifact = read_artifact(kFixtures + "external_pools");
  ASSERT_EQ(artifact.pools.size(), 2U);
  EXPECT_EQ(artifact.pools[0].name, "sram");
  EXPECT_TRUE(artifact.pools[0].is_external);
  EXPECT_EQ(artifact.pools[0].size_bytes, 384U);
  EXPECT_TRUE(artifact.pools[1].is_external);
}

TEST(Artifact, MixedCaseModuleFindsItsHeader) {
  const Artifact artifact = read_artifact(kFixtures + "module_mixed_case");
  EXPECT_EQ(artifact.module_name, "netA");
  EXPECT_EQ(artifact.header_file, "codegen/host/include/tvmgen_neta.h");
  EXPECT_EQ((*artifact.inputs)[0].size_bytes, 128U);
}

TEST(Artifact, ExternalFunctionsAndDevices) {
  EXPECT_EQ(read_artifact(kFixtures + "byoc_cmsis").externals.size(), 2U);
  EXPECT_EQ(read_artifact(kFixtures + "byoc_c_source").externals.size(), 1U);
  const Artifact ethos = read_artifact(kFixtures + "ethos_u");
  EXPECT_EQ(ethos.device_contexts, std::vector<std::string>{"ethos_u"});
  ASSERT_EQ(ethos.externals.size(), 1U);
  EXPECT_NE(ethos.externals[0].find("tvmgen_default_tvmgen_default_ethos_u_main_0"), nullptr);
}

TEST(Artifact, Int8ConstantsOfAConstStruct) {
  const Artifact artifact = read_artifact(kFixtures + "const_struct_int8");
  EXPECT_TRUE(pool(artifact, "global_const_workspace").is_const);
  ASSERT_EQ(artifact.constants.size(), 4U);
  EXPECT_EQ(artifact.constants[0].bytes.size(), 6U);
}

TEST(Artifact, OutputsKeepTheOrderOfTheRunFunction) {
  EXPECT_EQ(names(read_artifact(kFixtures + "outputs_no_usmp").outputs),
            (std::vector<std::string>{"output0", "output1", "output2", "output3"}));
  EXPECT_EQ(names(read_artifact(kFixtures + "gather").inputs), (std::vector<std::string>{"x", "idx"}));
}

TEST(Artifact, InputsAreOrderedByMainWhenOnlyMetadataTellsThem) {
  Scratch scratch;
  const fs::path path = scratch.copy("gather");  // metadata.json sorts: idx before x
  fs::remove(path / kSources / "default_lib0.c");
  fs::remove_all(path / "codegen/host/include");
  const Artifact artifact = read_artifact(path.string());
  EXPECT_EQ(names(artifact.inputs), (std::vector<std::string>{"x", "idx"}));
  EXPECT_EQ((*artifact.inputs)[1].dtype, "int32");
}

TEST(Artifact, TheRunFunctionsOrderCountsMoreThanTheStructs) {
  Scratch scratch;
  const fs::path path = scratch.copy("gather");
  const fs::path header = path / "codegen/host/include/tvmgen_default.h";
  std::string text = read_text(header);
  const std::string fields = "  void* x;\n  void* idx;\n";
  ASSERT_NE(text.find(fields), std::string::npos);
  text.replace(text.find(fields), fields.size(), "  void* idx;\n  void* x;\n");
  write_text(header, text);
  EXPECT_EQ(names(read_artifact(path.string()).inputs), (std::vector<std::string>{"x", "idx"}));
}

TEST(Artifact, BareOperatorFile) {
  const Artifact artifact = read_artifact(kFixtures + "usmp/" + kSources + "default_lib1.c");
  EXPECT_EQ(artifact.main_symbol, "tvmgen_default___tvm_main__");
  EXPECT_TRUE(artifact.glue_text.empty());
}

TEST(Artifact, ConstantsAreLeftOutOnRequest) {
  const Artifact artifact = read_artifact(kFixtures + "usmp", {.constants = false});
  EXPECT_TRUE(artifact.constants.empty());
  EXPECT_FALSE(artifact.constants_complete);
}

/// The samples of TVM 0.14, when they are there: DETENT_TVM_SAMPLES names the directory of their directories.
TEST(Artifact, Samples) {
  const char* root = std::getenv("DETENT_TVM_SAMPLES");
  if (root == nullptr) GTEST_SKIP() << "DETENT_TVM_SAMPLES is not set";
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    ++count;
    const Artifact artifact = read_artifact(entry.path().string());
    EXPECT_TRUE(artifact.notes.empty()) << entry.path();
    ASSERT_TRUE(artifact.inputs && artifact.outputs);
    for (const Function& function : artifact.operators.functions) EXPECT_FALSE(function.damaged) << function.name;
    for (const PoolInfo& found : artifact.pools) EXPECT_GT(found.size_bytes, 0U);
    std::set<std::string> pooled;
    for (const PoolInfo& found : artifact.pools) pooled.insert(found.name);
    EXPECT_EQ(artifact.constants_complete, pooled.contains("global_const_workspace")) << entry.path();
  }
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace detent::models::tvm

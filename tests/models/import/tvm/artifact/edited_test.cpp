// Artifacts of which files are missing, renamed, edited by hand, damaged or there twice.
#include <gtest/gtest.h>

#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

TEST(Artifact, ArtifactWithoutLib0HeaderAndMetadataIsRead) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::remove(path / kSources / "default_lib0.c");
  fs::remove(path / "metadata.json");
  fs::remove_all(path / "codegen/host/include");
  const Artifact artifact = read_artifact(path.string());
  EXPECT_EQ(artifact.main_symbol, "tvmgen_default___tvm_main__");
  EXPECT_FALSE(artifact.inputs);
  EXPECT_TRUE(artifact.constants.empty());
  EXPECT_FALSE(artifact.constants_complete);
  ASSERT_EQ(artifact.pools.size(), 2U);
  EXPECT_TRUE(artifact.pools[0].is_const);
  EXPECT_TRUE(artifact.tvm_version.empty());
}

TEST(Artifact, RenamedFilesAreFoundByWhatTheyDefine) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::rename(path / kSources / "default_lib0.c", path / "z.c");
  fs::rename(path / kSources / "default_lib1.c", path / "a.c");
  const Artifact artifact = read_artifact(path.string());
  EXPECT_EQ(artifact.glue_file, "z.c");
  EXPECT_EQ(artifact.operators.file, path.string() + "/a.c");
  EXPECT_EQ(artifact.constants.size(), 7U);
}

TEST(Artifact, HandEditedGlueThatNoLongerCompiles) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  const fs::path glue = path / kSources / "default_lib0.c";
  std::string text = read_text(glue);
  const std::size_t at = text.find("static uint8_t global_workspace[");
  text.replace(at, text.find(';', at) - at,
               "static uint8_t* global_workspace = heap_caps_malloc(WORKSPACE, MALLOC_CAP_SPIRAM)");
  write_text(glue, text);
  const Artifact artifact = read_artifact(path.string());
  EXPECT_EQ(artifact.constants.size(), 7U);
  EXPECT_EQ(artifact.run_symbol, "tvmgen_default_run");
  EXPECT_GT(pool(artifact, "global_workspace").size_bytes, 0U);  // of metadata.json
  write_text(glue, text.substr(0, text.size() / 2));
  const Artifact cut = read_artifact(path.string());
  EXPECT_TRUE(has_note(cut, "default_lib0.c:")) << "a note names the file that was not read";
  EXPECT_FALSE(cut.constants_complete);
}

TEST(Artifact, DamagedConstantsAreANote) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  const fs::path glue = path / kSources / "default_lib0.c";
  std::string text = read_text(glue);
  text.replace(text.find("0x1.", text.find("= {")), 4, "zero");
  write_text(glue, text);
  const Artifact artifact = read_artifact(path.string());
  EXPECT_FALSE(artifact.constants_complete);
  EXPECT_TRUE(has_note(artifact, "default_lib0.c:"));
}

TEST(Artifact, SeveralModulesAreNamed) {
  Scratch scratch;
  scratch.copy("usmp");
  scratch.copy("module_mixed_case");
  const std::string error = artifact_error(scratch.root());
  EXPECT_NE(error.find("several modules"), std::string::npos);
  EXPECT_NE(error.find("netA (module_mixed_case/codegen/host/src/netA_lib1.c:"), std::string::npos) << error;
}

TEST(Artifact, ACopyOfTheSameFileIsPassedOver) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::copy(path / kSources / "default_lib1.c", path / "backup.c");
  EXPECT_TRUE(has_note(read_artifact(path.string()), "passed over"));
}

TEST(Artifact, OperatorFileCutOffAnywhere) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  const fs::path file = path / kSources / "default_lib1.c";
  const std::string text = read_text(file);
  for (std::size_t length = 0; length + 200 < text.size(); length += 1 + text.size() / 25) {
    write_text(file, text.substr(0, length));
    try {  // cut between two functions, what is left has operators but no main
      EXPECT_EQ(read_artifact(path.string()).main_symbol, "") << length;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(path.string(), 0), 0U) << error.what();
    }
  }
}

TEST(Artifact, B16_MetadataWithDuplicateKeysIsANote) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  for (const char* text : {"{\"modules\": {}, \"modules\": {}}", "{", "", "[]", "{\"modules\": 3}", "{\"modules\": {}}",
                           "{\"memory\": {\"functions\": {\"main\": [{\"inputs\": {\"x\": {\"size\": -1}}}]}}}"}) {
    write_text(path / "metadata.json", text);
    const Artifact artifact = read_artifact(path.string());
    EXPECT_TRUE(artifact.tvm_version.empty());
    EXPECT_EQ((*artifact.inputs)[0].size_bytes, 256U);  // of the header
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  write_text(path / "metadata.json", deep);
  EXPECT_TRUE(has_note(read_artifact(path.string()), "metadata.json"));
}

TEST(Artifact, DamagedMetadataTablesAreANote) {
  Scratch scratch;
  const fs::path path = scratch.copy("packed_no_usmp");
  std::size_t damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() != ".c") continue;
    std::string text = read_text(entry.path());
    const std::size_t at = text.find("kTvmgenMetadata_inputs_0_shape");
    if (at == std::string::npos) continue;
    text.replace(text.find('{', at) + 1, 0, "sizeof(int) *");
    write_text(entry.path(), text);
    ++damaged;
  }
  ASSERT_EQ(damaged, 1U);
  EXPECT_TRUE(has_note(read_artifact(path.string()), "metadata tables not read: "));
}

TEST(Artifact, HelpersOfHelpersAreFoundInAnyOrderOfTheirFiles) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  const fs::path file = path / kSources / "default_lib1.c";
  std::string text = read_text(file);
  text +=
      "\nint32_t tvmgen_default_first(int32_t x);\n"
      "int32_t tvmgen_default_extra(int32_t x) { return tvmgen_default_first(x); }\n";
  write_text(file, text);
  // Read in the order of their names: the last one is asked for first.
  write_text(path / kSources / "default_lib2.c",
             "#include <stdint.h>\nint32_t tvmgen_default_third(int32_t x) { return x; }\n");
  write_text(path / kSources / "default_lib3.c",
             "#include <stdint.h>\nint32_t tvmgen_default_third(int32_t x);\n"
             "int32_t tvmgen_default_second(int32_t x) { return tvmgen_default_third(x); }\n");
  write_text(path / kSources / "default_lib4.c",
             "#include <stdint.h>\nint32_t tvmgen_default_second(int32_t x);\n"
             "int32_t tvmgen_default_first(int32_t x) { return tvmgen_default_second(x); }\n");
  const Artifact artifact = read_artifact(path.string());
  std::vector<std::string> files;
  for (const CUnit& unit : artifact.externals) files.push_back(fs::path(unit.file).filename().string());
  EXPECT_EQ(files, (std::vector<std::string>{"default_lib4.c", "default_lib3.c", "default_lib2.c"}));
}

TEST(Artifact, DamagedTablesOfMetadataLeaveTheArtifactReadable) {
  Scratch scratch;
  const fs::path path = scratch.copy("packed_usmp");
  const fs::path file = path / kSources / "default_lib1.c";
  const std::string text = read_text(file);
  for (std::size_t i = 0; i < 15; ++i) {
    std::string changed = text;
    const std::size_t at = 120 + i * 61 % std::min<std::size_t>(text.size() - 120, 3000);
    changed[at] = changed[at] == '#' ? ' ' : '#';
    write_text(file, changed);
    artifact_error(path);
  }
  write_text(file,
             "static const struct TVMTensorInfo kTvmgenMetadata_inputs[4294967295] = {{\"x\", y, 4L, {2, 32, 1}}};\n");
  EXPECT_NE(read_artifact(path.string()).main_symbol, "");
}

}  // namespace
}  // namespace detent::models::tvm

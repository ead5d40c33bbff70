// Artifacts from directories, tars and single files: every fixture, and what is missing, renamed, edited or hostile.
#include "models/tvm/artifact.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "models/input_error.hpp"

namespace detent::models::tvm {
namespace {

namespace fs = std::filesystem;

const std::string kFixtures = std::string(DETENT_SOURCE_DIR) + "/tests/models/tvm/fixtures/";
const std::string kSources = "codegen/host/src/";

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A directory that disappears with the test.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "detent_artifact_XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(root_); }
  /// A copy of a fixture to edit.
  fs::path copy(const std::string& fixture) const {
    fs::copy(kFixtures + fixture, root_ / fixture, fs::copy_options::recursive);
    return root_ / fixture;
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

std::string error_of(const fs::path& path) {
  try {
    read_artifact(path.string());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has_note(const Artifact& artifact, const std::string& part) {
  for (const std::string& note : artifact.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

std::vector<std::string> names(const std::optional<std::vector<IoInfo>>& list) {
  std::vector<std::string> out;
  for (const IoInfo& info : list.value_or(std::vector<IoInfo>{})) out.push_back(info.name);
  return out;
}

const PoolInfo& pool(const Artifact& artifact, const std::string& name) {
  for (const PoolInfo& found : artifact.pools) {
    if (found.name == name) return found;
  }
  throw std::runtime_error("no pool " + name);
}

struct Member {
  std::string name, text;
  int type = AE_IFREG;
};

void write_tar(const fs::path& path, const std::vector<Member>& members, bool compressed = false) {
  archive* out = archive_write_new();
  archive_write_set_format_pax_restricted(out);
  if (compressed) archive_write_add_filter_xz(out);
  ASSERT_EQ(archive_write_open_filename(out, path.c_str()), ARCHIVE_OK);
  for (const Member& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, static_cast<unsigned>(member.type));
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.type == AE_IFREG ? member.text.size() : 0));
    if (member.type == AE_IFLNK) archive_entry_set_symlink(entry, member.text.c_str());
    archive_write_header(out, entry);
    if (member.type == AE_IFREG) archive_write_data(out, member.text.data(), member.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

std::vector<Member> members_of(const std::string& fixture) {
  std::vector<Member> members;
  for (const auto& entry : fs::recursive_directory_iterator(kFixtures + fixture)) {
    if (!entry.is_regular_file()) continue;
    members.push_back({"./" + fs::relative(entry.path(), kFixtures + fixture).string(), read_text(entry.path())});
  }
  return members;
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
  EXPECT_EQ(read_artifact(kFixtures + "byoc_cmsis").externals.size(), 1U);
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

TEST(Artifact, MissingLib0HeaderAndMetadataAreNoObstacle) {
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

TEST(Artifact, BareOperatorFile) {
  const Artifact artifact = read_artifact(kFixtures + "usmp/" + kSources + "default_lib1.c");
  EXPECT_EQ(artifact.main_symbol, "tvmgen_default___tvm_main__");
  EXPECT_TRUE(artifact.glue_text.empty());
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

TEST(Artifact, ConstantsAreLeftOutOnRequest) {
  const Artifact artifact = read_artifact(kFixtures + "usmp", {.constants = false});
  EXPECT_TRUE(artifact.constants.empty());
  EXPECT_FALSE(artifact.constants_complete);
}

TEST(Artifact, SeveralModulesAreNamed) {
  Scratch scratch;
  scratch.copy("usmp");
  scratch.copy("module_mixed_case");
  const std::string error = error_of(scratch.root());
  EXPECT_NE(error.find("several modules"), std::string::npos);
  EXPECT_NE(error.find("netA (module_mixed_case/codegen/host/src/netA_lib1.c)"), std::string::npos) << error;
}

TEST(Artifact, ACopyOfTheSameFileIsPassedOver) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::copy(path / kSources / "default_lib1.c", path / "backup.c");
  EXPECT_TRUE(has_note(read_artifact(path.string()), "passed over"));
}

TEST(Artifact, TarsAreReadLikeDirectories) {
  Scratch scratch;
  for (const bool compressed : {false, true}) {
    const fs::path path = scratch.root() / (compressed ? "a.tar.xz" : "a.tar");
    write_tar(path, members_of("usmp"), compressed);
    const Artifact artifact = read_artifact(path.string());
    EXPECT_EQ(artifact.constants.size(), 7U);
    EXPECT_EQ(artifact.glue_file, kSources + "default_lib0.c");
  }
}

TEST(Artifact, B01_EmptyPlaces) {
  Scratch scratch;
  EXPECT_NE(error_of(scratch.root()).find("defines main"), std::string::npos);
  write_text(scratch.root() / "empty.c", "");
  EXPECT_NE(error_of(scratch.root() / "empty.c").find("no function"), std::string::npos);
  EXPECT_NE(error_of(scratch.root() / "missing"), "");
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of(std::string("a\0b", 3)), "");
}

TEST(Artifact, B04_TarCutOffAnywhere) {
  Scratch scratch;
  const fs::path whole = scratch.root() / "a.tar", part = scratch.root() / "b.tar";
  write_tar(whole, members_of("packed_no_usmp"));
  const std::string bytes = read_text(whole);
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 25) {
    write_text(part, bytes.substr(0, length));
    const std::string error = error_of(part);
    EXPECT_TRUE(error.empty() || error.starts_with(part.string())) << error;
  }
  write_tar(whole, members_of("packed_no_usmp"), true);
  const std::string packed = read_text(whole);
  for (std::size_t length = 0; length < packed.size(); length += 1 + packed.size() / 25) {
    write_text(part, packed.substr(0, length));
    EXPECT_NE(error_of(part), "") << length;
  }
}

TEST(Artifact, B07_TarBytesExchanged) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  write_tar(path, members_of("packed_no_usmp"));
  const std::string bytes = read_text(path);
  for (std::size_t i = 0; i < 25; ++i) {
    std::string changed = bytes;
    const std::size_t at = i * 17 % std::min<std::size_t>(bytes.size(), 2048);
    changed[at] = static_cast<char>(changed[at] ^ 0xff);
    write_text(path, changed);
    error_of(path);
  }
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

TEST(Artifact, B14_HostileMemberNames) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  for (const char* name : {"../a.c", "/etc/a.c", "b/../../a.c", "./../a.c"}) {
    write_tar(path, {{name, "int f(void) { return 0; }"}});
    EXPECT_NE(error_of(path).find("points outside"), std::string::npos) << name;
  }
  std::vector<Member> members = members_of("usmp");
  members.push_back({std::string(100000, 'x') + "/<b>,\n\xff.c", "int tvmgen_x(void) { return 0; }"});
  write_tar(path, members);
  EXPECT_EQ(error_of(path), "");
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

TEST(Artifact, B62_LinksFifosAndDirectoriesAsFiles) {
  Scratch scratch;
  const fs::path path = scratch.copy("usmp");
  fs::rename(path / kSources / "default_lib1.c", scratch.root() / "outside.c");
  fs::create_symlink(scratch.root() / "outside.c", path / kSources / "default_lib1.c");
  EXPECT_NE(error_of(path), "") << "a link that leaves the directory is not followed";
  fs::remove(path / kSources / "default_lib1.c");
  fs::rename(scratch.root() / "outside.c", path / kSources / "default_lib1.c");
  fs::create_directory_symlink("/", path / "root");
  fs::create_directory_symlink("..", path / "up");
  fs::create_directory(path / "d.c");
  ASSERT_EQ(::mkfifo((path / "pipe.c").c_str(), 0600), 0);
  const Artifact artifact = read_artifact(path.string());
  EXPECT_TRUE(has_note(artifact, "pipe.c"));
  EXPECT_NE(error_of(path / "pipe.c").find("FIFO"), std::string::npos);
  EXPECT_NE(error_of("/dev/zero").find("device"), std::string::npos);
}

TEST(Artifact, B62_LinksInTars) {
  Scratch scratch;
  const fs::path path = scratch.root() / "a.tar";
  std::vector<Member> members = members_of("usmp");
  members.push_back({"link.c", "/etc/passwd", AE_IFLNK});
  write_tar(path, members);
  EXPECT_TRUE(has_note(read_artifact(path.string()), "link.c"));
}

TEST(Artifact, TablesThatNobodyWritesAreANote) {
  Scratch scratch;
  const fs::path path = scratch.copy("packed_usmp");
  const fs::path file = path / kSources / "default_lib1.c";
  const std::string text = read_text(file);
  for (std::size_t i = 0; i < 15; ++i) {
    std::string changed = text;
    const std::size_t at = 120 + i * 61 % std::min<std::size_t>(text.size() - 120, 3000);
    changed[at] = changed[at] == '#' ? ' ' : '#';
    write_text(file, changed);
    error_of(path);
  }
  write_text(file,
             "static const struct TVMTensorInfo kTvmgenMetadata_inputs[4294967295] = {{\"x\", y, 4L, {2, 32, 1}}};\n");
  EXPECT_NE(read_artifact(path.string()).main_symbol, "");
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

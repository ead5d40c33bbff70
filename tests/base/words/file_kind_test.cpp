// What a file is by its first bytes, and the words of messages for each kind.
#include "base/words/file_kind.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/temp_directory.hpp"

namespace detent {
namespace {

struct Sample {
  std::string name, bytes;
  FileKind kind;
  std::string text;
};

TEST(FileKind, EachKindIsKnownByItsFirstBytesAndHasItsWords) {
  const std::string tar = std::string(257, '\0') + "ustar";
  const Sample samples[] = {
      {"a", "", FileKind::kEmpty, "empty"},
      {"a", "DETENTPK\1", FileKind::kPackage, "a package of detent import"},
      {"a", "DETENTLG\2", FileKind::kLog, "a log of runs"},
      {"a", "DETCAMPN\1", FileKind::kCampaignRuns, "a campaign file of detent simulate"},
      {"a", "DETXPLOR\1", FileKind::kCampaignSchedules, "a campaign file of detent explore"},
      {"a", "detent-replay/1 model=m", FileKind::kReplay, "a run to replay"},
      {"a", "detent-failure/1\n", FileKind::kReplay, "a run to replay"},
      {"a", "  {\"schema\": 1}", FileKind::kJson, "a JSON file"},
      {"a", "{\"schema\": detent.graph/1}", FileKind::kJson, "a JSON file"},
      {"a", "{\"schema\": \"other.graph/1\"}", FileKind::kJson, "a JSON file"},
      {"a", "{\"name\": \"n\", \"schema\" : \"detent.graph/2\"}", FileKind::kGraph, "an op graph"},
      {"a", "{\"schema\": \"detent.check/1\"}", FileKind::kCheckAnswer, "the answer of detent check"},
      {"a", "{\"schema\": \"detent.run/1\"}", FileKind::kAnswer, "the JSON answer of a detent command"},
      {"a", "{\"$schema\": \"https://x/sarif-schema-2.1.0.json\"}", FileKind::kSarif, "a SARIF file"},
      {"a.json", "[1, 2]", FileKind::kJson, "a JSON file"},
      {"a.toml", "anything", FileKind::kToml, "a TOML file"},
      {"a", "schema = \"detent.platform/1\"", FileKind::kPlatform, "a platform"},
      {"a.toml", "# mine\nschema = 'detent.costs/1'", FileKind::kCosts, "a table of op times"},
      {"a", "schema =\"detent.set/1\"", FileKind::kSettings, "a table of op settings"},
      {"a", "schema = \"detent.schedule/1\"", FileKind::kSchedule, "a schedule of ops"},
      {"a", "{\"schema\": \"detent.plan_case/1\"}", FileKind::kPlanCase, "a plan case"},
      {"a", "schema = \"detent.other/1\"", FileKind::kToml, "a TOML file"},
      {"a", "[[core]]", FileKind::kToml, "a TOML file"},
      {"a", "name = 'x'", FileKind::kToml, "a TOML file"},
      {"a", "\n<!DOCTYPE html>", FileKind::kHtml, "a web page"},
      {"a", "<html>", FileKind::kHtml, "a web page"},
      {"a", "\x1F\x8B\x08", FileKind::kArchive, "an archive"},
      {"a", "BZh9", FileKind::kArchive, "an archive"},
      {"a",
       "\xFD"
       "7zXZ",
       FileKind::kArchive, "an archive"},
      {"a", "PK\x03\x04", FileKind::kZip, "a zip file"},
      {"a", tar, FileKind::kArchive, "an archive"},
      {"a.c", "int x;", FileKind::kC, "a C source"},
      {"a.h", "int x;", FileKind::kC, "a C source"},
      {"a", "// a comment", FileKind::kC, "a C source"},
      {"a", "/* a comment */", FileKind::kC, "a C source"},
      {"a", "#include <stdio.h>", FileKind::kC, "a C source"},
      {"a.onnx", "\x08\x07", FileKind::kOnnx, "an ONNX file"},
      {"a", "\x08\x07\x12\x07pytorch\x1A", FileKind::kOnnx, "an ONNX file"},
      {"a", std::string("\x08\x07\x12\x07\0\0\0\0\0", 9), FileKind::kBinary, "binary data"},
      {"a.pftrace", "\x0A\x10", FileKind::kTrace, "a trace"},
      {"a.btf", "#version 2.1.5", FileKind::kTrace, "a trace"},
      {"a.vcd", "$timescale", FileKind::kTrace, "a trace"},
      {"a.csv", "name,1,2,3\n", FileKind::kCsv, "a CSV file"},
      {"a.npy", "\x93NUMPY\1", FileKind::kArray, "a NumPy array"},
      {"a", "\x28\xB5\x2F\xFD", FileKind::kArchive, "an archive"},
      {"a", std::string("\x1C\0\0\0TFL3\0", 9), FileKind::kTflite, "a TFLite file"},
      {"a", "\x89PNG\r\n", FileKind::kPicture, "a picture"},
      {"a", "\xFF\xD8\xFF", FileKind::kPicture, "a picture"},
      {"a", "GIF89a", FileKind::kPicture, "a picture"},
      {"a",
       "\x7F"
       "ELF",
       FileKind::kProgram, "a program or library"},
      {"a", "%PDF-1.7", FileKind::kPdf, "a PDF document"},
      {"a", "some words\n", FileKind::kText, "a text file"},
      {"a", "[1, 2]", FileKind::kText, "a text file"},
      {"a", std::string("ab\0cd", 5), FileKind::kBinary, "binary data"},
      {"a", "ab\x7F", FileKind::kBinary, "binary data"},
  };
  for (const Sample& sample : samples) {
    EXPECT_EQ(kind_of_file(sample.name, sample.bytes), sample.kind) << sample.name << ": " << sample.bytes;
    EXPECT_EQ(kind_text(sample.kind), sample.text);
  }
}

TEST(FileKind, OnlyTheFirstBytesCount) {
  EXPECT_EQ(kind_of_file("a", std::string(4096, 'a') + '\0'), FileKind::kText);
  EXPECT_EQ(kind_of_file("a", std::string(4095, 'a') + '\0'), FileKind::kBinary);
}

TEST(FileKind, FoldersAreKnownByTheFilesThatTheirMakersWrite) {
  const TempDirectory dir;
  const auto folder = [&](const char* name, const char* file) {
    std::filesystem::create_directories(dir.path() / name);
    std::ofstream(dir.path() / name / file) << "{}";
    return kind_at((dir.path() / name).string());
  };
  EXPECT_EQ(folder("a", "report.json"), FileKind::kCheckFolder);
  EXPECT_EQ(folder("b", "campaign.json"), FileKind::kCampaignFolder);
  EXPECT_EQ(folder("c", "metadata.json"), FileKind::kTvmFolder);
  EXPECT_EQ(folder("d", "other.json"), FileKind::kFolder);
  std::filesystem::create_directories(dir.path() / "d" / "codegen");
  EXPECT_EQ(kind_at((dir.path() / "d").string()), FileKind::kTvmFolder);
  EXPECT_EQ(kind_at((dir.path() / "c" / "metadata.json").string()), FileKind::kJson);
  EXPECT_EQ(kind_at((dir.path() / "nothing").string()), FileKind::kEmpty);
  EXPECT_EQ(kind_at("/dev/null"), FileKind::kEmpty);
  EXPECT_STREQ(kind_text(FileKind::kFolder), "a folder");
  EXPECT_STREQ(kind_text(FileKind::kCheckFolder), "the folder of a finished check");
  EXPECT_STREQ(kind_text(FileKind::kCampaignFolder), "the folder of a campaign");
  EXPECT_STREQ(kind_text(FileKind::kTvmFolder), "the folder of a TVM artifact");
  EXPECT_TRUE(is_folder_kind(FileKind::kFolder));
  EXPECT_FALSE(is_folder_kind(FileKind::kPackage));
}

TEST(FileKind, ACommandIsNamedThatTakesTheFile) {
  const std::pair<FileKind, const char*> takers[] = {
      {FileKind::kCheckFolder, "detent report d/x.y shows it"},
      {FileKind::kCampaignFolder, "detent campaign --resume --out d/x.y goes on with it"},
      {FileKind::kTvmFolder, "detent import tvm d/x.y -o x.pkg makes a package of it"},
      {FileKind::kC,
       "of a TVM artifact make a package: detent import tvm d/x.y -o x.pkg; of a table of entities an op graph: detent "
       "import entities d/x.y -o GRAPH"},
      {FileKind::kPackage, "detent check d/x.y --out DIR takes it"},
      {FileKind::kGraph, "detent check d/x.y --out DIR takes it"},
      {FileKind::kCheckAnswer, "detent replay d/x.y repeats it"},
      {FileKind::kReplay, "detent replay d/x.y repeats it"},
      {FileKind::kSarif, "--baseline d/x.y takes it"},
      {FileKind::kPlatform, "a chip is given by --platform d/x.y"},
      {FileKind::kCosts, "op times are given by --costs d/x.y"},
      {FileKind::kSettings, "op settings are given by --set d/x.y"},
      {FileKind::kPlanCase, "detent partition d/x.y answers it"},
      {FileKind::kSchedule, "a schedule is given by --schedule d/x.y"},
      {FileKind::kLog, "detent log d/x.y decodes it"},
      {FileKind::kCampaignRuns, "detent merge d/x.y shows its answer"},
      {FileKind::kCampaignSchedules, "detent merge d/x.y shows its answer"},
      {FileKind::kTrace, "a trace viewer shows it, such as ui.perfetto.dev"},
      {FileKind::kHtml, "a browser shows it, and detent report d the check beside it"},
      {FileKind::kZip, "unpack it first"},
      {FileKind::kCsv,
       "detent check d/x.y --out DIR takes a table of ops, detent npu --layers d/x.y --array 32,32 sizes of layers"},
      {FileKind::kOnnx, "compile it with TVM's ahead-of-time executor, then: detent import tvm ARTIFACT -o x.pkg"},
      {FileKind::kArray, "detent run MODEL --input d/x.y takes it"},
      {FileKind::kPicture, ""},
      {FileKind::kAnswer, ""}};
  for (const auto& [kind, taker] : takers) EXPECT_EQ(taker_of(kind, "d/x.y"), taker);
  EXPECT_EQ(taker_of(FileKind::kLog, "my log"), "detent log 'my log' decodes it");
  EXPECT_EQ(taker_of(FileKind::kHtml, "report.html"), "a browser shows it, and detent report . the check beside it");
  EXPECT_EQ(taker_of(FileKind::kArchive, "."), "of a TVM artifact make a package: detent import tvm . -o NAME.pkg");
}

TEST(FileKind, NearFileIsTheNearestNameOfItsFolder) {
  const TempDirectory dir;
  std::ofstream(dir.path() / "graph.json") << "{}";
  EXPECT_EQ(near_file((dir.path() / "grpah.json").string()),
            "; did you mean " + (dir.path() / "graph.json").string() + "?");
  EXPECT_EQ(near_file((dir.path() / "quite_another").string()), "");
  EXPECT_EQ(near_file((dir.path() / "absent" / "graph.json").string()), "");
}

}  // namespace
}  // namespace detent

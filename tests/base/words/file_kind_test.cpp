// What a file is by its first bytes, and the words of messages for each kind.
#include "base/words/file_kind.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

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
      {"a", "  {\"schema\": 1}", FileKind::kJson, "a JSON file"},
      {"a.json", "[1, 2]", FileKind::kJson, "a JSON file"},
      {"a.toml", "anything", FileKind::kToml, "a TOML file"},
      {"a", "schema = \"detent.platform/1\"", FileKind::kToml, "a TOML file"},
      {"a", "[[core]]", FileKind::kToml, "a TOML file"},
      {"a", "name = 'x'", FileKind::kToml, "a TOML file"},
      {"a", "\n<!DOCTYPE html>", FileKind::kHtml, "a web page"},
      {"a", "<html>", FileKind::kHtml, "a web page"},
      {"a", "\x1F\x8B\x08", FileKind::kTar, "an archive"},
      {"a", "BZh9", FileKind::kTar, "an archive"},
      {"a",
       "\xFD"
       "7zXZ",
       FileKind::kTar, "an archive"},
      {"a", "PK\x03\x04", FileKind::kTar, "an archive"},
      {"a", tar, FileKind::kTar, "an archive"},
      {"a.c", "int x;", FileKind::kC, "a C source"},
      {"a.h", "int x;", FileKind::kC, "a C source"},
      {"a", "// a comment", FileKind::kC, "a C source"},
      {"a", "/* a comment */", FileKind::kC, "a C source"},
      {"a", "#include <stdio.h>", FileKind::kC, "a C source"},
      {"a.onnx", "\x08\x07", FileKind::kOnnx, "an ONNX model"},
      {"a", std::string("\x1C\0\0\0TFL3\0", 9), FileKind::kTflite, "a TFLite model"},
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

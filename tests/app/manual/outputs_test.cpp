// Outputs that cannot be written, or that would take the place of somebody's work.
#include "app/manual/outputs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/temp_directory.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

class Outputs : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::string refusal(const std::string& option, const std::string& path, bool is_folder) {
    return refusal_of([&] {
      require_writable(option, path, is_folder);
      return 0;
    });
  }

  TempDirectory dir_;
};

TEST_F(Outputs, AnAnswerTakesThePlaceOfAnAnswerOnly) {
  for (const char* const bytes : {"{\"schema\": \"detent.run/1\"}", "{}", "some text", ""}) {
    EXPECT_EQ(refusal("--json", write("a", bytes), false), "") << bytes;
  }
  const std::string graph = write("g.json", "{\"schema\": \"detent.graph/1\"}");
  EXPECT_EQ(refusal("--json", graph, false),
            "--json " + graph + ": is an op graph, which would be lost; choose another name");
  EXPECT_EQ(refusal("--out", graph, false), "") << "graph and verify --fix write graphs";
  const std::string chip = write("c.toml", "schema = \"detent.platform/1\"");
  EXPECT_EQ(refusal("--log", chip, false),
            "--log " + chip + ": is a platform, which would be lost; choose another name");
  EXPECT_NE(refusal("--output", write("m.c", "int x;"), false), "");
  EXPECT_NE(refusal("--failure", write("p", "DETENTPK"), false), "");
}

TEST_F(Outputs, APackageTakesThePlaceOfAPackageOnly) {
  const auto refusal_of_place = [](const std::string& path) {
    return refusal_of([&] {
      require_package_place(path);
      return 0;
    });
  };
  EXPECT_EQ(refusal_of_place((dir_.path() / "new.pkg").string()), "");
  EXPECT_EQ(refusal_of_place(write("old.pkg", "DETENTPK\2")), "");
  EXPECT_EQ(refusal_of_place(write("empty", "")), "");
  const std::string graph = write("g.json", "{\"schema\": \"detent.graph/1\"}");
  EXPECT_EQ(refusal_of_place(graph), "--out " + graph + ": is an op graph, which would be lost; choose another name");
  const std::string text = write("notes", "what I found");
  EXPECT_EQ(refusal_of_place(text), "--out " + text + ": is a text file, which would be lost; choose another name");
}

TEST_F(Outputs, AFileIsNoFolder) {
  const std::string graph = write("g.json", "{\"schema\": \"detent.graph/1\"}");
  EXPECT_EQ(
      refusal("--out", graph, true),
      "--out " + graph + ": is an op graph, not a folder; a model is given as MODEL, without an option before it");
  const std::string text = write("t", "words");
  EXPECT_EQ(refusal("--out", text, true), "--out " + text + ": is a text file, not a folder; choose another name");
  const std::string empty = write("e", "");
  EXPECT_EQ(refusal("--out", empty, true), "--out " + empty + ": is a file, not a folder; choose another name");
  EXPECT_EQ(refusal("--out", graph + "/x", false),
            "--out " + graph + "/x: " + graph + " is a file, not a folder; choose another name");
}

TEST_F(Outputs, AFolderIsNoFile) {
  const std::string folder = dir_.path().string();
  EXPECT_EQ(refusal("--json", folder, false),
            "--json " + folder + ": is a folder; give a file, such as " + folder + "/answer.json");
  EXPECT_EQ(refusal("--log", folder, false),
            "--log " + folder + ": is a folder; give a file, such as " + folder + "/NAME");
  EXPECT_EQ(refusal("--out", folder, true), "");
  EXPECT_EQ(refusal("--out", folder + "/a/b", true), "") << "folders are made";
}

}  // namespace
}  // namespace detent::app

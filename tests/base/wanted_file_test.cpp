// Files of another kind than a reader wants: what they are, and what takes them.
#include "base/wanted_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "base/temp_directory.hpp"

namespace detent {
namespace {

const WantedFile kChip = {"a platform", {FileKind::kPlatform, FileKind::kToml}, "give a .toml file"};

class WantedFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// What is said of it, without the folder of the test.
  std::string refusal(const std::string& path, std::uint64_t max_bytes = 1000) {
    try {
      read_wanted_file(path, max_bytes, kChip);
    } catch (const std::invalid_argument& error) {
      std::string text = error.what();
      const std::string folder = dir_.path().string() + "/";
      for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
        text.erase(at, folder.size());
      }
      return text;
    }
    return "";
  }

  TempDirectory dir_;
};

TEST_F(WantedFiles, OfAKindThatIsWantedAreRead) {
  EXPECT_EQ(read_wanted_file(write("a.toml", "x = 1\n"), 6, kChip), "x = 1\n");
  EXPECT_EQ(read_wanted_file(write("b", "schema = \"detent.platform/1\"\n"), 100, kChip),
            "schema = \"detent.platform/1\"\n");
}

TEST_F(WantedFiles, OfAnotherKindAreAnsweredWithWhatTakesThem) {
  EXPECT_EQ(refusal(write("g.json", "{\"schema\": \"detent.graph/1\"}")),
            "g.json: is an op graph, not a platform; detent check g.json --out DIR takes it. Give a .toml file");
  EXPECT_EQ(refusal(write("p.png", "\x89PNG\r\n")), "p.png: is a picture, not a platform; give a .toml file");
  EXPECT_EQ(refusal(write("e", "")), "e: is empty; give a .toml file");
}

TEST_F(WantedFiles, FoldersAreNamedByWhatTheyHold) {
  std::filesystem::create_directories(dir_.path() / "d");
  const std::string folder = (dir_.path() / "d").string();
  EXPECT_EQ(refusal(folder), "d: is a folder, not a platform; give a .toml file");
  std::ofstream(dir_.path() / "d" / "report.json") << "{}";
  EXPECT_EQ(refusal(folder),
            "d: is the folder of a finished check, not a platform; detent report d shows it. Give a .toml file");
}

TEST_F(WantedFiles, ThatAreTooLongAreNamedByTheirKindFirst) {
  const std::string log = "DETENTLG" + std::string(100, '\0');
  EXPECT_EQ(refusal(write("l", log), 50),
            "l: is a log of runs, not a platform; detent log l decodes it. Give a .toml file");
  EXPECT_EQ(refusal(write("z", std::string(100, '\0')), 50), "z: 100 bytes; at most 50 are read");
  EXPECT_EQ(refusal(write("t.toml", std::string(100, '#')), 50), "t.toml: 100 bytes; at most 50 are read");
}

TEST_F(WantedFiles, ThatAreNotThereAreLeftToTheirReader) {
  const std::string path = (dir_.path() / "nothing").string();
  EXPECT_NO_THROW(require_kind_at(path, kChip));
  EXPECT_EQ(refusal(path), "nothing: cannot be opened: No such file or directory; check the path");
  EXPECT_EQ(refusal("/dev/null"), "/dev/null: is a device; a regular file is needed");
}

}  // namespace
}  // namespace detent

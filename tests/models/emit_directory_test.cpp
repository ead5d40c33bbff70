// Writing a directory: all or nothing, nothing outside of it, nothing of others removed.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/input_error.hpp"
#include "base/io.hpp"
#include "models/emit_c/directory.hpp"
#include "tests/build.hpp"

namespace detent::models {
namespace {

namespace fs = std::filesystem;

class EmitDirectory : public testing::Test {
 protected:
  EmitDirectory()
      : root_(fs::path(kBuildFolder) / "emit_directory" /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~EmitDirectory() override { fs::remove_all(root_); }
  EmitDirectory(const EmitDirectory&) = delete;
  EmitDirectory& operator=(const EmitDirectory&) = delete;

  [[nodiscard]] std::string at(const std::string& path) const { return (root_ / path).string(); }
  [[nodiscard]] std::string text(const std::string& path) const { return read_regular_file(at(path), 1000); }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_), fs::directory_iterator()));
  }

  const std::vector<EmittedFile> files_ = {{"a.c", "one"}, {"sub/dir/b.c", "two"}};

 private:
  fs::path root_;
};

TEST_F(EmitDirectory, WritesAllFilesAndLeavesNothingBeside) {
  write_directory(at("fw/deep/"), files_, false);
  EXPECT_EQ(text("fw/deep/a.c"), "one");
  EXPECT_EQ(text("fw/deep/sub/dir/b.c"), "two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(EmitDirectory, TakesAnEmptyDirectory) {
  fs::create_directory(at("fw"));
  write_directory(at("fw"), files_, false);
  EXPECT_EQ(text("fw/a.c"), "one");
}

TEST_F(EmitDirectory, RefusesAnOccupiedDirectoryWithoutForce) {
  fs::create_directory(at("fw"));
  write_file_atomically(at("fw/mine.txt"), "mine");
  EXPECT_THROW(write_directory(at("fw"), files_, false), InputError);
  EXPECT_FALSE(fs::exists(at("fw/a.c")));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(EmitDirectory, ForceReplacesItsFilesAndKeepsOthers) {
  write_directory(at("fw"), {{"a.c", "old"}, {"gone.c", "stays"}}, false);
  write_directory(at("fw"), files_, true);
  EXPECT_EQ(text("fw/a.c"), "one");
  EXPECT_EQ(text("fw/gone.c"), "stays");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(EmitDirectory, B74_PathsOutsideOfTheDirectoryAreRefused) {
  for (const char* path : {"../evil.c", "/tmp/evil.c", "sub/../../evil.c", "", "."}) {
    EXPECT_THROW(write_directory(at("fw"), {{"a.c", "one"}, {path, "evil"}}, false), InputError) << path;
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(EmitDirectory, B74_LinksInsideAreNotFollowed) {
  fs::create_directory(at("elsewhere"));
  fs::create_directory(at("fw"));
  fs::create_directory_symlink(at("elsewhere"), at("fw/sub"));
  EXPECT_THROW(write_directory(at("fw"), files_, true), InputError);
  EXPECT_TRUE(fs::is_empty(at("elsewhere")));
  EXPECT_FALSE(fs::exists(at("fw/a.c"))) << "places are checked before the first file is moved";
}

TEST_F(EmitDirectory, AFileInTheWayIsAnErrorAndNothingIsHalfWritten) {
  write_file_atomically(at("fw"), "a file");
  EXPECT_THROW(write_directory(at("fw"), files_, true), InputError);
  fs::create_directory(at("other"));
  write_file_atomically(at("other/sub"), "a file");
  EXPECT_THROW(write_directory(at("other"), files_, true), InputError);
  EXPECT_FALSE(fs::exists(at("other/a.c")));
  EXPECT_THROW(write_directory("", files_, false), InputError);
  EXPECT_EQ(entries(), 2U);
}

TEST_F(EmitDirectory, ADirectoryBehindALinkIsTheOneWritten) {
  fs::create_directory(at("real"));
  fs::create_directory_symlink(at("real"), at("link"));
  write_directory(at("link"), files_, false);
  EXPECT_EQ(text("real/a.c"), "one");
  EXPECT_TRUE(fs::is_symlink(at("link")));
}

}  // namespace
}  // namespace detent::models

// Folders as bundles have them, and the paths that a bundle may name.
#include "app/bundle/folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/bundle/working_directory.hpp"
#include "base/hash/sha256.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

TEST(BundleFolder, PathsStayInside) {
  for (const char* path : {"a", "a/b", "a b/c.d", "...", "a/..b"}) EXPECT_TRUE(is_bundle_path(path)) << path;
  for (const char* path : {"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\nb"}) {
    EXPECT_FALSE(is_bundle_path(path)) << path;
  }
}

TEST(BundleFolder, ListsFilesEmptyFoldersAndWhatIsNeither) {
  const TemporaryDirectory place;
  fs::create_directories(place.file("x/deep"));
  fs::create_directories(place.file("y"));
  static_cast<void>(place.write("x/deep/b", "bb"));
  static_cast<void>(place.write("a", "a"));
  fs::create_symlink("/etc", place.file("link"));
  const FolderListing listing = list_folder(place.file(""));
  EXPECT_EQ(listing.files, (std::vector<std::string>{"a", "x/deep/b"}));
  EXPECT_EQ(listing.folders, (std::vector<std::string>{"y"}));
  EXPECT_EQ(listing.others, (std::vector<std::string>{"link"})) << "which is not followed";
  const auto files = hash_folder(place.file(""), "a");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].path, "x/deep/b");
  EXPECT_EQ(files[0].bytes, 2U);
  EXPECT_EQ(files[0].sha256, sha256_of("bb"));
}

TEST(BundleFolder, WhatCannotBeReadIsRefusedByName) {
  EXPECT_NE(
      refusal_of([] { return list_folder("/nonexistent/x").files.size(); }).find("/nonexistent/x: cannot be listed"),
      std::string::npos);
  EXPECT_NE(refusal_of([] { return sha256_of_file("/nonexistent/x").size(); }).find("/nonexistent/x: cannot be opened"),
            std::string::npos);
  EXPECT_NE(refusal_of([] { return sha256_of_file("/").size(); }).find("/: cannot be read"), std::string::npos);
}

TEST(WorkingDirectory, IsTheOneBeforeAgain) {
  const TemporaryDirectory place;
  const fs::path before = fs::current_path();
  {
    const WorkingDirectory inside(place.file(""));
    EXPECT_EQ(fs::current_path(), fs::canonical(place.file("")));
  }
  EXPECT_EQ(fs::current_path(), before);
}

}  // namespace
}  // namespace detent::app

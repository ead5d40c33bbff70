// Files below a directory: names that stay there, and links that are not followed.
#include "base/files/below.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/input_error.hpp"
#include "base/temp_directory.hpp"

namespace detent {
namespace {

TEST(FilesBelow, NamesStayBelow) {
  EXPECT_EQ(name_below("a/./b/../c.h"), "a/c.h");
  EXPECT_EQ(name_below("a//b"), "a/b");
  EXPECT_EQ(name_below("a/../../b"), std::nullopt);
  EXPECT_EQ(name_below("../b"), std::nullopt);
  EXPECT_EQ(name_below("/b"), std::nullopt);
  EXPECT_EQ(name_below("a/.."), std::nullopt) << "the directory itself is no file";
  EXPECT_EQ(name_below(""), std::nullopt);
  EXPECT_EQ(name_below(std::string("a\0b", 3)), std::nullopt);
  EXPECT_EQ(folder_part("a/b/c.h"), "a/b/");
  EXPECT_EQ(folder_part("c.h"), "");
}

TEST(FilesBelow, B62_LinksAreNotFollowed) {
  const TempDirectory place;
  const std::filesystem::path folder = place.path();
  std::ofstream(folder / "a.h") << "text";
  std::filesystem::create_directory(folder / "in");
  std::filesystem::create_symlink(folder / "a.h", folder / "in/link.h");
  std::filesystem::create_directory_symlink(folder / "in", folder / "linked");
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(directory, 0);
  const auto read = [&](const std::string& name, std::uint64_t most = 10) {
    return read_file_below({.directory = directory,
                            .name = name,
                            .shown = name,
                            .max_bytes = most,
                            .too_large = "a header has at most 3 bytes",
                            .link = "write the file"});
  };
  EXPECT_EQ(read("a.h"), "text");
  EXPECT_EQ(read("b.h"), std::nullopt);
  EXPECT_EQ(read("in"), std::nullopt);
  EXPECT_EQ(read("linked/link.h"), std::nullopt);
  EXPECT_THROW(static_cast<void>(read("in/link.h")), InputError);
  EXPECT_THROW(static_cast<void>(read("a.h", 3)), InputError);
  ::close(directory);
}

}  // namespace
}  // namespace detent

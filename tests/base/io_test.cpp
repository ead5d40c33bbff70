#include "base/io.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/error_text.hpp"

namespace detent {
namespace {

namespace fs = std::filesystem;

class Io : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("detent_io_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(Io, BytesReadAreThoseWritten) {
  write_file_atomically(path("a"), std::string("x\0y", 3));
  EXPECT_EQ(read_regular_file(path("a"), 3), std::string("x\0y", 3));
  write_file_atomically(path("a"), "");
  EXPECT_EQ(read_regular_file(path("a"), 3), "");
}

TEST_F(Io, WritingLeavesNoOtherFile) {
  write_file_atomically(path("a"), "1");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Io, SymbolicLinksToRegularFilesAreFollowed) {
  write_file_atomically(path("a"), "1");
  fs::create_symlink("a", folder_ / "link");
  EXPECT_EQ(read_regular_file(path("link"), 1), "1");
}

TEST_F(Io, FilesAboveTheCapAreNotRead) {
  write_file_atomically(path("a"), "12");
  expect_error([&] { return read_regular_file(path("a"), 1); }, {"2 bytes", "at most 1"});
}

TEST_F(Io, B62_DirectoriesFifosAndDevicesAreRefusedWithoutWaiting) {
  expect_error([&] { return read_regular_file(folder_.string(), 9); }, {"is a directory"});
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  expect_error([&] { return read_regular_file(path("fifo"), 9); }, {"is a FIFO"});
  expect_error([&] { return read_regular_file("/dev/null", 9); }, {"is a device"});
  fs::create_symlink("/dev/zero", folder_ / "link");
  expect_error([&] { return read_regular_file(path("link"), 9); }, {"is a device"});
}

TEST_F(Io, B62_PathsThatNameNothing) {
  expect_error([&] { return read_regular_file("", 9); }, {"a file name is needed"});
  expect_error([&] { return read_regular_file(path("missing"), 9); }, {"cannot be opened"});
  expect_error([&] { return read_regular_file(std::string("a\0b", 3), 9); }, {"NUL"});
}

TEST_F(Io, OutputThatCannotBeWrittenLeavesNoFile) {
  const auto write_to = [](const std::string& to) {
    return [to] {
      write_file_atomically(to, "1");
      return 0;
    };
  };
  expect_error(write_to(path("no/such")), {"cannot be created"});
  expect_error(write_to(folder_.string()), {"is a directory"});
  expect_error(write_to("/dev/null"), {"is a device"});
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST(Names, PrintableUtf8IsFine) {
  for (const char* name : {"a", "conv 1,2", "<b>", "\"q\"", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "op=7;"}) {
    EXPECT_EQ(name_fault(name), nullptr) << name;
  }
}

TEST(Names, B14_EmptyLongControlAndNoUtf8) {
  EXPECT_NE(name_fault(""), nullptr);
  EXPECT_NE(name_fault(std::string(1U << 20U, 'a')), nullptr);
  EXPECT_EQ(name_fault(std::string(kMaxNameBytes, 'a')), nullptr);
  EXPECT_NE(name_fault(std::string("a\0b", 3)), nullptr);
  for (const char* name :
       {"a\nb", "\t", "\x7F", "\xC2\x85", "\xFF", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF0\x80\x80\x80", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_NE(name_fault(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace detent

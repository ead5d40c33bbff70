// Whatever comes of a file or a program, no descriptor of it stays open.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/files/below.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/subprocess.hpp"
#include "base/temp_directory.hpp"

namespace detent {
namespace {

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

/// As many are open after five calls, whether they throw or not.
void expect_closed(const std::string& what, const std::function<void()>& call) {
  const std::ptrdiff_t before = open_descriptors();
  for (int i = 0; i < 5; ++i) {
    try {
      call();
    } catch (const std::exception&) {
      // What is said of it is tested elsewhere.
    }
  }
  EXPECT_EQ(open_descriptors(), before) << what;
}

TEST(Descriptors, OfFilesBelowADirectoryAreClosed) {
  const TempDirectory place;
  std::filesystem::create_directories(place.path() / "in/deep");
  std::ofstream(place.path() / "in/deep/a.h") << "text";
  std::filesystem::create_symlink("a.h", place.path() / "in/deep/link.h");
  const int directory = ::open(place.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(directory, 0);
  for (const char* name : {"in/deep/a.h", "in/deep/b.h", "in/deep", "in/none/a.h", "in/deep/link.h"}) {
    for (const std::uint64_t most : {10U, 3U}) {
      expect_closed(name, [&] {
        static_cast<void>(read_file_below({.directory = directory,
                                           .name = name,
                                           .shown = name,
                                           .max_bytes = most,
                                           .too_large = "too large",
                                           .link = "write the file"}));
      });
    }
  }
  EXPECT_EQ(::close(directory), 0) << "the caller's own stays open";
}

TEST(Descriptors, OfFilesThatAreReadAndWrittenAreClosed) {
  const TempDirectory place;
  const std::string file = (place.path() / "a").string();
  expect_closed("writes", [&] { write_file_atomically(file, "text"); });
  expect_closed("reads", [&] { static_cast<void>(read_regular_file(file, 10)); });
  expect_closed("too large", [&] { static_cast<void>(read_regular_file(file, 3)); });
  expect_closed("a directory", [&] { static_cast<void>(read_regular_file(place.path().string(), 3)); });
  expect_closed("no such directory", [&] { write_file_atomically((place.path() / "none/a").string(), "text"); });
}

TEST(Descriptors, OfProgramsAreClosed) {
  const auto run = [](const std::vector<std::string>& command) {
    static_cast<void>(run_processes({command, command}, {.directory = "", .jobs = 2, .time_limit_ms = 10'000}));
  };
  expect_closed("true", [&] { run({"true"}); });
  expect_closed("fails", [&] { run({"sh", "-c", "echo text; exit 3"}); });
  expect_closed("no program", [&] { run({"/no/such/program"}); });
}

}  // namespace
}  // namespace detent

#include "cli/standard_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/terminal.hpp"

namespace detent::cli {
namespace {

/// What has been written into a pipe so far.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_NONBLOCK) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  [[nodiscard]] int writing() const { return ends_[1]; }
  std::string read() {
    char text[4096];
    const ssize_t count = ::read(ends_[0], text, sizeof text);
    return count <= 0 ? "" : std::string(text, static_cast<std::size_t>(count));
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(DescriptorBuffer, GathersUntilItIsFlushed) {
  Pipe pipe;
  DescriptorBuffer buffer(pipe.writing());
  std::ostream out(&buffer);
  out << "one " << 2;
  EXPECT_EQ(pipe.read(), "");
  out << std::flush;
  EXPECT_EQ(pipe.read(), "one 2");
  out << " three" << std::flush;
  EXPECT_EQ(pipe.read(), " three");
  EXPECT_EQ(buffer.error(), 0);
}

TEST(DescriptorBuffer, TheErrorOfAWriteIsKept) {
  DescriptorBuffer buffer(-1);
  std::ostream out(&buffer);
  out << "lost" << std::flush;
  EXPECT_EQ(buffer.error(), EBADF);
}

TEST(DescriptorBuffer, TextThatIsLongerThanTheBufferArrivesWhole) {
  Pipe pipe;
  const std::string long_text(70'000, 'x');
  std::string seen;
  DescriptorBuffer buffer(pipe.writing());
  std::ostream out(&buffer);
  out << "head ";
  std::thread writer([&] { out << long_text << std::flush; });  // a full pipe that does not block makes it wait
  while (seen.size() < 5 + long_text.size()) seen += pipe.read();
  writer.join();
  EXPECT_EQ(seen, "head " + long_text);
  EXPECT_EQ(buffer.error(), 0);
}

TEST(DescriptorBuffer, SingleCharactersFlushAFullBuffer) {
  Pipe pipe;
  DescriptorBuffer buffer(pipe.writing());
  std::string seen;
  for (int i = 0; i < 70'000; ++i) {
    buffer.sputc('y');
    if (i % 1000 == 0) seen += pipe.read();
  }
  EXPECT_GT(seen.size(), 0U);
  EXPECT_EQ(buffer.pubsync(), 0);
  for (std::string more = pipe.read(); !more.empty(); more = pipe.read()) seen += more;
  EXPECT_EQ(seen, std::string(70'000, 'y'));
}

TEST(DescriptorBuffer, TerminalsShowEachLineAtOnce) {
  support::OnTerminal terminal;
  DescriptorBuffer buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  out << "one";
  EXPECT_EQ(terminal.read(), "");
  out << " line\n";
  EXPECT_EQ(terminal.read(), "one line\r\n");
}

TEST(StandardOutput, GivesBackWhatWasThere) {
  std::streambuf* const before = std::cout.rdbuf();
  testing::internal::CaptureStdout();
  {
    StandardOutput output;
    EXPECT_NE(std::cout.rdbuf(), before);
    std::cout << "text";
    EXPECT_EQ(output.finish(3), 3);
  }
  EXPECT_EQ(std::cout.rdbuf(), before);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "text");
}

void write_to_a_full_disk() {
  const int full = ::open("/dev/full", O_WRONLY);
  ::dup2(full, STDOUT_FILENO);
  StandardOutput output;
  std::cout << "lost";
  std::exit(output.finish(0));
}

TEST(StandardOutputDeathTest, AnAnswerThatDidNotArriveIsNoSuccess) {
  EXPECT_EXIT(write_to_a_full_disk(), testing::ExitedWithCode(2),
              "^detent: standard output: cannot be written: No space left on device; the answer did not arrive as a "
              "whole\n$");
}

}  // namespace
}  // namespace detent::cli

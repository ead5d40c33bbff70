#include "cli/standard_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <ostream>
#include <stdexcept>
#include <string>

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

}  // namespace
}  // namespace detent::cli

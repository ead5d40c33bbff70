#include "cli/standard_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string>

#include "cli/command.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

/// Open what is closed of 0, 1 and 2: standard input and output for reading, so that a write fails.
void open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest that is free, which is this one.
    static_cast<void>(::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
}

/// A handler and not SIG_IGN: programs that are started begin with the default again.
void fail_writes_without_reader() {
  struct sigaction action {};
  ::sigaction(SIGPIPE, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor), is_terminal_(::isatty(descriptor) != 0) {
  setp(gathered_.data(), gathered_.data() + gathered_.size());
}

void DescriptorBuffer::write_all(std::string_view text) {
  while (error_ == 0 && !text.empty()) {
    const ssize_t count = ::write(descriptor_, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // somebody made it non-blocking
      struct pollfd ready {
        descriptor_, POLLOUT, 0
      };
      static_cast<void>(::poll(&ready, 1, -1));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

void DescriptorBuffer::flush_gathered() {
  write_all({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(gathered_.data(), gathered_.data() + gathered_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type c) {
  flush_gathered();
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char text = traits_type::to_char_type(c);
  return xsputn(&text, 1) == 1 ? c : traits_type::eof();
}

int DescriptorBuffer::sync() {
  flush_gathered();
  return 0;
}

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize count) {
  if (count > epptr() - pptr()) flush_gathered();
  if (count > epptr() - pptr()) {
    write_all({text, static_cast<std::size_t>(count)});
    return count;
  }
  std::memcpy(pptr(), text, static_cast<std::size_t>(count));
  pbump(static_cast<int>(count));
  if (is_terminal_ && std::memchr(text, '\n', static_cast<std::size_t>(count)) != nullptr) flush_gathered();
  return count;
}

StandardOutput::StandardOutput()
    : buffer_((open_standard_descriptors(), STDOUT_FILENO)), before_(std::cout.rdbuf(&buffer_)) {
  fail_writes_without_reader();
}

StandardOutput::~StandardOutput() { std::cout.rdbuf(before_); }

int StandardOutput::finish(int code) {
  std::cout.flush();
  if (buffer_.error() == 0) return code;
  print_error(std::string("standard output: cannot be written: ") + std::strerror(buffer_.error()) +
              "; the answer did not arrive as a whole");
  return kBadInput;
}

}  // namespace detent::cli

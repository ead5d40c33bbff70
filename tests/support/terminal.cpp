// Commands and streams -> pseudo terminals.
#include "tests/support/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>

namespace detent::support {
namespace {

constexpr int kPatienceMs = 60'000;

struct winsize size_of(unsigned short columns) {
  struct winsize size {};
  size.ws_row = 50;
  size.ws_col = columns;
  return size;
}

/// A machine may give none, as a chroot without /dev/pts does; then the test is skipped, and nothing behind this runs.
[[noreturn]] void skip_without_terminals() {
  const char* const why = "this machine gives no pseudo terminal; mount /dev/pts (type devpts)";
  [&] { GTEST_SKIP() << why; }();
  throw testing::AssertionException({testing::TestPartResult::kSkip, __FILE__, __LINE__, why});
}

}  // namespace

TerminalProgram::TerminalProgram(const std::string& command, unsigned short columns) {
  struct winsize size = size_of(columns);
  child_ = ::forkpty(&master_, nullptr, nullptr, &size);
  if (child_ < 0) skip_without_terminals();
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it has a session of its own: who ends this process's leaves it alone
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
}

TerminalProgram::~TerminalProgram() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  ::close(master_);
}

bool TerminalProgram::read_more() {
  struct pollfd ready {
    master_, POLLIN, 0
  };
  if (::poll(&ready, 1, kPatienceMs) <= 0) return false;
  char text[4096];
  const ssize_t count = ::read(master_, text, sizeof text);  // EIO once nobody holds the other end
  if (count <= 0) return false;
  screen_.append(text, static_cast<std::size_t>(count));
  return true;
}

bool TerminalProgram::wait_for(const std::string& text) {
  for (;;) {
    const std::size_t at = screen_.find(text, seen_);
    if (at != std::string::npos) {
      seen_ = at + text.size();
      return true;
    }
    if (!read_more()) return false;
  }
}

void TerminalProgram::type(const std::string& keys) {
  if (::write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
    throw std::runtime_error("the terminal takes no keys");
  }
}

int TerminalProgram::finish() {
  while (read_more()) {
  }
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

OnTerminal::OnTerminal(unsigned short columns) {
  int slave = -1;
  struct winsize size = size_of(columns);
  if (::openpty(&master_, &slave, nullptr, nullptr, &size) != 0) skip_without_terminals();
  std::cout << std::flush;
  std::cerr << std::flush;
  std::fflush(nullptr);
  for (const int stream : {0, 1}) {
    before_[stream] = ::dup(stream + 1);
    ::dup2(slave, stream + 1);
  }
  ::close(slave);
  ::fcntl(master_, F_SETFL, O_NONBLOCK);
}

OnTerminal::~OnTerminal() {
  std::cout << std::flush;
  std::cerr << std::flush;
  std::fflush(nullptr);
  for (const int stream : {0, 1}) {
    ::dup2(before_[stream], stream + 1);
    ::close(before_[stream]);
  }
  ::close(master_);
}

std::string OnTerminal::read() {
  std::cout << std::flush;
  std::cerr << std::flush;
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = ::read(master_, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(count));
  }
  return text;
}

std::string OnTerminal::read_until(const std::string& text) {
  std::string seen = read();
  while (seen.find(text) == std::string::npos) {
    struct pollfd ready {
      master_, POLLIN, 0
    };
    if (::poll(&ready, 1, kPatienceMs) <= 0) break;
    seen += read();
  }
  return seen;
}

}  // namespace detent::support

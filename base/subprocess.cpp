// Subprocess: posix_spawn, one pipe per program, one poll loop.
#include "base/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

extern char** environ;

namespace detent {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutputBytes = 64 * 1024;

/// A running program and the end of the pipe from which its output is read; -1 once it has closed its own end.
struct Child {
  std::size_t command = 0;
  pid_t pid = 0;
  int pipe = -1;
};

struct FileActions {
  FileActions() { posix_spawn_file_actions_init(&actions); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  posix_spawn_file_actions_t actions{};
};

struct Attributes {
  Attributes() { posix_spawnattr_init(&attributes); }
  ~Attributes() { posix_spawnattr_destroy(&attributes); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  posix_spawnattr_t attributes{};
};

/// The environment with messages in English and temporary files where they are removed for certain.
std::vector<std::string> make_environment(const std::string& directory) {
  std::vector<std::string> result{"LC_ALL=C", "TMPDIR=" + directory};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!text.starts_with("LC_ALL=") && !text.starts_with("LANGUAGE=") && !text.starts_with("TMPDIR=")) {
      result.push_back(text);
    }
  }
  return result;
}

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));  // exec takes char*
  result.push_back(nullptr);
  return result;
}

/// The loop over all commands, and the children that are alive.
class Runner {
 public:
  Runner(const std::vector<std::vector<std::string>>& commands, const ProcessOptions& options)
      : commands_(commands),
        options_(options),
        environment_(make_environment(options.directory)),
        results_(commands.size()),
        deadline_(Clock::now() + std::chrono::milliseconds(options.time_limit_ms)) {}

  std::vector<ProcessResult> run() {
    while (start_more(), !children_.empty()) {
      if (Clock::now() >= deadline_) {
        kill_all();
        break;
      }
      read_output();
      reap();
    }
    return std::move(results_);
  }

 private:
  void start_more() {
    while (!failed_ && next_ < commands_.size() && children_.size() < std::max(1U, options_.jobs)) start(next_++);
  }

  void start(std::size_t index) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      kill_all();
      throw std::runtime_error("compiler: no pipe to read its messages; raise the limit on open files");
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    Child child{.command = index, .pid = 0, .pipe = ends[0]};
    const int code = spawn(commands_[index], ends[1], child.pid);
    ::close(ends[1]);
    if (code != 0) {
      ::close(ends[0]);
      finish(index, ProcessEnd::kSpawnFailed, code);
      return;
    }
    children_.push_back(child);
  }

  int spawn(const std::vector<std::string>& command, int output, pid_t& pid) const {
    FileActions files;
    posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files.actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files.actions, output, STDERR_FILENO);
    if (!options_.directory.empty()) {
      posix_spawn_file_actions_addchdir_np(&files.actions, options_.directory.c_str());
    }
    Attributes attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes.attributes, &none);
    posix_spawnattr_setpgroup(&attributes.attributes, 0);
    posix_spawnattr_setflags(&attributes.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    return ::posix_spawn(&pid, command[0].c_str(), &files.actions, &attributes.attributes, pointers_to(command).data(),
                         pointers_to(environment_).data());
  }

  /// Wait until something is printed or closed. Only a moment, because a program may outlive its output, and a
  /// descendant may keep the output open after the program has ended.
  void read_output() {
    std::vector<pollfd> waiting;
    for (const Child& child : children_) waiting.push_back({.fd = child.pipe, .events = POLLIN, .revents = 0});
    const bool all_open = std::ranges::all_of(children_, [](const Child& child) { return child.pipe >= 0; });
    if (::poll(waiting.data(), waiting.size(), all_open ? 20 : 1) <= 0) return;
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (waiting[i].revents != 0) read_from(children_[i]);
    }
  }

  /// All that is there now. The pipe is closed at its end.
  void read_from(Child& child) {
    std::array<char, 4096> buffer{};
    std::string& output = results_[child.command].output;
    while (child.pipe >= 0) {
      const ssize_t count = ::read(child.pipe, buffer.data(), buffer.size());
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
      if (count <= 0) {
        ::close(child.pipe);
        child.pipe = -1;
        return;
      }
      output.append(buffer.data(), std::min(kMaxOutputBytes - output.size(), static_cast<std::size_t>(count)));
    }
  }

  void reap() {
    std::erase_if(children_, [this](Child& child) {
      int status = 0;
      if (::waitpid(child.pid, &status, WNOHANG) <= 0) return false;
      read_from(child);
      if (child.pipe >= 0) ::close(child.pipe);
      if (WIFEXITED(status)) finish(child.command, ProcessEnd::kExited, WEXITSTATUS(status));
      if (WIFSIGNALED(status)) finish(child.command, ProcessEnd::kSignalled, WTERMSIG(status));
      return true;
    });
  }

  void kill_all() {
    for (const Child& child : children_) {
      ::kill(-child.pid, SIGKILL);
      ::kill(child.pid, SIGKILL);  // should it have left its group
      if (child.pipe >= 0) ::close(child.pipe);
      int status = 0;
      while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
      }
      finish(child.command, ProcessEnd::kTimedOut, 0);
    }
    children_.clear();
  }

  void finish(std::size_t index, ProcessEnd end, int code) {
    results_[index].end = end;
    results_[index].code = code;
    failed_ = failed_ || !results_[index].succeeded();
  }

  const std::vector<std::vector<std::string>>& commands_;
  const ProcessOptions& options_;
  std::vector<std::string> environment_;
  std::vector<ProcessResult> results_;
  std::vector<Child> children_;
  Clock::time_point deadline_;
  std::size_t next_ = 0;
  bool failed_ = false;
};

bool is_executable_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<ProcessResult> run_processes(const std::vector<std::vector<std::string>>& commands,
                                         const ProcessOptions& options) {
  return Runner(commands, options).run();
}

std::string find_program(const std::string& name) {
  if (name.empty()) return {};
  std::error_code error;
  if (name.find('/') != std::string::npos) {
    return is_executable_file(name) ? fs::absolute(name, error).string() : "";
  }
  const char* const search = std::getenv("PATH");
  std::string left = search == nullptr ? "/usr/bin:/bin" : search;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const fs::path candidate = fs::path(left.substr(0, end)) / name;
    if (candidate.is_absolute() && is_executable_file(candidate)) return candidate.string();
    left.erase(0, end + 1);
  }
  return "";
}

}  // namespace detent

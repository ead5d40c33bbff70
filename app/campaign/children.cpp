// Processes by posix_spawn and waitpid.
#include "app/campaign/children.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

namespace detent::app {

void Children::start(std::uint32_t name, const std::vector<std::string>& words, const std::string& log) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> own = words;
  std::vector<char*> arguments;
  for (std::string& word : own) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error(words.front() + ": cannot be started: " + std::strerror(error));
  running_.push_back({name, process});
}

std::vector<Children::Ended> Children::collect() {
  std::vector<Ended> ended;
  std::erase_if(running_, [&](const Child& child) {
    int status = 0;
    if (::waitpid(child.process, &status, WNOHANG) != child.process) return false;
    const bool by_signal = WIFSIGNALED(status);
    ended.push_back({child.name, by_signal ? -1 : WEXITSTATUS(status), by_signal ? WTERMSIG(status) : 0});
    return true;
  });
  return ended;
}

void Children::terminate() {
  for (const Child& child : running_) ::kill(-child.process, SIGTERM);
}

std::string how_it_ended(const Children::Ended& ended) {
  return ended.signal != 0 ? fmt::format("ended by signal {}", ended.signal)
                           : fmt::format("exit code {}", ended.exit_code);
}

std::string one_line(const std::string& output) {
  std::string line;
  std::istringstream words(output);
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace detent::app

// Children: programs that run beside this one, each in a process group of its own, asked after without waiting.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace detent::app {

/// Those that still run at the end are left to themselves: what they do is found by the campaign that resumes.
class Children {
 public:
  /// Start a program; what it prints goes behind what `log` holds. Standard input is empty.
  /// @param words  the first is an absolute path
  /// @throws std::runtime_error  the system refuses
  void start(std::uint32_t name, const std::vector<std::string>& words, const std::string& log);

  struct Ended {
    std::uint32_t name = 0;
    int exit_code = 0;  ///< -1: a signal ended it
    int signal = 0;
  };
  /// Those that have ended since the last question.
  std::vector<Ended> collect();
  [[nodiscard]] std::size_t running() const { return running_.size(); }
  /// Ask all of them, and what they started, to end.
  void terminate();

 private:
  struct Child {
    std::uint32_t name;
    pid_t process;
  };
  std::vector<Child> running_;
};

/// What a program printed, on one line: its words with one space between them.
std::string one_line(const std::string& output);

/// "exit code 2", "ended by signal 9".
std::string how_it_ended(const Children::Ended& ended);

}  // namespace detent::app

// Runs the `detent` program as a user would, and returns what it said.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace detent::e2e {

struct Answer {
  int exit_code = -1;  ///< -1: ended by a signal
  std::string output;  ///< standard output
  std::string error;   ///< standard error
};

/// The program of this build, or the one that the environment names: tools/mutate.py lets faulty ones run.
std::string program_under_test();

/// `arguments` as typed in a shell, after the program's name. Three workers unless the environment or the arguments say
/// otherwise, however many cores the machine has. The working directory is scratch().
Answer run_detent(const std::string& arguments);

/// A fresh directory for one test, below the build directory; emptied when asked for again.
std::string scratch(const std::string& name);

/// Can `name` be started?
bool has_program(const std::string& name);
/// A compiler in a word of a shell, through ccache where there is one: emitted directories hold the same sources.
std::string compiler_word(const std::string& name);

/// Whole content of a file; fails the test when it cannot be read.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& bytes);

/// Parse the JSON that `--json -` printed; fails the test when it is none.
nlohmann::json parse(const Answer& answer);
/// The answer of `detent npu ARGUMENTS`, which must be 0.
nlohmann::json npu(const std::string& arguments);

}  // namespace detent::e2e

// Names and versions of programs -> those that fit together.
#include "app/coverage/tools.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "base/subprocess.hpp"
#include "harness/module/c_compiler.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAnswerLimitMs = 20'000;

/// What a program prints; "" when it fails.
std::string answer_of(std::vector<std::string> command, const std::string& question) {
  command.push_back(question);
  const ProcessResult result =
      run_processes({command}, {.directory = "", .jobs = 1, .time_limit_ms = kAnswerLimitMs})[0];
  return result.succeeded() ? result.output : "";
}

/// "14" of "14.0.6\n"; "" when it is no version.
std::string major_of(const std::string& version) {
  const std::size_t end = version.find_first_not_of("0123456789");
  return version.substr(0, end);
}

/// Does "gcov (Debian 12.2.0-14) 12.2.0" or "Debian LLVM version 14.0.6" name this version?
bool is_of_version(const std::string& answer, const std::string& major) {
  return answer.find(" " + major + ".") != std::string::npos;
}

/// The program of this name and version: beside the compiler before PATH, with the version in its name before without.
std::string find_versioned(const fs::path& folder, const std::string& name, const std::string& major) {
  for (const std::string& one : {name + "-" + major, name}) {
    for (const std::string& place : {(folder / one).string(), one}) {
      const std::string program = find_program(place);
      if (!program.empty() && is_of_version(answer_of({program}, "--version"), major)) return program;
    }
  }
  return "";
}

std::vector<std::string> find_gcov(const harness::CCompiler& compiler) {
  const std::string major = major_of(answer_of(compiler.command, "-dumpversion"));
  if (major.empty()) {
    throw std::invalid_argument(
        fmt::format("--coverage: {} does not answer -dumpversion; set CC to gcc or clang", compiler.command.front()));
  }
  const char* const name = compiler.is_clang ? "llvm-cov" : "gcov";
  std::error_code error;
  const fs::path folder = fs::canonical(compiler.command.front(), error).parent_path();
  const std::string program = find_versioned(folder, name, major);
  if (program.empty()) {
    throw std::invalid_argument(fmt::format(
        "--coverage: no {} {} for {}: it reads the counters of its own version alone; install it (Debian: apt install "
        "{}-{}) or set CC to another compiler",
        name, major, compiler.command.front(), compiler.is_clang ? "llvm" : "gcc", major));
  }
  return compiler.is_clang ? std::vector<std::string>{program, "gcov"} : std::vector<std::string>{program};
}

}  // namespace

CoverageTools find_coverage_tools(const std::string& compiler) {
  CoverageTools tools{.compiler = compiler, .gcovr = find_program("gcovr"), .gcov = {}};
  if (tools.gcovr.empty() || answer_of({tools.gcovr}, "--version").empty()) {
    throw std::invalid_argument("--coverage: gcovr, which writes the pages, " +
                                std::string(tools.gcovr.empty() ? "is not on PATH" : "does not run") +
                                "; install it (Debian: apt install gcovr)");
  }
  tools.gcov = find_gcov(harness::find_compiler(compiler));
  return tools;
}

}  // namespace detent::app

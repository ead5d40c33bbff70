// The program under test as a child process.
#include "tests/e2e/program.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/build.hpp"

namespace detent::e2e {

namespace fs = std::filesystem;

std::string scratch(const std::string& name) {
  const fs::path path = fs::path(kBuildFolder) / "scratch" / name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  EXPECT_TRUE(file.good()) << path;
}

bool has_program(const std::string& name) {
  return std::system((name + " --version >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

std::string compiler_word(const std::string& name) { return has_program("ccache") ? "'ccache " + name + "'" : name; }

std::string program_under_test() {
  const char* other = std::getenv("DETENT_PROGRAM");
  return other != nullptr ? other : std::string(kBuildFolder) + "/detent";
}

Answer run_detent(const std::string& arguments) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string base =
      fs::path(kBuildFolder) / "scratch" / (std::string(test->test_suite_name()) + "." + test->name() + ".std");
  fs::create_directories(fs::path(base).parent_path());
  const std::string command = "COLUMNS=1000 TVMRT_NUM_WORKERS=${TVMRT_NUM_WORKERS-3} " + program_under_test() + " " +
                              arguments + " >" + base + "out 2>" + base + "err </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(base + "out"), read_file(base + "err")};
}

nlohmann::json parse(const Answer& answer) {
  nlohmann::json json = nlohmann::json::parse(answer.output, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << answer.output << answer.error;
  return json;
}

nlohmann::json npu(const std::string& arguments) {
  const Answer answer = run_detent("npu " + arguments + " --json -");
  EXPECT_EQ(answer.exit_code, 0) << arguments << answer.error;
  return parse(answer);
}

}  // namespace detent::e2e

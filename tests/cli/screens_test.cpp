// Every command on five models: no line is wider than the terminal, at 80 and at 120 columns.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/screen_rules.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& models() {
  static const std::vector<std::string> kModels = {"bad_reuse_war", "usmp.pkg", "many.json", "branchnet",
                                                   "resnet18:32"};
  return kModels;
}

/// M stands for the model.
const std::vector<std::string>& commands() {
  static const std::vector<std::string> kCommands = {
      "check M --runs 5 --schedules 4 --out o",
      "check M --runs 3 --schedules 4 --platform am62a --timing-only --out p",
      "report o",
      "report --diff o p",
      "replay o/report.json",
      "run M --workers 2 --log run.log",
      "run M --workers 1 --fail-op 1",
      "simulate M --runs 5",
      "simulate M --platform rk3588 --timing-only",
      "verify M",
      "explore M --budget 20",
      "explore M --count",
      "bound M --platform am62a",
      "bound M --cores cpu=2,npu=1",
      "plan M",
      "npu M",
      "op silu --dtype f16 --shape 13,4 --out-strides 10,1",
      "partition plan_case.json",
      "partition M --platform am62a --max-trials 20",
      "graph M",
      "show M",
      "explore M --level threads --budget 5",
      "calibrate M --runs 1 --cold-runs 1 -o costs.toml",
      "verify M --smt --smt-limit 5",
      "simulate M --runs 4 --timing-only --campaign runs.bin",
      "merge runs.bin",
      "log run.log",
      "emit c M -o fw --force"};
  return kCommands;
}

class Screens : public testing::TestWithParam<std::size_t> {};

TEST_P(Screens, OfEveryCommandFitTheTerminal) {
  const std::size_t width = GetParam();
  const std::string directory = scratch("screens_" + std::to_string(width));
  const fs::path tests = fs::path(DETENT_SOURCE_DIR) / "tests";
  fs::copy(tests / "cli/transcripts/inputs", directory);
  const std::string output = directory + ".out";
  const auto run = [&](const std::string& arguments) {
    const std::string script = "unset NO_COLOR; export TVMRT_NUM_WORKERS=3 COLUMNS=" + std::to_string(width) +
                               "; cd '" + directory + "'; '" + program_under_test() + "' " + arguments + " >'" +
                               output + "' 2>&1 </dev/null";
    const int status = std::system(script.c_str());
    EXPECT_TRUE(WIFEXITED(status)) << arguments;
    return read_file(output);
  };
  const std::string artifact = (tests / "models/import/tvm/fixtures/usmp").string();
  expect_screen(screen_lines(run("import tvm '" + artifact + "' --edges names -o usmp.pkg")), width, "import tvm");
  for (const char* const command : {"list models", "list platforms", "list policies", "list kernels", "help",
                                    "import graph many.json -o many.pkg"}) {
    expect_screen(screen_lines(run(command)), width, command);
  }
  std::size_t screens = 0;
  for (const std::string& model : models()) {
    fs::remove(fs::path(directory) / "runs.bin");
    for (std::string command : commands()) {
      const std::size_t place = command.find(" M");
      if (place != std::string::npos) command.replace(place + 1, 1, model);
      const std::string said = run(command);
      EXPECT_NE(said, "") << command;
      if (command.rfind("graph", 0) != 0) expect_screen(screen_lines(said), width, command + " (" + model + ")");
      screens += said.rfind("detent: ", 0) == 0 ? 0 : 1;
    }
  }
  EXPECT_GE(screens, 110U) << "too many were refused";
}

INSTANTIATE_TEST_SUITE_P(Widths, Screens, testing::Values(80U, 120U),
                         [](const auto& width) { return "of" + std::to_string(width.param) + "columns"; });

}  // namespace
}  // namespace detent::e2e

// Whole answers about op graphs made up at random, against a golden file of digests: whatever becomes different in a
// verdict, a bound, a simulated time, a plan or a count is seen, here by graph and command.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/program.hpp"
#include "tests/e2e/random/digests.hpp"
#include "tests/e2e/random/random_graph_file.hpp"

namespace detent::e2e {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kParts = 16, kGraphsOfPart = 4;

/// A name of each answer, and the arguments; "{}" is the file.
const std::vector<std::pair<std::string, std::string>> kCommands = {
    {"verify", "verify {}"},
    {"repair", "verify {} --repair"},
    {"bound", "bound {} --cores cpu=2,npu=1 --method all"},
    {"bound-chip", "bound {} --platform quad_npu --policy priority"},
    {"simulate", "simulate {} --cores cpu=2,npu=1 --runs 12 --jitter uniform:0.3 --policy critical-path"},
    {"simulate-chip", "simulate {} --platform rk3588 --runs 3 --policy fifo"},
    {"explore", "explore {} --workers 2 --count"},
    {"plan", "plan {}"},
    {"partition", "partition {} --platform quad_npu"},
    {"synthesize", "synthesize {} --cores cpu=2,npu=1"},
    {"check", "check {} --platform quad_npu --out report"},
    {"show", "show {}"},
    {"graph", "graph {}"},
    {"run", "run {} --workers 0"},
    {"emit", "emit c {} --out emitted"},
};

/// What the command answers about the file, in words that are the same on every machine.
Digested answer_to(const std::string& name, const std::string& command, const std::string& words) {
  std::string arguments = words;
  arguments.replace(arguments.find("{}"), 2, name + ".json");
  const bool is_json = command != "graph" && command != "emit";
  arguments += is_json ? " --reproducible --json -" : " --quiet";
  return {name + " " + command, arguments, whole_answer(arguments, {"report", "emitted"})};
}

class RandomGraphs : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGraphs, EveryAnswerIsAsBefore) {
  const fs::path before = fs::current_path();
  fs::current_path(scratch("random_graphs_" + std::to_string(GetParam())));
  std::vector<Digested> answers;
  for (std::uint64_t seed = GetParam() * kGraphsOfPart; seed < (GetParam() + 1) * kGraphsOfPart; ++seed) {
    const std::string name = "graph" + std::to_string(seed);
    write_file(name + ".json", random_graph_file(seed));
    for (const auto& [command, words] : kCommands) answers.push_back(answer_to(name, command, words));
  }
  fs::current_path(before);
  expect_digests("graphs_" + std::to_string(GetParam()) + ".txt", answers);
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomGraphs, testing::Range(std::uint64_t{0}, kParts));

}  // namespace
}  // namespace detent::e2e

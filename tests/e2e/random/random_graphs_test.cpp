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

constexpr std::uint64_t kGraphs = 64, kGraphsOfPart = 4, kGraphsOfSmallPart = 2;

/// A name of each answer, and the arguments; "{}" is the file.
using Commands = std::vector<std::pair<std::string, std::string>>;
const Commands kCommands = {
    {"verify", "verify {}"},
    {"repair", "verify {} --fix edges -o fixed.json"},
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
/// What searches: their counts, what they found, where they ended.
const Commands kSearches = {
    {"places", "verify {} --fix places -o fixed.json"},
    {"smt", "verify {} --smt --smt-steps 20000"},
    {"search", "simulate {} --cores cpu=2,npu=1 --search 30 --jitter uniform:0.4 --policy priority"},
    {"sensitivity", "simulate {} --platform quad_npu --runs 3 --sensitivity"},
    {"layered", "simulate {} --cores cpu=3,npu=1 --runs 4 --mode layered --jitter lognormal:0.2"},
    {"orders", "explore {} --budget 30 --workers 2"},
    {"pairs", "explore {} --strategy pairs --budget 12 --workers 2"},
    {"witness", "bound {} --cores cpu=2,npu=1 --method exact --witness run.json"},
    {"abstract", "bound {} --cores cpu=2,npu=1 --method sag --sag-width 2 --policy priority"},
    {"budget", "bound {} --platform quad_npu --budget --failures 1"},
    {"front", "plan {} --pareto --cores cpu=2,npu=1 --points 3 --max-states 500"},
    {"serial-plan", "plan {} --order serial"},
    {"worst-case", "synthesize {} --cores cpu=2,npu=1 --objective worst-case --max-nodes 3000"},
};

/// What the command answers about the file, in words that are the same on every machine.
Digested answer_to(const std::string& name, const std::string& command, const std::string& words) {
  std::string arguments = words;
  arguments.replace(arguments.find("{}"), 2, name + ".json");
  const bool is_json = command != "graph" && command != "emit";
  if (is_json) arguments += " --reproducible --json -";
  if (command == "emit") arguments += " --quiet";
  return {name + " " + command, arguments, whole_answer(arguments, {"report", "emitted", "fixed.json", "run.json"})};
}

/// @param kind  of the golden file and the scratch directory
void expect_answers(const std::string& kind, const Commands& commands, std::uint64_t part, std::uint64_t graphs) {
  const fs::path before = fs::current_path();
  fs::current_path(scratch("random_" + kind + "_" + std::to_string(part)));
  std::vector<Digested> answers;
  for (std::uint64_t seed = part * graphs; seed < (part + 1) * graphs; ++seed) {
    const std::string name = "graph" + std::to_string(seed);
    write_file(name + ".json", random_graph_file(seed));
    for (const auto& [command, words] : commands) answers.push_back(answer_to(name, command, words));
  }
  fs::current_path(before);
  expect_digests(kind + "_" + std::to_string(part) + ".txt", answers);
}

class RandomGraphs : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGraphs, EveryAnswerIsAsBefore) { expect_answers("graphs", kCommands, GetParam(), kGraphsOfPart); }

INSTANTIATE_TEST_SUITE_P(Parts, RandomGraphs, testing::Range(std::uint64_t{0}, kGraphs / kGraphsOfPart));

class RandomSearches : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomSearches, EveryAnswerIsAsBefore) { expect_answers("searches", kSearches, GetParam(), kGraphsOfSmallPart); }

INSTANTIATE_TEST_SUITE_P(Parts, RandomSearches, testing::Range(std::uint64_t{0}, kGraphs / kGraphsOfSmallPart));

}  // namespace
}  // namespace detent::e2e

// Whole answers about op graphs made up at random, against a golden file of digests: whatever becomes different in a
// verdict, a bound, a simulated time, a plan or a count is seen, here by graph and command.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"
#include "tests/e2e/random/random_graph_file.hpp"
#include "tests/golden.hpp"

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

std::string digest_of(const std::string& text) {
  std::ostringstream digits;
  digits << std::hex << fnv_of(text);
  return digits.str().substr(0, 8);
}

/// The files of a directory and their contents, in the order of their names; none of directories in it, which are the
/// runtime's sources.
std::string files_of(const std::string& directory) {
  std::string text;
  if (!fs::exists(directory)) return text;
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  for (const fs::path& file : files) text += file.string() + "\n" + read_file(file);
  return text;
}

/// Exit code, what was said, and what was written.
std::string answer_to(const std::string& command, const std::string& file) {
  std::string arguments = command;
  arguments.replace(arguments.find("{}"), 2, file);
  const bool is_json = !command.starts_with("graph") && !command.starts_with("emit");
  for (const char* directory : {"report", "emitted"}) fs::remove_all(directory);
  const Answer answer = run_detent(arguments + (is_json ? " --reproducible --json -" : " --quiet"));
  return std::to_string(answer.exit_code) + "\n" + answer.output + answer.error + files_of("report") +
         files_of("emitted");
}

class RandomGraphs : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGraphs, EveryAnswerIsAsBefore) {
  const std::string path =
      std::string(DETENT_SOURCE_DIR) + "/tests/e2e/random/golden/graphs_" + std::to_string(GetParam()) + ".txt";
  const bool writes = std::getenv("DETENT_WRITE_GOLDEN") != nullptr;
  std::map<std::string, std::string> known;
  std::ifstream golden(path);
  for (std::string name, command, digest; golden >> name >> command >> digest;) known[name + " " + command] = digest;
  const fs::path before = fs::current_path();
  fs::current_path(scratch("random_graphs_" + std::to_string(GetParam())));
  std::string lines;
  for (std::uint64_t seed = GetParam() * kGraphsOfPart; seed < (GetParam() + 1) * kGraphsOfPart; ++seed) {
    const std::string name = "graph" + std::to_string(seed);
    write_file(name + ".json", random_graph_file(seed));
    for (const auto& [command, arguments] : kCommands) {
      const std::string said = answer_to(arguments, name + ".json"), digest = digest_of(said);
      lines += name + " " + command + " " + digest + "\n";
      if (!writes && known[name + " " + command] != digest) {
        ADD_FAILURE() << path << ": " << name << " " << command << " is not " << known[name + " " + command] << " but "
                      << digest << ": detent " << arguments << "\n"
                      << said.substr(0, 3000);
      }
    }
  }
  fs::current_path(before);
  if (writes) write_file(path, lines);
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomGraphs, testing::Range(std::uint64_t{0}, kParts));

}  // namespace
}  // namespace detent::e2e

// The story of a failing schedule says of each kind of hazard which op reads, which one writes, and when.
#include <gtest/gtest.h>

#include <string>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

/// Two unordered ops of 1 us; each touches 16 bytes of ws, [0, 16) and [8, 24), as its word says.
std::string write_hazard(const std::string& name, const std::string& does_a, const std::string& does_b) {
  nlohmann::json graph{{"schema", "detent.graph/1"}, {"name", name}, {"edges", nlohmann::json::array()}};
  graph["regions"] = {{{"name", "ws"}, {"size", 64}}};
  for (const std::string& does : {does_a, does_b}) {
    const int id = graph.contains("ops") ? 1 : 0;
    nlohmann::json op{{"id", id}, {"name", id == 0 ? "a" : "b"}};
    for (const char* list : {"reads", "writes"}) op[list] = nlohmann::json::array();
    op[does].push_back({{"region", "ws"}, {"offset", id * 8}, {"size", 16}});
    graph["ops"].push_back(op);
  }
  const std::string path = scratch("hazard_" + name) + "/graph.json";
  write_file(path, graph.dump());
  return path;
}

void expect_story(const std::string& name, const std::string& does_a, const std::string& does_b) {
  const Answer answer = run_detent("explore " + write_hazard(name, does_a, does_b));
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  const auto expect = [&](const std::string& words) {
    EXPECT_NE(answer.output.find(words), std::string::npos) << words << "\n" << answer.output;
  };
  const std::string a = "0 a " + does_a + " [8, 16) of ws";
  const std::string b = "1 b " + does_b + " [8, 16) of ws";
  expect(name + ": op 0 (a) " + does_a + " and op 1 (b) " + does_b + " bytes [8, 16) of ws");
  expect("fails: op 1 (b) before op 0 (a)\n");
  expect("->     0 ps  1 b " + does_b + " [8, 16) of ws");
  expect("->  1.00 µs  " + a);
  expect("right: op 0 (a) before op 1 (b)\n");
  expect("->     0 ps  " + a);
  expect("->  1.00 µs  " + b);
  expect("    2.00 µs  ends");
}

TEST(FailureStory, AReadBeforeAWriteOfTheSameBytes) { expect_story("war", "reads", "writes"); }

TEST(FailureStory, AWriteBeforeAReadOfTheSameBytes) { expect_story("raw", "writes", "reads"); }

}  // namespace
}  // namespace detent::e2e

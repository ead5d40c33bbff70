// The fixtures' measured truth (fixtures/expected.tsv, by instrumented execution) against what is read from their text.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "models/import/tvm/artifact/artifact.hpp"
#include "models/import/tvm/hazards/hazards.hpp"
#include "models/import/tvm/program/program.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

struct Row {
  std::string fixture, edges;
  std::uint64_t calls = 0, raw_edges = 0, racing = 0, conflicting = 0, in_place = 0;
};

std::vector<Row> read_rows() {
  std::vector<Row> rows;
  std::ifstream file(kFixtures + "expected.tsv");
  std::string line;
  std::getline(file, line);  // headings
  while (std::getline(file, line)) {
    Row row;
    std::istringstream in(line);
    in >> row.fixture >> row.calls >> row.raw_edges >> row.racing >> row.conflicting >> row.in_place;
    std::getline(in >> std::ws, row.edges);
    rows.push_back(row);
  }
  return rows;
}

std::string spelled(const std::vector<CallEdge>& edges) {
  std::string text;
  for (const auto& [from, to] : edges) {
    text += (text.empty() ? "" : " ") + std::to_string(from) + "-" + std::to_string(to);
  }
  return text;
}

TEST(Fixtures, CallsEdgesConflictsAndRacesEqualMeasuredTruth) {
  const std::vector<Row> rows = read_rows();
  EXPECT_GE(rows.size(), 20U);
  for (const Row& row : rows) {
    const Artifact artifact = read_artifact(kFixtures + row.fixture);
    const Footprints footprints = analyse_functions(artifact);
    const Program program = read_program(artifact, footprints);
    std::vector<std::string> notes;
    const CallAccesses accesses = call_accesses(program, footprints, notes);
    const HazardReport report = find_hazards(program, accesses, edges_by_names(program, footprints));
    EXPECT_EQ(program.calls.size(), row.calls) << row.fixture;
    EXPECT_EQ(spelled(report.name_edges), row.edges) << row.fixture;
    EXPECT_EQ(report.conflicts.size(), row.conflicting) << row.fixture;
    const auto racing = std::count_if(report.conflicts.begin(), report.conflicts.end(),
                                      [](const Conflict& conflict) { return !conflict.is_ordered; });
    EXPECT_EQ(static_cast<std::uint64_t>(racing), row.racing) << row.fixture;
  }
}

}  // namespace
}  // namespace detent::models::tvm

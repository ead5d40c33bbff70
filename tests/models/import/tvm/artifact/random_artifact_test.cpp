// Random artifacts: calls, edges, conflicts and races that are read from their text are those that the generator knows.
#include "tests/models/import/tvm/artifact/random_artifact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "models/import/tvm/artifact/artifact.hpp"
#include "models/import/tvm/hazards/hazards.hpp"
#include "models/import/tvm/program/program.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {
namespace {

std::string pairs_text(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs) text += std::to_string(a) + "-" + std::to_string(b) + " ";
  return text;
}

void expect_truth(const RandomArtifact& truth, const fs::path& root) {
  for (const auto& [name, text] : truth.files) write_text(root / name, text);
  const Artifact artifact = read_artifact(root.string());
  const Footprints footprints = analyse_functions(artifact);
  const Program program = read_program(artifact, footprints);
  std::vector<std::string> notes;
  const CallAccesses accesses = call_accesses(program, footprints, notes);
  const HazardReport report = find_hazards(program, accesses, edges_by_names(program, footprints));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, conflicts;
  for (const auto& [from, to] : report.name_edges) edges.emplace_back(from, to);
  std::sort(edges.begin(), edges.end());
  for (const Conflict& one : report.conflicts) conflicts.emplace_back(one.a, one.b);
  EXPECT_EQ(program.calls.size(), truth.calls);
  EXPECT_EQ(pairs_text(edges), pairs_text(truth.edges));
  EXPECT_EQ(pairs_text(conflicts), pairs_text(truth.conflicts));
  EXPECT_EQ(report.racing_pairs, truth.races);
}

/// DETENT_ARTIFACTS asks for more of them; DETENT_ARTIFACTS_DIR keeps them there, to be run.
TEST(RandomArtifacts, AreReadAsTheyWereWritten) {
  const char* count = std::getenv("DETENT_ARTIFACTS");
  const char* kept = std::getenv("DETENT_ARTIFACTS_DIR");
  const std::uint64_t last = count == nullptr ? 24 : std::stoull(count);
  std::size_t races = 0;
  for (std::uint64_t seed = 1; seed <= last && !HasFailure(); ++seed) {
    const Scratch scratch;
    const RandomArtifact truth = random_artifact(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": TVM " + truth.variant);
    expect_truth(truth, kept == nullptr ? scratch.root() : fs::path(kept) / std::to_string(seed));
    races += truth.races;
  }
  EXPECT_GT(races, last);
}

}  // namespace
}  // namespace detent::models::tvm

// A buffer given away too early, planted in every model of the zoo: exactly value_flow finds it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/model/graph.hpp"
#include "app/static/static_checks.hpp"
#include "base/temp_directory.hpp"
#include "models/core/decisions.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/graph/order.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/read_check.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

struct Planted {
  models::Model graph;
  std::uint32_t writer = DETENT_NONE, reader = DETENT_NONE, early = 0;
};

bool overlap(const models::Tensor& a, const models::Tensor& b) {
  return a.region == b.region && a.offset_bytes < b.offset_bytes + b.size_bytes &&
         b.offset_bytes < a.offset_bytes + a.size_bytes;
}

std::vector<bool> ancestors_of(const models::Model& graph, std::uint32_t op) {
  std::vector<bool> found(graph.ops.size());
  found[op] = true;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const models::Edge& edge : graph.edges) {
      if (!found[edge.to] || found[edge.from]) continue;
      found[edge.from] = is_new = true;
    }
  }
  return found;
}

/// An op between the first value that another op reads and all who come to its first byte after it: ordered with each,
/// so no race, and the plan of named ranges claims no lifetimes.
Planted plant_early_reuse(models::Model graph) {
  Planted planted;
  models::Tensor byte;
  for (std::uint32_t writer = 0; writer < graph.ops.size() && planted.reader == DETENT_NONE; ++writer) {
    for (const std::uint32_t out : graph.ops[writer].outputs) {
      const models::Tensor& written = graph.tensors[out];
      for (std::uint32_t reader = 0; reader < graph.ops.size() && !written.values.empty(); ++reader) {
        for (const std::uint32_t in : graph.ops[reader].inputs) {
          const models::Tensor& read = graph.tensors[in];
          if (planted.reader != DETENT_NONE || read.values != written.values) continue;
          planted.writer = writer;
          planted.reader = reader;
          byte = read;
        }
      }
    }
  }
  if (planted.reader == DETENT_NONE) return planted;
  byte.values.clear();
  byte.size_bytes = byte.block_bytes = 1;
  byte.name = "early";
  planted.early = static_cast<std::uint32_t>(graph.ops.size());
  const std::vector<bool> before = ancestors_of(graph, planted.writer);
  graph.edges.push_back({planted.writer, planted.early});
  for (std::uint32_t op = 0; op < planted.early; ++op) {
    const auto touches = [&](const std::vector<std::uint32_t>& ids) {
      return std::ranges::any_of(ids, [&](std::uint32_t id) { return overlap(graph.tensors[id], byte); });
    };
    const bool comes_later = !before[op] && (touches(graph.ops[op].inputs) || touches(graph.ops[op].outputs));
    if (comes_later) graph.edges.push_back({planted.early, op});
  }
  models::Op early = graph.ops.front();
  early.name = "early";
  early.inputs.clear();
  early.outputs = {static_cast<std::uint32_t>(graph.tensors.size())};
  graph.tensors.push_back(byte);
  graph.ops.push_back(early);
  planted.graph = std::move(graph);
  return planted;
}

void expect_only_value_flow(const Planted& planted, const std::string& name) {
  const models::LoweredModel lowered = models::lower(planted.graph);
  const ValueTables values = models::value_tables(planted.graph);
  const StaticAnswer laws = check_static_laws(lowered.desc(), &values);
  for (const verify::Verdict& verdict : laws.verdicts) {
    const bool is_flow = verdict.property == verify::Property::kValueFlow;
    EXPECT_EQ(verdict.outcome, is_flow ? Outcome::kViolated : Outcome::kHolds) << name << ": " << verdict.summary;
  }
  ASSERT_TRUE(laws.flow && laws.races) << name;
  EXPECT_EQ(verify::judge_determinism(lowered.desc(), *laws.races).outcome, Outcome::kHolds) << name;
  EXPECT_TRUE(std::ranges::any_of(laws.flow->listed, [&](const verify::ValueViolation& violation) {
    return violation.reader == planted.reader && violation.in_the_way == planted.early && violation.always;
  })) << name;
  EXPECT_TRUE(std::ranges::all_of(laws.flow->listed, [&](const verify::ValueViolation& violation) {
    return violation.in_the_way == planted.early;
  })) << name;
  verify::ReadCheck check(lowered.desc(), &values);
  const verify::Order order(lowered.desc());
  for (const OpId op : order.ops()) {
    check.begin(op);
    check.end(op);
  }
  check.finish();
  EXPECT_TRUE(std::ranges::any_of(check.missed(),
                                  [&](const verify::MissedRead& missed) {
                                    return missed.reader == planted.reader && missed.found == planted.early;
                                  }))
      << name << ": a followed run shows it, too";
}

TEST(EarlyReuse, PlantedInEveryModelOfTheZooBreaksValueFlowAndNothingElse) {
  std::uint64_t planted_in = 0;
  for (const models::ZooEntry& entry : models::zoo()) {
    const LoadedModel loaded = load(entry.name, {.weights = false});
    const StaticAnswer laws = check_static_laws(loaded.desc(), &loaded.values);
    const bool holds = laws.flow && laws.flow->reads != 0 && laws.flow->count == 0 && laws.races->races.count == 0 &&
                       laws.races->order_dependent.count == 0;
    if (!holds || models::has_computed_decisions(loaded.model)) continue;
    const Planted planted = plant_early_reuse(models::parse_graph(graph_of(entry.name, {}).text, "graph.json"));
    if (planted.reader == DETENT_NONE) continue;
    expect_only_value_flow(planted, entry.name);
    ++planted_in;
  }
  EXPECT_GE(planted_in, 8U);
}

TEST(EarlyReuse, APackageKeepsItsValuesAndIsJudgedByThem) {
  const TempDirectory place;
  const std::string path = (place.path() / "planted.pkg").string();
  Planted planted = plant_early_reuse(models::parse_graph(graph_of("branchnet", {}).text, "graph.json"));
  models::write_package(planted.graph, path);
  planted.graph = models::read_package(path);
  expect_only_value_flow(planted, path);
}

}  // namespace
}  // namespace detent::app

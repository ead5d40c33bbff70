// Edges that mend: examples, and random graphs whose mended form is judged by force.
#include "verify/repair/edge_repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

struct Mended {
  models::Model model;
  EdgeRepair repair;

  explicit Mended(models::Model given) : model(std::move(given)) {
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    const ValueTables values = models::value_tables(model);
    repair = find_edge_repair(lowered.desc(), &values);
    for (const OpEdge& edge : repair.edges) model.edges.push_back({edge.from, edge.to});
  }
  explicit Mended(const std::string& text) : Mended(models::parse_graph(text, "g.json")) {}

  [[nodiscard]] std::uint64_t race_count() const {
    const ValueTables values = models::value_tables(model);
    RaceOptions options;
    options.values = &values;
    return find_races(models::lower(model, {.weights = false}).desc(), options).races.count;
  }
};

std::string racing_graph(const std::string& ops, const std::string& edges) {
  return R"({"schema": "detent.graph/1", "regions": [{"name": "ws", "size": 64}], "ops": [)" + ops +
         R"(], "edges": [)" + edges + "]}";
}

std::string writer_op(int id, const std::string& more = "") {
  return "{\"id\": " + std::to_string(id) + more + R"(, "writes": [{"region": "ws", "offset": 0, "size": 8}]})";
}

TEST(EdgeRepair, ASoundModelNeedsNoEdge) {
  const Mended mended(models::make_zoo_model("diamond"));
  EXPECT_TRUE(mended.repair.mends);
  EXPECT_TRUE(mended.repair.is_least);
  EXPECT_EQ(mended.repair.pair_count, 0U);
  EXPECT_TRUE(mended.repair.edges.empty());
}

TEST(EdgeRepair, RacesAreOrderedAsTheIdsAre) {
  const Mended mended(racing_graph(writer_op(0) + "," + writer_op(1) + "," + writer_op(2), ""));
  EXPECT_EQ(mended.repair.edges, (std::vector<OpEdge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(mended.repair.pair_count, 3U);
  EXPECT_TRUE(mended.repair.is_least);
  EXPECT_TRUE(mended.repair.mends);
  EXPECT_EQ(mended.repair.before.length, 1U);
  EXPECT_EQ(mended.repair.after.length, 3U);
  EXPECT_FALSE(mended.repair.after.is_time);
}

TEST(EdgeRepair, TheCriticalPathIsATimeWhereAllTimesAreKnown) {
  const Mended mended(
      racing_graph(writer_op(0, R"(, "time_ps": 500)") + "," + writer_op(1, R"(, "time_ps": [10, 700])"), ""));
  EXPECT_TRUE(mended.repair.before.is_time);
  EXPECT_EQ(mended.repair.before.length, 700U);
  EXPECT_EQ(mended.repair.after.length, 1200U);
}

TEST(EdgeRepair, TransferDelaysAndReleasesAreNoOpsThatEdgesBeginAt) {
  const Mended mended(racing_graph(writer_op(0) + R"(, {"id": 1}, {"id": 2, "release_ps": [5, 9]}, )" + writer_op(3),
                                   "[0, 1, 10, 20], [2, 3]"));
  EXPECT_EQ(mended.repair.edges, (std::vector<OpEdge>{{0, 3}}));
  EXPECT_TRUE(mended.repair.mends);
}

TEST(EdgeRepair, OrdersThatTheResultDependsOnAreOrderedToo) {
  const Mended mended(racing_graph(writer_op(0, R"(, "mutex": "m")") + "," + writer_op(1, R"(, "mutex": "m")"), ""));
  EXPECT_EQ(mended.repair.edges, (std::vector<OpEdge>{{0, 1}}));
  EXPECT_TRUE(mended.repair.mends);
}

TEST(EdgeRepair, EveryRacyModelOfTheZooIsMended) {
  std::size_t racy = 0;
  for (const models::ZooEntry& entry : models::zoo()) {
    if (entry.expected.property != "buffer_races") continue;
    ++racy;
    const Mended mended(models::make_zoo_model(entry.name));
    EXPECT_TRUE(mended.repair.mends) << entry.name;
    EXPECT_TRUE(mended.repair.is_least) << entry.name;
    EXPECT_EQ(mended.repair.edges.size(), 1U) << entry.name;
    EXPECT_EQ(mended.race_count(), 0U) << entry.name;
  }
  EXPECT_GE(racy, 2U);
}

/// Is there any acyclic set of edges, in whatever direction, under which nothing is wrong? Of at most two edges.
bool can_be_mended(const models::Model& model) {
  const auto count = static_cast<std::uint32_t>(model.ops.size());
  std::vector<models::Edge> all;
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = 0; to < count; ++to) {
      if (from != to) all.push_back({from, to});
    }
  }
  const auto is_sound = [](const models::Model& tried) {
    const models::LoweredModel lowered = models::lower(tried, {.weights = false});
    const ValueTables values = models::value_tables(tried);
    RaceOptions options;
    options.values = &values;
    try {
      return find_races(lowered.desc(), options).races.count == 0 &&
             find_value_violations(lowered.desc(), &values).count == 0;
    } catch (const std::invalid_argument&) {
      return false;  // a cycle
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    models::Model tried = model;
    tried.edges.push_back(all[i]);
    if (is_sound(tried)) return true;
    for (std::size_t k = 0; k < i; ++k) {
      tried.edges.push_back(all[k]);
      if (is_sound(tried)) return true;
      tried.edges.pop_back();
    }
  }
  return false;
}

TEST(EdgeRepair, MendedGraphsHoldWhenEveryOrderIsTried) {
  std::size_t mended_count = 0;
  std::size_t beyond = 0;
  for (std::uint64_t seed = 5000; seed < 5300; ++seed) {
    const bool guards = seed % 3 == 0;
    const std::string text = testing::random_flow_graph(seed, 6, guards);
    if (text.find("nobody") != std::string::npos) continue;  // bad input
    Mended mended(text);
    const bool had_edges = !mended.repair.edges.empty();
    if (mended.repair.mends) {
      EXPECT_EQ(mended.race_count(), 0U) << seed;
      EXPECT_TRUE(testing::find_flow_naively(mended.model).empty()) << seed;
      mended_count += had_edges ? 1U : 0U;
    } else {
      EXPECT_GT(mended.repair.left_violations, 0U) << seed;
    }
    if (!mended.repair.is_beyond_edges) continue;
    ++beyond;
    EXPECT_FALSE(mended.repair.mends) << seed;
    if (beyond > 20) continue;
    EXPECT_FALSE(can_be_mended(models::parse_graph(text, "g.json"))) << seed;
  }
  EXPECT_GT(mended_count, 5U);
  EXPECT_GT(beyond, 20U);
}

}  // namespace
}  // namespace detent::verify

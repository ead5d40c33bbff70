// Other places for values: examples, and random graphs whose mended form is judged by force.
#include "verify/repair/place_repair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

struct Moved {
  models::Model model;
  PlaceRepair repair;

  explicit Moved(models::Model given) : model(std::move(given)) {
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    const ValueTables values = models::value_tables(model);
    repair = find_place_repair(lowered.desc(), &values);
    for (const PlaceChange& change : repair.changes) {
      for (const Move& move : change.moves) {
        models::Tensor& tensor = model.tensors[move.tensor];
        tensor.offset_bytes += static_cast<std::uint64_t>(move.by_bytes);
        std::uint64_t& size = model.regions[tensor.region].size_bytes;
        size = std::max(size, tensor.offset_bytes + tensor.size_bytes);
      }
    }
  }
  explicit Moved(const std::string& text) : Moved(models::parse_graph(text, "g.json")) {}

  [[nodiscard]] std::uint64_t fault_count() const {
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    const ValueTables values = models::value_tables(model);
    RaceOptions options;
    options.values = &values;
    return find_races(lowered.desc(), options).races.count + find_value_violations(lowered.desc(), &values).count;
  }
};

std::string placed_graph(int size, const std::string& ops, const std::string& edges, const std::string& ends = "") {
  return R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": )" + std::to_string(size) + "}], " + ends +
         R"("ops": [)" + ops + R"(], "edges": [)" + edges + "]}";
}

std::string placed_range(int offset, int size, const std::string& value = "") {
  return "{\"region\": \"ws\", \"offset\": " + std::to_string(offset) + ", \"size\": " + std::to_string(size) +
         (value.empty() ? "" : R"(, "value": ")" + value + "\"") + "}";
}

std::string placed_op(int id, const std::string& reads, const std::string& writes) {
  return "{\"id\": " + std::to_string(id) + ", \"reads\": [" + reads + "], \"writes\": [" + writes + "]}";
}

/// x is read by op 2 after op 1 has written over it.
std::string stale_read_in(int size) {
  return placed_graph(size,
                      placed_op(0, "", placed_range(0, 16, "x")) + "," + placed_op(1, "", placed_range(8, 8, "t")) +
                          "," + placed_op(2, placed_range(0, 16, "x") + "," + placed_range(8, 8, "t"), ""),
                      "[0, 1], [1, 2]");
}

TEST(PlaceRepair, AValueMovesToFreeBytesOfItsRegion) {
  const Moved moved(stale_read_in(64));
  ASSERT_EQ(moved.repair.changes.size(), 1U);
  EXPECT_TRUE(moved.repair.mends);
  EXPECT_TRUE(moved.repair.is_one_enough);
  EXPECT_EQ(moved.repair.cost_bytes, 0U);
  EXPECT_EQ(moved.repair.changes[0].value, "x");
  EXPECT_EQ(moved.repair.changes[0].from_bytes, 0U);
  EXPECT_EQ(moved.repair.changes[0].to_bytes, 16U);
  EXPECT_EQ(moved.fault_count(), 0U);
}

TEST(PlaceRepair, WhereNoByteIsFreeTheRegionGrowsByAsLittleAsPossible) {
  const Moved moved(stale_read_in(16));
  ASSERT_EQ(moved.repair.changes.size(), 1U);
  EXPECT_TRUE(moved.repair.mends);
  EXPECT_EQ(moved.repair.changes[0].value, "t") << "8 bytes more, where x would cost 16";
  EXPECT_EQ(moved.repair.changes[0].to_bytes, 16U);
  EXPECT_EQ(moved.repair.cost_bytes, 8U);
  EXPECT_EQ(moved.model.regions[0].size_bytes, 24U);
  EXPECT_EQ(moved.fault_count(), 0U);
}

TEST(PlaceRepair, BytesWithoutANameStayWhereTheyAre) {
  const Moved moved(
      placed_graph(64, placed_op(0, "", placed_range(0, 8)) + "," + placed_op(1, "", placed_range(0, 8)), ""));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_TRUE(moved.repair.changes.empty());
  EXPECT_EQ(moved.repair.left_races, 1U);
}

TEST(PlaceRepair, PairsThatAMutexKeepsApartAreLeftLikeRaces) {
  const std::string held = R"(, "mutex": ["bus"]})";
  const auto holder = [&](int id, int offset) {
    std::string op = placed_op(id, "", placed_range(offset, 8));
    return op.substr(0, op.size() - 1) + held;
  };
  const Moved moved(placed_graph(64,
                                 holder(0, 0) + "," + holder(1, 0) + "," + placed_op(2, "", placed_range(8, 8)) + "," +
                                     placed_op(3, "", placed_range(8, 8)),
                                 ""));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_EQ(moved.repair.left_races, 2U) << "one race, and one pair whose order decides the bytes";
}

TEST(PlaceRepair, AReaderBeforeItsWriterIsNoMatterOfPlaces) {
  const Moved moved(placed_graph(
      64, placed_op(0, placed_range(0, 8, "x"), "") + "," + placed_op(1, "", placed_range(0, 8, "x")), "[0, 1]"));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_TRUE(moved.repair.changes.empty());
  EXPECT_EQ(moved.repair.left_violations, 1U);
}

TEST(PlaceRepair, PlannedTensorsMoveWithTheirAlignment) {
  for (const char* name : {"bad_reuse_war", "bad_reuse_waw", "bad_overlap"}) {
    const Moved moved(models::make_zoo_model(name));
    EXPECT_TRUE(moved.repair.mends) << name;
    EXPECT_EQ(moved.fault_count(), 0U) << name;
    for (const PlaceChange& change : moved.repair.changes) EXPECT_EQ(change.to_bytes % 64, 0U) << name;
  }
}

TEST(PlaceRepair, MendedGraphsHoldWhenEveryOrderIsTried) {
  std::size_t mended_count = 0;
  for (std::uint64_t seed = 7000; seed < 7300; ++seed) {
    const std::string text = testing::random_flow_graph(seed, 6, seed % 3 == 0);
    if (text.find("nobody") != std::string::npos) continue;  // bad input
    const Moved moved(text);
    if (!moved.repair.mends) continue;
    EXPECT_EQ(moved.fault_count(), 0U) << seed;
    if (moved.repair.changes.empty() || moved.model.regions[0].size_bytes > 64) continue;
    ++mended_count;
    EXPECT_TRUE(testing::find_flow_naively(moved.model).empty()) << seed;
  }
  EXPECT_GT(mended_count, 5U);
}

}  // namespace
}  // namespace detent::verify

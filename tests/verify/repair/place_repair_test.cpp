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
#include "tests/verify/graph_text.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

using graph_text::graph;
using graph_text::op;
using graph_text::range;

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

/// x is read by op 2 after op 1 has written over it.
std::string stale_read_in(int size) {
  return graph(op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 8, "t")) + "," +
                   op(2, range(0, 16, "x") + "," + range(8, 8, "t"), ""),
               "[0, 1], [1, 2]", "", size);
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
  const Moved moved(graph(op(0, "", range(0, 8)) + "," + op(1, "", range(0, 8)), ""));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_TRUE(moved.repair.changes.empty());
  EXPECT_EQ(moved.repair.left_races, 1U);
}

TEST(PlaceRepair, PairsThatAMutexKeepsApartAreLeftLikeRaces) {
  const std::string held = R"(, "mutex": ["bus"]})";
  const auto holder = [&](int id, int offset) {
    const std::string text = op(id, "", range(offset, 8));
    return text.substr(0, text.size() - 1) + held;
  };
  const Moved moved(
      graph(holder(0, 0) + "," + holder(1, 0) + "," + op(2, "", range(8, 8)) + "," + op(3, "", range(8, 8)), ""));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_EQ(moved.repair.left_races, 2U) << "one race, and one pair whose order decides the bytes";
}

TEST(PlaceRepair, AReaderBeforeItsWriterIsNoMatterOfPlaces) {
  const Moved moved(graph(op(0, range(0, 8, "x"), "") + "," + op(1, "", range(0, 8, "x")), "[0, 1]"));
  EXPECT_FALSE(moved.repair.mends);
  EXPECT_TRUE(moved.repair.changes.empty());
  EXPECT_EQ(moved.repair.left_violations, 1U);
}

TEST(PlaceRepair, ARaceIsMendedBesideAPairThatAMutexKeepsApart) {
  const auto holder = [](int id) { return op(id, "", range(8, 8), R"("mutex": ["bus"], )"); };
  const Moved moved(
      graph(op(0, "", range(0, 8, "x")) + "," + op(1, "", range(0, 8, "y")) + "," + holder(2) + "," + holder(3), ""));
  ASSERT_EQ(moved.repair.changes.size(), 1U);
  EXPECT_EQ(moved.repair.changes[0].to_bytes, 16U);
  EXPECT_EQ(moved.repair.left_races, 1U) << "the pair that the mutex keeps apart: its bytes have no name";
  EXPECT_FALSE(moved.repair.mends);
}

TEST(PlaceRepair, ARaceIsMendedBesideAReaderBeforeItsWriter) {
  const Moved moved(graph(op(0, range(8, 8, "early"), "") + "," + op(1, "", range(8, 8, "early")) + "," +
                              op(2, "", range(0, 8, "x")) + "," + op(3, "", range(0, 8, "y")),
                          "[0, 1]"));
  ASSERT_EQ(moved.repair.changes.size(), 1U);
  EXPECT_EQ(moved.repair.changes[0].to_bytes, 16U);
  EXPECT_EQ(moved.repair.left_races, 0U);
  EXPECT_EQ(moved.repair.left_violations, 1U);
  EXPECT_FALSE(moved.repair.mends);
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

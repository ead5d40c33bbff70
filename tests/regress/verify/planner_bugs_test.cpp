// Public bugs of memory planners and executors, by thread: docs/BUGS.md says what each one is.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using Reads = std::set<std::tuple<std::uint32_t, std::string, std::uint32_t, bool>>;  ///< reader, value, way, always

constexpr std::uint32_t kOutput = DETENT_NONE;

void expect_found(const std::string& name, const Pairs& races, const Reads& reads) {
  const models::Model model =
      models::read_graph(std::string(DETENT_SOURCE_DIR) + "/tests/regress/planner_bugs/" + name + ".json");
  const models::LoweredModel lowered = models::lower(model);
  const ValueTables values = models::value_tables(model);
  RaceOptions options;
  options.values = &values;
  Pairs pairs;
  for (const Race& race : find_races(lowered.desc(), options).races.listed) pairs.emplace(race.op_a, race.op_b);
  EXPECT_EQ(pairs, races);
  Reads found;
  for (const ValueViolation& violation : find_value_violations(lowered.desc(), &values).listed) {
    found.emplace(violation.reader, violation.value, violation.in_the_way, violation.always);
  }
  EXPECT_EQ(found, reads);
}

TEST(PlannerBug, Onnxruntime7633) { expect_found("onnxruntime_7633", {{1, 2}}, {{1, "q", 2, false}}); }

TEST(PlannerBug, Onnxruntime32466) {
  expect_found("onnxruntime_32466", {{2, 4}, {2, 5}, {3, 4}},
               {{2, "a1", 4, false}, {3, "a2", 4, false}, {5, "u", 2, false}});
}

TEST(PlannerBug, Onnxruntime21019) { expect_found("onnxruntime_21019", {{0, 1}, {0, 2}}, {{2, "next", 0, false}}); }

TEST(PlannerBug, Onnxruntime19480) { expect_found("onnxruntime_19480", {{1, 2}}, {{1, "x", 2, false}}); }

TEST(PlannerBug, Onnxruntime32342) {
  expect_found("onnxruntime_32342", {{0, 2}, {0, 3}, {1, 2}}, {{1, "x", 2, false}, {3, "t", 0, false}});
}

TEST(PlannerBug, Pytorch178549) { expect_found("pytorch_178549", {{1, 2}}, {{3, "l", 2, false}, {3, "r", 1, false}}); }

TEST(PlannerBug, Ptoas934) { expect_found("ptoas_934", {{1, 2}}, {{1, "tile", 2, false}}); }

TEST(PlannerBug, Executorch21490) { expect_found("executorch_21490", {}, {{6, "t0", 4, true}, {6, "t0", 5, true}}); }

TEST(PlannerBug, Litert8889) { expect_found("litert_8889", {}, {{3, "a", 2, true}}); }

TEST(PlannerBug, Litert8928) { expect_found("litert_8928", {}, {{4, "state", 2, true}}); }

TEST(PlannerBug, TilelangAscend1156) { expect_found("tilelang_ascend_1156", {}, {{2, "k", 1, true}}); }

TEST(PlannerBug, TilelangAscend1765) { expect_found("tilelang_ascend_1765", {}, {{3, "acc", 1, true}}); }

TEST(PlannerBug, TfliteMicro913) { expect_found("tflite_micro_913", {}, {{kOutput, "out0", 1, true}}); }

TEST(PlannerBug, EspTfliteMicro6) { expect_found("esp_tflite_micro_6", {}, {{kOutput, "z", 3, true}}); }

TEST(PlannerBug, Iree19355) {
  expect_found("iree_19355", {{0, 1}, {0, 3}, {1, 2}}, {{2, "a", 1, false}, {3, "b", 0, false}});
}

TEST(PlannerBug, Iree17525) { expect_found("iree_17525", {{1, 2}}, {{3, "part0", 2, false}, {3, "part1", 1, false}}); }

TEST(PlannerBug, Glow1083) { expect_found("glow_1083", {}, {{2, "a", 1, true}}); }

}  // namespace
}  // namespace detent::verify

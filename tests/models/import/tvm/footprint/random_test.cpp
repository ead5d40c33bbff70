// Footprints of random operators against an interpreter that runs them.
#include <gtest/gtest.h>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"
#include "tests/models/import/tvm/footprint/check.hpp"
#include "tests/models/import/tvm/footprint/random_operator.hpp"

namespace detent::models::tvm {
namespace {

TEST(FootprintRandom, AgreesWithTheInterpreter) {
  std::size_t exact = 0;
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const std::string text = random_operator(seed);
    const CUnit unit = parse_c(text, "random.c");
    const FunctionFootprint footprint = analyse_function(unit, *unit.find("op"));
    ASSERT_TRUE(footprint.understood) << footprint.why << "\n" << text;
    const std::vector<AccessSets> sets = with_pool_uses(footprint);
    for (const std::uint64_t contents : {1U, 2U}) {
      ASSERT_EQ(first_difference(sets, run_and_record(unit, "op", contents)), "") << "seed " << seed << "\n" << text;
    }
    for (const AccessSets& one : sets) {
      all += 2;
      exact += (one.reads_exact ? 1U : 0U) + (one.writes_exact ? 1U : 0U);
    }
  }
  EXPECT_GT(exact, all * 9 / 10);
}

// A loop run once too often, an index one too far, a guard one too wide: each is seen in some operator.
TEST(FootprintRandom, PlantedFaultsAreSeen) {
  struct Fault {
    std::string from, to;
  };
  for (const Fault& fault : {Fault{" < 5; ", " < 6; "}, Fault{") + 600)", ") + 601)"}, Fault{" <= 3)", " < 3)"}}) {
    bool seen = false;
    for (std::uint64_t seed = 1; seed <= 200 && !seen; ++seed) {
      const std::string text = random_operator(seed);
      std::string wrong = text;
      const std::size_t at = wrong.find(fault.from);
      if (at == std::string::npos) continue;
      wrong.replace(at, fault.from.size(), fault.to);
      const CUnit right_unit = parse_c(text, "random.c");
      const CUnit wrong_unit = parse_c(wrong, "random.c");
      const FunctionFootprint footprint = analyse_function(wrong_unit, *wrong_unit.find("op"));
      seen = !first_difference(with_pool_uses(footprint), run_and_record(right_unit, "op")).empty();
    }
    EXPECT_TRUE(seen) << fault.from << " -> " << fault.to;
  }
}

}  // namespace
}  // namespace detent::models::tvm

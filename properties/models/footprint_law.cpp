// Law of the footprint analysis: for any operator, exact sets are what an execution touches and others cover it.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "properties/law.hpp"
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"
#include "tests/models/import/tvm/footprint/check.hpp"
#include "tests/models/import/tvm/footprint/random_operator.hpp"

namespace detent::models::tvm {
namespace {

RC_GTEST_PROP(FootprintLaw, EqualsExecution, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const std::string text = random_operator(seed);
    const CUnit unit = parse_c(text, "random.c");
    const FunctionFootprint footprint = analyse_function(unit, *unit.find("op"));
    RC_ASSERT(footprint.understood);
    RC_ASSERT(first_difference(with_pool_uses(footprint), run_and_record(unit, "op", seed)) == "");
  });
}

// However little work is allowed, the sets only grow.
RC_GTEST_PROP(FootprintLaw, FewerPointsCoverMore, ()) {
  laws::law_of_values([] {
    const std::string text = random_operator(*rc::gen::arbitrary<std::uint64_t>());
    const CUnit unit = parse_c(text, "random.c");
    const std::vector<AccessSets> fine = with_pool_uses(analyse_function(unit, *unit.find("op")));
    const std::vector<AccessSets> rough = with_pool_uses(
        analyse_function(unit, *unit.find("op"), {.max_points = *rc::gen::inRange<std::uint64_t>(0, 40)}));
    for (std::size_t i = 0; i < fine.size(); ++i) {
      RC_ASSERT(rough[i].writes_unbounded || fine[i].writes.difference(rough[i].writes).empty());
      RC_ASSERT(rough[i].reads_unbounded || fine[i].reads.difference(rough[i].reads).empty());
    }
  });
}

}  // namespace
}  // namespace detent::models::tvm

// Law of overwriting: an operator computes the same where the buffer that it writes lies over the one that it reads.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "properties/law.hpp"
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"
#include "tests/models/import/tvm/footprint/random_overwrite.hpp"

namespace detent::models::tvm {
namespace {

RC_GTEST_PROP(OverwriteLaw, InPlaceComputesWhatApartDoes, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const CUnit unit = parse_c(random_overwrite(seed), "random.c");
    const FunctionFootprint footprint = analyse_function(unit, *unit.find("op"));
    RC_ASSERT(footprint.understood);
    if (footprint.overwrites.empty()) return;
    const Overwrite overwrite = footprint.overwrites.front();
    RC_ASSERT(overwrite.read == 0U && overwrite.written == 1U);
    const std::int64_t most = std::min<std::int64_t>(overwrite.most_displacement, 400);
    const auto displacement = most - 4 * *rc::gen::inRange<std::int64_t>(0, 120);
    const auto apart = run_and_read(unit, "op", 1, std::nullopt, seed);
    RC_ASSERT(run_and_read(unit, "op", 1, SharedStart{1, 0, displacement}, seed) == apart);
    RC_ASSERT(run_and_read(unit, "op", 1, SharedStart{1, 0, most}, seed) == apart);
  });
}

}  // namespace
}  // namespace detent::models::tvm

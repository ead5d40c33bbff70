// Law of the memory plan: which values share bytes in order depends on paths alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "properties/law.hpp"
#include "tests/verify/random_plan.hpp"
#include "verify/static/lifetimes.hpp"

namespace detent::laws {
namespace {

/// Choices in advance, as one value that RapidCheck shrinks; where they end, all further ones are 0.
RC_GTEST_PROP(MemoryPlanLaw, EqualsForceWhateverTheIds, ()) {
  law_of_values(rc::gen::scale(3.0, rc::gen::arbitrary<std::vector<std::uint32_t>>()),
                [](const std::vector<std::uint32_t>& choices) {
                  std::size_t next = 0;
                  const auto draw = [&](std::uint32_t bound) {
                    return next < choices.size() ? choices[next++] % bound : 0U;
                  };
                  const verify::testing::RandomPlan plan(draw, {});
                  std::vector<std::uint32_t> new_id(plan.desc.op_count);
                  std::iota(new_id.begin(), new_id.end(), 0U);
                  for (std::uint32_t i = plan.desc.op_count; i-- > 1;) std::swap(new_id[i], new_id[draw(i + 1)]);
                  const bool in_order = verify::testing::values_are_in_order(plan.desc);
                  RC_CLASSIFY(!in_order, "violated");
                  RC_ASSERT(verify::find_lifetime_overlaps(plan.desc, 1).empty() == in_order);
                  RC_ASSERT(verify::find_lifetime_overlaps(plan.renamed(new_id)->desc, 1).empty() == in_order);
                });
}

}  // namespace
}  // namespace detent::laws

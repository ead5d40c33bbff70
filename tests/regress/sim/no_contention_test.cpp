// The first fill of an NPU's buffers used to share the DRAM with others although `contention` was "none".
#include <gtest/gtest.h>

#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/cost/cost.hpp"
#include "sim/simulate.hpp"

namespace detent {
namespace {

TEST(Regress, WithoutContentionNoPartOfAnOpIsAClientOfTheDram) {
  const models::LoweredModel lowered =
      models::lower(models::make_zoo_model("mobilenetv2:32", {.accelerator = "npu"}), {});
  sim::Platform platform = sim::find_platform("rk3588");
  const auto clients = [&] {
    std::size_t count = 0;
    for (const sim::OpWork& work : sim::op_work(lowered.desc(), platform, {})) {
      count += work.front_bytes > 0 || work.dram_bytes > 0 ? 1 : 0;
    }
    return count;
  };
  EXPECT_GT(clients(), 0U);
  platform.contention = sim::Contention::kNone;
  EXPECT_EQ(clients(), 0U);
}

}  // namespace
}  // namespace detent

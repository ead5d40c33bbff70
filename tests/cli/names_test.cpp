#include "cli/names.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::cli {
namespace {

TEST(Names, ModesRoundTrip) {
  for (const char* name : {"serial", "layered", "closed-loop", "static"})
    EXPECT_STREQ(mode_name(parse_mode(name)), name);
  EXPECT_THROW(parse_mode("Serial"), std::invalid_argument);
  EXPECT_EQ(parse_scheduler("thread"), DETENT_SCHEDULER_THREAD);
  EXPECT_THROW(parse_scheduler("pool"), std::invalid_argument);
}

TEST(Names, JitterTakesASpread) {
  EXPECT_EQ(jitter_name(parse_jitter("uniform:0.25")), "uniform:0.25");
  EXPECT_EQ(parse_jitter("worst").kind, sim::Jitter::Kind::kWorst);
  for (const char* bad :
       {"", "wild", "uniform:", "uniform:x", "uniform:-1", "uniform:nan", "uniform:1e9", "uniform:0.1x"}) {
    EXPECT_THROW(parse_jitter(bad), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace detent::cli

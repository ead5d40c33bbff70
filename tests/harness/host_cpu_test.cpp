#include "harness/measure/host_cpu.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <vector>

namespace detent::harness {
namespace {

TEST(HostCpu, UsableCpusAreThoseThatThisThreadMayUse) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  const std::vector<int> all = usable_cpus();
  EXPECT_EQ(all.size(), static_cast<std::size_t>(CPU_COUNT(&before)));
  for (const int cpu : all) EXPECT_TRUE(CPU_ISSET(static_cast<unsigned>(cpu), &before));
  cpu_set_t last;
  CPU_ZERO(&last);
  CPU_SET(static_cast<unsigned>(all.back()), &last);
  ASSERT_EQ(sched_setaffinity(0, sizeof last, &last), 0);
  EXPECT_EQ(usable_cpus(), std::vector<int>{all.back()});
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace detent::harness

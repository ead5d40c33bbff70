// The runtime on bare metal: no clock, no environment. What the compilers of such targets say is tools/targets.sh's
// part.
#include <gtest/gtest.h>

#include <cstdlib>

#include <detent/detent.h>

#include "runtime/api/abi.h"
#include "tests/support/desc_tables.hpp"

namespace detent {
namespace {

/// Whatever the environment says, and however the test ends.
struct Environment {
  Environment() { setenv("TVMRT_NUM_WORKERS", "7", 1); }
  ~Environment() { unsetenv("TVMRT_NUM_WORKERS"); }
};

TEST(Regress, BareMetal_OnlyAPortOfAHostReadsTheEnvironment) {
  const Environment environment;
  const detent_port single = detent_port_single_clocked(nullptr, nullptr);
  EXPECT_EQ(detent_default_config(&single).worker_count, 1U);
  EXPECT_EQ(detent_default_worker_count(), 7U);
}

TEST(Regress, BareMetal_ThePortWithoutThreadsTakesTheClockOfItsCaller) {
  std::uint64_t time_ps = 41;
  const auto tick = [](void* self) { return ++*static_cast<std::uint64_t*>(self); };
  const detent_port port = detent_port_single_clocked(tick, &time_ps);
  EXPECT_EQ(port.now_ps(port.self), 42U);
  EXPECT_EQ(port.now_ps(port.self), 43U);
  const detent_port no_clock = detent_port_single_clocked(nullptr, nullptr);
  EXPECT_EQ(no_clock.now_ps(no_clock.self), 0U);
}

std::uint64_t at_five(void*) { return 5; }

/// One op of a kernel that does nothing.
struct OneOp {
  const char* kernel = "nothing";
  detent_kernel kernels[1] = {{kernel, [](const detent_kernel_args*) -> std::int32_t { return 0; }, nullptr}};
  detent_kernel_table table{kernels, 1};
  support::DescTables tables{
      {.name = "one", .ops = {{}}, .kernels = {kernel}, .classes = {{"cpu", DETENT_CLASS_WORKERS}}}};
};

TEST(Regress, BareMetal_ADeadlineNeedsAClock) {
  const OneOp one;
  const detent_backend backend = detent_cpu_backend("*", &one.table);
  for (const bool has_clock : {false, true}) {
    const detent_port port = detent_port_single_clocked(has_clock ? at_five : nullptr, nullptr);
    detent_config config = detent_default_config(&port);
    config.backends = &backend;
    config.backend_count = 1;
    alignas(DETENT_CACHE_LINE) static std::uint8_t arena[16384];
    for (const std::uint64_t deadline_ps : {UINT64_C(0), UINT64_C(1000)}) {
      config.op_deadline_ps = deadline_ps;
      detent_context* context = nullptr;
      const detent_status status = detent_init(arena, sizeof arena, &one.tables.desc, &config, &context, nullptr);
      EXPECT_EQ(status, deadline_ps == 0 || has_clock ? DETENT_OK : DETENT_INVALID_ARGUMENT) << has_clock;
      if (context == nullptr) continue;
      detent_result result{};
      EXPECT_EQ(detent_run(context, &result), DETENT_OK);
      EXPECT_EQ(detent_deinit(context), DETENT_OK);
    }
  }
}

}  // namespace
}  // namespace detent

// Traces on a clock that counts its readings: every span and event to the picosecond.
#include "harness/trace.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/instance.hpp"
#include "runtime/ports/host_clock.h"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

std::string trace_text(const Trace& trace) {
  std::string text;
  for (const Span& span : trace.spans) {
    text += "op " + std::to_string(span.op) + " on " + std::to_string(span.slot) + " " + std::to_string(span.begin_ps) +
            ".." + std::to_string(span.end_ps) + " #" + std::to_string(span.begin_sequence) + "\n";
  }
  for (const Event& event : trace.events) {
    text += "event " + std::to_string(event.kind) + " on " + std::to_string(event.slot) + " at " +
            std::to_string(event.time_ps) + " op " + std::to_string(static_cast<std::int32_t>(event.op)) + " value " +
            std::to_string(event.value) + "\n";
  }
  return text + "dropped " + std::to_string(trace.dropped);
}

/// Each reading is 100 ps after the one before.
std::uint64_t counted_ps(void* self) { return *static_cast<std::uint64_t*>(self) += 100; }

Run traced_run(bool events, const std::vector<detent_backend>& backends = {}) {
  std::uint64_t clock_ps = 5'000;
  test::DescBuilder b = test::make_diamond();
  const detent_port port = detent_port_single_clocked(counted_ps, &clock_ps);
  InstanceOptions options{.mode = DETENT_MODE_SERIAL, .trace = true};
  options.events = events;
  options.backends = backends;
  Instance instance(b.refresh(), port, options);
  EXPECT_EQ(instance.status(), DETENT_OK);
  instance.fill(1);
  return instance.run();
}

TEST(Trace, SpansOfASerialRunFollowTheClock) {
  const harness::Run run = traced_run(false);
  EXPECT_EQ(trace_text(run.trace),
            "op 0 on 0 100..200 #1\nop 1 on 0 300..400 #2\nop 2 on 0 500..600 #3\nop 3 on 0 700..800 #4\ndropped 0");
  EXPECT_EQ(run.makespan_ps, 900U);
  EXPECT_EQ(run.makespan_ps, run.result.end_ps - run.result.begin_ps);
}

TEST(Trace, EventsAreRecordsThatAreNotOps) {
  const harness::Run run = traced_run(true);
  EXPECT_EQ(trace_text(run.trace),
            "op 0 on 0 100..200 #1\nop 1 on 0 300..400 #2\nop 2 on 0 500..600 #3\nop 3 on 0 700..800 #4\n"
            "event 1 on 0 at 0 op -1 value 0\nevent 2 on 0 at 1000 op -1 value 0\ndropped 0");
}

TEST(Trace, AnOpThatFailsEndsAndTheRestHasNoSpan) {
  const auto resolve = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args* args) { return args->op == 2 ? 9 : 0; };
    return DETENT_OK;
  };
  const harness::Run run = traced_run(false, {{nullptr, "*", resolve, nullptr}});
  EXPECT_EQ(run.result.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(run.digest, 0U);
  EXPECT_EQ(trace_text(run.trace), "op 0 on 0 100..200 #1\nop 1 on 0 300..400 #2\nop 2 on 0 500..600 #3\ndropped 0");
}

TEST(Trace, RingsHoldEveryRecordOfAnyRun) {
  EXPECT_EQ(trace_records_per_worker(0), 1024U);
  EXPECT_EQ(trace_records_per_worker(10), 1044U);
}

}  // namespace
}  // namespace detent::harness

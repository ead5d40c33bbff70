// CANCELLED or KERNEL_FAILED was returned while a back end still worked: the first cause stood, whatever was left in
// flight. Only TIMEOUT leaves ops in flight, and says how many.
#include <gtest/gtest.h>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

struct FlightCase {
  const char* name;
  detent_mode mode;
  bool cancels;  ///< else the kernel fails
};

class StatusInFlight : public testing::TestWithParam<FlightCase> {};

INSTANTIATE_TEST_SUITE_P(Regress, StatusInFlight,
                         testing::Values(FlightCase{"LayeredCancel", DETENT_MODE_LAYERED, true},
                                         FlightCase{"LayeredError", DETENT_MODE_LAYERED, false},
                                         FlightCase{"ClosedLoopCancel", DETENT_MODE_CLOSED_LOOP, true},
                                         FlightCase{"ClosedLoopError", DETENT_MODE_CLOSED_LOOP, false},
                                         FlightCase{"StaticCancel", DETENT_MODE_STATIC, true},
                                         FlightCase{"StaticError", DETENT_MODE_STATIC, false}),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// Op 0 belongs to a device; op 1 ends the run in its own way; op 2 waits for both.
Graph device_and_two() {
  Graph graph(3, {{0, 2}, {1, 2}});
  graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"device", DETENT_CLASS_ASYNC}};
  graph.classes = {1, 0, 0};
  return graph;
}

/// Op 1 cancels the run, or fails.
void end_by_op_1(Graph& graph, detent_context* context, bool cancels) {
  if (!cancels) graph.witness().codes[1] = 5;
  if (cancels) {
    graph.witness().hook = [context](std::uint32_t op) {
      if (op == 1) detent_cancel(context);
    };
  }
}

/// Op 0 belongs to a back end that does not answer in time; op 1 ends the run in its own way; op 2 waits for both.
TEST_P(StatusInFlight, ALateOpDecidesWhateverCameFirst) {
  LaterBackend later("device");
  later.answers_on_wait = false;
  Graph graph = device_and_two();
  Bound bound(graph, {.mode = GetParam().mode,
                      .worker_count = 1,
                      .backends = {later.backend()},
                      .op_deadline_ps = 100'000,
                      .port = later.port()});
  ASSERT_EQ(bound.status(), DETENT_OK);
  end_by_op_1(graph, bound.context(), GetParam().cancels);
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(result.error.op, 0U);
  EXPECT_EQ(result.ops_in_flight, 1U);
  EXPECT_EQ(graph.witness().runs[2], 0U);
  EXPECT_EQ(detent_reset(bound.context()), DETENT_BUSY);
  EXPECT_TRUE(later.answer_one());
  EXPECT_EQ(detent_reset(bound.context()), DETENT_OK);
  graph.witness().clear();
  graph.witness().hook = nullptr;
  graph.witness().codes[1] = 0;
  later.answers_on_wait = true;
  const detent_result again = bound.run();
  EXPECT_EQ(again.error.status, DETENT_OK);
  EXPECT_EQ(again.ops_in_flight, 0U);
}

/// The same, answered in time: the first cause stands and nothing is in flight.
TEST_P(StatusInFlight, AnswerInTimeLeavesTheFirstCause) {
  LaterBackend later("device");
  Graph graph = device_and_two();
  Bound bound(graph, {.mode = GetParam().mode,
                      .worker_count = 1,
                      .backends = {later.backend()},
                      .op_deadline_ps = 1'000'000,
                      .port = later.port()});
  ASSERT_EQ(bound.status(), DETENT_OK);
  end_by_op_1(graph, bound.context(), GetParam().cancels);
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, GetParam().cancels ? DETENT_CANCELLED : DETENT_KERNEL_FAILED);
  EXPECT_EQ(result.ops_in_flight, 0U);
  EXPECT_EQ(detent_reset(bound.context()), DETENT_OK);
}

}  // namespace
}  // namespace detent::test

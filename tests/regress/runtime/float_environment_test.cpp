// Flush to zero, denormals are zero and the rounding mode belong to a thread: set by the caller, they changed the bytes
// of ops that slot 0 executed, and of no others. Now every slot has one environment and the caller gets its own back.
#include "runtime/base/float_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::test {
namespace {

float from_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// A subnormal operand, a subnormal result, a result that must be rounded.
struct Computed {
  std::uint32_t operand, result, third;
  bool operator==(const Computed&) const = default;
};
Computed compute() {
  const volatile float subnormal = from_bits(0x0000'1234);
  const volatile float smallest = from_bits(0x0080'0000);
  const volatile float one = 1.0F, three = 3.0F, half = 0.5F;
  return {bits_of(subnormal + subnormal), bits_of(smallest * half), bits_of(one / three)};
}
constexpr Computed kExpected{0x0000'2468, 0x0040'0000, 0x3eaa'aaab};

/// The caller's own environment, for as long as it lives.
class Callers {
 public:
  explicit Callers(std::uint64_t bits) : before_(floats::read()) { floats::write(bits); }
  ~Callers() { floats::write(before_); }
  Callers(const Callers&) = delete;
  Callers& operator=(const Callers&) = delete;

 private:
  std::uint64_t before_;
};

std::vector<std::uint64_t> environments() {
  std::vector<std::uint64_t> all{floats::read()};
#if defined(__SSE__)
  all.insert(all.end(), {0x9fc0, 0x7f80, 0xffc0, 0x1f80 | 0x8040});  // FTZ and DAZ; toward zero; both
#elif defined(__aarch64__)
  all.insert(all.end(), {1U << 24U, 3U << 22U});  // FZ; toward zero
#endif
  return all;
}

struct FloatCase {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
};
class FloatEnvironments : public testing::TestWithParam<FloatCase> {};
INSTANTIATE_TEST_SUITE_P(Regress, FloatEnvironments,
                         testing::Values(FloatCase{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE},
                                         FloatCase{"layered", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                                         FloatCase{"role", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                                         FloatCase{"thread", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                                         FloatCase{"static", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(FloatEnvironments, ChangeNoBitOfARunAndAreTheCallersAfterwards) {
  for (const std::uint64_t callers : environments()) {
    for (const std::uint32_t workers : {0U, 1U, 2U, 3U}) {
      Graph graph = layered(3, 4, 1);
      std::vector<Computed> computed(graph.op_count());
      const Callers environment(callers);
      const Computed mine = compute();
      Bound bound(graph, {.mode = GetParam().mode, .scheduler = GetParam().scheduler, .worker_count = workers});
      ASSERT_EQ(bound.status(), DETENT_OK);
      graph.witness().hook = [&](std::uint32_t op) { computed[op] = compute(); };
      ASSERT_EQ(bound.run().error.status, DETENT_OK);
      for (const Computed& of_op : computed) EXPECT_EQ(of_op, kExpected) << std::hex << callers << ' ' << workers;
      constexpr std::uint64_t kControl = floats::kControlBits;
      EXPECT_EQ(floats::read() & kControl, callers & kControl);
      EXPECT_EQ(compute(), mine);
    }
  }
}

/// Ops that the thread inside detent_complete executes, as the holder of the role.
TEST(RegressFloatEnvironment, HoldsForOpsThatAnAnswerSetsOff) {
  for (const std::uint64_t callers : environments()) {
    const Callers own(floats::read());  // op 0 changes it below
    LaterBackend later("device");
    Graph graph(3, {{0, 1}, {1, 2}});
    graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"device", DETENT_CLASS_ASYNC}, {"copier", DETENT_CLASS_ASYNC}};
    graph.classes = {1, 2, 0};  // the class of op 1 has no dispatch: its kernel is called under the role
    std::vector<Computed> computed(3);
    Bound bound(graph, {.worker_count = 1, .backends = {later.backend()}, .port = later.port()});
    ASSERT_EQ(bound.status(), DETENT_OK);
    static std::uint64_t at_answer;
    at_answer = callers;
    graph.witness().hook = [&](std::uint32_t op) {
      computed[op] = compute();
      if (op == 0) floats::write(at_answer);  // the back end's own thread has another environment than the engine
    };
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    EXPECT_EQ(computed[1], kExpected) << std::hex << callers;
  }
}

/// All slots on one thread: what one of them sets must not stay behind.
TEST(RegressFloatEnvironment, EnvironmentOfTheCallerIsBackAfterAnExploration) {
  for (const std::uint64_t callers : environments()) {
    const Callers environment(callers);
    verify::testing::GraphSpec spec = verify::testing::make_ops(3);
    spec.edges = {{0, 1}, {0, 2}};
    const verify::testing::DescTables tables(spec);
    EXPECT_FALSE(verify::explore::explore_threads(tables.desc, {.max_executions = 20}).failure);
    EXPECT_EQ(floats::read() & floats::kControlBits, callers & floats::kControlBits);
  }
}

TEST(RegressFloatEnvironment, EnvironmentIsTheDefaultOfCxx) {
  const FloatEnvironment before = set_float_environment();
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(compute(), kExpected);
  restore_float_environment(before);
}

}  // namespace
}  // namespace detent::test

// The command queue of the software NPU under every schedule of its threads: slots that give commands, the NPU's
// worker, threads that execute its ops themselves.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <string>

#include <detent/device.h>

#include "tests/effort.hpp"
#include "tests/runtime/backends/npu_context.hpp"
#include "tests/runtime/desc_builder.hpp"
#include "verify/explore/threads/order/history.hpp"
#include "verify/explore/threads/order/knowledge.hpp"
#include "verify/explore/threads/order/memory.hpp"
#include "verify/explore/threads/search/dpor.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint32_t kMostUsers = 3;
constexpr std::size_t kBytes = 64;
constexpr ThreadId kFirstUser = 2;  // 0 opens and closes the device, 1 is its worker

/// Each op on its own bytes: input, weights, scratch, output.
test::DescBuilder make_ops(std::uint32_t count) {
  test::DescBuilder b;
  b.kernels = {"by_cell"};
  b.classes = {{"npu", DETENT_CLASS_WORKERS}};
  b.add_region("work", DETENT_REGION_WORKSPACE, count * 3 * kBytes);
  b.add_region("weights", DETENT_REGION_WEIGHTS, kBytes, 64, test::kWeights);
  for (std::uint32_t i = 0; i < count * 3; ++i) b.add_tensor({.name = "t", .region = 0, .offset_bytes = i * kBytes});
  b.add_tensor({.name = "w", .region = 1});
  support::DescTables& tables = b;
  for (std::uint32_t op = 0; op < count; ++op) {
    tables.add_op({.name = "op",
                   .inputs = {op * 3},
                   .outputs = {op * 3 + 1},
                   .weights = {count * 3},
                   .scratch = {op * 3 + 2},
                   .config = {op}});
  }
  return b;
}

/// y = x + w + 1, the first byte by way of a word of the scratchpad that all ops share: the steps between which another
/// op must not come.
std::int32_t increment_by_cell(const detent_kernel_args* args);
constexpr detent_kernel kKernels[] = {{"by_cell", increment_by_cell, nullptr}};
constexpr detent_kernel_table kTable{kKernels, 1};

/// What is explored: users of one device, each with an op of its own, `rounds` times.
struct Shape {
  std::uint32_t givers = 1;   ///< by commands, each after the answer to the one before
  std::uint32_t callers = 0;  ///< on their own threads
  std::uint32_t rounds = 1;
  std::uint32_t spurious_wakeups = 0;
};

class NpuQueue {
 public:
  explicit NpuQueue(const Shape& shape)
      : shape_(shape),
        ops_(make_ops(users())),
        desc_(ops_.refresh()),
        threads_({.spurious_wakeups = shape.spurious_wakeups}),
        port_(threads_, {.slots = 2, .announces_expected = true}),
        history_(kFirstUser + users()),
        memory_(kFirstUser + users()),
        knowledge_(kFirstUser + users(), &memory_) {
    config_ = {&port_.table(), 0, &kTable, complete, nullptr, 0};
    detent_device_needs needs{};
    EXPECT_EQ(detent_software_npu()->measure(&desc_, &config_, &needs), DETENT_OK);
    bytes_ = needs.memory_bytes;
    device_ = test::allocate(bytes_);
    for (std::uint32_t user = 0; user < users(); ++user) users_[user].program = this;
    explored = this;
  }

  struct Seen {
    std::uint64_t executions = 0;
    bool is_whole = false;         ///< the search came to its end
    std::set<std::string> faults;  ///< of all executions; empty: none
    std::uint64_t most_commands = 0;
  };
  /// The word of the scratchpad, as a relaxed access.
  std::uint32_t& cell(bool writes) {
    Step step{
        .kind = writes ? StepKind::kWrite : StepKind::kRead, .exclusive = writes, .object = kCell, .word = &cell_};
    step.access = kAccessRelaxed;
    threads_.step(step);
    return cell_;
  }

  Seen explore(Strategy& strategy, std::uint64_t max_executions) {
    Seen seen;
    bool more = true;
    while (more && seen.executions < max_executions) {
      fault_ = "";
      cell_ = 0;
      most_commands_ = 0;
      const End end = threads_.run(
          strategy, [](void* self) { static_cast<NpuQueue*>(self)->main(); }, this, &history_, &knowledge_);
      ++seen.executions;
      if (end == End::kDeadlock) fault_ = "deadlock";
      if (end == End::kStepLimit) fault_ = "no end";
      if (*fault_ != 0) seen.faults.insert(fault_);
      seen.most_commands = std::max(seen.most_commands, most_commands_);
      more = strategy.end_execution();
    }
    seen.is_whole = !more;
    return seen;
  }

  static NpuQueue* explored;  ///< the newest one, for its kernel

 private:
  static constexpr ObjectId kCell = kWordObjects + 1'000'000;
  struct User {
    NpuQueue* program = nullptr;
    detent_buffer buffers[4]{};  ///< input, output, weights, scratch
    std::uint8_t input[kBytes]{}, output[kBytes]{}, scratch[kBytes]{};
    detent_entity entity{};
    std::uint32_t answers = 0, wanted = 0;
  };

  [[nodiscard]] std::uint32_t users() const { return shape_.givers + shape_.callers; }
  void expect(bool is_so, const char* fault) {
    if (!is_so && *fault_ == 0) fault_ = fault;
  }

  /// Asserts what a context relies on: an answer belongs to a command, and comes after its outputs.
  static detent_status complete(detent_context* context, std::uint32_t op, std::int32_t code) {
    NpuQueue& self = *reinterpret_cast<NpuQueue*>(context);
    User& user = self.users_[op];
    self.expect(code == 0, "a code");
    self.expect(user.answers + 1 == user.wanted, "an answer without a command");
    ++user.answers;
    self.threads_.notify(kFirstUser + op);
    return DETENT_OK;
  }

  void bind(std::uint32_t id) {
    User& user = users_[id];
    user.answers = user.wanted = 0;
    const detent_tensor* const tensors = desc_.tensors;
    user.buffers[0] = {user.input, &tensors[id * 3]};
    user.buffers[1] = {user.output, &tensors[id * 3 + 1]};
    user.buffers[2] = {const_cast<std::uint8_t*>(test::kWeights), &tensors[users() * 3]};
    user.buffers[3] = {user.scratch, &tensors[id * 3 + 2]};
    detent_kernel_args& args = user.entity.args;
    args = {};
    args.inputs = &user.buffers[0];
    args.outputs = &user.buffers[1];
    args.weights = &user.buffers[2];
    args.scratch = &user.buffers[3];
    args.input_count = args.output_count = args.weight_count = args.scratch_count = 1;
    args.op = id;
    expect(backend_.resolve(backend_.self, "by_cell", &user.entity) == DETENT_OK, "an op that does not resolve");
  }

  void use(std::uint32_t id) {
    User& user = users_[id];
    for (std::uint32_t round = 0; round < shape_.rounds; ++round) {
      std::memset(user.input, static_cast<int>(id * 16 + round), kBytes);
      ++user.wanted;
      std::int32_t code = 0;
      if (id < shape_.givers) {
        auto* const context = reinterpret_cast<detent_context*>(this);
        const detent_dispatch how = backend_.dispatch(backend_.self, context, &user.entity, 0, &code);
        expect(how == DETENT_DISPATCH_PENDING, "a command that is over at once");
        while (user.answers != user.wanted) threads_.park(kFirstUser + id, UINT64_MAX);
      } else {
        code = user.entity.run(&user.entity.args);
      }
      expect(code == 0, "a code");
      bool is_right = true;
      for (std::size_t i = 0; i < kBytes; ++i) {
        is_right = is_right && user.output[i] == static_cast<std::uint8_t>(id * 16 + round + test::kWeights[i] + 1);
      }
      expect(is_right, "a wrong output");
    }
  }

  static void enter(void* arg) {
    User& user = *static_cast<User*>(arg);
    user.program->use(static_cast<std::uint32_t>(&user - user.program->users_.data()));
  }

  void main() {
    const detent_device_module& module = *detent_software_npu();
    port_.reset();
    if (module.open(device_.get(), bytes_, &desc_, &config_, &backend_) != DETENT_OK) {
      return expect(false, "a device that does not open");
    }
    port_.set_words_base(backend_.self);
    for (std::uint32_t id = 0; id < users(); ++id) bind(id);
    for (std::uint32_t id = 0; id < users(); ++id) threads_.start(kFirstUser + id, enter, &users_[id]);
    for (std::uint32_t id = 0; id < users(); ++id) threads_.join(kFirstUser + id);
    detent_device_counters counters{};
    module.count(device_.get(), &counters);
    module.close(device_.get());
    expect(counters.ops == users() * shape_.rounds, "ops that are not counted");
    expect(counters.most_commands <= shape_.givers, "a command that was answered is counted still");
    most_commands_ = counters.most_commands;
  }

  Shape shape_;
  test::DescBuilder ops_;
  const detent_desc& desc_;
  VirtualThreads threads_;
  ExplorePort port_;
  History history_;
  Memory memory_;
  Knowledge knowledge_;
  detent_device_config config_{};
  std::uint64_t bytes_ = 0;
  test::Memory device_;
  detent_backend backend_{};
  std::array<User, kMostUsers> users_{};
  std::uint32_t cell_ = 0;
  const char* fault_ = "";
  std::uint64_t most_commands_ = 0;
};

NpuQueue* NpuQueue::explored = nullptr;

std::int32_t increment_by_cell(const detent_kernel_args* args) {
  const auto* const x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  const auto* const w = static_cast<const std::uint8_t*>(args->weights[0].data);
  auto* const y = static_cast<std::uint8_t*>(args->outputs[0].data);
  for (std::size_t i = 1; i < kBytes; ++i) y[i] = static_cast<std::uint8_t>(x[i] + w[i] + 1);
  NpuQueue::explored->cell(true) = x[0] + w[0];
  y[0] = static_cast<std::uint8_t>(NpuQueue::explored->cell(false) + 1);
  return 0;
}

void expect_all_hold(const Shape& shape, std::uint64_t executions) {
  if (executions > effort(200'000U)) GTEST_SKIP() << "too many schedules where each step is instrumented";
  NpuQueue queue(shape);
  DporSearch search;
  const NpuQueue::Seen seen = queue.explore(search, 2'000'000);
  EXPECT_TRUE(seen.is_whole);
  EXPECT_TRUE(seen.faults.empty()) << *seen.faults.begin();
  EXPECT_EQ(seen.executions, executions);
  EXPECT_EQ(seen.most_commands, shape.givers);
  EXPECT_EQ(search.diverged_at(), 0U);
}

TEST(NpuQueueThreads, EveryScheduleOfOneGiver) { expect_all_hold({.givers = 1, .rounds = 3}, 177); }

TEST(NpuQueueThreads, EveryScheduleOfTwoGivers) { expect_all_hold({.givers = 2}, 363); }

TEST(NpuQueueThreads, EveryScheduleWithAnOpOnAThreadOfItsOwn) { expect_all_hold({.givers = 1, .callers = 1}, 567); }

TEST(NpuQueueThreads, EveryScheduleOfTwoGiversTwice) { expect_all_hold({.givers = 2, .rounds = 2}, 99552); }

TEST(NpuQueueThreads, EveryScheduleOfTwoGiversAndAThreadOfItsOwn) {
  expect_all_hold({.givers = 2, .callers = 1}, 128405);
}

TEST(NpuQueueThreads, EveryScheduleOfTwoThreadsOfTheirOwn) {
  expect_all_hold({.givers = 0, .callers = 2, .rounds = 2}, 15792);
}

TEST(NpuQueueThreads, WakeUpsForNothing) { expect_all_hold({.givers = 1, .rounds = 2, .spurious_wakeups = 1}, 669); }

/// More than a search can end with.
TEST(NpuQueueThreads, RandomSchedulesOfThreeUsers) {
  NpuQueue queue({.givers = 2, .callers = 1, .rounds = 3, .spurious_wakeups = 1});
  RandomWalk walk(7, 2000);
  const NpuQueue::Seen seen = queue.explore(walk, 2000);
  EXPECT_TRUE(seen.faults.empty()) << *seen.faults.begin();
  EXPECT_EQ(seen.most_commands, 2U);
}

}  // namespace
}  // namespace detent::verify::explore

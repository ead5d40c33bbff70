// One bound context, many orders.
#include "verify/explore/ops/runner.hpp"

#include <cstring>

#include "harness/fill.hpp"
#include "harness/instance.hpp"
#include "verify/graph/order.hpp"
#include "verify/runs/read_watch.hpp"

namespace detent::verify::explore {

struct OpRunner::State {
  State(const detent_desc& tables, const RunnerOptions& options)
      : desc(tables), schedule(Order(tables).ops()), port(detent_port_single()) {
    given = {schedule.data(), static_cast<std::uint32_t>(schedule.size())};
    policy = detent_policy_given(&given);
    harness::InstanceOptions instance_options;
    instance_options.mode = DETENT_MODE_SERIAL;
    instance_options.policy = policy;
    instance_options.trace = false;
    instance_options.backends = options.backends;
    if (options.observe) {
      gates = std::make_unique<harness::GatedBackend>(
          options.backends, desc.op_count,
          harness::GateOptions{.gates = {}, .skipped = options.skipped, .observe = true});
      instance_options.backends = {gates->backend()};
    }
    if (options.watch_reads) {
      watch = std::make_unique<ReadWatch>(desc, options.values, options.backends);
      if (watch->check().reads() != 0) instance_options.backends = {watch->backend()};
    }
    instance = std::make_unique<harness::Instance>(desc, port, instance_options);
    if (instance->status() != DETENT_OK) return;
    instance->fill(options.input_seed);
    for (std::uint32_t r = 0; r < desc.region_count; ++r) {
      const detent_region_kind kind = desc.regions[r].kind;
      if (kind == DETENT_REGION_WORKSPACE || kind == DETENT_REGION_OUTPUT) {
        written.push_back({detent_region_base(instance->context(), r), desc.regions[r].size_bytes});
      }
    }
  }

  struct Block {
    void* data;
    std::uint64_t size_bytes;
  };

  const detent_desc& desc;
  std::vector<std::uint32_t> schedule;
  detent_port port;
  detent_given_order given{};
  detent_policy policy{};
  std::unique_ptr<harness::GatedBackend> gates;
  std::unique_ptr<ReadWatch> watch;
  std::unique_ptr<harness::Instance> instance;
  std::vector<Block> written;
};

OpRunner::OpRunner(const detent_desc& desc, const RunnerOptions& options)
    : state_(std::make_unique<State>(desc, options)) {}
OpRunner::~OpRunner() = default;

const detent_error& OpRunner::error() const { return state_->instance->error(); }

OpExecution OpRunner::run(const std::vector<std::uint32_t>& schedule) {
  State& s = *state_;
  s.schedule = schedule;
  s.given = {s.schedule.data(), static_cast<std::uint32_t>(s.schedule.size())};
  const detent_status accepted = detent_set_policy(s.instance->context(), &s.policy);
  if (accepted != DETENT_OK) return {.status = accepted};
  for (const State::Block& block : s.written) std::memset(block.data, harness::kUnwrittenByte, block.size_bytes);
  if (s.gates) s.gates->arm();
  if (s.watch) s.watch->arm();
  OpExecution execution{.status = s.instance->run_untraced().error.status};
  if (execution.status != DETENT_OK) return execution;
  execution.digest = s.instance->digest();
  if (s.watch) execution.missed = s.watch->finish();
  return execution;
}

ReadRuns OpRunner::watched() const {
  if (!state_->watch) return {};
  return {.reads = state_->watch->check().reads(), .refused = state_->watch->check().refused()};
}

const std::vector<harness::Observation>& OpRunner::observations() const { return state_->gates->observations(); }

}  // namespace detent::verify::explore

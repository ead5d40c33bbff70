// Instance: Desc + options -> arena and context; each run -> Run.
#include "harness/instance.hpp"

#include <array>
#include <new>

#include "base/assert.hpp"
#include "harness/digest.hpp"
#include "harness/fill.hpp"
#include "harness/trace.hpp"

namespace detent::harness {

struct Instance::State {
  const detent_desc& desc;
  const detent_port& port;
  InstanceOptions options;
  detent_config config{};
  std::unique_ptr<std::uint8_t[]> arena;
  detent_context* context = nullptr;
  detent_error error{};
  bool last_run_failed = false;
};

namespace {

detent_config make_config(const detent_desc& desc, const detent_port& port, const InstanceOptions& options) {
  detent_config config = detent_default_config(&port);
  config.backends = options.backends.data();
  config.backend_count = static_cast<std::uint32_t>(options.backends.size());
  config.policy = &options.policy;
  config.mode = options.mode;
  config.scheduler = options.scheduler;
  config.worker_count = options.worker_count;
  config.worker_classes = options.worker_classes.empty() ? nullptr : options.worker_classes.data();
  config.log_records_per_worker = options.trace ? trace_records_per_worker(desc.op_count) : 0;
  config.op_deadline_ps = options.op_deadline_ps;
  config.op_states = options.op_states;
  config.memory_limit_bytes = options.memory_limit_bytes;
  config.worker_pool = options.worker_pool;
  config.worker_pool_priority = options.worker_pool_priority;
  return config;
}

/// Uninitialised, so that the pages of a large arena are not touched twice; null when there is no memory.
std::unique_ptr<std::uint8_t[]> allocate(std::size_t bytes) {
  return std::unique_ptr<std::uint8_t[]>(new (std::nothrow) std::uint8_t[bytes]);
}

std::vector<detent_op_record> op_records_of(const detent_context& context, std::uint32_t op_count) {
  std::vector<detent_op_record> records(op_count);
  for (OpId op = 0; op < op_count; ++op) {
    const detent_status status = detent_context_op_state(&context, op, &records[op]);
    DETENT_ASSERT(status == DETENT_OK);
  }
  return records;
}

}  // namespace

Instance::Instance(const detent_desc& desc, const detent_port& port, const InstanceOptions& options)
    : state_(new State{.desc = desc, .port = port, .options = options, .arena = nullptr}) {
  State& s = *state_;
  s.options.backends.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
  s.error = failed_with(DETENT_OK);
  if (!s.options.worker_classes.empty() && s.options.worker_classes.size() != s.options.worker_count) {
    s.error = failed_with(DETENT_INVALID_ARGUMENT);
    return;
  }
  s.config = make_config(desc, port, s.options);
  const std::size_t bytes = detent_arena_bytes(&desc, &s.config);
  s.arena = allocate(bytes);
  if (!s.arena) {
    s.error = failed_with(DETENT_NO_SPACE);
    return;
  }
  static_cast<void>(detent_init(s.arena.get(), bytes, &desc, &s.config, &s.context, &s.error));
}

Instance::~Instance() {
  // A context that waits for a late back end cannot be taken down: its memory is quarantined, that is, leaked.
  if (state_->context != nullptr && detent_deinit(state_->context) != DETENT_OK) {
    static_cast<void>(state_->arena.release());
    static_cast<void>(state_.release());
  }
}

detent_status Instance::status() const { return state_->error.status; }
const detent_error& Instance::error() const { return state_->error; }
detent_context* Instance::context() const { return state_->context; }
const detent_desc& Instance::desc() const { return state_->desc; }
void Instance::fill(std::uint64_t seed) {
  DETENT_ASSERT(state_->context != nullptr);
  fill_regions(state_->desc, *state_->context, seed);
}
std::uint64_t Instance::digest() const {
  DETENT_ASSERT(state_->context != nullptr);
  return digest_outputs(state_->desc, *state_->context);
}

detent_result Instance::run_untraced() {
  State& s = *state_;
  DETENT_ASSERT(s.context != nullptr);
  detent_result result{failed_with(DETENT_OK), 0, 0, 0, 0};
  if (s.last_run_failed) result.error.status = detent_reset(s.context);
  if (result.error.status != DETENT_OK) return result;
  if (s.options.trace) detent_clear_log(s.context);
  const detent_status status = detent_run(s.context, &result);
  result.error.status = status;
  s.last_run_failed = status != DETENT_OK;
  return result;
}

detent_error failed_with(detent_status status) {
  return {status, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, 0};
}

detent_error check_desc(const detent_desc& desc) {
  const std::size_t bytes = detent_check_bytes(&desc);
  const std::unique_ptr<std::uint8_t[]> work(new std::uint8_t[bytes]);
  detent_error error{};
  error.status = detent_check(&desc, work.get(), bytes, &error);
  return error;
}

namespace {

std::vector<SizedOutput> sized_outputs_of(const detent_desc& desc, const detent_context& context) {
  std::vector<SizedOutput> outputs;
  for (OpId id = 0; id < desc.op_count && outputs.size() < kMostSizedOutputs; ++id) {
    const detent_op& op = desc.ops[id];
    if ((op.flags & DETENT_OP_SIZED) == 0) continue;
    const TensorId tensor = desc.tensor_refs[op.outputs.first];
    std::array<std::int64_t, DETENT_MAX_RANK> extents{};
    std::uint32_t rank = 0;
    if (detent_tensor_extents(&context, tensor, extents.data(), &rank) != DETENT_OK) continue;
    outputs.push_back({id, tensor, {extents.begin(), extents.begin() + rank}});
  }
  return outputs;
}

}  // namespace

Run Instance::run() {
  const State& s = *state_;
  Run run;
  run.result = run_untraced();
  run.makespan_ps = run.result.end_ps - run.result.begin_ps;
  const bool is_good = run.result.error.status == DETENT_OK;
  if (is_good) run.digest = digest();
  if (is_good) run.sized_outputs = sized_outputs_of(s.desc, *s.context);
  if (!is_good && s.options.op_states) run.op_records = op_records_of(*s.context, s.desc.op_count);
  if (s.options.trace) {
    run.trace = collect_trace(*s.context, s.desc.op_count, run.result, s.options.events);
  }
  return run;
}

}  // namespace detent::harness

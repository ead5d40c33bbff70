// The engine as a program of threads: slot 0 runs main, the port starts the other slots, each async op has a thread
// that answers for it.
#include "verify/explore/threads/engine.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/ids.hpp"
#include "harness/digest.hpp"
#include "harness/fill.hpp"
#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "runtime/engine/context.h"

namespace detent::verify::explore {

namespace {

std::uint32_t slots_of(const ThreadOptions& options) {
  const bool has_scheduler =
      options.engine.mode == DETENT_MODE_CLOSED_LOOP && options.engine.scheduler == DETENT_SCHEDULER_THREAD;
  return options.engine.workers + (has_scheduler ? 1 : 0);
}

bool is_async_class(const detent_desc& desc, std::uint32_t core_class) {
  return desc.classes[core_class].kind == DETENT_CLASS_ASYNC;
}

std::uint32_t count_answerers(const detent_desc& desc, const ThreadOptions& options) {
  if (!options.async_answers) return 0;
  std::uint32_t count = 0;
  for (OpId op = 0; op < desc.op_count; ++op) count += is_async_class(desc, desc.ops[op].core_class) ? 1 : 0;
  return count * options.runs;
}

std::uint32_t count_threads(const detent_desc& desc, const ThreadOptions& options) {
  return slots_of(options) + count_answerers(desc, options) + (options.op_readings != 0 ? 1 : 0) +
         (options.cancel ? 1 : 0);
}

void check_thread_options(const detent_desc& desc, const ThreadOptions& options) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("threads: " + what); };
  if (options.engine.workers == 0) refuse("no workers; give 1 or more");
  if (!options.worker_classes.empty() && options.worker_classes.size() != options.engine.workers) {
    refuse("worker classes must be one per worker, or none");
  }
  if (options.engine.policy == "random" || options.engine.policy == "given") {
    refuse("policy " + options.engine.policy + ": choose id, priority or critical-path, which keep no state");
  }
  if (options.runs == 0) refuse("no runs; give 1 or more");
  if (options.max_executions == 0) refuse("no executions; give 1 or more");
  if (options.search == Search::kPct && options.pct_depth == 0) refuse("pct depth 0; give 1 or more");
  if (count_threads(desc, options) > kMaxThreads) refuse("more than 64 threads; take fewer workers, async ops or runs");
  if (options.failing_starts != 0 && !options.whole_life) refuse("failing starts need whole_life");
  if (options.duplicate_answers != 0 && options.runs > 1) {
    refuse("with several runs a second answer may be the first one of the next run; give one run");
  }
  if (options.early_timeouts != 0 && options.op_deadline_ps == 0) refuse("early timeouts need a deadline");
  if (options.op_readings != 0 && options.search == Search::kStates) {
    refuse("what has been read of ops is no part of a state; take another search than states");
  }
  for (const OpId op : options.failing_ops) {
    if (op >= desc.op_count) refuse("failing op " + std::to_string(op) + " does not exist");
  }
}

}  // namespace

struct EngineProgram::State {
  State(const detent_desc& the_desc, const ThreadOptions& the_options)
      : desc(the_desc),
        options(the_options),
        policy(options.engine.policy, 0, {}),
        world(options, count_threads(desc, options)),
        laws(desc, options, threads),
        port(threads,
             {.slots = slots_of(options),
              .spin_limit = options.engine.spin_limit.value_or(0),
              .active_spin_limit = options.active_spin_limit,
              .failing_starts = options.failing_starts,
              .announces_expected = options.memory == MemoryModel::kC11,
              .orders = options.orders},
             &laws) {}

  /// The thread that answers for one async op in one run.
  struct Answerer {
    State* program = nullptr;
    detent_context* context = nullptr;
    const detent_entity* entity = nullptr;
    bool used = false;
  };

  const detent_desc& desc;
  ThreadOptions options;
  harness::NamedPolicy policy;
  World world;
  VirtualThreads& threads = world.threads;
  EngineLaws laws;
  ExplorePort port;
  std::vector<detent_backend> real_backends, backends;
  detent_config config{};
  std::vector<std::uint8_t> arena;
  detent_context* context = nullptr;
  detent_error init_error{};
  bool probing = false, is_reference = false;
  std::vector<std::uint32_t> async_number;  // of ops
  std::vector<Answerer> answerers;          // [run][async op]
  std::uint32_t run = 0;

  void configure();
  void probe();
  detent_status resolve(const char* name, detent_entity* entity) const;
  void answer(const detent_entity& entity);
  void answer_main(Answerer& me);
  void read_op_states();
  void main();
  void live();
  void end_failed_init();
  void run_once(detent_result& result);
  void take_down(const detent_result& last);
  [[nodiscard]] ThreadId first_answerer() const { return slots_of(options); }
  [[nodiscard]] ThreadId reader() const { return first_answerer() + count_answerers(desc, options); }
  [[nodiscard]] ThreadId canceller() const { return count_threads(desc, options) - 1; }
};

detent_status EngineProgram::State::resolve(const char* name, detent_entity* entity) const {
  const OpId op = entity->args.op;
  const char* const class_name = desc.classes[desc.ops[op].core_class].name;
  for (const detent_backend& backend : real_backends) {
    if (std::strcmp(backend.class_name, "*") != 0 && std::strcmp(backend.class_name, class_name) != 0) continue;
    const detent_status status = backend.resolve(backend.self, name, entity);
    if (status == DETENT_UNKNOWN_KERNEL || (status == DETENT_OK && entity->run == nullptr)) continue;
    if (status == DETENT_OK) laws.give_error(is_reference, *entity);
    return status;
  }
  return DETENT_UNKNOWN_KERNEL;
}

void EngineProgram::State::answer_main(Answerer& me) {
  const OpId op = me.entity->args.op;
  laws.begin_answer(op);
  const std::int32_t code = me.entity->run(&me.entity->args);
  for (std::uint32_t nth = 0; nth <= options.duplicate_answers; ++nth) {
    laws.end_answer(op, nth, detent_complete(me.context, op, code));
  }
}

/// Looks at all ops as often as wanted, whatever the context does meanwhile.
void EngineProgram::State::read_op_states() {
  for (std::uint32_t reading = 0; reading < options.op_readings; ++reading) {
    for (OpId op = 0; op < desc.op_count; ++op) {
      detent_op_record record{};
      laws.check_op_state(op, detent_context_op_state(context, op, &record), record);
    }
  }
}

/// Dispatch of an async op: somebody else will compute it and tell.
void EngineProgram::State::answer(const detent_entity& entity) {
  const auto per_run = static_cast<std::uint32_t>(answerers.size()) / options.runs;
  const std::uint32_t index = std::min(run, options.runs - 1) * per_run + async_number[entity.args.op];
  Answerer& answerer = answerers[index];
  if ((threads.turns().alive() >> (first_answerer() + index) & 1U) != 0) {
    threads.execution().fail("op_once", "op " + std::to_string(entity.args.op) + " is dispatched twice");
    return;
  }
  answerer = {.program = this, .context = context, .entity = &entity, .used = true};
  threads.start(
      first_answerer() + index,
      [](void* arg) {
        Answerer& me = *static_cast<Answerer*>(arg);
        me.program->answer_main(me);
      },
      &answerer);
}

void EngineProgram::State::configure() {
  real_backends = options.backends;
  real_backends.push_back(detent_cpu_backend("*", detent_builtin_kernels()));
  const auto resolve_call = [](void* self, const char* name, detent_entity* entity) {
    return static_cast<const State*>(self)->resolve(name, entity);
  };
  const auto dispatch_call = [](void* self, detent_context*, const detent_entity* entity, std::uint32_t,
                                std::int32_t*) -> detent_dispatch {
    static_cast<State*>(self)->answer(*entity);
    return DETENT_DISPATCH_PENDING;
  };
  for (std::uint32_t i = 0; i < desc.class_count && options.async_answers; ++i) {
    if (is_async_class(desc, i)) backends.push_back({this, desc.classes[i].name, resolve_call, dispatch_call});
  }
  backends.push_back({this, "*", resolve_call, nullptr});
  config = detent_default_config(&port.table());
  config.backends = backends.data();
  config.backend_count = static_cast<std::uint32_t>(backends.size());
  config.policy = &policy.policy();
  config.mode = options.engine.mode;
  config.scheduler = options.engine.scheduler;
  config.worker_count = options.engine.workers;
  config.worker_classes = options.worker_classes.empty() ? nullptr : options.worker_classes.data();
  config.op_deadline_ps = options.op_deadline_ps;
  config.op_states = options.op_readings != 0;
  async_number.resize(desc.op_count);
  std::uint32_t count = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (is_async_class(desc, desc.ops[op].core_class)) async_number[op] = count++;
  }
  answerers.resize(count_answerers(desc, options));
  arena.resize(detent_arena_bytes(&desc, &config));
}

/// Serial digest, and one uncontrolled life: does the Desc bind, and where does its context stand?
void EngineProgram::State::probe() {
  harness::InstanceOptions serial{.mode = DETENT_MODE_SERIAL, .worker_count = 0, .trace = false};
  serial.backends = {backends.back()};
  is_reference = true;
  const detent_port single = detent_port_single();
  harness::Instance reference(desc, single, serial);
  if (reference.status() != DETENT_OK) {
    throw std::invalid_argument("threads: the model does not bind: " +
                                harness::describe_error(desc, reference.error()));
  }
  reference.fill(options.seeds.input);
  laws.expect_digest(reference.run().digest);
  is_reference = false;
  probing = true;
  NoStrategy nobody;
  const End end = threads.run(
      nobody, [](void* self) { static_cast<State*>(self)->main(); }, this, nullptr, &world.knowledge);
  probing = false;
  if (end == End::kDone && init_error.status == DETENT_OK) return;
  if (init_error.status != DETENT_OK) {
    throw std::invalid_argument("threads: the model does not bind: " + harness::describe_error(desc, init_error));
  }
}

void EngineProgram::State::main() {
  port.reset();
  laws.begin_execution();
  run = 0;
  if (options.search == Search::kStates) std::fill(arena.begin(), arena.end(), std::uint8_t{0});
  if (probing || !options.whole_life) threads.set_controlled(false);
  const detent_status status = detent_init(arena.data(), arena.size(), &desc, &config, &context, &init_error);
  if (status != DETENT_OK) return end_failed_init();
  port.set_words_base(context);
  port.watch(&context->loop.role);
  live();
}

void EngineProgram::State::end_failed_init() {
  threads.set_controlled(false);
  if (probing) return;
  if (init_error.status != DETENT_WORKER_FAILED || options.failing_starts == 0) {
    threads.execution().fail("status", std::string("init returns ") + detent_status_name(init_error.status));
  }
  if (threads.turns().alive() != 1) threads.execution().fail("drain", "init fails and leaves workers behind");
}

void EngineProgram::State::run_once(detent_result& result) {
  harness::fill_regions(desc, *context, options.seeds.input);
  laws.begin_run(context);
  const detent_status status = detent_run(context, &result);
  result.error.status = status;
  laws.end_run(result, status == DETENT_OK ? harness::digest_outputs(desc, *context) : 0);
  ++run;
}

void EngineProgram::State::live() {
  detent_result result{};
  if (!probing && !options.whole_life) {
    threads.wait_until_idle();
    threads.set_controlled(true);
  }
  if (options.cancel) {
    threads.start(
        canceller(), [](void* self) { detent_cancel(static_cast<State*>(self)->context); }, this);
  }
  if (options.op_readings != 0) {
    threads.start(
        reader(), [](void* self) { static_cast<State*>(self)->read_op_states(); }, this);
  }
  for (std::uint32_t i = 0; i < options.runs; ++i) {
    run_once(result);
    if (result.error.status == DETENT_OK) continue;
    threads.wait_until_idle();
    if (detent_reset(context) != DETENT_OK) threads.execution().fail("drain", "a failed context cannot be reset");
  }
  threads.wait_until_idle();
  if (!options.whole_life) threads.set_controlled(false);
  take_down(result);
}

/// After a run that failed the context must work again; then it must come down.
void EngineProgram::State::take_down(const detent_result& last) {
  if (last.error.status != DETENT_OK) {
    threads.set_controlled(false);
    detent_result again{};
    run_once(again);
    threads.wait_until_idle();
    if (again.error.status != DETENT_OK && detent_reset(context) != DETENT_OK) {
      threads.execution().fail("drain", "a failed context cannot be reset");
    }
  }
  if (detent_deinit(context) != DETENT_OK) threads.execution().fail("drain", "the context cannot be taken down");
}

EngineProgram::EngineProgram(const detent_desc& desc, const ThreadOptions& options) {
  check_thread_options(desc, options);
  state_ = std::make_unique<State>(desc, options);
  state_->configure();
  state_->probe();
}

EngineProgram::~EngineProgram() = default;
World& EngineProgram::world() { return state_->world; }
const World& EngineProgram::world() const { return state_->world; }
void EngineProgram::main() { state_->main(); }

std::uint64_t EngineProgram::state_hash() const {
  const State& s = *state_;
  StateHash hash;
  s.threads.hash_state(hash);
  s.port.hash_state(hash);
  s.laws.hash_state(hash);
  hash.add(s.run);
  hash.add_bytes(s.arena.data(), s.arena.size());
  return hash.value();
}

SyncPoints EngineProgram::own_points() const {
  SyncPoints points = state_->laws.points();
  points.failed_starts = state_->port.failed_starts();
  points.role_free = state_->port.watched_zero();
  points.role_held = state_->port.watched_set();
  return points;
}

std::string EngineProgram::thread_name(ThreadId thread) const {
  const State& s = *state_;
  if (thread < slots_of(s.options)) return "slot " + std::to_string(thread);
  if (s.options.cancel && thread == s.canceller()) return "canceller";
  if (s.options.op_readings != 0 && thread == s.reader()) return "reader";
  const State::Answerer& answerer = s.answerers[thread - s.first_answerer()];
  if (!answerer.used) return "answerer " + std::to_string(thread);
  const OpId op = answerer.entity->args.op;
  return "answer of op " + std::to_string(op) + " (" + s.desc.ops[op].name + ")";
}

std::string EngineProgram::word_name(std::uint64_t offset_bytes) const {
  return state_->context == nullptr ? "" : name_of_word(*state_->context, offset_bytes);
}

}  // namespace detent::verify::explore

// Threads: 0 makes the pool and the contexts and takes them down; 1 to workers are the pool's; then the caller of each
// network, and a canceller for each that is to be cancelled.
#include "verify/explore/threads/pool.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/counted.hpp"
#include "harness/digest.hpp"
#include "harness/fill.hpp"
#include "harness/instance.hpp"
#include "harness/run_native.hpp"
#include "runtime/engine/worker_pool.h"
#include "verify/explore/threads/engine.hpp"

namespace detent::verify::explore {

namespace {

std::size_t up_to_line(std::size_t bytes) {
  return (bytes + DETENT_CACHE_LINE - 1) / DETENT_CACHE_LINE * DETENT_CACHE_LINE;
}

void check_pool_options(const std::vector<PoolNetwork>& networks, const ThreadOptions& options) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("pool: " + what); };
  const harness::EngineSpec& engine = options.engine;
  if (networks.empty() || networks.size() > DETENT_MAX_POOL_MEMBERS) {
    refuse(counted(networks.size(), "network") + "; give 1 to " + std::to_string(DETENT_MAX_POOL_MEMBERS));
  }
  if (engine.workers == 0 || engine.workers > DETENT_MAX_POOL_WORKERS) {
    refuse(counted(engine.workers, "worker") + "; give 1 to " + std::to_string(DETENT_MAX_POOL_WORKERS));
  }
  if (engine.mode != DETENT_MODE_CLOSED_LOOP || engine.scheduler != DETENT_SCHEDULER_ROLE) {
    refuse("only the closed loop with the scheduler role shares workers");
  }
  if (engine.policy == "random" || engine.policy == "given") {
    refuse("policy " + engine.policy + ": choose id, priority or critical-path, which keep no state");
  }
  if (options.op_deadline_ps != 0 || options.op_readings != 0 || options.failing_starts != 0) {
    refuse("deadlines, readings and failing starts are explored with one network");
  }
  if (options.runs == 0) refuse("no runs; give 1 or more");
  if (options.max_executions == 0) refuse("no executions; give 1 or more");
  if (1 + engine.workers + 2 * networks.size() > kMaxThreads)
    refuse("too many threads; take fewer workers or networks");
  for (const PoolNetwork& network : networks) {
    for (OpId op = 0; op < network.desc->op_count; ++op) {
      if (network.desc->classes[network.desc->ops[op].core_class].kind != DETENT_CLASS_ASYNC) continue;
      refuse("op " + std::to_string(op) + " of " + network.desc->name +
             " is asynchronous: answers of back ends are explored with one network");
    }
    for (const OpId op : network.failing_ops) {
      if (op >= network.desc->op_count) refuse("failing op " + std::to_string(op) + " does not exist");
    }
  }
}

/// What the laws of one network are told: it fails and is cancelled by itself.
ThreadOptions options_of(const PoolNetwork& network, ThreadOptions options) {
  options.failing_ops.assign(network.failing_ops.begin(), network.failing_ops.end());
  options.cancel = network.cancel;
  options.async_answers = false;
  return options;
}

}  // namespace

struct PoolProgram::State final : CheckpointListener {
  State(const std::vector<PoolNetwork>& networks, const ThreadOptions& the_options);

  /// A context, its laws and its thread.
  struct Member {
    State* program = nullptr;
    const PoolNetwork* network = nullptr;
    ThreadOptions options{};
    std::unique_ptr<EngineLaws> laws{};
    detent_backend backends[1]{};
    bool is_reference = false;  ///< the serial run is on
    detent_config config{};
    std::uint8_t* arena = nullptr;
    std::size_t arena_bytes = 0;
    std::uint32_t first_op = 0;
    detent_context* context = nullptr;
  };

  const ThreadOptions options;
  const std::vector<PoolNetwork> networks;
  harness::NamedPolicy policy;
  World world;
  VirtualThreads& threads = world.threads;
  ExplorePort port;
  std::vector<std::unique_ptr<Member>> members;
  detent_worker_pool_config pool_config{};
  std::vector<std::uint8_t> block;  // the pool, then the arenas: words are numbered from the pool
  std::uint8_t* base = nullptr;
  std::size_t block_bytes = 0;
  detent_worker_pool* pool = nullptr;
  detent_error init_error{};
  bool probing = false;

  [[nodiscard]] std::uint32_t workers() const { return options.engine.workers; }
  [[nodiscard]] ThreadId caller(std::size_t member) const { return 1 + workers() + static_cast<ThreadId>(member); }
  [[nodiscard]] ThreadId canceller(std::size_t member) const {
    return caller(networks.size()) + static_cast<ThreadId>(member);
  }
  void at_checkpoint(detent_checkpoint kind, SlotId slot, std::uint32_t index) override;
  void configure();
  void probe();
  void main();
  bool bind();
  void run_all();
  void take_down();
  static detent_status resolve(void* self, const char* name, detent_entity* entity);
  void call(Member& member);
};

PoolProgram::State::State(const std::vector<PoolNetwork>& the_networks, const ThreadOptions& the_options)
    : options(the_options),
      networks(the_networks),
      policy(options.engine.policy, 0, {}),
      world(options, canceller(networks.size())),
      port(threads,
           {.slots = caller(networks.size()),
            .spin_limit = options.engine.spin_limit.value_or(0),
            .announces_expected = options.memory == MemoryModel::kC11,
            .orders = options.orders},
           this) {}

/// Op numbers count through the members; LOCK and UNLOCK say one behind the last op of theirs.
void PoolProgram::State::at_checkpoint(detent_checkpoint kind, SlotId slot, std::uint32_t index) {
  const std::uint32_t behind = kind == DETENT_CP_LOCK || kind == DETENT_CP_UNLOCK ? 1 : 0;
  for (const std::unique_ptr<Member>& member : members) {
    const std::uint32_t first = member->first_op + behind;
    const std::uint32_t count = member->network->desc->op_count;
    if (index < first || index >= first + count) continue;
    member->laws->at_checkpoint(kind, slot, index - member->first_op);
    return;
  }
}

detent_status PoolProgram::State::resolve(void* self, const char* name, detent_entity* entity) {
  const Member& member = *static_cast<const Member*>(self);
  const detent_backend builtin = detent_cpu_backend("*", detent_builtin_kernels());
  const detent_status status = builtin.resolve(builtin.self, name, entity);
  if (status == DETENT_OK) member.laws->give_error(member.is_reference, *entity);
  return status;
}

void PoolProgram::State::configure() {
  pool_config = {&port.table(), workers(), static_cast<std::uint32_t>(networks.size())};
  std::size_t bytes = up_to_line(detent_worker_pool_bytes(&pool_config));
  std::uint32_t first_op = 0;
  // Sizes need a pool only for its number of workers, which the config says as well.
  for (const PoolNetwork& network : networks) {
    auto member = std::make_unique<Member>();
    member->program = this;
    member->network = &network;
    member->options = options_of(network, options);
    member->laws = std::make_unique<EngineLaws>(*network.desc, member->options, threads);
    member->backends[0] = {member.get(), "*", &State::resolve, nullptr};
    member->config = detent_default_config(&port.table());
    member->config.backends = member->backends;
    member->config.backend_count = 1;
    member->config.policy = &policy.policy();
    member->config.scheduler = DETENT_SCHEDULER_THREAD;  // as many slots as a member of the pool has
    member->config.worker_count = workers();
    member->arena_bytes = detent_arena_bytes(network.desc, &member->config);
    member->config.scheduler = DETENT_SCHEDULER_ROLE;
    member->config.worker_pool_priority = network.priority;
    member->first_op = first_op;
    first_op += network.desc->op_count;
    bytes += up_to_line(member->arena_bytes);
    members.push_back(std::move(member));
  }
  block.resize(bytes + DETENT_CACHE_LINE);
  void* place = block.data();
  std::size_t room = block.size();
  base = static_cast<std::uint8_t*>(std::align(DETENT_CACHE_LINE, bytes, place, room));
  block_bytes = bytes;
  std::uint8_t* arena = base + up_to_line(detent_worker_pool_bytes(&pool_config));
  for (const std::unique_ptr<Member>& member : members) {
    member->arena = arena;
    arena += up_to_line(member->arena_bytes);
  }
}

/// Serial digests, and one uncontrolled life: do the Descs bind?
void PoolProgram::State::probe() {
  const detent_port single = detent_port_single();
  for (const std::unique_ptr<Member>& member : members) {
    const detent_desc& desc = *member->network->desc;
    harness::InstanceOptions serial{.mode = DETENT_MODE_SERIAL, .worker_count = 0, .trace = false};
    serial.backends = {{member.get(), "*", &resolve, nullptr}};
    member->is_reference = true;
    harness::Instance reference(desc, single, serial);
    if (reference.status() != DETENT_OK) {
      throw std::invalid_argument("pool: a model does not bind: " + harness::describe_error(desc, reference.error()));
    }
    reference.fill(options.seeds.input);
    member->laws->expect_digest(reference.run().digest);
    member->is_reference = false;
  }
  probing = true;
  NoStrategy nobody;
  threads.run(
      nobody, [](void* self) { static_cast<State*>(self)->main(); }, this, nullptr, &world.knowledge);
  probing = false;
  if (init_error.status != DETENT_OK) {
    throw std::invalid_argument(std::string("pool: a context does not join: ") + detent_status_name(init_error.status));
  }
}

bool PoolProgram::State::bind() {
  init_error = {};
  init_error.status =
      detent_worker_pool_init(base, up_to_line(detent_worker_pool_bytes(&pool_config)), &pool_config, &pool);
  if (init_error.status != DETENT_OK) return false;
  port.set_words_base(pool);
  for (const std::unique_ptr<Member>& member : members) {
    member->config.worker_pool = pool;
    const detent_status status = detent_init(member->arena, member->arena_bytes, member->network->desc, &member->config,
                                             &member->context, &init_error);
    if (status != DETENT_OK) return false;
  }
  port.watch(&members[0]->context->loop.role);
  return true;
}

void PoolProgram::State::call(Member& member) {
  const detent_desc& desc = *member.network->desc;
  detent_result result{};
  for (std::uint32_t run = 0; run < options.runs; ++run) {
    harness::fill_regions(desc, *member.context, options.seeds.input);
    member.laws->begin_run(member.context);
    result.error.status = detent_run(member.context, &result);
    member.laws->end_run(result, result.error.status == DETENT_OK ? harness::digest_outputs(desc, *member.context) : 0);
    if (result.error.status == DETENT_OK) continue;
    if (detent_reset(member.context) != DETENT_OK)
      threads.execution().fail("drain", "a failed context cannot be reset");
  }
}

void PoolProgram::State::run_all() {
  for (std::size_t i = 0; i < members.size(); ++i) {
    threads.start(
        caller(i),
        [](void* arg) {
          Member& member = *static_cast<Member*>(arg);
          member.program->call(member);
        },
        members[i].get());
    if (!networks[i].cancel) continue;
    threads.start(
        canceller(i), [](void* arg) { detent_cancel(static_cast<Member*>(arg)->context); }, members[i].get());
  }
  for (std::size_t i = 0; i < members.size(); ++i) threads.join(caller(i));
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (networks[i].cancel) threads.join(canceller(i));
  }
}

/// Each context on the thread of its caller, whose slot is the one that waits for it.
void PoolProgram::State::take_down() {
  for (std::size_t i = 0; i < members.size(); ++i) {
    threads.start(
        caller(i),
        [](void* arg) {
          const Member& member = *static_cast<const Member*>(arg);
          if (detent_deinit(member.context) != DETENT_OK)
            member.program->threads.execution().fail("drain", "a context cannot be taken down");
        },
        members[i].get());
  }
  for (std::size_t i = 0; i < members.size(); ++i) threads.join(caller(i));
  if (detent_worker_pool_deinit(pool) != DETENT_OK) threads.execution().fail("drain", "the pool cannot be taken down");
  if (threads.turns().alive() != 1) threads.execution().fail("drain", "the pool leaves workers behind");
}

void PoolProgram::State::main() {
  port.reset();
  for (const std::unique_ptr<Member>& member : members) {
    member->laws->begin_execution();
    member->context = nullptr;
  }
  if (options.search == Search::kStates) std::fill(block.begin(), block.end(), std::uint8_t{0});
  const bool is_whole = options.whole_life && !probing;
  if (!is_whole) threads.set_controlled(false);
  if (!bind()) {
    threads.execution().fail("status", std::string("init returns ") + detent_status_name(init_error.status));
    return;
  }
  if (!probing && !is_whole) {
    threads.wait_until_idle();
    threads.set_controlled(true);
  }
  run_all();
  if (!is_whole) {
    threads.wait_until_idle();
    threads.set_controlled(false);
  }
  take_down();
}

PoolProgram::PoolProgram(const std::vector<PoolNetwork>& networks, const ThreadOptions& options) {
  check_pool_options(networks, options);
  state_ = std::make_unique<State>(networks, options);
  state_->configure();
  state_->probe();
}

PoolProgram::~PoolProgram() = default;
World& PoolProgram::world() { return state_->world; }
const World& PoolProgram::world() const { return state_->world; }
void PoolProgram::main() { state_->main(); }

std::uint64_t PoolProgram::state_hash() const {
  const State& s = *state_;
  StateHash hash;
  s.threads.hash_state(hash);
  s.port.hash_state(hash);
  for (const std::unique_ptr<State::Member>& member : s.members) member->laws->hash_state(hash);
  hash.add_bytes(s.base, s.block_bytes);
  return hash.value();
}

SyncPoints PoolProgram::own_points() const {
  SyncPoints points = state_->members[0]->laws->points();
  points.role_free = state_->port.watched_zero();
  points.role_held = state_->port.watched_set();
  return points;
}

std::string PoolProgram::thread_name(ThreadId thread) const {
  const State& s = *state_;
  if (thread == 0) return "main";
  if (thread < s.caller(0)) return "worker " + std::to_string(thread);
  const bool cancels = thread >= s.canceller(0);
  return (cancels ? "canceller of network " : "caller of network ") +
         std::to_string(thread - (cancels ? s.canceller(0) : s.caller(0)));
}

std::string PoolProgram::word_name(std::uint64_t offset_bytes) const {
  return state_->pool == nullptr ? "" : name_of_pool_word(*state_->pool, offset_bytes);
}

std::string name_of_pool_word(const detent_worker_pool& pool, std::uint64_t offset_bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(&pool) + offset_bytes;
  const auto is = [&](const std::uint32_t& word) { return reinterpret_cast<std::uintptr_t>(&word) == address; };
  if (is(pool.quit)) return "quit of the pool";
  for (std::uint32_t i = 0; i < pool.worker_count; ++i) {
    if (is(pool.workers[i].state)) return "state of worker " + std::to_string(i + 1);
  }
  std::string name = "a word of the pool";
  std::uintptr_t nearest = 0;
  for (std::uint32_t i = 0; i < pool.member_count; ++i) {
    const PoolMember& place = pool.members[i];
    const std::string of = " of network " + std::to_string(i);
    if (is(place.ready)) return "ready word" + of;
    if (is(place.priority)) return "priority" + of;
    if (is(place.claimed)) return "claim" + of;
    const auto begin = reinterpret_cast<std::uintptr_t>(place.context);
    if (place.context == nullptr || address < begin || begin < nearest) continue;
    nearest = begin;  // a context and its arena reach up to the next one
    name = name_of_word(*place.context, address - begin) + of;
  }
  return name;
}

}  // namespace detent::verify::explore

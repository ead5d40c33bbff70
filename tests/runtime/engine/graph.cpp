#include "tests/runtime/engine/graph.hpp"

#include <algorithm>
#include <cstring>

namespace detent::test {

namespace {

struct WatchConfig {
  Witness* witness;
};

std::uint64_t read_word(const detent_buffer& buffer) {
  std::uint64_t word = 0;
  std::memcpy(&word, buffer.data, sizeof word);
  return word;
}

std::int32_t watch(const detent_kernel_args* args) {
  WatchConfig config{};
  std::memcpy(&config, args->config, sizeof config);
  Witness& witness = *config.witness;
  const std::uint32_t op = args->op;
  witness.begin[op].store(witness.clock.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  std::uint64_t hash = op + 0x9e3779b97f4a7c15u;
  for (std::uint32_t i = 0; i < args->input_count; ++i) hash = (hash ^ read_word(args->inputs[i])) * 0x100000001b3u;
  for (std::uint32_t i = 0; i < args->output_count; ++i) std::memcpy(args->outputs[i].data, &hash, sizeof hash);
  if (witness.hook) witness.hook(op);
  witness.runs[op].fetch_add(1, std::memory_order_relaxed);
  witness.end[op].store(witness.clock.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  return witness.codes[op];
}

constexpr detent_kernel kKernels[] = {{"watch", watch, nullptr}};

}  // namespace

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

const detent_kernel_table& watch_kernels() {
  static const detent_kernel_table table{kKernels, 1};
  return table;
}

Witness::Witness(std::uint32_t op_count) : runs(op_count), begin(op_count), end(op_count), codes(op_count) {}

void Witness::clear() {
  for (std::size_t op = 0; op < runs.size(); ++op) runs[op] = 0, begin[op] = 0, end[op] = 0;
}

Graph::Graph(std::uint32_t op_count, std::vector<Edge> edges)
    : op_count_(op_count), edges_(std::move(edges)), witness_(std::make_unique<Witness>(op_count)) {
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

support::OpSpec Graph::op_spec(std::uint32_t id) const {
  support::OpSpec op{.outputs = {ranges.empty() ? id : ranges[id]},
                     .priority = priorities.empty() ? 0 : priorities[id],
                     .workers = workers.empty() ? 0 : workers[id],
                     .core_class = classes.empty() ? 0 : classes[id],
                     .config = {0}};
  if (!mutexes.empty()) op.mutexes = mutexes[id];
  Witness* const watched = witness_.get();
  std::memcpy(op.config.data(), &watched, sizeof watched);
  if (!cost_ps.empty()) op.best_ps = op.worst_ps = cost_ps[id];
  return op;
}

support::GraphSpec Graph::spec() const {
  support::GraphSpec spec{.name = "graph", .edges = edges_, .kernels = {"watch"}, .classes = class_table};
  spec.regions = {{.name = "workspace", .size_bytes = std::uint64_t{8} * op_count_}};
  for (std::uint32_t id = 0; id < op_count_; ++id) {
    spec.tensors.push_back({.name = "t",
                            .offset_bytes = std::uint64_t{8} * id,
                            .block_bytes = 8,
                            .align_bytes = 8,
                            .flags = DETENT_TENSOR_RANGE});
    spec.ops.push_back(op_spec(id));
    for (const std::uint32_t mutex : spec.ops[id].mutexes) spec.mutex_count = std::max(spec.mutex_count, mutex + 1);
  }
  for (const Edge& edge : edges_) spec.ops[edge.to].inputs.push_back(spec.ops[edge.from].outputs[0]);
  return spec;
}

void Graph::add_schedules(support::DescTables& tables) {
  std::vector<std::size_t> begins;
  for (const auto& schedule : schedules) {
    std::vector<detent_slice> slices;
    begins.push_back(list_ops_.size());
    for (const auto& list : schedule) {
      slices.push_back(
          {static_cast<std::uint32_t>(list_ops_.size() - begins.back()), static_cast<std::uint32_t>(list.size())});
      list_ops_.insert(list_ops_.end(), list.begin(), list.end());
    }
    lists_.push_back(std::move(slices));
  }
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    tables.schedules.push_back(
        {static_cast<std::uint32_t>(lists_[i].size()), lists_[i].data(), list_ops_.data() + begins[i]});
  }
}

const detent_desc& Graph::desc() {
  if (tables_ != nullptr) return tables_->desc;
  tables_ = std::make_unique<support::DescTables>(spec());
  if (cost_ps.empty()) tables_->costs.clear();
  add_schedules(*tables_);
  return tables_->refresh();
}

std::string Graph::violation() const {
  for (std::uint32_t op = 0; op < op_count_; ++op) {
    if (witness_->runs[op] != 1) return "op " + std::to_string(op) + " ran " + std::to_string(witness_->runs[op]);
  }
  for (const Edge& edge : edges_) {
    if (witness_->end[edge.from] >= witness_->begin[edge.to]) {
      return "op " + std::to_string(edge.to) + " began before op " + std::to_string(edge.from) + " had ended";
    }
  }
  return "";
}

std::string Graph::mutex_violation() const {
  std::vector<std::vector<std::uint32_t>> users;
  for (std::uint32_t op = 0; op < mutexes.size(); ++op) {
    for (std::uint32_t mutex : mutexes[op]) {
      if (users.size() <= mutex) users.resize(mutex + 1);
      users[mutex].push_back(op);
    }
  }
  for (auto& list : users) {
    const auto by_begin = [&](std::uint32_t a, std::uint32_t b) { return witness_->begin[a] < witness_->begin[b]; };
    std::sort(list.begin(), list.end(), by_begin);
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (witness_->end[list[i - 1]] >= witness_->begin[list[i]]) {
        return "ops " + std::to_string(list[i - 1]) + " and " + std::to_string(list[i]) + " overlap";
      }
    }
  }
  return "";
}

Graph diamond() { return Graph(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}); }

Graph chain(std::uint32_t op_count) {
  std::vector<Edge> edges;
  for (std::uint32_t op = 1; op < op_count; ++op) edges.emplace_back(op - 1, op);
  return Graph(op_count, edges);
}

Graph wide(std::uint32_t op_count) { return Graph(op_count, {}); }

Graph layered(std::uint32_t layers, std::uint32_t width, std::uint64_t seed) {
  std::vector<Edge> edges;
  for (std::uint32_t op = width; op < layers * width; ++op) {
    const std::uint32_t before = (op / width - 1) * width;
    const std::uint64_t count = 1 + next_random(seed) % 3;
    for (std::uint64_t i = 0; i < count; ++i) {
      edges.emplace_back(before + static_cast<std::uint32_t>(next_random(seed) % width), op);
    }
  }
  return Graph(layers * width, edges);
}

Bound::Bound(const detent_desc& desc, const EngineSetup& setup) : setup_(setup), desc_(&desc) {
  setup_.backends.push_back(detent_cpu_backend("*", &watch_kernels()));
  const std::size_t port_bytes = detent_port_posix_bytes() + DETENT_CACHE_LINE;
  port_memory_ = std::make_unique<std::uint8_t[]>(port_bytes);
  void* port_state = port_memory_.get();
  std::size_t room = port_bytes;
  std::align(DETENT_CACHE_LINE, detent_port_posix_bytes(), port_state, room);
  port_ = detent_port_single();
  if (!setup_.single_port) status_ = detent_port_posix(port_state, room, &port_);
  if (!setup_.single_port && setup_.spin_limit != UINT32_MAX) port_.spin_limit = setup_.spin_limit;
  if (setup_.spin_limit != UINT32_MAX) port_.active_spin_limit = setup_.active_spin_limit;
  if (setup_.active_spin_limit != 0) port_.processors = DETENT_MAX_WORKERS + 1;
  if (setup_.port != nullptr) port_ = *setup_.port;
  if (setup_.max_slots != 0) port_.max_slots = setup_.max_slots;
  detent_config config = detent_default_config(&port_);
  config.backends = setup_.backends.data();
  config.backend_count = static_cast<std::uint32_t>(setup_.backends.size());
  config.policy = &setup_.policy;
  config.mode = setup_.mode;
  config.scheduler = setup_.scheduler;
  config.worker_count = setup_.worker_count;
  config.worker_classes = setup_.worker_classes.empty() ? nullptr : setup_.worker_classes.data();
  config.log_records_per_worker = setup_.log_records;
  config.ignored_variables = setup_.ignored_variables;
  config.op_deadline_ps = setup_.op_deadline_ps;
  config.op_states = setup_.op_states;
  config.worker_pool = setup_.pool;
  config.worker_pool_priority = setup_.pool_priority;
  if (setup_.pool != nullptr) config.port = setup_.port;  // itself: a pool knows it by its address
  const std::size_t bytes = detent_arena_bytes(desc_, &config);
  arena_ = std::make_unique<std::uint8_t[]>(bytes);
  status_ = detent_init(arena_.get(), bytes, desc_, &config, &context_, &error_);
  if (context_ != nullptr) wipe();
}

Bound::~Bound() {
  while (context_ != nullptr && detent_deinit(context_) == DETENT_BUSY) {
  }
}

detent_result Bound::run() {
  detent_result result{};
  const detent_status status = detent_run(context_, &result);
  if (status != result.error.status) result.error.status = DETENT_INVALID_ARGUMENT;
  return result;
}

std::uint64_t Bound::digest() const {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint32_t region = 0; region < desc_->region_count; ++region) {
    const auto* bytes = static_cast<const std::uint8_t*>(detent_region_base(context_, region));
    for (std::uint64_t i = 0; i < desc_->regions[region].size_bytes; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  }
  return hash;
}

void Bound::wipe() {
  for (std::uint32_t region = 0; region < desc_->region_count; ++region) {
    std::memset(detent_region_base(context_, region), 0xA5, desc_->regions[region].size_bytes);
  }
}

}  // namespace detent::test

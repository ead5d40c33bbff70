// Lower: Model -> Desc. Tensors and weights stand in lower_tensors.cpp; here are ops, edges and pseudo-ops.
#include "models/lower/lower.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "models/core/core_class.hpp"
#include "models/core/model_tables.hpp"
#include "models/lower/lifetimes.hpp"
#include "models/lower/op_names.hpp"
#include "models/lower/tensors.hpp"

namespace detent::models {

struct LoweredModel::State {
  NamePool pool;
  LoweredTensors tensors;
  std::vector<detent_op> ops;
  std::vector<detent_op_cost> costs;
  std::vector<std::uint32_t> tensor_refs, successors, mutex_refs;
  std::vector<const char*> mutex_names, kernels;
  std::vector<detent_class> classes;
  std::vector<std::uint64_t> config_words;  ///< config_bytes; words keep it 8-byte aligned
  std::vector<std::uint32_t> inputs, outputs;
  std::vector<detent_slice> lists;      ///< of all schedules
  std::vector<std::uint32_t> list_ops;  ///< likewise
  std::vector<detent_static_schedule> schedules;
  detent_desc desc{};
};

namespace {

constexpr const char* kDelay = kDelayClass.data();

struct Arc {
  std::uint32_t from, to;
};

bool has_delay(const Edge& edge) { return edge.max_ps != 0; }
bool has_release(const Op& op) { return op.release_ps && op.release_ps->second != 0; }

std::uint32_t checked_u32(std::uint64_t count, const Model& model, const char* table) {
  if (count >= DETENT_NONE) throw InputError(model.name, table, std::to_string(count) + " entries do not fit a Desc");
  return static_cast<std::uint32_t>(count);
}

/// Fills the op tables of one State.
class OpLowering {
 public:
  OpLowering(const Model& model, NamePool& pool, std::vector<detent_op>& ops, std::vector<detent_op_cost>& costs)
      : model_(model), pool_(pool), ops_(ops), costs_(costs) {
    classes_.id("cpu");
  }

  void lower_ops(std::vector<std::uint32_t>& refs, std::vector<std::uint32_t>& mutex_refs,
                 std::vector<std::uint64_t>& config) {
    reserve(refs);
    for (const Op& op : model_.ops) {
      if (op.core_class == kDelay) {
        throw InputError(model_.name, place(ops_.size()), "core class \"delay\" is reserved for transfer delays");
      }
      detent_op out = new_op(op.name, kernels_.id(op.kernel), classes_.id(op.core_class));
      out.flags = flags_of(op);
      out.inputs = append(refs, op.inputs);
      out.outputs = append(refs, op.outputs);
      out.weights = append(refs, op.weights);
      out.scratch = append(refs, op.scratch);
      add_config(op, out, config);
      add_mutexes(op, out, mutex_refs);
      out.commute_group = op.commutes.empty() ? kNone : commute_groups_.id(op.commutes);
      out.priority = op.priority;
      out.workers = op.workers;
      ops_.push_back(out);
      costs_.push_back(cost_of(op));
    }
    checked_u32(refs.size(), model_, "tensor_refs");
    checked_u32(config.size() * 8, model_, "config_bytes");
  }

  /// Pseudo-ops for delays and releases, and every arc of the graph the runtime executes.
  std::vector<Arc> lower_edges() {
    std::vector<Arc> arcs;
    arcs.reserve(model_.edges.size());
    for (const Edge& edge : model_.edges) {
      if (!has_delay(edge)) {
        arcs.push_back({edge.from, edge.to});
        continue;
      }
      const std::uint32_t delay =
          add_delay("delay " + std::to_string(edge.from) + "->" + std::to_string(edge.to), edge.min_ps, edge.max_ps);
      arcs.push_back({edge.from, delay});
      arcs.push_back({delay, edge.to});
    }
    for (std::uint32_t i = 0; i < model_.ops.size(); ++i) {
      const Op& op = model_.ops[i];
      if (!has_release(op)) continue;
      arcs.push_back({add_delay("release " + std::to_string(i), op.release_ps->first, op.release_ps->second), i});
    }
    checked_u32(arcs.size(), model_, "edges");
    return arcs;
  }

  /// CSR by counting; successors ascending.
  void link(const std::vector<Arc>& arcs, std::vector<std::uint32_t>& successors) {
    for (const Arc& arc : arcs) {
      ++ops_[arc.from].successors.count;
      ++ops_[arc.to].entry_count;
    }
    std::uint32_t first = 0;
    for (detent_op& op : ops_) {
      op.successors.first = first;
      first += op.successors.count;
      op.successors.count = 0;
    }
    successors.resize(arcs.size());
    for (const Arc& arc : arcs) {
      detent_slice& slice = ops_[arc.from].successors;
      successors[slice.first + slice.count++] = arc.to;
    }
    for (const detent_op& op : ops_) {
      const auto begin = successors.begin() + op.successors.first;
      std::sort(begin, begin + op.successors.count);
    }
  }

  std::vector<detent_class> classes() {
    std::vector<detent_class> out;
    for (const std::string& name : classes_.names()) {
      out.push_back({pool_.add(name), name == kDelay ? DETENT_CLASS_ASYNC : DETENT_CLASS_WORKERS});
    }
    return out;
  }
  std::vector<const char*> kernels() { return pooled(kernels_); }
  std::vector<const char*> mutexes() { return pooled(mutexes_); }

 private:
  detent_op new_op(std::string_view name, std::uint32_t kernel, std::uint32_t core_class) {
    detent_op op{};
    op.name = pool_.add(name);
    op.id = checked_u32(ops_.size(), model_, "ops");
    op.kernel = kernel;
    op.core_class = core_class;
    op.commute_group = kNone;
    return op;
  }

  std::uint32_t add_delay(const std::string& name, std::uint64_t min_ps, std::uint64_t max_ps) {
    detent_op op = new_op(name, kernels_.id(kDelay), classes_.id(kDelay));
    op.flags = DETENT_OP_DELAY;
    ops_.push_back(op);
    costs_.push_back({min_ps, max_ps, 0, 0, 0});
    return op.id;
  }

  void reserve(std::vector<std::uint32_t>& refs) {
    std::size_t ref_count = 0;
    std::size_t op_count = model_.ops.size();
    for (const Op& op : model_.ops) {
      ref_count += op.inputs.size() + op.outputs.size() + op.weights.size() + op.scratch.size();
      op_count += has_release(op) ? 1U : 0U;
    }
    op_count += static_cast<std::size_t>(std::count_if(model_.edges.begin(), model_.edges.end(), has_delay));
    refs.reserve(ref_count);
    ops_.reserve(op_count);
    costs_.reserve(op_count);
  }

  static detent_slice append(std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& ids) {
    const detent_slice slice{static_cast<std::uint32_t>(table.size()), static_cast<std::uint32_t>(ids.size())};
    table.insert(table.end(), ids.begin(), ids.end());
    return slice;
  }

  static std::uint32_t flags_of(const Op& op) {
    std::uint32_t flags = 0;
    if (op.in_place) flags |= DETENT_OP_IN_PLACE;
    if (op.guarded != Guarded::kNo) flags |= DETENT_OP_GUARDED;
    if (op.guarded == Guarded::kIfFalse) flags |= DETENT_OP_IF_FALSE;
    if (op.is_fallible) flags |= DETENT_OP_FALLIBLE;
    if (op.replaces) flags |= DETENT_OP_REPLACES;
    if (op.is_sized) flags |= DETENT_OP_SIZED;
    return flags;
  }

  static void add_config(const Op& op, detent_op& out, std::vector<std::uint64_t>& config) {
    out.config_offset = static_cast<std::uint32_t>(config.size() * 8);
    out.config_size = static_cast<std::uint32_t>(op.config.size());
    if (op.config.empty()) return;
    const std::size_t first = config.size();
    config.resize(first + (op.config.size() + 7) / 8);
    std::memcpy(&config[first], op.config.data(), op.config.size());
  }

  void add_mutexes(const Op& op, detent_op& out, std::vector<std::uint32_t>& mutex_refs) {
    out.mutexes.first = static_cast<std::uint32_t>(mutex_refs.size());
    for (const std::string& name : op.mutexes) mutex_refs.push_back(mutexes_.id(name));
    const auto begin = mutex_refs.begin() + out.mutexes.first;
    std::sort(begin, mutex_refs.end());
    mutex_refs.erase(std::unique(begin, mutex_refs.end()), mutex_refs.end());
    out.mutexes.count = static_cast<std::uint32_t>(mutex_refs.size()) - out.mutexes.first;
  }

  [[nodiscard]] detent_op_cost cost_of(const Op& op) const {
    detent_op_cost cost{UINT64_MAX, UINT64_MAX, op.flops, 0, 0};
    if (op.time_ps) std::tie(cost.best_ps, cost.worst_ps) = *op.time_ps;
    // The engine reads the condition of a guarded op, its last input, and writes whether a fallible one failed, its
    // last output: an op takes as long where these are decided as where the run decides them.
    cost.read_bytes = touched_bytes(op.inputs, op.guarded != Guarded::kNo) + touched_bytes(op.weights, false);
    cost.write_bytes = touched_bytes(op.outputs, op.is_fallible);
    return cost;
  }

  [[nodiscard]] std::uint64_t touched_bytes(const std::vector<std::uint32_t>& ids, bool is_last_of_engine) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + (is_last_of_engine ? 1 : 0) < ids.size(); ++i) {
      const Tensor& tensor = model_.tensors[ids[i]];
      sum += tensor.block_count * block_bytes_of(tensor);
    }
    return sum;
  }

  std::vector<const char*> pooled(const NameTable& table) {
    std::vector<const char*> out;
    for (const std::string& name : table.names()) out.push_back(pool_.add(name));
    return out;
  }

  static std::string place(std::size_t op) { return "ops[" + std::to_string(op) + "]"; }

  const Model& model_;
  NamePool& pool_;
  std::vector<detent_op>& ops_;
  std::vector<detent_op_cost>& costs_;
  NameTable kernels_, classes_, mutexes_, commute_groups_;
};

/// Lists with the pseudo-ops, which take no worker: a delay directly behind the op whose end begins it, a release at
/// the begin of the first list.
class ScheduleLowering {
 public:
  ScheduleLowering(const Model& model, std::size_t op_count, const std::vector<Arc>& arcs) : delays_(model.ops.size()) {
    std::vector<bool> follows_op(op_count, false);
    for (const Arc& arc : arcs) {
      if (arc.to < model.ops.size()) continue;
      delays_[arc.from].push_back(arc.to);
      follows_op[arc.to] = true;
    }
    for (std::size_t op = model.ops.size(); op < op_count; ++op) {
      if (!follows_op[op]) releases_.push_back(static_cast<std::uint32_t>(op));
    }
  }

  void add(const WorkerLists& schedule, std::vector<detent_slice>& slices, std::vector<std::uint32_t>& ops) const {
    const std::size_t begin = ops.size();
    for (std::size_t worker = 0; worker < schedule.lists.size(); ++worker) {
      const std::size_t first = ops.size();
      if (worker == 0) ops.insert(ops.end(), releases_.begin(), releases_.end());
      for (const std::uint32_t op : schedule.lists[worker]) {
        ops.push_back(op);
        ops.insert(ops.end(), delays_[op].begin(), delays_[op].end());
      }
      slices.push_back({static_cast<std::uint32_t>(first - begin), static_cast<std::uint32_t>(ops.size() - first)});
    }
  }

 private:
  std::vector<std::vector<std::uint32_t>> delays_;  ///< by op
  std::vector<std::uint32_t> releases_;
};

/// Fills lists and list_ops, and then the schedules that point into them.
void lower_schedules(const Model& model, std::size_t op_count, const std::vector<Arc>& arcs,
                     std::vector<detent_slice>& lists, std::vector<std::uint32_t>& list_ops,
                     std::vector<detent_static_schedule>& out) {
  if (model.schedules.empty()) return;
  const ScheduleLowering lowering(model, op_count, arcs);
  for (const WorkerLists& schedule : model.schedules) lowering.add(schedule, lists, list_ops);
  std::size_t first = 0;
  for (std::size_t i = 0; i < model.schedules.size(); ++i) {
    const auto workers = static_cast<std::uint32_t>(model.schedules[i].lists.size());
    out.push_back({workers, lists.data() + first, list_ops.data() + i * op_count});
    first += workers;
  }
}

template <typename T>
std::uint32_t point_at(const std::vector<T>& table, const T*& pointer) {
  pointer = table.empty() ? nullptr : table.data();
  return static_cast<std::uint32_t>(table.size());
}

}  // namespace

LoweredModel::LoweredModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoweredModel::LoweredModel(LoweredModel&&) noexcept = default;
LoweredModel& LoweredModel::operator=(LoweredModel&&) noexcept = default;
LoweredModel::~LoweredModel() = default;
const detent_desc& LoweredModel::desc() const { return state_->desc; }

LoweredModel lower(const Model& model, const LowerOptions& options) {
  check_model_tables(model, model.name);
  auto state = std::make_unique<LoweredModel::State>();
  auto& s = *state;
  s.tensors = lower_tensors(model, s.pool, options.weights);
  OpLowering ops(model, s.pool, s.ops, s.costs);
  ops.lower_ops(s.tensor_refs, s.mutex_refs, s.config_words);
  const std::vector<Arc> arcs = ops.lower_edges();
  ops.link(arcs, s.successors);
  lower_schedules(model, s.ops.size(), arcs, s.lists, s.list_ops, s.schedules);
  s.classes = ops.classes();
  s.kernels = ops.kernels();
  s.mutex_names = ops.mutexes();
  s.inputs = model.inputs;
  s.outputs = model.outputs;

  detent_desc& d = s.desc;
  d.name = s.pool.add(model.name);
  d.region_count = point_at(s.tensors.regions, d.regions);
  d.tensor_count = point_at(s.tensors.tensors, d.tensors);
  d.op_count = point_at(s.ops, d.ops);
  d.tensor_ref_count = point_at(s.tensor_refs, d.tensor_refs);
  d.successor_count = point_at(s.successors, d.successors);
  d.mutex_ref_count = point_at(s.mutex_refs, d.mutex_refs);
  d.mutex_count = point_at(s.mutex_names, d.mutex_names);
  d.kernel_count = point_at(s.kernels, d.kernels);
  d.class_count = point_at(s.classes, d.classes);
  d.config_bytes = reinterpret_cast<const std::uint8_t*>(s.config_words.data());
  d.config_byte_count = static_cast<std::uint32_t>(s.config_words.size() * 8);
  d.input_count = point_at(s.inputs, d.inputs);
  d.output_count = point_at(s.outputs, d.outputs);
  point_at(s.costs, d.costs);
  d.schedule_count = point_at(s.schedules, d.schedules);
  claim_lifetimes(d, s.tensors.tensors);
  return LoweredModel(std::move(state));
}

}  // namespace detent::models

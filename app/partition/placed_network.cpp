#include "app/partition/placed_network.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/bound/bounds.hpp"
#include "app/settings/op_settings.hpp"
#include "app/simulate/jitter_text.hpp"
#include "app/simulate/time_grounds.hpp"
#include "models/core/core_class.hpp"

namespace detent::app {

PlacedNetwork::PlacedNetwork(const PartitionRequest& wanted, const sim::Platform& platform)
    : wanted_(wanted), platform_(platform), devices_(placement_devices(platform, wanted.devices, wanted.abilities)) {
  ModelOptions options = wanted.model;
  options.set.clear();
  options.weights = false;
  LoadedModel loaded = load(wanted.request.model, options);
  require_unguarded(wanted.request.model, loaded.desc(), "devices are compared by the time of one set of ops");
  if (!loaded.model.schedules.empty()) {
    throw std::invalid_argument(wanted.request.model +
                                ": carries static schedules, which fix the core of each op; give a network without");
  }
  costs_ = std::move(loaded.costs);
  unused_costs_ = std::move(loaded.unused_costs);
  model_ = std::move(loaded.model);
  for (models::Tensor& tensor : model_.tensors) tensor.init.bytes.clear();  // nothing is executed
  std::vector<bool> is_placed(model_.ops.size());
  if (!wanted.model.set.empty()) {
    const OpSettings settings = read_op_settings(wanted.model.set);
    if (!settings.fallbacks.empty()) {
      throw std::invalid_argument(wanted.model.set +
                                  ": placements are compared by runs in which nothing fails; leave [[fallbacks]] out "
                                  "here and add it to the file that -o writes");
    }
    if (!settings.kernels.empty()) {
      throw std::invalid_argument(wanted.model.set +
                                  ": devices are compared by the kernels that ops have; leave [kernels] out here, and "
                                  "add it to the file that -o writes");
    }
    if (!settings.memories.empty()) {
      throw std::invalid_argument(wanted.model.set +
                                  ": copies follow from where ops are placed; leave [[memories]] out here, say with "
                                  "[[transfers]] what they take, and add it to the file that -o writes");
    }
    is_placed = apply_rows(settings, wanted.model.set, model_).has_class;
    transfers_ = settings.transfers;
  }
  choices_ = op_choices(model_, devices_, is_placed);
  edges_ = model_.edges;
  options_.engine.policy = wanted.policy;
  options_.engine.workers = wanted.workers;
  options_.timing_only = true;
  options_.with_traces = false;
  options_.jitter = parse_jitter(wanted.jitter);
  options_.backends = std::move(loaded.backends);
  options_.costs = costs_.get();
}

std::vector<std::vector<std::uint32_t>> PlacedNetwork::neighbours() const {
  std::vector<std::set<std::uint32_t>> sets(model_.ops.size());
  for (const models::Edge& edge : edges_) {
    sets[edge.from].insert(edge.to);
    sets[edge.to].insert(edge.from);
  }
  std::vector<std::vector<std::uint32_t>> lists;
  for (const std::set<std::uint32_t>& set : sets) lists.emplace_back(set.begin(), set.end());
  return lists;
}

std::size_t PlacedNetwork::edges_between_devices(const Placement& placement) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      edges_, [&](const models::Edge& edge) { return placement[edge.from] != placement[edge.to]; }));
}

std::uint64_t PlacedNetwork::makespan_ps(const Placement& placement) {
  const models::LoweredModel lowered = lower_with(placement);
  sim::SimOptions options = options_;
  sim::ChosenRun worst{.seed = wanted_.request.seeds.schedule};
  for (const sim::OpTime& range : sim::ranges_of_ops(lowered.desc(), platform_, options)) {
    worst.times_ps.push_back(range.worst_ps);
  }
  options.chosen = std::move(worst);
  return sim::simulate(lowered.desc(), platform_, options).max_ps;
}

std::uint64_t PlacedNetwork::bound_ps(const Placement& placement) {
  const models::LoweredModel lowered = lower_with(placement);
  const BoundSpec spec = {.jitter = options_.jitter, .workers = wanted_.workers, .costs = costs_.get()};
  const PlatformProblems problems = timing_problems(lowered.desc(), platform_, spec);
  std::uint64_t lowest = verify::kUnknownPs;
  for (const verify::Bound& bound : platform_bounds(problems, platform_, spec)) {
    if (bound.is_upper) lowest = std::min(lowest, bound.bound_ps);
  }
  return lowest;
}

std::vector<std::uint64_t> PlacedNetwork::worst_ps(std::uint32_t device) {
  Placement placement;
  for (const OpChoices& choice : choices_) {
    const bool may_be = std::ranges::binary_search(choice.devices, device);
    placement.push_back(may_be ? device : choice.devices.front());
  }
  const models::LoweredModel lowered = lower_with(placement);
  std::vector<std::uint64_t> times;
  for (const sim::OpTime& range : sim::ranges_of_ops(lowered.desc(), platform_, options_)) {
    times.push_back(range.worst_ps);
  }
  return times;
}

reports::TimeGrounds PlacedNetwork::grounds(const Placement& placement) {
  models::LoweredModel lowered = lower_with(placement);
  LoadedModel placed{model_, std::move(lowered), nullptr, {}, {}, {}};
  placed.costs = costs_;
  placed.unused_costs = unused_costs_;
  return time_grounds(placed, platform_, wanted_.jitter, wanted_.request.model);
}

models::LoweredModel PlacedNetwork::lower_with(const Placement& placement) {
  for (std::size_t op = 0; op < placement.size(); ++op) {
    models::move_to_class(model_.ops[op], devices_[placement[op]].name);
  }
  model_.edges = edges_;
  apply_transfers(transfers_, wanted_.model.set, model_);
  return models::lower(model_, {.weights = false});
}

}  // namespace detent::app

#include "app/model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "app/catalogue/catalogue.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/memory_problem.hpp"
#include "base/units.hpp"
#include "models/prepare/load.hpp"

namespace detent::app {
namespace {

models::MemoryPlan given_plan(const models::Model& model) {
  models::MemoryPlan plan;
  for (const models::Region& region : model.regions) {
    if (region.kind == DETENT_REGION_WORKSPACE) plan.arena_bytes += region.size_bytes;
  }
  plan.lower_bound_bytes = plan.unshared_bytes = plan.arena_bytes;
  for (std::uint32_t t = 0; t < model.tensors.size(); ++t) {
    const models::Tensor& tensor = model.tensors[t];
    if (tensor.alias_of != models::kNone) continue;
    plan.placements.push_back({t, tensor.region, tensor.offset_bytes, tensor.size_bytes});
  }
  return plan;
}

/// A given plan is not changed, so it fits or it does not.
void require_capacity(const PlanRequest& options, const models::MemoryPlan& plan) {
  if (options.capacity_bytes == 0 || plan.arena_bytes <= options.capacity_bytes) return;
  throw std::invalid_argument(fmt::format(
      "{}: came with a plan of {} bytes, more than the {} bytes of --capacity; change the offsets in the model itself",
      options.request.model, plan.arena_bytes, options.capacity_bytes));
}

/// Where tensors lie, in the order of their offsets; the first ones.
Lines offset_lines(const models::Model& model, models::MemoryPlan plan) {
  constexpr std::size_t kShown = 16;
  std::ranges::stable_sort(plan.placements, {}, [&](const models::Placement& place) {
    const bool is_workspace =
        place.region < model.regions.size() && model.regions[place.region].kind == DETENT_REGION_WORKSPACE;
    return std::tuple(!is_workspace, place.region, place.offset_bytes);
  });
  Lines lines{fmt::format("{:>12}{:>12}  {:<14}{}", "offset", "size", "region", "tensor")};
  const std::size_t shown = std::min(plan.placements.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const models::Placement& place = plan.placements[i];
    lines.push_back(fmt::format("{:>12}{:>12}  {:<14}{}", place.offset_bytes, place.size_bytes,
                                place.region < model.regions.size() ? model.regions[place.region].name : "",
                                model.tensors[place.tensor].name));
  }
  if (shown < plan.placements.size()) {
    lines.push_back(fmt::format("and {} more; --json FILE lists them", plan.placements.size() - shown));
  }
  return lines;
}

/// A problem has lifetimes of its own, no ops that an order or a split could change.
void require_options_of_problem(const PlanRequest& options) {
  if (!options.request.model.empty())
    throw std::invalid_argument("plan: MODEL and --problem: one of them is placed; leave one of them out");
  if (options.order != "parallel")
    throw std::invalid_argument("plan: --order is for a MODEL; the lifetimes of --problem are those of its file");
  if (options.model.split > 1)
    throw std::invalid_argument("plan: --split is for a MODEL; --problem has no ops to split");
}

models::PlanOrder parse_plan_order(const std::string& name) {
  if (name == "serial") return models::PlanOrder::kSerial;
  if (name == "parallel") return models::PlanOrder::kParallel;
  throw std::invalid_argument("--order " + name + ": choose serial or parallel");
}

}  // namespace

Json offsets_json(const models::Model& model, const models::MemoryPlan& plan) {
  Json offsets = Json::array();
  for (const models::Placement& place : plan.placements) {
    offsets.push_back({{"tensor", place.tensor},
                       {"name", model.tensors[place.tensor].name},
                       {"region", place.region < model.regions.size() ? model.regions[place.region].name : ""},
                       {"offset", place.offset_bytes},
                       {"size", place.size_bytes}});
  }
  return offsets;
}

Answer plan_model(const PlanRequest& options) {
  models::PlanOptions plan_options;
  plan_options.order = parse_plan_order(options.order);
  plan_options.capacity_bytes = options.capacity_bytes;
  refuse_other_name(options.request.model, "a model");
  models::Model model = models::load_model(options.request.model);
  const bool is_given = models::has_plan(model);  // an op graph with byte ranges, a bad one: shown as it is
  models::MemoryPlan plan;
  std::string settings;
  if (is_given) {
    if (options.model.split > 1)
      settings = fmt::format("--split {} splits no op: the model came planned", options.model.split);
    plan = given_plan(model);
    require_capacity(options, plan);
  } else {
    settings = prepare_unplaced(options.model, model).settings;
    plan = models::plan_memory(model, plan_options);
  }

  Json answer = json_header("plan", options.request);
  answer["order"] = is_given ? "given" : options.order;
  if (!settings.empty()) answer["settings"] = settings;
  answer["arena_bytes"] = plan.arena_bytes;
  answer["lower_bound_bytes"] = plan.lower_bound_bytes;
  answer["unshared_bytes"] = plan.unshared_bytes;
  answer["offsets"] = offsets_json(model, plan);
  Lines lines;
  lines.push_back(fmt::format("{}: workspace {} ({} bytes), lower bound {}, without sharing {}", options.request.model,
                              format_bytes(plan.arena_bytes), plan.arena_bytes, format_bytes(plan.lower_bound_bytes),
                              format_bytes(plan.unshared_bytes)));
  lines.push_back(is_given                    ? "the model came with this plan; detent verify judges it"
                  : options.order == "serial" ? "valid for serial execution in topological order, lowest id first, only"
                                              : "valid for every schedule: bytes are shared only where the DAG orders "
                                                "all users");
  if (!settings.empty()) lines.push_back(settings);
  append(lines, offset_lines(model, plan));
  return {std::move(answer), std::move(lines), verify::Outcome::kHolds};
}

Answer plan_memory(const PlanRequest& options, const OnProgress& on_progress) {
  if (options.problem.empty()) {
    if (options.request.model.empty())
      throw std::invalid_argument("plan: give a MODEL, or --problem FILE.csv with buffers of any origin");
    if (options.max_nodes != 0) throw std::invalid_argument("plan: --max-nodes is for --problem");
    return plan_model(options);
  }
  require_options_of_problem(options);
  return place_problem({.request = options.request,
                        .file = options.problem,
                        .capacity_bytes = options.capacity_bytes,
                        .max_nodes = options.max_nodes},
                       on_progress);
}

}  // namespace detent::app

// detent plan: where every tensor lies.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/model/loaded_model.hpp"
#include "cli/command.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/prepare/load.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::cli {
namespace {

struct PlanCommandOptions {
  Common common;
  app::ModelOptions model;
  std::string order = "parallel";
  std::uint64_t capacity_bytes = 0;
};

/// A model that came with its places (op graphs, bad ones) is shown as it is.
bool is_planned(const models::Model& model) {
  for (const models::Tensor& tensor : model.tensors) {
    if (tensor.alias_of == models::kNone && tensor.region == models::kNone) return false;
  }
  return true;
}

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

int plan_command(const PlanCommandOptions& options) {
  models::PlanOptions plan_options;
  plan_options.order = options.order == "serial" ? models::PlanOrder::kSerial : models::PlanOrder::kParallel;
  plan_options.capacity_bytes = options.capacity_bytes;
  models::Model model = models::load_model(options.common.model);
  const bool is_given = is_planned(model);
  models::MemoryPlan plan;
  if (is_given) {
    plan = given_plan(model);
  } else {
    models::PlanOptions quick;  // only to prepare: the plan that counts is made below
    quick.rounds = 0;
    models::prepare_model(model, {.split = options.model.split, .npu = false, .weight_seed = 0, .plan = quick});
    plan = models::plan_memory(model, plan_options);
  }

  Json answer = json_header("plan", options.common);
  answer["order"] = is_given ? "given" : options.order;
  answer["arena_bytes"] = plan.arena_bytes;
  answer["lower_bound_bytes"] = plan.lower_bound_bytes;
  answer["unshared_bytes"] = plan.unshared_bytes;
  answer["offsets"] = offsets_json(model, plan);
  write_json(options.common, answer);
  say(options.common, fmt::format("{}: workspace {} ({} bytes), lower bound {}, without sharing {}",
                                  options.common.model, format_bytes(plan.arena_bytes), plan.arena_bytes,
                                  format_bytes(plan.lower_bound_bytes), format_bytes(plan.unshared_bytes)));
  say(options.common, is_given ? "the model came with this plan; detent verify judges it"
                      : options.order == "serial"
                          ? "valid for serial execution in topological order, lowest id first, only"
                          : "valid for every schedule: bytes are shared only where the DAG orders "
                            "all users");
  return kHolds;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlanCommandOptions>();
  CLI::App* command = app.add_subcommand("plan", "Place every tensor in memory");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  command->add_option("--order", options->order, "parallel: valid for every schedule; serial: for one order only")
      ->check(CLI::IsMember({"parallel", "serial"}))
      ->capture_default_str();
  command->add_option("--capacity", options->capacity_bytes, "Largest workspace, bytes; 0 = unbounded")
      ->capture_default_str();
  command->callback([options, &action] { action = [options] { return plan_command(*options); }; });
}

}  // namespace detent::cli

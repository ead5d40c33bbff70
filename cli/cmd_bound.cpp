// detent bound: analytic bounds on the makespan and on every op's completion.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

#include "app/check/bounds.hpp"
#include "app/model/loaded_model.hpp"
#include "app/simulate/jitter_text.hpp"
#include "cli/command.hpp"
#include "cli/model_options.hpp"
#include "cli/names.hpp"
#include "cli/output.hpp"
#include "cli/simulation.hpp"

namespace detent::cli {
namespace {

struct BoundOptions {
  Common common;
  app::ModelOptions model;
  std::string platform, cores, method = "all", jitter = "uniform:0.1";
  std::uint32_t workers = 0;
  bool no_npu = false;
  bool no_overheads = false;
  bool no_contention = false;
  bool private_ports = false;
};

struct Method {
  verify::Bound bound;
  double seconds = 0;
};

std::vector<Method> compute(const app::PlatformProblems& problems, const sim::Platform& platform,
                            const app::BoundSpec& spec, const std::string& wanted) {
  using Compute = std::function<verify::Bound()>;
  std::vector<std::pair<std::string, Compute>> all = {{"all", [&] { return verify::critical_path(problems.bare); }},
                                                      {"all", [&] { return verify::work_per_core(problems.bare); }}};
  const std::vector<std::pair<std::string, app::BoundFunction>> uppers = {
      {"serial", verify::serial_bound}, {"graham", verify::graham_bound}, {"typed", verify::typed_bound}};
  for (const auto& [name, function] : uppers) {
    if (wanted != "all" && name != wanted) continue;
    all.emplace_back(name, [&, chosen = function] { return app::upper_bound(chosen, problems, platform, spec); });
  }
  std::vector<Method> methods;
  for (const auto& [name, function] : all) {
    const auto begin = std::chrono::steady_clock::now();
    verify::Bound bound = function();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    methods.push_back({std::move(bound), seconds});
  }
  return methods;
}

Json methods_json(const std::vector<Method>& methods, bool reproducible) {
  Json list = Json::array();
  for (const Method& method : methods) {
    const bool is_known = method.bound.bound_ps != verify::kUnknownPs;
    Json entry = {{"name", method.bound.name},
                  {"bound_ps", is_known ? Json(method.bound.bound_ps) : Json(nullptr)},
                  {"exact", method.bound.exact},
                  {"is_upper", method.bound.is_upper},
                  {"assumptions", method.bound.assumptions}};
    if (!reproducible) entry["seconds"] = method.seconds;
    list.push_back(std::move(entry));
  }
  return list;
}

Json responses_json(const std::vector<verify::Response>& responses) {
  Json list = Json::array();
  for (const verify::Response& response : responses) {
    const bool is_known = response.max_ps != verify::kUnknownPs;
    list.push_back(
        {{"op", response.op}, {"min", response.min_ps}, {"max", is_known ? Json(response.max_ps) : Json(nullptr)}});
  }
  return list;
}

int bound_command(BoundOptions options) {
  sim::Platform platform = choose_platform(platform_word(options.platform, options.cores), options.no_overheads);
  simplify_chip(platform, options.no_contention, options.private_ports);
  const bool has_npu = std::ranges::any_of(platform.classes, [](const sim::CoreClass& c) { return c.name == "npu"; });
  options.model.use_npu = has_npu && !options.no_npu;
  options.model.weights = false;
  const app::LoadedModel loaded = app::load(options.common.model, options.model);
  const app::BoundSpec spec{
      .jitter = app::parse_jitter(options.jitter), .workers = options.workers, .costs = loaded.costs.get()};
  const app::PlatformProblems problems = app::timing_problems(loaded.desc(), platform, spec);
  const std::vector<Method> methods = compute(problems, platform, spec, options.method);

  Json answer = json_header("bound", options.common);
  answer["platform"] = platform.name;
  answer["ops"] = loaded.desc().op_count;
  answer["methods"] = methods_json(methods, options.common.reproducible);
  answer["response_ps"] = responses_json(app::platform_responses(problems, platform, spec));
  write_json(options.common, answer);
  bool has_upper = false;
  for (const Method& method : methods) {
    const bool is_known = method.bound.bound_ps != verify::kUnknownPs;
    has_upper = has_upper || (is_known && method.bound.is_upper);
    say(options.common,
        fmt::format("{:<14} {:>12}  {}", method.bound.name, is_known ? format_time(method.bound.bound_ps) : "unknown",
                    !method.bound.is_upper ? "lower bound on the worst case"
                    : is_known             ? "upper bound: " + method.bound.assumptions
                                           : method.bound.assumptions));
  }
  return has_upper ? kHolds : kUnknown;
}

}  // namespace

void add_bound(CLI::App& app, Action& action) {
  auto options = std::make_shared<BoundOptions>();
  CLI::App* command = app.add_subcommand("bound", "Bound the makespan of MODEL under any work-conserving schedule");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_costs_option(*command, options->model);
  command->add_option("--platform", options->platform, "Chip: a name or a TOML file. Default: quad_npu");
  command->add_option("--cores", options->cores, "Bare cores without overheads: 4, or cpu=2,npu=1");
  command->add_option("--workers", options->workers, "CPU workers; 0 = one per CPU core")->capture_default_str();
  command->add_option("--method", options->method, "graham, typed, serial or all")
      ->check(CLI::IsMember({"graham", "typed", "serial", "all"}))
      ->capture_default_str();
  command->add_option("--jitter", options->jitter, "Spread of roofline times: their worst is time * (1 + spread)")
      ->capture_default_str();
  command->add_flag("--no-npu", options->no_npu, "Keep every op of a network on the CPU");
  command->add_flag("--no-overheads", options->no_overheads, "The runtime costs nothing");
  command->add_flag("--no-contention", options->no_contention, "Every client of the DRAM sees its whole bandwidth");
  command->add_flag("--private-ports", options->private_ports, "NPU operands have full-bandwidth ports of their own");
  command->callback([options, &action] { action = [options] { return bound_command(*options); }; });
}

}  // namespace detent::cli

// detent plan: where every tensor lies.
#include "app/model/plan.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "app/front/front.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct PlanOptions {
  Common common{};
  app::PlanRequest wanted{};
  bool is_front = false;  ///< --pareto
  app::FrontRequest front{};
};

app::Answer front_answer(PlanOptions& options) {
  if (!options.wanted.problem.empty())
    throw std::invalid_argument("plan --pareto: --problem has no ops that take time; give a MODEL");
  if (options.common.model.empty()) throw std::invalid_argument("plan --pareto: give a MODEL");
  if (options.wanted.order != "parallel")
    throw std::invalid_argument("plan --pareto: --order serial is one of its plans; leave --order out");
  if (options.wanted.max_nodes != 0) throw std::invalid_argument("plan: --max-nodes is for --problem");
  options.front.request = options.common;
  options.front.model = options.wanted.model;
  options.front.capacity_bytes = options.wanted.capacity_bytes;
  return app::plan_front(options.front, progress_of(options.common, "steps"));
}

int plan_command(PlanOptions& options) {
  options.wanted.request = options.common;
  if (options.is_front) return show(options.common, front_answer(options));
  return show(options.common, app::plan_memory(options.wanted, progress_of(options.common, "nodes searched")));
}

/// Each of them is for --pareto only.
void add_front_options(CLI::App& command, PlanOptions& options) {
  CLI::Option* const front =
      command.add_flag("--pareto", options.is_front,
                       "Plans from the smallest to the fastest, each with the longest that a run can take");
  const std::vector<CLI::Option*> before = command.get_options();
  app::FrontRequest& wanted = options.front;
  command.add_option("--points", wanted.capacities, "Capacities between the smallest plan and the fastest")
      ->check(whole_number(0, 64))
      ->capture_default_str();
  add_folder(command, "-o,--out", wanted.directory, "Folder that gets a package of each plan");
  add_file(
      command, "--html", wanted.html,
      "Page with the picture of the front: bytes to the right, worst time upwards, exact times and bounds told apart");
  add_chip_of_times(command, wanted.platform, wanted.cores, wanted.workers);
  choose(command.add_option("--policy", wanted.exact.policy, "Which ready op begins first"),
         {"id", "priority", "critical-path", "fifo"})
      ->capture_default_str();
  command
      .add_option("--max-states", wanted.exact.max_states,
                  "Symbolic states of one plan's exact worst case; more: a bound in its place, and exit code 3")
      ->capture_default_str();
  add_spread_of_times(command, wanted.jitter, wanted.no_npu);
  for (CLI::Option* const option : command.get_options()) {
    if (std::find(before.begin(), before.end(), option) == before.end()) option->needs(front);
  }
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Place every tensor in memory");
  PlanOptions& options = make_options(*command, action, plan_command);
  Common& common = options.common;
  app::PlanRequest& wanted = options.wanted;
  add_common(*command, common, false);
  command->add_option("MODEL", common.model, "Zoo name, package, or op graph file");
  add_file(*command, "--problem", wanted.problem,
           "Instead of MODEL: buffers to be placed, CSV: id,lower,upper,size; lifetimes [lower, upper)");
  add_split_option(*command, wanted.model.split);
  add_winograd_option(*command, wanted.model);
  choose(command->add_option("--order", wanted.order, "parallel: valid for every schedule; serial: for one order only"),
         {"parallel", "serial"})
      ->capture_default_str();
  take_bytes(command->add_option("--capacity", wanted.capacity_bytes,
                                 "Largest workspace, or height; 0 = unbounded, as low as it gets"))
      ->capture_default_str();
  command
      ->add_option("--max-nodes", wanted.max_nodes,
                   "Of --problem: nodes of the search, which decide the answer; 0 = about a minute")
      ->capture_default_str();
  add_front_options(*command, options);
}

}  // namespace detent::cli

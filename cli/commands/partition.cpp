// detent partition: which device executes which ops of a network or of a plan case.
#include "app/partition/partition.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int partition_command(Question<app::PartitionRequest>& options) {
  options.wanted.request = options.common;
  return show(options.common, app::partition_model(options.wanted, progress_of(options.common, "trials")));
}

}  // namespace

void add_partition(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "partition",
      "Which device executes which ops: of MODEL by NNAPI's rules, the simulated makespan and the upper bound, or of a "
      "plan case (detent.plan_case/1), with runs in which devices fail");
  auto& [common, wanted] = make_options(*command, action, partition_command);
  add_scheduled_model(*command, common, wanted.model);
  command->get_option("MODEL")->description("Zoo name, package, or op graph file; or a plan case");
  add_costs_option(*command, wanted.model);
  command->add_option("--platform", wanted.platform, "Chip: a name of `detent list platforms`, or a file")
      ->default_str("quad_npu");
  command->add_option("--workers", wanted.workers, "CPU workers; 0 = one per CPU core")
      ->check(whole_number(0, 64))
      ->capture_default_str();
  command->add_option("--devices", wanted.devices, "Classes of cores that may be used: cpu,npu. Default: all")
      ->type_name("CLASSES");
  command
      ->add_option("--can", wanted.abilities,
                   "Kernels that a class executes, with * and ?: npu=conv2d_f32,gemm*. Default: NPUs and GPUs "
                   "convolutions and matrix products, others all")
      ->type_name("CLASS=KERNELS");
  choose(command->add_option(
             "--by", wanted.by,
             "What -o writes: the choice by NNAPI's rules, by the simulated makespan, or by the upper bound"),
         {"nnapi", "makespan", "bound"})
      ->capture_default_str();
  choose(command->add_option("--policy", wanted.policy, "Which ready op the engine executes first"),
         {"id", "priority", "critical-path", "fifo"})
      ->capture_default_str();
  command->add_option("--jitter", wanted.jitter, "Spread of the op times, of which the worst are simulated")
      ->type_name("RULES")
      ->capture_default_str();
  command
      ->add_option("--max-trials", wanted.max_trials,
                   "Placements that the search may simulate. Default: 2,000,000 ops in all, 100 to 5,000 placements")
      ->check(whole_number(1));
  add_file(*command, "-o,--out", wanted.out, "File to write: detent.set/1, for --set");
}

}  // namespace detent::cli

// detent import: files of other tools -> a package or an op graph.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/import/import_entities.hpp"
#include "app/import/import_graph.hpp"
#include "app/import/import_tvm.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int import_tvm_command(Question<app::ImportTvmOptions>& options) {
  app::ImportTvmOptions& wanted = options.wanted;
  wanted.request = options.common;
  std::optional<StopOnInterrupt> stop;
  if (wanted.audit || wanted.measure) stop.emplace();
  const app::ImportedTvm imported = app::import_tvm(wanted, show_step);
  return show(options.common, {import_answer(wanted, imported), import_lines(wanted, imported), imported.outcome()});
}

void add_package_option(CLI::App& command, std::string& package) {
  command.add_option("-o,--out", package, "Package to write")->required()->type_name("PKG");
}

void add_import_tvm(CLI::App& command, Action& action) {
  CLI::App* tvm = command.add_subcommand(
      "tvm", "From a TVM ahead-of-time artifact: a directory, a tar, or the C file with all operators");
  auto& [common, wanted] = make_options(*tvm, action, import_tvm_command);
  add_common(*tvm, common, false);
  tvm->add_option("PATH", common.model, "Artifact")->required();
  add_package_option(*tvm, wanted.package);
  add_set_option(*tvm, wanted.set);
  add_schedule_file(*tvm, wanted.schedule, "the package keeps them");
  choose(tvm->add_option("--edges", wanted.edges, "Edges of the package: hazards (safe) or names (shows the races)"),
         {"hazards", "names"})
      ->capture_default_str();
  choose(
      tvm->add_option("--replan", wanted.replan, "parallel: plan all memory anew and rewrite the operators' scratch"),
      {"none", "parallel"})
      ->capture_default_str();
  take_bytes(
      tvm->add_option("--scratch-limit", wanted.scratch_limit, "Scratch that one operator may keep on the stack"))
      ->check(whole_number(0, 1U << 26U))
      ->capture_default_str();
  tvm->add_option_function<std::string>(
         "--arena-limit", [&limited = wanted](const std::string& text) { app::set_arena_limit(limited, text); },
         "With --replan parallel: the plan within so many bytes, or within TVM's arena, that leaves most parallelism")
      ->type_name("BYTES|tvm");
  tvm->add_option("--workers", wanted.workers, "Workers that the plan with scratch per worker provides for")
      ->check(whole_number(1, DETENT_MAX_WORKERS))
      ->capture_default_str();
  tvm->add_option("--cc", wanted.compiler, "C compiler for the operators; default: $CC, else cc, gcc or clang");
  tvm->add_option("--cflags", wanted.flags, "Its flags; -ffp-contract=off is always added")->capture_default_str();
  tvm->add_option(
         "--target-triple", wanted.target,
         "The package is for this target of clang, too: armv7m-none-eabi, riscv32-unknown-elf. Where its types "
         "make operators touch other bytes than on this machine, it is for the target alone")
      ->type_name("TRIPLE");
  tvm->add_option(
         "--include", wanted.includes,
         "Directory with headers that the artifact includes, of a vendor's library or in its place; repeatable")
      ->type_name("DIR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  tvm->add_option("--source", wanted.sources,
                  "C file that defines what the artifact calls, or a directory with such files; repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* audit = tvm->add_flag(
      "--audit", wanted.audit,
      "Compile and execute: record every access of the artifact's operators and of the package's, prove on "
      "LLVM IR which of them are those of all inputs, compare all results with main's");
  tvm->add_flag("--no-audit", wanted.no_audit, "Not with --measure, which audits otherwise")->excludes(audit);
  tvm->add_flag("--measure", wanted.measure,
                "Compile and execute: op times into the package, times on 0, 1, 2 workers");
  add_input_seed(*tvm, common);
}

void add_import_entities(CLI::App& command, Action& action) {
  CLI::App* entities = command.add_subcommand(
      "entities",
      "From a hand-parallelised C file: a table of entities with entry functions, arguments, successors, indegrees");
  auto& [common, wanted] = ask(*entities, action, app::import_entities);
  add_common(*entities, common, false);
  entities->add_option("FILE", common.model, "C file with the table and the entry functions")->required();
  entities->add_option("-o,--out", wanted.graph, "Op graph file to write")->required()->type_name("GRAPH");
  entities
      ->add_option("--include", wanted.includes,
                   "Directory with headers that the file includes, besides its own; repeatable")
      ->type_name("DIR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  entities->add_option("--cflags", wanted.flags, "Flags of its compiler that change what it means: -DNAME, -m32");
  entities->add_option("--table", wanted.table, "Variable that is the table, where the file has several")
      ->type_name("NAME");
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("import", "Make a package or an op graph of another tool's file");
  command->require_subcommand(1);
  CLI::App* graph = command->add_subcommand("graph", "From an op graph file (detent.graph/1, /2)");
  auto& [common, wanted] = ask(*graph, action, app::import_graph);
  add_common(*graph, common, false);
  graph->add_option("FILE", common.model, "Op graph file")->required();
  add_package_option(*graph, wanted.package);
  add_set_option(*graph, wanted.set);
  add_schedule_file(*graph, wanted.schedule, "the package keeps them");
  add_import_tvm(*command, action);
  add_import_entities(*command, action);
}

}  // namespace detent::cli

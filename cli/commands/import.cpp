// detent import: files of other tools -> a package.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/import/import_graph.hpp"
#include "app/import/import_tvm.hpp"
#include "base/words/quantity.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ImportGraphCommandOptions : app::ImportGraphOptions {
  Common common;
};

struct ImportTvmCommandOptions : app::ImportTvmOptions {
  Common common;
};

int import_tvm_command(ImportTvmCommandOptions options) {
  options.request = options.common;
  std::optional<StopOnInterrupt> stop;
  if (options.audit || options.measure) stop.emplace();
  const app::ImportedTvm imported = app::import_tvm(options, show_step);
  return show(options.common, {import_answer(options, imported), import_lines(options, imported), imported.outcome()});
}

void set_arena_limit(app::ImportTvmOptions& options, const std::string& text) {
  if (text == "tvm") {
    options.stays_within_tvm = true;
  } else {
    const std::optional<std::uint64_t> bytes = read_bytes(text);
    if (!bytes || *bytes == 0) {
      throw std::invalid_argument(
          "--arena-limit " + text +
          ": must be tvm or a size above 0, such as 64KiB, 1.5MiB or 65536 (bare numbers are bytes)");
    }
    options.arena_limit_bytes = *bytes;
  }
}

void add_import_tvm(CLI::App& command, Action& action) {
  auto options = std::make_shared<ImportTvmCommandOptions>();
  CLI::App* tvm = command.add_subcommand(
      "tvm", "From a TVM ahead-of-time artifact: a directory, a tar, or the C file with all operators");
  add_common(*tvm, options->common, false);
  tvm->add_option("PATH", options->common.model, "Artifact")->required();
  tvm->add_option("-o,--out", options->package, "Package to write")->required()->type_name("PKG");
  add_set_option(*tvm, options->set);
  choose(tvm->add_option("--edges", options->edges, "Edges of the package: hazards (safe) or names (shows the races)"),
         {"hazards", "names"})
      ->capture_default_str();
  choose(
      tvm->add_option("--replan", options->replan, "parallel: plan all memory anew and rewrite the operators' scratch"),
      {"none", "parallel"})
      ->capture_default_str();
  take_bytes(
      tvm->add_option("--scratch-limit", options->scratch_limit, "Scratch that one operator may keep on the stack"))
      ->check(whole_number(0, 1U << 26U))
      ->capture_default_str();
  tvm->add_option_function<std::string>(
         "--arena-limit", [options](const std::string& text) { set_arena_limit(*options, text); },
         "With --replan parallel: the plan within so many bytes, or within TVM's arena, that leaves most parallelism")
      ->type_name("BYTES|tvm");
  tvm->add_option("--workers", options->workers, "Workers that the plan with scratch per worker provides for")
      ->check(whole_number(1, DETENT_MAX_WORKERS))
      ->capture_default_str();
  tvm->add_option("--cc", options->compiler, "C compiler for the operators; default: $CC, else cc, gcc or clang");
  tvm->add_option("--cflags", options->flags, "Its flags; -ffp-contract=off is always added")->capture_default_str();
  tvm->add_option(
         "--target-triple", options->target,
         "The package is for this target of clang, too: armv7m-none-eabi, riscv32-unknown-elf. Where its types "
         "make operators touch other bytes than on this machine, it is for the target alone")
      ->type_name("TRIPLE");
  tvm->add_option(
         "--include", options->includes,
         "Directory with headers that the artifact includes, of a vendor's library or in its place; repeatable")
      ->type_name("DIR")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  tvm->add_option("--source", options->sources,
                  "C file that defines what the artifact calls, or a directory with such files; repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* audit = tvm->add_flag(
      "--audit", options->audit,
      "Compile and execute: record every access of the artifact's operators and of the package's, prove on "
      "LLVM IR which of them are those of all inputs, compare all results with main's");
  tvm->add_flag("--no-audit", options->no_audit, "Not with --measure, which audits otherwise")->excludes(audit);
  tvm->add_flag("--measure", options->measure,
                "Compile and execute: op times into the package, times on 0, 1, 2 workers");
  add_input_seed(*tvm, options->common);
  tvm->callback([options, &action] {
    const bool has_limit = options->stays_within_tvm || options->arena_limit_bytes != UINT64_MAX;
    if (has_limit && options->replan != "parallel") {
      throw std::invalid_argument("--arena-limit: without --replan parallel TVM's own places stay as they are; add it");
    }
    action = [options] { return import_tvm_command(*options); };
  });
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  auto options = std::make_shared<ImportGraphCommandOptions>();
  CLI::App* command = app.add_subcommand("import", "Make a package of another tool's file");
  command->require_subcommand(1);
  CLI::App* graph = command->add_subcommand("graph", "From an op graph file (detent.graph/1, /2)");
  add_common(*graph, options->common, false);
  graph->add_option("FILE", options->common.model, "Op graph file")->required();
  graph->add_option("-o,--out", options->package, "Package to write")->required()->type_name("PKG");
  add_set_option(*graph, options->set);
  graph->callback([options, &action] {
    action = [options] {
      options->request = options->common;
      return show(options->common, app::import_graph(*options));
    };
  });
  add_import_tvm(*command, action);
}

}  // namespace detent::cli

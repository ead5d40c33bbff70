// detent emit c: a network as a self-contained firmware directory.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include <detent/detent.h>

#include "app/model/firmware.hpp"
#include "app/model/loaded_model.hpp"
#include "cli/checker.hpp"
#include "cli/command.hpp"
#include "cli/kernel_audit.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "models/emit_c/directory.hpp"
#include "models/emit_c/emit_c.hpp"
#include "models/import/tvm/module/thunks.hpp"
#include "models/prepare/load.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::cli {
namespace {

/// The arena and the weights are static arrays, which the usual code models place within 2 GiB.
constexpr std::uint64_t kMaxStaticBytes = std::uint64_t{1} << 30U;
/// Workers that the arena has room for even when nobody asks: each costs about a kilobyte.
constexpr std::uint32_t kArenaWorkers = 8;
/// Networks up to this size are checked for races before they are written.
constexpr std::uint32_t kMaxCheckedOps = 20'000;

struct EmitCommandOptions {
  Common common;
  app::ModelOptions model;
  std::vector<std::uint32_t> workers;  ///< static schedules to compute
  std::string directory;
  bool force = false;
  AuditOption audit;
};

/// With weights, without compiling the model's own kernels: importing and emitting execute nothing of it.
app::LoadedModel load_uncompiled(const EmitCommandOptions& options) {
  models::Model model = models::load_model(options.common.model);
  models::prepare_model(model, {.split = options.model.split, .npu = false, .weight_seed = 0, .plan = {}});
  models::LoweredModel lowered = models::lower(model);
  return {std::move(model), std::move(lowered), nullptr, {}};
}

/// A Desc with static schedules, and their storage.
struct ScheduledDesc {
  detent_desc desc;
  std::vector<app::StaticLists> lists;
  std::vector<detent_static_schedule> schedules;
};

std::unique_ptr<ScheduledDesc> with_schedules(const app::LoadedModel& loaded,
                                              const std::vector<std::uint32_t>& workers) {
  auto out = std::make_unique<ScheduledDesc>();
  out->desc = loaded.desc();
  const bool any_kernel = !loaded.model.sources.empty();
  for (const std::uint32_t count : workers)
    out->lists.push_back(app::bind_static_lists(loaded.desc(), count, any_kernel));
  if (workers.empty()) static_cast<void>(app::bind_static_lists(loaded.desc(), 1, any_kernel));  // it must bind at all
  for (const app::StaticLists& lists : out->lists) out->schedules.push_back(lists.schedule());
  out->desc.schedules = out->schedules.empty() ? nullptr : out->schedules.data();
  out->desc.schedule_count = static_cast<std::uint32_t>(out->schedules.size());
  return out;
}

/// So that nothing is allocated or written for a network that no firmware can hold.
void require_static_size(const app::LoadedModel& loaded) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < loaded.desc().region_count; ++r) sum += loaded.desc().regions[r].size_bytes;
  if (sum <= kMaxStaticBytes) return;
  throw std::invalid_argument(fmt::format("{}: its regions take {}, more than the {} that static arrays may have",
                                          loaded.model.name, format_bytes(sum), format_bytes(kMaxStaticBytes)));
}

models::EmitOptions emit_options(const app::LoadedModel& loaded, const detent_desc& desc,
                                 const std::vector<std::uint32_t>& workers) {
  models::EmitOptions options;
  options.sources = loaded.model.sources;
  options.compile_flags = loaded.model.compile_flags;
  options.builtin_kernels = app::uses_builtin_kernels(desc);
  options.arena_workers = workers.empty() ? kArenaWorkers : std::max(kArenaWorkers, std::ranges::max(workers));
  options.arena_bytes = app::firmware_arena_bytes(desc, options.arena_workers);
  options.port_bytes = (detent_port_posix_bytes() + 4095) / 4096 * 4096;
  return options;
}

Json files_json(const std::vector<models::EmittedFile>& files) {
  Json out = Json::array();
  for (const models::EmittedFile& file : files) out.push_back({{"path", file.path}, {"bytes", file.text.size()}});
  return out;
}

void print(const EmitCommandOptions& options, const std::vector<models::EmittedFile>& files, std::uint64_t arena_bytes,
           std::uint64_t racing_pairs) {
  std::uint64_t bytes = 0;
  for (const models::EmittedFile& file : files) bytes += file.text.size();
  say(options.common, fmt::format("{}: {} files, {}, in {}; arena {} bytes", options.common.model, files.size(),
                                  format_bytes(bytes), options.directory, arena_bytes));
  if (racing_pairs != 0) {
    say(options.common, fmt::format("warning: {} pairs of ops race on shared bytes; run it with --workers 0 only, and "
                                    "see detent verify {}",
                                    racing_pairs, options.common.model));
  }
}

int emit_c_command(const EmitCommandOptions& options) {
  std::vector<std::uint32_t> workers = options.workers;
  std::ranges::sort(workers);
  workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
  const app::LoadedModel loaded = load_uncompiled(options);
  if (const std::string missing = models::tvm::missing_code(loaded.model); !missing.empty())
    app::refuse_missing_code(options.common.model, missing);
  require_static_size(loaded);
  std::optional<verify::Verdict> audit;
  if (options.audit.applies(loaded)) audit = AuditOption::verdict(loaded, 0);
  if (audit && audit->outcome == verify::Outcome::kViolated) {
    Json answer = json_header("emit", options.common);
    answer["access_audit"] = verdicts_json({*audit}).front();
    write_json(options.common, answer);
    say(options.common, options.common.model + ": nothing written");
    print_verdicts(options.common, {*audit});
    return kViolated;
  }
  const std::unique_ptr<ScheduledDesc> scheduled = with_schedules(loaded, workers);
  const detent_desc& desc = scheduled->desc;
  const models::EmitOptions emit = emit_options(loaded, desc, workers);
  const std::vector<models::EmittedFile> files = models::emit_c(desc, emit);
  std::uint64_t racing_pairs = 0;
  if (desc.op_count <= kMaxCheckedOps) racing_pairs = verify::find_races(desc).races.pairs;
  models::write_directory(options.directory, files, options.force);

  Json answer = json_header("emit", options.common);
  answer["directory"] = options.directory;
  answer["split"] = options.model.split;
  answer["ops"] = desc.op_count;
  answer["arena_bytes"] = emit.arena_bytes;
  answer["static_workers"] = workers;
  if (desc.op_count <= kMaxCheckedOps) answer["racing_pairs"] = racing_pairs;
  answer["files"] = files_json(files);
  if (audit) answer["access_audit"] = verdicts_json({*audit}).front();
  write_json(options.common, answer);
  print(options, files, emit.arena_bytes, racing_pairs);
  if (audit) print_verdicts(options.common, {*audit});
  return audit && audit->outcome == verify::Outcome::kUnknown ? kUnknown : kHolds;
}

}  // namespace

void add_emit(CLI::App& app, Action& action) {
  auto options = std::make_shared<EmitCommandOptions>();
  CLI::App* command = app.add_subcommand("emit", "Write MODEL as sources of a firmware");
  command->require_subcommand(1);
  CLI::App* c = command->add_subcommand("c", "Const C tables, kernels, the runtime and a Makefile");
  add_common(*c, options->common);
  add_model_options(*c, options->model);
  c->add_option("-o,--out", options->directory, "Directory to write; absent or empty")->required()->type_name("DIR");
  c->add_option("--workers", options->workers, "Also static schedules for so many workers: 2, or 2,3,4")
      ->delimiter(',')
      ->check(CLI::Range(1U, DETENT_MAX_WORKERS));
  c->add_flag("--force", options->force, "Write into a directory that is not empty: files of the same names change");
  options->audit.add_to(*c);
  c->callback([options, &action] { action = [options] { return emit_c_command(*options); }; });
}

}  // namespace detent::cli

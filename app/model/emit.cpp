#include "app/model/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <stdexcept>

#include <detent/detent.h>

#include "app/catalogue/catalogue.hpp"
#include "app/model/firmware.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/model/loaded_model.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "models/core/thunks.hpp"
#include "models/emit_c/directory.hpp"
#include "models/emit_c/emit_c.hpp"
#include "models/prepare/load.hpp"
#include "models/zoo/zoo.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::app {
namespace {

/// The arena and the weights are static arrays, which the usual code models place within 2 GiB.
constexpr std::uint64_t kMaxStaticBytes = std::uint64_t{1} << 30U;
/// Workers that the arena has room for even when nobody asks: each costs about a kilobyte.
constexpr std::uint32_t kArenaWorkers = 8;
/// Records of an op in the log of a run: ready, begin, end. And what a run has besides, parking among it.
constexpr std::uint32_t kRecordsPerOp = 3;
constexpr std::uint32_t kOtherRecords = 52;
constexpr std::uint32_t kMostLogRecords = 65'536;
/// Networks up to this size are checked for races before they are written.
constexpr std::uint32_t kMaxCheckedOps = 20'000;

/// With weights, without compiling the model's own kernels: importing and emitting execute nothing of it.
LoadedModel load_uncompiled(const EmitRequest& options) {
  refuse_other_name(options.request.model, "a model");
  models::Model model = models::load_model(options.request.model);
  const bool is_given =
      std::ranges::any_of(model.decisions, [](const Decision& decision) { return decision.tensor == models::kNone; });
  if (is_given) {
    throw std::invalid_argument(options.request.model +
                                ": ops have guards that no tensor decides; remove them from the graph");
  }
  require_unsplit_schedules(options.request.model, model, options.model.split);
  std::string settings = prepare_chosen(options.model, {}, model).settings;
  const AppliedSchedule given = apply_model_files(options.model, model, settings);
  models::LoweredModel lowered = models::lower(model);
  LoadedModel loaded{std::move(model), std::move(lowered), nullptr, {}};
  loaded.settings = std::move(settings);
  loaded.given_workers = given.workers;
  loaded.given_cpu_workers = given.cpu_workers;
  return loaded;
}

/// Numbers of workers that are asked for, ascending; those of a given schedule where none is.
std::vector<std::uint32_t> default_workers_of(const EmitRequest& options, const LoadedModel& loaded) {
  std::vector<std::uint32_t> workers = options.workers;
  if (loaded.given_workers != 0) {
    if (workers.empty()) workers.push_back(loaded.given_workers);
    if (std::ranges::count(workers, loaded.given_workers) == 0) {
      throw std::invalid_argument(
          fmt::format("--schedule {}: it has {}, for which the firmware has no workers; add {} "
                      "to --workers",
                      options.model.schedule, counted(loaded.given_workers, "list"), loaded.given_workers));
    }
  }
  std::ranges::sort(workers);
  workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
  return workers;
}

/// Those, and those of the schedules that the model carries.
std::vector<std::uint32_t> scheduled_workers(const std::vector<std::uint32_t>& wanted, const detent_desc& desc) {
  std::vector<std::uint32_t> workers = wanted;
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) workers.push_back(desc.schedules[i].worker_count);
  std::erase(workers, 0U);
  std::ranges::sort(workers);
  workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
  return workers;
}

/// A Desc with static schedules, and their storage.
struct ScheduledDesc {
  detent_desc desc;
  std::vector<StaticLists> lists;
  std::vector<detent_static_schedule> schedules;
};

std::unique_ptr<ScheduledDesc> with_schedules(const LoadedModel& loaded, const std::vector<std::uint32_t>& workers) {
  auto out = std::make_unique<ScheduledDesc>();
  out->desc = loaded.desc();
  const bool any_kernel = !loaded.model.sources.empty();
  for (const std::uint32_t count : workers) {
    out->lists.push_back(bind_static_lists(loaded.desc(), count, any_kernel));
  }
  if (out->lists.empty()) static_cast<void>(bind_static_lists(loaded.desc(), 1, any_kernel));  // it must bind at all
  for (const StaticLists& lists : out->lists) out->schedules.push_back(lists.schedule());
  out->desc.schedules = out->schedules.empty() ? nullptr : out->schedules.data();
  out->desc.schedule_count = static_cast<std::uint32_t>(out->schedules.size());
  return out;
}

/// So that nothing is allocated or written for a network that no firmware can hold.
void require_static_size(const LoadedModel& loaded) {
  std::uint64_t sum = 0;
  for (std::uint32_t r = 0; r < loaded.desc().region_count; ++r) sum += loaded.desc().regions[r].size_bytes;
  if (sum <= kMaxStaticBytes) return;
  throw std::invalid_argument(fmt::format("{}: its regions take {}, more than the {} that static arrays may have",
                                          loaded.model.name, format_bytes(sum), format_bytes(kMaxStaticBytes)));
}

/// So that a ring holds a whole run on one worker, up to a limit.
std::uint32_t log_records(const detent_desc& desc) {
  const std::uint64_t records = std::uint64_t{desc.op_count} * kRecordsPerOp + kOtherRecords;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::bit_ceil(records), kMostLogRecords));
}

models::EmitOptions emit_options(const LoadedModel& loaded, const detent_desc& desc,
                                 const std::vector<std::uint32_t>& workers) {
  models::EmitOptions options;
  options.sources = loaded.model.sources;
  options.compile_flags = loaded.model.compile_flags;
  options.builtin_kernels = uses_builtin_kernels(desc);
  options.arena_workers = workers.empty() ? kArenaWorkers : std::max(kArenaWorkers, std::ranges::max(workers));
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) {
    options.arena_workers = std::max(options.arena_workers, desc.schedules[i].worker_count);
  }
  options.arena_bytes = firmware_arena_bytes(desc, options.arena_workers);
  if (!workers.empty()) options.default_workers = std::ranges::max(workers);
  options.log_records = log_records(desc);
  options.log_bytes = firmware_arena_bytes(desc, options.arena_workers, options.log_records) - options.arena_bytes;
  options.port_bytes = (detent_port_posix_bytes() + 4095) / 4096 * 4096;
  return options;
}

Json files_json(const std::vector<models::EmittedFile>& files) {
  Json out = Json::array();
  for (const models::EmittedFile& file : files) out.push_back({{"path", file.path}, {"bytes", file.text.size()}});
  return out;
}

Lines lines_of(const EmitRequest& options, const std::vector<models::EmittedFile>& files, std::uint64_t arena_bytes,
               std::uint64_t racing_pairs) {
  Lines lines;
  std::uint64_t bytes = 0;
  for (const models::EmittedFile& file : files) bytes += file.text.size();
  lines.push_back(fmt::format("{}: {}, {}, in {}; arena {} bytes", options.request.model, counted(files.size(), "file"),
                              format_bytes(bytes), options.directory, arena_bytes));
  if (racing_pairs != 0) {
    lines.push_back(
        fmt::format("warning: {} of ops {} on shared bytes; run it with --workers 0 only, and "
                    "see detent verify {}",
                    counted(racing_pairs, "pair"), racing_pairs == 1 ? "races" : "race", options.request.model));
  }
  return lines;
}

}  // namespace

Answer emit_firmware(const EmitRequest& options) {
  const LoadedModel loaded = load_uncompiled(options);
  const std::vector<std::uint32_t> workers = default_workers_of(options, loaded);
  if (const std::string missing = models::missing_code(loaded.model); !missing.empty())
    refuse_missing_code(options.request.model, missing);
  require_static_size(loaded);
  std::optional<verify::Verdict> audit;
  if (!options.no_audit && has_kernels_to_audit(loaded)) audit = kept_audit(loaded, 0);
  if (audit && audit->outcome == verify::Outcome::kViolated) {
    Json answer = json_header("emit", options.request);
    answer["access_audit"] = verdicts_json({*audit}).front();
    Lines lines{options.request.model + ": nothing written"};
    append(lines, verdict_lines({*audit}));
    return {std::move(answer), std::move(lines), verify::Outcome::kViolated};
  }
  const std::vector<std::uint32_t> static_workers = scheduled_workers(workers, loaded.desc());
  const std::unique_ptr<ScheduledDesc> scheduled = with_schedules(loaded, static_workers);
  const detent_desc& desc = scheduled->desc;
  const models::EmitOptions emit = emit_options(loaded, desc, workers);
  const std::vector<models::EmittedFile> files = models::emit_c(desc, emit);
  std::uint64_t racing_pairs = 0;
  if (desc.op_count <= kMaxCheckedOps) racing_pairs = verify::find_races(desc).races.pairs;
  models::write_directory(options.directory, files, options.force);

  Json answer = json_header("emit", options.request);
  answer["directory"] = options.directory;
  answer["split"] = options.model.split;
  if (!loaded.settings.empty()) answer["settings"] = loaded.settings;
  answer["ops"] = desc.op_count;
  answer["arena_bytes"] = emit.arena_bytes;
  answer["default_workers"] = emit.default_workers ? Json(*emit.default_workers) : Json(nullptr);
  answer["static_workers"] = static_workers;
  if (desc.op_count <= kMaxCheckedOps) answer["racing_pairs"] = racing_pairs;
  answer["files"] = files_json(files);
  if (audit) answer["access_audit"] = verdicts_json({*audit}).front();
  Lines lines = lines_of(options, files, emit.arena_bytes, racing_pairs);
  if (!loaded.settings.empty()) lines.push_back(loaded.settings);
  if (audit) append(lines, verdict_lines({*audit}));
  return {std::move(answer), std::move(lines), audit ? audit->outcome : verify::Outcome::kHolds};
}

}  // namespace detent::app

#include "app/runs/log_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "app/catalogue/catalogue.hpp"
#include "app/model/loaded_model.hpp"
#include "app/simulate/trace_files.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "base/wanted_file.hpp"
#include "harness/log_file.hpp"
#include "reports/view/memory_map.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMaxLogBytes = std::uint64_t{1} << 32U;
constexpr std::size_t kRecordsShown = 10'000;

/// Tables with the names of the ops and nothing else: what traces show of a model that is not here.
class NamesDesc {
 public:
  explicit NamesDesc(const harness::LogFile& log) : ops_(log.ops.size()) {
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      ops_[op].id = op;
      ops_[op].name = log.ops[op].empty() ? nullptr : log.ops[op].c_str();
      ops_[op].commute_group = DETENT_NONE;
    }
    desc_.name = log.model.c_str();
    desc_.ops = ops_.data();
    desc_.op_count = static_cast<std::uint32_t>(ops_.size());
    for (const std::string& name : log.classes) classes_.push_back({name.c_str(), DETENT_CLASS_WORKERS});
    for (const harness::LogRing& ring : log.rings) {
      for (const detent_log_record& record : ring.records) {
        if (record.event != DETENT_EVENT_OP_BEGIN) continue;
        ops_[record.op].core_class = static_cast<std::uint32_t>(record.value);
      }
    }
    desc_.classes = classes_.data();
    desc_.class_count = static_cast<std::uint32_t>(classes_.size());
  }
  NamesDesc(const NamesDesc&) = delete;
  NamesDesc& operator=(const NamesDesc&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }

 private:
  std::vector<detent_op> ops_;
  std::vector<detent_class> classes_;
  detent_desc desc_{};
};

struct RingRecord {
  std::uint32_t ring = 0;
  const detent_log_record* record = nullptr;
};

/// The records of a run by time; of equal times those of the lower ring first.
std::vector<RingRecord> records_of(const harness::LogFile& log, std::uint32_t run) {
  std::vector<RingRecord> records;
  for (const harness::LogRing& ring : log.rings) {
    for (const detent_log_record& record : ring.records) {
      if (record.run == run) records.push_back({ring.number, &record});
    }
  }
  std::ranges::stable_sort(records, {}, [](const RingRecord& entry) { return entry.record->time_ps; });
  return records;
}

/// Of an op's begin: the class of the back end that executes it; "" of other records.
std::string class_of(const harness::LogFile& log, const detent_log_record& record) {
  return record.event == DETENT_EVENT_OP_BEGIN ? log.classes.at(static_cast<std::size_t>(record.value)) : "";
}

Json records_json(const harness::LogFile& log, const std::vector<RingRecord>& records) {
  Json list = Json::array();
  for (const auto& [ring, record] : records) {
    Json entry{{"time_ps", record->time_ps},
               {"ring", ring},
               {"sequence", record->sequence},
               {"event", harness::event_name(static_cast<detent_event>(record->event))}};
    if (record->op != DETENT_NONE) entry["op"] = record->op;
    entry["value"] = record->value;
    if (std::string name = class_of(log, *record); !name.empty()) entry["class"] = std::move(name);
    list.push_back(std::move(entry));
  }
  return list;
}

/// The model of --of, whose ops are those of the log.
LoadedModel model_of(const LogRequest& options, const harness::LogFile& log) {
  ModelOptions model;
  model.weights = false;
  LoadedModel loaded = load(options.of_model, model);
  const detent_desc& desc = loaded.desc();
  const auto same_name = [&](std::size_t op) {
    return log.ops[op].empty() || (desc.ops[op].name != nullptr && log.ops[op] == desc.ops[op].name);
  };
  bool is_same = desc.op_count == log.ops.size();
  for (std::size_t op = 0; is_same && op < log.ops.size(); ++op) is_same = same_name(op);
  if (is_same) return loaded;
  throw std::invalid_argument(
      fmt::format("--of {}: its ops are not those of {}; name the model that was run", options.of_model, log.model));
}

/// When the bytes of each tensor had their last user, by time; what is read after the run is left out.
std::vector<reports::MemoryBlock> freed_blocks(const detent_desc& desc, const reports::TimelineRun& run) {
  std::vector<reports::MemoryBlock> blocks = reports::map_memory(&desc, &run, SIZE_MAX).blocks;
  std::erase_if(blocks, [&](const reports::MemoryBlock& block) {
    return std::find(desc.outputs, desc.outputs + desc.output_count, block.tensor) != desc.outputs + desc.output_count;
  });
  std::ranges::stable_sort(blocks, {}, [](const reports::MemoryBlock& block) { return block.end; });
  return blocks;
}

void add_freed(const detent_desc& desc, const reports::TimelineRun& run, Answer& answer) {
  Json list = Json::array();
  answer.lines.push_back(fmt::format("{:>12} {:>12}  {:<16} {}", "free from", "bytes", "region+offset", "tensor"));
  for (const reports::MemoryBlock& block : freed_blocks(desc, run)) {
    const char* const region = desc.regions[block.region].name;
    const char* const tensor = desc.tensors[block.tensor].name;
    list.push_back({{"time_ps", block.end},
                    {"tensor", block.tensor},
                    {"name", tensor},
                    {"region", region},
                    {"offset", block.offset_bytes},
                    {"bytes", block.size_bytes}});
    if (list.size() > kRecordsShown) continue;
    answer.lines.push_back(fmt::format("{:>12} {:>12}  {:<16} {}", format_time(block.end), block.size_bytes,
                                       fmt::format("{}+{}", region, block.offset_bytes), tensor));
  }
  answer.json["freed"] = std::move(list);
}

Lines record_lines(const harness::LogFile& log, const std::vector<RingRecord>& records) {
  Lines lines{fmt::format("{:>12} {:>5}  {:<18} {:>7}  {}", "time", "ring", "event", "value", "op")};
  const std::uint64_t begin_ps = records.empty() ? 0 : records.front().record->time_ps;
  for (const auto& [ring, record] : records) {
    if (lines.size() > kRecordsShown) break;
    std::string line = fmt::format("{:>12} {:>5}  {:<18} {:>7}", format_time(record->time_ps - begin_ps), ring,
                                   harness::event_name(static_cast<detent_event>(record->event)), record->value);
    if (record->op < log.ops.size()) line += fmt::format("  {} {}", record->op, log.ops[record->op]);
    if (const std::string name = class_of(log, *record); !name.empty()) line += " on " + name;
    lines.push_back(std::move(line));
  }
  if (records.size() > kRecordsShown) {
    lines.push_back(fmt::format("and {} more; --json FILE lists all", records.size() - kRecordsShown));
  }
  return lines;
}

std::uint32_t run_to_tell(const LogRequest& options, const std::vector<std::uint32_t>& runs) {
  if (runs.empty()) throw std::invalid_argument(options.request.model + ": has no run; write the log after one");
  if (!options.run) return runs.back();
  if (std::ranges::binary_search(runs, *options.run)) return *options.run;
  throw std::invalid_argument(
      fmt::format("--run {}: the log has the runs {} to {}; choose one", *options.run, runs.front(), runs.back()));
}

reports::TimelineRun timeline_of(std::uint32_t run, harness::LoggedRun logged) {
  return {.title = fmt::format("run {} of the log", run),
          .lanes = {},
          .trace = std::move(logged.trace),
          .makespan_ps = logged.makespan_ps,
          .is_native = true};
}

void write_traces_of(const LogRequest& options, const harness::LogFile& log, const detent_desc* desc,
                     reports::TimelineRun timeline) {
  if (options.directory.empty()) return;
  const NamesDesc names(log);
  reports::ReportData data;
  data.model = log.model;
  data.version = kVersion;
  data.desc = desc != nullptr ? desc : &names.desc();
  data.timelines.push_back(std::move(timeline));
  make_output_directory(options.directory);
  write_trace_files(options.directory, data);
}

}  // namespace

Answer answer_log(const LogRequest& options) {
  const std::string& path = options.request.model;
  static const WantedFile kLog = {"a log of runs",
                                  {FileKind::kLog, FileKind::kBinary},
                                  "write one with detent run MODEL --log FILE or a firmware's --log"};
  refuse_other_name(path, kLog.text);
  const harness::LogFile log = harness::parse_log(read_wanted_file(path, kMaxLogBytes, kLog), path);
  const std::vector<std::uint32_t> runs = harness::runs_of(log);
  const std::uint32_t run = run_to_tell(options, runs);
  harness::LoggedRun logged = harness::logged_run(log, run);
  const std::vector<RingRecord> records = records_of(log, run);

  Answer answer{.json = json_header("log", options.request)};
  answer.json["model"] = log.model;
  answer.json["file"] = path;
  answer.json["workers"] = log.workers;
  answer.json["runs"] = runs;
  answer.json["run"] = run;
  answer.json["status"] = detent_status_name(logged.status);
  answer.json["whole"] = logged.is_whole;
  answer.json["dropped"] = logged.trace.dropped;
  answer.json["makespan_ps"] = logged.makespan_ps;
  answer.json["ops"] = logged.trace.spans.size();
  answer.json["records"] = records_json(log, records);
  answer.lines.push_back(fmt::format("{}: run {} ({} in the log), {} of {} on {}, {}, {}", log.model, run,
                                     counted(runs.size(), "run"), logged.trace.spans.size(),
                                     counted(log.ops.size(), "op"), counted(log.workers, "worker"),
                                     detent_status_name(logged.status), format_time(logged.makespan_ps)));
  append(answer.lines, record_lines(log, records));
  if (!logged.is_whole) {
    answer.lines.push_back(
        fmt::format("UNKNOWN: records are missing, {} dropped; give the log more room", logged.trace.dropped));
    answer.outcome = verify::Outcome::kUnknown;
  }
  reports::TimelineRun timeline = timeline_of(run, std::move(logged));
  std::optional<LoadedModel> model;
  if (!options.of_model.empty()) {
    model.emplace(model_of(options, log));
    add_freed(model->desc(), timeline, answer);
  }
  write_traces_of(options, log, model ? &model->desc() : nullptr, std::move(timeline));
  return answer;
}

}  // namespace detent::app

// Trace files of runs: Perfetto, BTF and VCD.
#include "app/simulate/trace_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <future>
#include <stdexcept>

#include "app/version.hpp"
#include "base/io.hpp"
#include "reports/json/machine_json.hpp"
#include "reports/view/machine_view.hpp"
#include "sim/systemc/machine_vcd.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kMaxVcdEvents = 500'000;

std::vector<std::string> tags_of(const harness::Run& run) {
  std::vector<std::string> tags;
  if (run.digest != 0) tags.push_back("digest " + harness::format_digest(run.digest));
  return tags;
}

void add_run(const std::string& title, const harness::Run& run, const sim::SimResult& result,
             reports::ReportData& data) {
  data.timelines.push_back({title, result.slot_names, run.trace, run.makespan_ps, run.machine, tags_of(run)});
}

std::string vcd_of(const reports::ReportData& data) {
  sim::VcdOptions options;
  options.comment = "model " + data.model;
  if (!data.platform.empty()) options.comment += ", platform " + data.platform;
  if (data.timelines.empty()) return sim::vcd_trace({}, options);
  const reports::TimelineRun& run = data.timelines.front();
  options.comment += ", " + run.title;
  options.end_ps = run.makespan_ps;
  options.max_events = kMaxVcdEvents;
  return sim::vcd_trace(reports::machine_of(data.desc, run), options);
}

/// As many as take about kBtfBytes if their names are as long as those of the model's ops. The writer reckons with the
/// most records that a use of a core can take, which is four times what most take.
std::size_t btf_events(const reports::ReportData& data) {
  constexpr std::size_t kBtfBytes = 8'900'000, kBytesBesideNames = 44;
  if (data.desc == nullptr || data.desc->op_count == 0) return reports::kMaxTraceEvents;
  std::size_t names = 0;
  for (OpId op = 0; op < data.desc->op_count; ++op) {
    names += data.desc->ops[op].name == nullptr ? 0 : std::strlen(data.desc->ops[op].name);
  }
  return std::min(reports::kMaxTraceEvents, 4 * kBtfBytes / (kBytesBesideNames + names / data.desc->op_count));
}

}  // namespace

void make_output_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw std::invalid_argument(directory + ": cannot create: " + error.message() + "; choose another --out");
}

void add_simulated_timelines(const sim::SimResult& result, reports::ReportData& data) {
  if (result.failure) return;
  // A seed does not repeat a run of the search: its replay line does.
  const std::string which =
      result.is_longest_found ? std::string("by the search") : fmt::format("seed {}", result.worst_seed);
  add_run("longest simulated run seen (" + which + ")", result.worst, result, data);
  data.timelines.back().tags.insert(data.timelines.back().tags.begin(), which);
  add_run("typical simulated run (median)", result.typical, result, data);
}

void write_trace_files(const std::string& directory, const reports::ReportData& data) {
  // SystemC writes the VCD, on the one thread on which it runs.
  std::future<std::string> perfetto = std::async(std::launch::async, [&] { return reports::perfetto_trace(data); });
  std::future<std::string> btf =
      std::async(std::launch::async, [&] { return reports::btf_trace(data, btf_events(data)); });
  const std::string vcd = vcd_of(data);
  write_file_atomically(directory + "/trace.pftrace", perfetto.get());
  write_file_atomically(directory + "/trace.btf", btf.get());
  write_file_atomically(directory + "/trace.vcd", vcd);
}

void write_simulation_traces(const std::string& directory, const Request& request, const detent_desc& desc,
                             const sim::Platform& platform, const sim::SimResult& result) {
  if (directory.empty()) return;
  reports::ReportData data;
  data.model = request.model;
  data.platform = platform.name;
  data.version = kVersion;
  data.seed = request.seeds.schedule;
  data.desc = &desc;
  data.dram_bytes_per_s = platform.dram_bytes_per_s;
  add_simulated_timelines(result, data);
  make_output_directory(directory);
  write_trace_files(directory, data);
}

void add_machine_account(const sim::SimResult& result, Json& answer) {
  reports::add_machine_json(result.worst.machine, result.worst.makespan_ps, answer);
}

}  // namespace detent::app

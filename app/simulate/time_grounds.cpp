// Desc + platform + cost table -> ops by the source of their time, each with what it rests on.
#include "app/simulate/time_grounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/simulate/jitter_text.hpp"
#include "app/simulate/simulation.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "reports/text/report_text.hpp"
#include "sim/cost/cost.hpp"

namespace detent::app {
namespace {

using sim::TimeSource;

const char* name_of(TimeSource source) {
  switch (source) {
    case TimeSource::kGiven:
      return "given";
    case TimeSource::kMeasured:
      return "measured";
    case TimeSource::kArray:
    case TimeSource::kRoofline:
      return "modelled";
    case TimeSource::kGuessedRate:
    case TimeSource::kNone:
      return "assumed";
  }
  return "assumed";
}

/// Of measured times where, if the table says so.
std::string class_name(TimeSource source, const sim::CostTable* costs) {
  if (source != TimeSource::kMeasured || costs == nullptr) return name_of(source);
  switch (costs->measured) {
    case sim::CostTable::Measured::kUnsaid:
      break;
    case sim::CostTable::Measured::kHere:
      return "measured here";
    case sim::CostTable::Measured::kOnTarget:
      return "measured on target";
    case sim::CostTable::Measured::kByVendor:
      return "vendor's profile";
  }
  return name_of(source);
}

struct Tally {
  std::uint64_t ops = 0, worst_ps = 0;
};

std::string join(const std::vector<std::string>& parts, const char* separator) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : separator) + part;
  return out;
}

/// What a report says of ops, by the source of their time.
class GroundList {
 public:
  GroundList(const LoadedModel& loaded, const sim::Platform& platform) : loaded_(loaded), platform_(platform) {}

  void count(OpId op, const sim::OpWork& work) {
    const detent_desc& desc = loaded_.desc();
    Tally& tally = tallies_[static_cast<std::size_t>(work.source)];
    ++tally.ops;
    const std::uint64_t room = UINT64_MAX - tally.worst_ps;
    tally.worst_ps += std::min(room, work.time.worst_ps);
    if (work.source == TimeSource::kGuessedRate) guessed_.insert(desc.classes[desc.ops[op].core_class].name);
  }

  /// Of one op: the number, the row or the model that its time is from.
  [[nodiscard]] std::string reason_of(OpId op, TimeSource source) const {
    const std::string name = loaded_.desc().classes[loaded_.desc().ops[op].core_class].name;
    switch (source) {
      case TimeSource::kGiven:
        return "the model states it";
      case TimeSource::kMeasured:
        return measured_why();
      case TimeSource::kArray:
        return "mapped onto the array of " + name + " of " + platform_.name;
      case TimeSource::kRoofline:
        return "work and bytes over rates of " + name + " of " + platform_.name;
      case TimeSource::kGuessedRate:
        return name + ".efficiency of " + platform_.name + " is a guess, not measured";
      case TimeSource::kNone:
        break;
    }
    return "no time and no work are known";
  }

  /// Of another class than that which a cost table measures?
  [[nodiscard]] bool guesses_beyond_cpus() const {
    return std::ranges::any_of(guessed_, [&](const std::string& name) { return name != platform_.classes[0].name; });
  }

  [[nodiscard]] std::vector<reports::TimeGround> list() const {
    std::vector<reports::TimeGround> out;
    add({{TimeSource::kGiven, "the model states them"}}, out);
    add({{TimeSource::kMeasured, measured_why()}}, out);
    add({{TimeSource::kArray, "mapped onto the array of the NPU, layer by layer"},
         {TimeSource::kRoofline, "work and bytes over rates whose sources " + platform_.name + " names"}},
        out);
    add({{TimeSource::kGuessedRate, guessed_why()}, {TimeSource::kNone, "no time and no work are known: 0 ps"}}, out);
    return out;
  }

 private:
  [[nodiscard]] const Tally& of(TimeSource source) const { return tallies_[static_cast<std::size_t>(source)]; }

  /// Sources that have one name.
  void add(const std::vector<std::pair<TimeSource, std::string>>& sources,
           std::vector<reports::TimeGround>& out) const {
    const std::string name = name_of(sources.front().first);
    reports::TimeGround ground{.source = name, .is_assumed = name == "assumed"};
    std::vector<std::string> whys;
    const auto used = std::ranges::count_if(sources, [&](const auto& source) { return of(source.first).ops > 0; });
    for (const auto& [source, why] : sources) {
      const Tally& tally = of(source);
      if (tally.ops == 0) continue;
      ground.ops += tally.ops;
      ground.worst_ps += std::min(UINT64_MAX - ground.worst_ps, tally.worst_ps);
      whys.push_back(used > 1 ? fmt::format("{}: {}", counted(tally.ops, "op"), why) : why);
    }
    ground.why = join(whys, "; ");
    if (ground.ops > 0) out.push_back(std::move(ground));
  }

  [[nodiscard]] std::string measured_why() const {
    if (!loaded_.costs) return "";
    std::string why = loaded_.costs->use_cold ? "the longest run with cold caches" : "the longest run seen";
    if (!loaded_.costs->source.empty()) why += " on " + loaded_.costs->source;
    return why;
  }

  /// Which share of the peak is a guess.
  [[nodiscard]] std::string guessed_why() const {
    std::vector<std::string> keys;
    for (const std::string& name : guessed_) keys.push_back(name + ".efficiency");
    return fmt::format("{} of {} {}", join(keys, " and "), platform_.name,
                       keys.size() == 1 ? "is a guess, not measured" : "are guesses, not measured");
  }

  const LoadedModel& loaded_;
  const sim::Platform& platform_;
  std::array<Tally, 6> tallies_{};
  std::set<std::string> guessed_;
};

/// Classes of times, each once: they follow from source and core class.
class ClassList {
 public:
  template <typename Make>
  std::uint32_t index_of(std::pair<TimeSource, std::uint32_t> key, Make make) {
    const auto [place, is_new] = known_.try_emplace(key, static_cast<std::uint32_t>(list_.size()));
    if (is_new) list_.push_back(make());
    return place->second;
  }
  [[nodiscard]] const std::vector<reports::TimeClass>& list() const { return list_; }

 private:
  std::map<std::pair<TimeSource, std::uint32_t>, std::uint32_t> known_;
  std::vector<reports::TimeClass> list_;
};

/// Op graphs have no kernels that could be measured: their ops are all of the kernel that stands for any.
std::string remedy_of(const LoadedModel& loaded, const std::string& model) {
  const detent_desc& desc = loaded.desc();
  bool has_kernels = false;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const bool is_delay = (desc.ops[op].flags & DETENT_OP_DELAY) != 0;
    has_kernels = has_kernels || (!is_delay && std::string_view(desc.kernels[desc.ops[op].kernel]) != "mix");
  }
  if (!has_kernels) return "write \"time_ps\": [BEST, WORST] beside each op of " + model;
  const std::string split = loaded.split > 1 ? fmt::format(" --split {}", loaded.split) : "";
  return fmt::format("detent calibrate {}{}{} -o costs.toml, then --costs costs.toml", model, split,
                     loaded.winograd ? " --winograd" : "");
}

/// An op that does not run under the outcomes of the run: that it takes no time is no guess.
bool is_absent(const LoadedModel& loaded, OpId op) {
  if (!loaded.whole || op >= loaded.model.ops.size() || loaded.whole->model.ops[op].guards.empty()) return false;
  return loaded.model.ops[op].time_ps == std::pair<std::uint64_t, std::uint64_t>{0, 0};
}

}  // namespace

reports::TimeGrounds time_grounds(const LoadedModel& loaded, const sim::Platform& platform, const std::string& jitter,
                                  const std::string& model) {
  const detent_desc& desc = loaded.desc();
  const sim::Jitter draws = parse_jitter(jitter);
  const std::vector<sim::OpWork> work = sim::op_work(desc, platform, draws, loaded.costs.get());
  GroundList list(loaded, platform);
  reports::TimeGrounds out;
  ClassList classes;
  for (OpId op = 0; op < desc.op_count; ++op) {
    out.worst_ps.push_back(work[op].time.worst_ps);
    const TimeSource source = is_absent(loaded, op) ? TimeSource::kGiven : work[op].source;
    out.sources.emplace_back(name_of(source));
    out.class_of.push_back(classes.index_of({source, desc.ops[op].core_class}, [&] {
      return reports::TimeClass{class_name(source, loaded.costs.get()), list.reason_of(op, source)};
    }));
    if ((desc.ops[op].flags & DETENT_OP_DELAY) == 0 && !is_absent(loaded, op)) list.count(op, work[op]);
  }
  out.classes = classes.list();
  out.grounds = list.list();
  out.jitter = jitter;
  const auto is_worst = [](const auto& rule) { return rule.kind == sim::Jitter::Kind::kWorst; };
  out.draws_worst_only = is_worst(draws) && std::ranges::all_of(draws.rules, is_worst);
  out.unused_rows = loaded.unused_costs;
  if (!out.unused_rows.empty()) {
    const bool is_gpu =
        std::ranges::find(platform.classes, accelerator_of(platform), &sim::CoreClass::name)->gpu.has_value();
    out.unused_why = platform.name + " places these ops on its " + (is_gpu ? "GPU" : "NPU") +
                     ", and their rows were measured on a CPU; --no-npu keeps the ops on CPUs";
  }
  if (out.are_assumed()) out.remedy = remedy_of(loaded, model);
  if (out.are_assumed() && list.guesses_beyond_cpus()) out.remedy += "; for other cores a --platform FILE with sources";
  return out;
}

Lines ground_lines(const reports::TimeGrounds& times) {
  Lines lines;
  if (times.are_assumed()) {
    lines.push_back(fmt::format("op times are {}ASSUMED: {}", times.grounds.size() > 1 ? "partly " : "",
                                reports::grounds_text(times)));
    lines.push_back("  firmer: " + times.remedy);
  }
  if (const std::string unused = reports::unused_rows_text(times); !unused.empty()) lines.push_back(unused);
  return lines;
}

}  // namespace detent::app

// VCD: a machine trace -> steps for SystemC's tracing, and its text with times of the run instead of SystemC's.
#include "sim/systemc/machine_vcd.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/systemc/tracer.hpp"

namespace detent::sim {
namespace {

constexpr std::uint64_t kLargestVcdTime = INT64_MAX;  // viewers count signed 64-bit numbers
constexpr int kStateBits = 3;

int bits_for(std::uint64_t value) { return std::max(1, static_cast<int>(std::bit_width(value))); }

/// A change at a time, in the order in which it takes effect.
struct DatedChange {
  std::uint64_t time_ps = 0;
  std::uint64_t order = 0;
  TracedChange change;
};

/// Names that SystemC leaves as they are and viewers can search for.
class SignalNames {
 public:
  std::string unique(std::string_view text) {
    std::string name;
    for (const char c : text.substr(0, 80)) {
      const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      name += is_kept ? c : '_';
    }
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(name.begin(), '_');
    std::string candidate = name;
    for (int n = 2; !taken_.insert(candidate).second; ++n) candidate = name + "_" + std::to_string(n);
    return candidate;
  }

 private:
  std::set<std::string> taken_;
};

std::uint64_t state_of(harness::UseKind kind) {
  switch (kind) {
    case harness::UseKind::kOp:
      return 1;
    case harness::UseKind::kOverhead:
      return 2;
    case harness::UseKind::kLoad:
      return 3;
    case harness::UseKind::kTransfer:
      return 4;
  }
  return 0;
}

/// Signals of a machine and every change of them.
class VcdPlan {
 public:
  VcdPlan(const harness::MachineTrace& machine, const VcdOptions& options)
      : machine_(machine), end_ps_(options.end_ps) {
    add_signal(names_.unique("run"), 1);
    add(0, 0, 1);
    add_parts();
    add_counters();
    add(end_ps_, 0, 0);
    std::sort(changes_.begin(), changes_.end(), [](const DatedChange& a, const DatedChange& b) {
      return std::tie(a.time_ps, a.order) < std::tie(b.time_ps, b.order);
    });
    cut(std::max<std::uint64_t>(options.max_events, signals.size() + 1));
    collect();
  }

  std::vector<TracedSignal> signals;
  std::vector<TracedChange> changes;
  std::vector<TracedStep> steps;
  std::vector<std::uint64_t> times_ps;          ///< of the steps
  std::optional<std::uint64_t> truncated_ps{};  ///< from this time on nothing but the end of the run is shown

 private:
  struct PartSignals {
    std::uint32_t state = 0, op = 0, load = DETENT_NONE;
  };

  std::uint32_t add_signal(const std::string& name, int width) {
    signals.push_back({name, width});
    return static_cast<std::uint32_t>(signals.size() - 1);
  }
  void add(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value, bool has_value = true) {
    changes_.push_back({time_ps, changes_.size(), {signal, value, has_value}});
  }

  void add_parts() {
    std::uint32_t largest_op = 0;
    std::set<std::uint32_t> loaded;
    for (const harness::Use& use : machine_.uses) {
      if (use.op != DETENT_NONE) largest_op = std::max<std::uint32_t>(largest_op, use.op);
      if (use.kind == harness::UseKind::kLoad) loaded.insert(use.resource);
    }
    std::vector<PartSignals> parts;
    for (std::uint32_t i = 0; i < machine_.resources.size(); ++i) {
      parts.emplace_back();
      if (machine_.resources[i].kind == harness::ResourceKind::kDram) continue;
      const std::string name = names_.unique(machine_.resources[i].name);
      parts[i].state = add_signal(name + ".state", kStateBits);
      parts[i].op = add_signal(name + ".op", bits_for(largest_op));
      if (loaded.contains(i)) parts[i].load = add_signal(name + ".load", bits_for(machine_.loads.size()));
      set_idle(parts[i], 0);
    }
    for (const harness::Use& use : machine_.uses) {
      const bool exists = use.resource < parts.size() && parts[use.resource].state != 0;
      if (exists && use.begin_ps < use.end_ps && use.begin_ps < end_ps_) add_use(parts[use.resource], use);
    }
  }

  void set_idle(const PartSignals& part, std::uint64_t time_ps) {
    add(time_ps, part.state, 0);
    add(time_ps, part.op, 0, false);
    if (part.load != DETENT_NONE) add(time_ps, part.load, 0, false);
  }

  void add_use(const PartSignals& part, const harness::Use& use) {
    add(use.begin_ps, part.state, state_of(use.kind));
    if (use.op != DETENT_NONE) add(use.begin_ps, part.op, use.op);
    if (use.kind == harness::UseKind::kLoad && use.load != DETENT_NONE) {
      add(use.begin_ps, part.load, std::min<std::uint64_t>(use.load, machine_.loads.size()));
    }
    // Ends of an instant come before its begins, whatever the order of the uses.
    changes_.reserve(changes_.size() + 3);
    const std::size_t first = changes_.size();
    set_idle(part, std::min(use.end_ps, end_ps_));
    for (std::size_t i = first; i < changes_.size(); ++i) changes_[i].order = 0;
  }

  void add_counters() {
    std::vector<std::uint64_t> highest(machine_.counters.size(), 0);
    for (const harness::Sample& sample : machine_.samples) {
      if (sample.counter < highest.size()) highest[sample.counter] = std::max(highest[sample.counter], sample.value);
    }
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < highest.size(); ++i) {
      ids.push_back(add_signal(names_.unique(machine_.counters[i].name), bits_for(highest[i])));
    }
    for (const harness::Sample& sample : machine_.samples) {
      if (sample.counter < ids.size() && sample.time_ps <= end_ps_) {
        add(sample.time_ps, ids[sample.counter], sample.value);
      }
    }
  }

  /// Whole instants are dropped from the first that does not fit; then the run ends.
  void cut(std::uint64_t max_events) {
    if (changes_.size() <= max_events) return;
    std::size_t keep = max_events - 1;
    while (keep > 0 && changes_[keep - 1].time_ps == changes_[keep].time_ps) --keep;
    truncated_ps = changes_[keep].time_ps;
    const DatedChange end = changes_.back();
    changes_.resize(keep);
    if (keep == 0) changes_.push_back({0, 0, {0, 1, true}});  // the run begins, whatever fits
    for (std::uint32_t signal = 1; signal < signals.size(); ++signal) {
      changes_.push_back({*truncated_ps, 0, {signal, 0, false}});
    }
    changes_.push_back({std::max(end.time_ps, *truncated_ps), 0, {0, 0, true}});
  }

  void collect() {
    for (const DatedChange& dated : changes_) {
      if (times_ps.empty() || times_ps.back() != dated.time_ps) {
        times_ps.push_back(dated.time_ps);
        steps.push_back({changes.size(), changes.size()});
      }
      changes.push_back(dated.change);
      steps.back().end = changes.size();
    }
  }

  const harness::MachineTrace& machine_;
  std::uint64_t end_ps_;
  SignalNames names_;
  std::vector<DatedChange> changes_;
};

std::string comment_line(std::string_view text) {
  std::string line = "$comment ";
  for (const char c : text.substr(0, 2000)) line += c >= ' ' && c <= '~' && c != '$' ? c : '_';
  return line + " $end\n";
}

/// What stands before SystemC's declarations, instead of the date, the build of SystemC, and its unit of time.
std::string own_header(const VcdPlan& plan, const VcdOptions& options, bool is_ns) {
  std::string out = "$version detent, by the tracing of SystemC $end\n";
  out += comment_line(options.comment);
  out += "$comment state: 0 idle, 1 op, 2 overhead, 3 load, 4 transfer $end\n";
  if (plan.truncated_ps) {
    out += comment_line("truncated: from " + std::to_string(*plan.truncated_ps) + " ps on only the end is shown");
  }
  return out + (is_ns ? "$timescale 1 ns $end\n" : "$timescale 1 ps $end\n");
}

/// The codes that SystemC gives to signals, as shorter ones: letters, as many as are needed.
class ShortCodes {
 public:
  std::string_view of(std::string_view code) {
    const auto known = codes_.find(code);
    if (known != codes_.end()) return known->second;
    return codes_.emplace(std::string(code), code_of(codes_.size())).first->second;
  }

 private:
  static std::string code_of(std::size_t number) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string code(1, kLetters[number % kLetters.size()]);
    while ((number /= kLetters.size()) > 0) code += kLetters[--number % kLetters.size()];
    return code;
  }

  std::map<std::string, std::string, std::less<>> codes_;
};

/// "$var wire    3  aaaab  state [2:0]  $end" with a short code.
void append_declaration(std::string_view line, ShortCodes& codes, std::string& out) {
  constexpr std::string_view kBlanks = " ";
  std::size_t at = 0;
  for (int word = 0; word < 3; ++word) at = line.find_first_not_of(kBlanks, line.find_first_of(kBlanks, at));
  const std::size_t end = std::min(line.size(), line.find_first_of(kBlanks, at));
  out += line.substr(0, at);
  out += codes.of(line.substr(at, end - at));
  out += line.substr(end);
}

/// "1aaaaa" or "b101 aaaab" with a short code. A reader extends z to the left, so one stands for all. SystemC writes Z,
/// which the standard allows; vcd2fst of GTKWave 3.3.118 loses it in signals of one bit.
void append_change(std::string_view line, ShortCodes& codes, std::string& out) {
  const bool is_vector = line.front() == 'b';
  const std::size_t begin = is_vector ? 1 : 0;
  const std::size_t end = is_vector ? std::min(line.size(), line.find(' ')) : 1;
  const std::string_view bits = line.substr(begin, end - begin);
  if (is_vector) out += 'b';
  if (bits.find_first_not_of("zZ") == std::string_view::npos) {
    out += 'z';
  } else {
    out += bits;
  }
  if (is_vector) out += ' ';
  out += codes.of(line.substr(std::min(line.size(), end + begin)));
}

/// SystemC's text with our header, and the time of each step where SystemC's clock stood.
std::string with_own_times(const TracedText& traced, const VcdPlan& plan, const VcdOptions& options) {
  const std::uint64_t unit_ps = plan.times_ps.back() > kLargestVcdTime ? 1000 : 1;
  std::string out = own_header(plan, options, unit_ps != 1);
  std::string_view text = traced.vcd;
  text.remove_prefix(std::min(text.size(), text.find("$scope")));
  out.reserve(out.size() + text.size());
  ShortCodes codes;
  bool is_defined = false;  // past $enddefinitions, where SystemC says when it began
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) continue;
    if (line.starts_with("$enddefinitions")) {
      is_defined = true;
      (out += line) += "\n#0\n";
      text.remove_prefix(std::min(text.size(), text.find("$dumpvars")));
    } else if (is_defined && line.front() == '#') {
      std::uint64_t step = 0;
      std::from_chars(line.data() + 1, line.data() + line.size(), step);
      step -= traced.begin_ps;
      if (step < plan.times_ps.size()) out += "#" + std::to_string(plan.times_ps[step] / unit_ps) + "\n";
    } else {
      if (line.starts_with("$var")) {
        append_declaration(line, codes, out);
      } else if (is_defined && line.front() != '$') {
        append_change(line, codes, out);
      } else {
        out += line;
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace

std::string vcd_trace(const harness::MachineTrace& machine, const VcdOptions& options) {
  const VcdPlan plan(machine, options);
  return with_own_times(trace_by_systemc(plan.signals, plan.changes, plan.steps), plan, options);
}

}  // namespace detent::sim

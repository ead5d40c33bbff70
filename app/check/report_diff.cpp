// Two detent.check/1 answers -> detent.report_diff/1 and a line per difference.
#include "app/check/report_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include "app/catalogue/catalogue.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "base/wanted_file.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kNamedOps = 5;

/// The worse, the higher.
int severity(const std::string& outcome) { return outcome == "holds" ? 0 : outcome == "violated" ? 2 : 1; }

/// Outcome by property; what was not checked is unknown.
std::map<std::string, std::string> outcomes_of(const Json& answer) {
  std::map<std::string, std::string> outcomes;
  for (const Json& verdict : answer.at("verdicts")) {
    outcomes[verdict.at("property").get<std::string>()] = verdict.at("outcome").get<std::string>();
  }
  return outcomes;
}

std::string change_of(std::uint64_t before, std::uint64_t after) {
  if (before == 0) return "";
  const double share = (static_cast<double>(after) / static_cast<double>(before) - 1) * 100;
  return fmt::format(" ({:+.1f} %)", share);
}

/// What is known of an op, whichever ops stand beside it.
struct KnownOp {
  std::string kernel, core_class, source;
  std::uint64_t worst_ps = 0;
};

/// Ops by name, ops of one name by "name (op 7)"; none where the answer has no list.
std::optional<std::map<std::string, KnownOp>> ops_of(const Json& answer) {
  const Json list = answer.value("op_list", Json(nullptr));
  if (list.is_null()) return std::nullopt;
  std::map<std::string, KnownOp> ops;
  for (const Json& op : list) {
    std::string name = op.at("name").get<std::string>();
    if (ops.contains(name)) name += fmt::format(" (op {})", op.at("op").get<std::uint64_t>());
    const Json& worst = op.at("worst_ps");
    ops[name] = {op.at("kernel").get<std::string>(), op.at("class").get<std::string>(),
                 op.at("source").get<std::string>(), worst.is_null() ? 0 : worst.get<std::uint64_t>()};
  }
  return ops;
}

class Comparison {
 public:
  Comparison(const CheckedReport& before, const CheckedReport& after) : before_(before.answer), after_(after.answer) {
    json_ = {{"schema", "detent.report_diff/1"},
             {"detent_version", kVersion},
             {"before", identity(before)},
             {"after", identity(after)}};
    lines_.push_back("before  " + describe(before));
    lines_.push_back("after   " + describe(after));
  }

  Answer compare() {
    compare_verdicts();
    compare_answers();
    compare_bounds();
    compare_times();
    compare_sources();
    compare_digests();
    compare_ops();
    json_["same"] = !differs_;
    json_["worse"] = worse_ != 0;
    if (!differs_) lines_.emplace_back("no difference in verdicts, answers, bounds, times, digests or ops");
    if (worse_ != 0) lines_.push_back(counted(worse_, "verdict") + " got worse");
    return {std::move(json_), std::move(lines_), worse_ != 0 ? verify::Outcome::kViolated : verify::Outcome::kHolds};
  }

 private:
  static Json identity(const CheckedReport& report) {
    const Json& answer = report.answer;
    return {{"place", report.place},
            {"model", answer.at("model")},
            {"platform", answer.at("platform")},
            {"seed", answer.at("seed")},
            {"detent_version", answer.at("detent_version")}};
  }
  static std::string describe(const CheckedReport& report) {
    const Json& answer = report.answer;
    return fmt::format("{}: {} on {}, seed {}, detent {}", report.place, answer.at("model").get<std::string>(),
                       answer.at("platform").get<std::string>(), answer.at("seed").get<std::uint64_t>(),
                       answer.at("detent_version").get<std::string>());
  }

  void say(const char* kind, const std::string& text) {
    differs_ = true;
    lines_.push_back(fmt::format("  {:<8}{}", kind, text));
  }

  void compare_verdicts() {
    json_["verdicts"] = Json::array();
    std::map<std::string, std::string> before = outcomes_of(before_);
    std::map<std::string, std::string> after = outcomes_of(after_);
    std::set<std::string> properties;
    for (const auto* const outcomes : {&before, &after}) {
      for (const auto& [property, outcome] : *outcomes) properties.insert(property);
    }
    for (const std::string& property : properties) {
      const std::string was = before.contains(property) ? before[property] : "not checked";
      const std::string is = after.contains(property) ? after[property] : "not checked";
      if (was == is) continue;
      const int change = severity(is) - severity(was);
      const char* const word = change > 0 ? "worse" : change < 0 ? "better" : "alike";
      worse_ += change > 0 ? 1U : 0U;
      json_["verdicts"].push_back({{"property", property}, {"before", was}, {"after", is}, {"change", word}});
      say("verdict", fmt::format("{}: {} -> {}{}", property, was, is,
                                 change > 0   ? "  WORSE"
                                 : change < 0 ? "  better"
                                              : ""));
    }
  }

  void compare_answers() {
    json_["answers"] = Json::array();
    std::map<std::string, std::string> before;
    for (const Json& answer : before_.value("answers", Json::array())) {
      before[answer.at("question").get<std::string>()] = answer.at("answer").get<std::string>();
    }
    for (const Json& answer : after_.value("answers", Json::array())) {
      const std::string question = answer.at("question").get<std::string>();
      const std::string is = answer.at("answer").get<std::string>();
      if (!before.contains(question) || before[question] == is) continue;
      json_["answers"].push_back({{"question", question}, {"before", before[question]}, {"after", is}});
      say("answer", fmt::format("{} {} -> {}", question, before[question], is));
    }
  }

  /// One figure in picoseconds that may be on one side only.
  void compare_time(const char* kind, const std::string& name, const Json& was, const Json& is, Json& list) {
    if (was == is) return;
    list.push_back({{"name", name}, {"before", was}, {"after", is}});
    const auto text = [](const Json& value) {
      return value.is_null() ? std::string("none") : format_time(value.get<std::uint64_t>());
    };
    const bool both = !was.is_null() && !is.is_null();
    const std::string change = both ? change_of(was.get<std::uint64_t>(), is.get<std::uint64_t>()) : "";
    say(kind, fmt::format("{}: {} -> {}{}", name, text(was), text(is), change));
  }

  void compare_bounds() {
    Json list = Json::array();
    std::map<std::string, std::pair<Json, Json>> bounds;
    for (const Json& method : before_.at("methods")) {
      bounds[method.at("name").get<std::string>()].first = method.at("bound_ps");
    }
    for (const Json& method : after_.at("methods")) {
      bounds[method.at("name").get<std::string>()].second = method.at("bound_ps");
    }
    for (const auto& [name, values] : bounds) compare_time("bound", name, values.first, values.second, list);
    json_["bounds"] = std::move(list);
  }

  void compare_times() {
    Json list = Json::array();
    const Json none = Json::object();
    const auto makespan_of = [&](const Json& answer) {
      const Json& makespan = answer.at("simulated").at("makespan_ps");
      return makespan.is_null() ? none : makespan;
    };
    const Json before = makespan_of(before_);
    const Json after = makespan_of(after_);
    for (const auto& [key, name] : {std::pair("min", "shortest run seen"), std::pair("median", "median run"),
                                    std::pair("p99", "p99 run"), std::pair("max", "longest run seen")}) {
      compare_time("time", name, before.value(key, Json(nullptr)), after.value(key, Json(nullptr)), list);
    }
    json_["times"] = std::move(list);
  }

  static std::string sources_of(const Json& answer) {
    const Json times = answer.value("op_times", Json(nullptr));
    if (times.is_null()) return "not known";
    std::string text;
    for (const Json& source : times.at("sources")) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", source.at("ops").get<std::uint64_t>(),
                          source.at("source").get<std::string>());
    }
    return text;
  }

  void compare_text(const char* kind, const char* name, const std::string& was, const std::string& is, Json& list) {
    if (was == is) return;
    list.push_back({{"name", name}, {"before", was}, {"after", is}});
    say(kind, fmt::format("{}: {} -> {}", name, was.empty() ? "none" : was, is.empty() ? "none" : is));
  }

  void compare_sources() {
    Json list = Json::array();
    compare_text("times", "op times", sources_of(before_), sources_of(after_), list);
    json_["op_times"] = std::move(list);
  }

  void compare_digests() {
    Json list = Json::array();
    for (const char* const key : {"serial_digest", "digest"}) {
      compare_text("digest", key == std::string("digest") ? "parallel run" : "serial run",
                   before_.at("native").at(key).get<std::string>(), after_.at("native").at(key).get<std::string>(),
                   list);
    }
    json_["digests"] = std::move(list);
  }

  void say_ops(const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::string text = fmt::format("{} {}: ", names.size(), what);
    for (std::size_t i = 0; i < std::min(names.size(), kNamedOps); ++i) text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kNamedOps) text += fmt::format(" and {} more", names.size() - kNamedOps);
    say("ops", text);
  }

  void compare_ops() {
    const auto count_before = before_.at("ops").get<std::uint64_t>();
    const auto count_after = after_.at("ops").get<std::uint64_t>();
    Json ops = {{"before", count_before}, {"after", count_after}};
    if (count_before != count_after) say("ops", fmt::format("{} -> {}", count_before, count_after));
    const auto before = ops_of(before_);
    const auto after = ops_of(after_);
    if (before && after) {
      compare_lists(*before, *after, ops);
    } else {
      ops["note"] = "a report without a list of ops: only their number was compared";
    }
    json_["ops"] = std::move(ops);
  }

  void compare_lists(const std::map<std::string, KnownOp>& before, const std::map<std::string, KnownOp>& after,
                     Json& ops) {
    std::vector<std::string> added, removed;
    for (const auto& [name, op] : after) {
      if (!before.contains(name)) added.push_back(name);
    }
    for (const auto& [name, op] : before) {
      if (!after.contains(name)) removed.push_back(name);
    }
    say_ops("added", added);
    say_ops("removed", removed);
    Json changed = Json::array();
    std::vector<std::string> slower, moved;
    for (const auto& [name, was] : before) {
      const auto at = after.find(name);
      if (at == after.end()) continue;
      const KnownOp& is = at->second;
      Json entry = {{"name", name}};
      const auto note = [&](const char* key, const auto& a, const auto& b) {
        if (a != b) entry[key] = {{"before", a}, {"after", b}};
      };
      note("kernel", was.kernel, is.kernel);
      note("class", was.core_class, is.core_class);
      note("source", was.source, is.source);
      note("worst_ps", was.worst_ps, is.worst_ps);
      if (entry.size() == 1) continue;
      if (entry.contains("worst_ps")) {
        slower.push_back(fmt::format("{} {} -> {}", name, format_time(was.worst_ps), format_time(is.worst_ps)));
      }
      if (entry.size() > (entry.contains("worst_ps") ? 2U : 1U)) moved.push_back(name);
      changed.push_back(std::move(entry));
    }
    say_ops("with another worst time", slower);
    say_ops("with another kernel, class of cores or source of their time", moved);
    ops["added"] = added;
    ops["removed"] = removed;
    ops["changed"] = std::move(changed);
  }

  const Json& before_;
  const Json& after_;
  Json json_;
  Lines lines_;
  bool differs_ = false;
  std::uint64_t worse_ = 0;
};

}  // namespace

CheckedReport read_checked_report(const std::string& place) {
  std::error_code error;
  const bool is_directory = std::filesystem::is_directory(place, error);
  const std::string path = is_directory ? place + "/report.json" : place;
  static const WantedFile kFinished = {"a finished check",
                                       {FileKind::kCheckAnswer, FileKind::kAnswer, FileKind::kJson},
                                       "give the folder that detent check MODEL --out DIR wrote"};
  if (!std::filesystem::exists(path, error)) {
    refuse_other_name(place, kFinished.text);
    const FileKind kind = kind_at(place);
    if (kind == FileKind::kCampaignFolder || kind == FileKind::kTvmFolder) refuse_kind(place, kind, kFinished);
    const std::string near = is_directory ? "" : near_file(place);
    throw std::invalid_argument(place + (is_directory ? ": holds no report.json" : ": there is no such folder") +
                                (near.empty() ? "; " + kFinished.advice : near));
  }
  CheckedReport report{place, parse_answer(path, read_wanted_file(path, kMaxAnswerBytes, kFinished))};
  const Json& answer = report.answer;
  const bool is_check = answer.is_object() && answer.contains("schema") && answer["schema"] == "detent.check/1";
  if (!is_check) throw std::invalid_argument(path + ": is not a detent.check/1 answer; run detent check again");
  return report;
}

Answer compare_reports(const CheckedReport& before, const CheckedReport& after) {
  return Comparison(before, after).compare();
}

}  // namespace detent::app

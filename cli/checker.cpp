// Static laws and how their verdicts are shown.
#include "cli/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <detent/detent.h>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"

namespace detent::cli {
namespace {

constexpr std::size_t kWitnessesShown = 5;

verify::Verdict not_checked(const char* property) {
  return {.property = property,
          .outcome = verify::Outcome::kUnknown,
          .summary = "not checked: the structure or the memory plan is violated",
          .witnesses = {}};
}

/// A plan that only some schedules break is executed, so that its races can be shown.
bool is_bound_by_runtime(const detent_desc& desc) {
  std::vector<std::uint64_t> work(detent_check_bytes(&desc) / sizeof(std::uint64_t) + 1);
  return detent_check(&desc, work.data(), work.size() * sizeof(std::uint64_t), nullptr) == DETENT_OK;
}

}  // namespace

StaticAnswer check_static_laws(const detent_desc& desc) {
  StaticAnswer answer;
  answer.verdicts.push_back(verify::check_structure(desc));
  answer.verdicts.push_back(verify::check_memory_plan(desc));
  const bool is_sound = std::ranges::all_of(
      answer.verdicts, [](const verify::Verdict& v) { return v.outcome == verify::Outcome::kHolds; });
  answer.is_executable =
      is_sound || (answer.verdicts.front().outcome == verify::Outcome::kHolds && is_bound_by_runtime(desc));
  if (!answer.is_executable) {
    answer.verdicts.push_back(not_checked("buffer_races"));
    return answer;
  }
  answer.races = verify::find_races(desc);
  answer.verdicts.push_back(verify::judge_races(desc, *answer.races));
  return answer;
}

void add_ground(std::vector<verify::Verdict>& verdicts, const std::string& ground, const verify::Verdict* audit) {
  if (ground.empty()) return;
  const bool is_wrong = audit != nullptr && audit->outcome == verify::Outcome::kViolated;
  for (verify::Verdict& verdict : verdicts) {
    const bool rests_on_it = verdict.property == "buffer_races" || verdict.property == "buffer_races_smt" ||
                             (is_wrong && verdict.property == "determinism");
    if (!rests_on_it) continue;
    verdict.summary += "; " + ground;
    if (is_wrong && verdict.outcome == verify::Outcome::kHolds) verdict.outcome = verify::Outcome::kUnknown;
  }
}

Json races_json(const detent_desc& desc, const std::vector<verify::Race>& races) {
  Json list = Json::array();
  for (const verify::Race& race : races) {
    list.push_back({{"op_a", race.op_a},
                    {"op_b", race.op_b},
                    {"kind", verify::hazard_name(race.kind)},
                    {"region", desc.regions[race.region].name},
                    {"offset", race.offset_bytes},
                    {"size", race.size_bytes},
                    {"name_a", app::op_name(desc, race.op_a)},
                    {"name_b", app::op_name(desc, race.op_b)},
                    {"tensor_a", desc.tensors[race.tensor_a].name},
                    {"tensor_b", desc.tensors[race.tensor_b].name}});
  }
  return list;
}

Json verdicts_json(const std::vector<verify::Verdict>& verdicts) {
  Json list = Json::array();
  for (const verify::Verdict& verdict : verdicts) {
    Json witnesses = Json::array();
    for (const verify::Witness& witness : verdict.witnesses) {
      witnesses.push_back({{"text", witness.text}, {"ops", witness.ops}, {"schedule", witness.schedule}});
    }
    list.push_back({{"property", verdict.property},
                    {"outcome", verify::outcome_name(verdict.outcome)},
                    {"summary", verdict.summary},
                    {"witness", witnesses.empty() ? Json(nullptr) : witnesses.front()},
                    {"witnesses", witnesses}});
  }
  return list;
}

int exit_code(const std::vector<verify::Verdict>& verdicts) {
  const auto has = [&](verify::Outcome outcome) {
    return std::ranges::any_of(verdicts, [&](const verify::Verdict& v) { return v.outcome == outcome; });
  };
  return has(verify::Outcome::kViolated) ? kViolated : has(verify::Outcome::kUnknown) ? kUnknown : kHolds;
}

void print_verdicts(const Common& common, const std::vector<verify::Verdict>& verdicts) {
  std::size_t width = 14;
  for (const verify::Verdict& verdict : verdicts) width = std::max(width, verdict.property.size() + 1);
  for (const verify::Verdict& verdict : verdicts) {
    say(common,
        fmt::format("{:<{}}{:<10}{}", verdict.property, width, verify::outcome_name(verdict.outcome), verdict.summary));
    const std::size_t shown = std::min(verdict.witnesses.size(), kWitnessesShown);
    for (std::size_t i = 0; i < shown; ++i) say(common, "    " + verdict.witnesses[i].text);
    if (verdict.witnesses.size() > shown) {
      say(common, fmt::format("    and {} more; --json FILE lists them", verdict.witnesses.size() - shown));
    }
  }
}

}  // namespace detent::cli

// The static laws, as verify and check both ask them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "app/answer/answer.hpp"
#include "models/core/model.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Answers that need no run.
struct StaticAnswer {
  std::vector<verify::Verdict> verdicts;        ///< structure, memory_plan, buffer_races, value_flow
  std::optional<verify::RaceReport> races;      ///< none when the graph is broken
  std::optional<verify::ValueFlowReport> flow;  ///< as races; none when it could not be found out
  /// Structure and memory plan hold, or the runtime takes the model all the same; it takes none whose ops read what a
  /// failed op has left.
  bool is_executable = false;
};

/// @throws std::invalid_argument  "MODEL: what is broken": its structure is violated
void require_structure(const std::string& model, const detent_desc& desc);

/// @param values  of bare byte ranges, and guards; null: none
StaticAnswer check_static_laws(const detent_desc& desc, const ValueTables* values = nullptr,
                               const OnStep& on_step = {});
/// Names a step, where somebody wants to know.
inline void begin_step(const OnStep& on_step, const char* step) {
  if (on_step) on_step(step);
}

/// Say beside the verdicts about races what footprints of imported C rest on (footprint_ground); "" says nothing. Where
/// the audit is violated, what was proved of the declared bytes is not known of the real ones.
/// @param audit  null: none was made
void add_ground(std::vector<verify::Verdict>& verdicts, const std::string& ground, const verify::Verdict* audit);

/// Say beside the verdicts that rest on the bytes of all ops, where they hold, what they hold under: `assumes`, a
/// clause.
void add_assumed_bytes(std::vector<verify::Verdict>& verdicts, const std::string& assumes);

/// Take the green from determinism, of all schedules and of those that ran: only an audit knows that functions compute
/// what they write from what they read.
/// @param why  no audit holds: "detent check audits them"
void add_unaudited_functions(std::vector<verify::Verdict>& verdicts, const std::string& why);

/// Take the green from verdicts that rest on the bytes of all ops, where some op may touch others than it declares:
/// what holds becomes unknown, and the first such ops are named.
void add_unknown_footprints(std::vector<verify::Verdict>& verdicts, const models::Model& model);
/// Does any op of the model touch bytes that nobody knows?
bool has_unknown_footprint(const models::Model& model);

/// {reader, value, writer, in_the_way, region, offset, size, always, schedule, ...} per violation; -1 where there is no
/// op.
Json violations_json(const detent_desc& desc, const std::vector<verify::ValueViolation>& violations);

/// null: not counted.
Json count_json(const std::optional<std::uint64_t>& count);

/// {op_a, op_b, kind, region, offset, size, ...} per race, names beside the ids.
Json races_json(const detent_desc& desc, const std::vector<verify::Race>& races);

}  // namespace detent::app

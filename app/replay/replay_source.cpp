#include "app/replay/replay_source.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "app/answer/answer.hpp"
#include "app/catalogue/catalogue.hpp"
#include "app/replay/failure_identity.hpp"
#include "base/wanted_file.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kLineFamily = "detent-replay/";
constexpr std::string_view kFileFamily = "detent-failure/";

}  // namespace

ReplaySource read_replay_source(const std::string& source) {
  static const WantedFile kReplayable = {
      "a run to replay",
      {FileKind::kReplay, FileKind::kCheckAnswer, FileKind::kAnswer, FileKind::kJson, FileKind::kText},
      "give a replay line, an answer of run, simulate, check or explore, or a file of detent explore --failure"};
  if (source.starts_with(kLineFamily)) return {parse_replay_line(source)};
  std::error_code error;
  if (source.find("model=") != std::string::npos && !std::filesystem::exists(source, error)) {
    throw std::invalid_argument("replay line: its beginning is missing; write 'detent-replay/1 " + source + "'");
  }
  if (std::filesystem::is_regular_file(source + "/report.json", error))
    return read_replay_source(source + "/report.json");
  refuse_other_name(source, kReplayable.text);
  const std::string text = read_wanted_file(source, kMaxAnswerBytes, kReplayable);
  if (text.starts_with(kLineFamily)) return {parse_replay_line(text)};
  if (text.empty() || text.starts_with(kFileFamily)) {
    FailureRecord record = parse_failure(source, text);
    ReplayLine line = runnable_line(record);
    return {std::move(line), std::move(record)};
  }
  const std::optional<std::string> line = replay_line_of(source, text);
  if (!line) {
    throw std::invalid_argument(
        source +
        ": is not a detent-failure/1 file and has no \"replay\" line; answers of run, simulate, "
        "check and explore have one");
  }
  return {parse_replay_line(*line)};
}

ReplayLine line_for(const ReplaySource& source, const std::string& model, const std::string& on) {
  ReplayLine line = source.line;
  const std::optional<FailureRecord>& record = source.record;
  if (!model.empty()) line.model = model;
  if (on.empty()) return line;
  if (is_of_threads(line) && on != "explore") {
    throw std::invalid_argument("--on " + on +
                                ": choices are steps of the engine's own threads, which only the explorer orders; "
                                "leave --on out");
  }
  line.on = on;
  if (line.on == "explore" && line.engine.order.empty() && record) line.engine.order = record->schedule;
  return line;
}

std::vector<std::string> compare_identity(const std::string& source, const std::string& model_name, bool force,
                                          const FailureRecord& record, const LoadedModel& loaded) {
  std::vector<std::string> warnings;
  const std::string model = desc_hash(loaded.desc());
  if (model != record.model_hash) {
    const std::string what =
        fmt::format("{}: was recorded with model_hash {}, and {} has {}", source, record.model_hash, model_name, model);
    if (!force) {
      throw std::invalid_argument(what + "; give the same model (--model), or --force to try it with this one");
    }
    warnings.push_back(what);
  }
  if (engine_hash() != record.engine_hash) {
    warnings.push_back(
        fmt::format("{}: was recorded with engine {} (detent {}), and this program has {}; a "
                    "difference may be the engine's",
                    source, record.engine_hash, record.program_version, engine_hash()));
  }
  return warnings;
}

}  // namespace detent::app

#include "app/replay/replay.hpp"

#include "app/replay/replay_source.hpp"

namespace detent::app {

Replayed replay(const ReplayRequest& wanted) {
  const ReplaySource source = read_replay_source(wanted.source);
  const ReplayLine line = line_for(source, wanted.model, wanted.on);
  const sim::Platform platform = line.on == "sim" ? platform_of(line) : sim::Platform{};
  const LoadedModel loaded = load_for(line, platform);
  Replayed made;
  if (source.record) {
    made.warnings = compare_identity(wanted.source, line.model, wanted.force, *source.record, loaded);
  }
  const ReplayOutcome first = replay_in_world(line, loaded, platform, wanted.world);
  const ReplayOutcome second = replay_in_world(line, loaded, platform, wanted.world);
  std::string finding = difference_to(line, first);
  if (finding.empty() && first != second) finding = "two replays differ: the run does not depend on its line alone";

  Request request = wanted.request;
  request.model = line.model;
  Answer& answer = made.answer;
  answer.json = replay_answer(request, line, first);
  answer.json["same"] = finding.empty();
  if (!finding.empty()) answer.json["difference"] = finding;
  if (!made.warnings.empty()) answer.json["warnings"] = made.warnings;
  answer.lines = replay_outcome_lines(line, first);
  if (!finding.empty()) {
    answer.lines.push_back("VIOLATED: " + finding);
    answer.outcome = verify::Outcome::kViolated;
  }
  return made;
}

}  // namespace detent::app

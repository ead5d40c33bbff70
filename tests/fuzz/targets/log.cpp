// Log files: the records are those of the file, and every run of them becomes a trace.
#include "harness/log_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void log_target(std::string_view input) {
  harness::LogFile log;
  if (!accepts([&] { log = harness::parse_log(input, kInputName); })) return;
  std::size_t bytes = 0;
  for (const harness::LogRing& ring : log.rings) bytes += 16 + ring.records.size() * sizeof(detent_log_record);
  require(bytes + 32 <= input.size(), "nothing that the file does not hold");
  std::size_t traced = 0;
  for (const std::uint32_t run : harness::runs_of(log)) {
    if (++traced > 8) break;  // each takes time that grows with the whole log
    const harness::LoggedRun logged = harness::logged_run(log, run);
    require(logged.trace.spans.size() <= log.ops.size(), "a span per op at most");
    for (const harness::Span& span : logged.trace.spans) {
      require(span.begin_ps <= span.end_ps && span.end_ps <= logged.makespan_ps, "spans lie within the run");
    }
  }
}

}  // namespace detent::fuzz

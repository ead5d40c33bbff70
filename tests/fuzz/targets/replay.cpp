// Replay lines: what is read is written, read again and written to the same line.
#include "app/replay/replay_line.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void replay_target(std::string_view input) {
  const std::string text(input);
  require(app::unescape_word(app::escape_word(text)) == text, "what is escaped comes back");
  app::ReplayLine line;
  if (!accepts([&] { line = app::parse_replay_line(text); }, "")) return;
  const std::string once = app::format_replay_line(line);
  require(once.find('\n') == std::string::npos, "a line is one line");
  require(app::format_replay_line(app::parse_replay_line(once)) == once, "a line that was written reads alike");
}

}  // namespace detent::fuzz

// Replay lines: what is read is written, read again and written to the same line.
#include "cli/replay_line.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void replay_target(std::string_view input) {
  const std::string text(input);
  require(cli::unescape_word(cli::escape_word(text)) == text, "what is escaped comes back");
  cli::ReplayLine line;
  if (!accepts([&] { line = cli::parse_replay_line(text); }, "")) return;
  const std::string once = cli::format_replay_line(line);
  require(once.find('\n') == std::string::npos, "a line is one line");
  require(cli::format_replay_line(cli::parse_replay_line(once)) == once, "a line that was written reads alike");
}

}  // namespace detent::fuzz

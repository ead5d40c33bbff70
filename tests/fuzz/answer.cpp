// Answers that commands read back: detent report and detent replay of a file that somebody wrote.
#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "cli/screen.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void answer_target(std::string_view input) {
  accepts([&] { static_cast<void>(cli::replay_line_of(kInputName, input)); });
  cli::Json answer;
  if (!accepts([&] { answer = cli::parse_answer(kInputName, input); })) return;
  try {
    static_cast<void>(cli::format_screen(answer, "directory"));
    static_cast<void>(cli::screen_exit_code(answer));
  } catch (const cli::Json::exception&) {  // which detent report turns into a refusal
  }
}

}  // namespace detent::fuzz

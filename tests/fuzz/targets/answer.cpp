// Answers that commands read back: detent report and detent replay of a file that somebody wrote.
#include "app/answer/answer.hpp"

#include "app/check/check_summary.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void answer_target(std::string_view input) {
  accepts([&] { static_cast<void>(app::replay_line_of(kInputName, input)); });
  app::Json answer;
  if (!accepts([&] { answer = app::parse_answer(kInputName, input); })) return;
  try {
    static_cast<void>(app::format_summary(answer, "directory"));
    static_cast<void>(app::summary_outcome(answer));
  } catch (const app::Json::exception&) {  // which detent report turns into a refusal
  }
}

}  // namespace detent::fuzz

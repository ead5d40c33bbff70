// The identity in a campaign file's header, which becomes a command line: no word of it names an output.
#include "app/simulate/campaign_identity.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void identity_target(std::string_view input) {
  const std::string text(input);
  std::vector<std::string> words;
  if (!accepts([&] { words = app::identity_arguments(kInputName, text); })) return;
  for (const std::string& word : words) {
    for (const char* output : {"--json", "--out", "--campaign", "-o"}) {
      require(word != output && !word.starts_with(std::string(output) + "="), "no word names an output");
    }
  }
  accepts([&] {
    static_cast<void>(
        app::identity_differences(kInputName, text, R"({"schema": "detent.campaign/1", "options": {"--runs": "1"}})"));
  });
}

}  // namespace detent::fuzz

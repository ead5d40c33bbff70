// --jitter: what is read is written, read again and written to the same text.
#include "app/model/schedule_options.hpp"
#include "app/simulate/jitter_text.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void jitter_target(std::string_view input) {
  sim::Jitter jitter;
  if (!accepts([&] { jitter = app::parse_jitter(std::string(input)); }, "--jitter")) return;
  for (const sim::Jitter::Rule& rule : jitter.rules) {
    require(rule.spread >= 0 && rule.spread <= 10 && rule.shape >= 0 && rule.shape <= 20, "a rule lies in its limits");
  }
  require(jitter.spread >= 0 && jitter.spread <= 10 && jitter.core_correlation <= 1, "and so does the default");
  const std::string text = app::jitter_name(jitter);
  require(app::jitter_name(app::parse_jitter(text)) == text, "a text that was written reads alike");
}

}  // namespace detent::fuzz

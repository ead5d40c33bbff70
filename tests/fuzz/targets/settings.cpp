// Settings of ops: what is accepted has rows that set something, patterns that match without going on for ever, and
// transfers that read the same once written.
#include "app/settings/op_settings.hpp"
#include "base/words/pattern.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void settings_target(std::string_view input) {
  app::OpSettings settings;
  if (!accepts([&] { settings = app::parse_op_settings(input, kInputName); })) return;
  require(
      !settings.ops.empty() || !settings.fallbacks.empty() || !settings.memories.empty() || !settings.transfers.empty(),
      "some row");
  for (const app::FallbackRule& rule : settings.fallbacks) {
    require(rule.from != rule.to && rule.slower >= 0 && rule.slower <= 1e6, "two classes, and a factor that is one");
  }
  for (const app::MemoryRule& rule : settings.memories) {
    require(!rule.core_class.empty() && !rule.copied_by.empty() && rule.align_bytes != 0,
            "a class, who copies, and an alignment");
  }
  for (const app::OpSetting& row : settings.ops) {
    require(row.priority || row.core_class || row.workers, "each row sets something");
    require(row.pattern.find('*') != std::string::npos || matches(row.pattern, row.pattern), "a name is itself");
    require(matches(row.pattern + "*", row.pattern) || row.pattern.find_first_of("*?") != std::string::npos,
            "a star stands for nothing, too");
  }
  if (settings.transfers.empty()) return;
  const std::string again = "schema = \"detent.set/1\"\n" + app::format_transfers(settings.transfers);
  require(app::parse_op_settings(again, kInputName).transfers == settings.transfers, "transfers read the same again");
}

}  // namespace detent::fuzz

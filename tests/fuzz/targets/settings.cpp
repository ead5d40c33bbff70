// Settings of ops: what is accepted has rows that set something, and patterns that match without going on for ever.
#include "app/settings/op_settings.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void settings_target(std::string_view input) {
  std::vector<app::OpSetting> rows;
  if (!accepts([&] { rows = app::parse_op_settings(input, kInputName); })) return;
  require(!rows.empty(), "some row");
  for (const app::OpSetting& row : rows) {
    require(row.priority || row.core_class, "each row sets something");
    require(row.pattern.find('*') != std::string::npos || app::matches(row.pattern, row.pattern), "a name is itself");
    require(app::matches(row.pattern + "*", row.pattern) || row.pattern.find_first_of("*?") != std::string::npos,
            "a star stands for nothing, too");
  }
}

}  // namespace detent::fuzz

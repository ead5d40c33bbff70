// Requirements: what is accepted has rows that rest on known properties, and no state before there are verdicts.
#include "app/bundle/requirements.hpp"

#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void requirements_target(std::string_view input) {
  std::vector<app::BundledRequirement> rows;
  if (!accepts([&] { rows = app::parse_requirements(input, kInputName); })) return;
  require(!rows.empty(), "some row");
  for (const app::BundledRequirement& row : rows) {
    require(!row.properties.empty() && row.properties.size() <= verify::all_properties().size(), "known properties");
    require(app::state_of(row.properties, {}) == "unknown", "no verdict satisfies nothing");
  }
}

}  // namespace detent::fuzz

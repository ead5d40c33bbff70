// Tables of measured times: what is read is written, read again and written to the same bytes.
#include "sim/cost/cost_table.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void costs_target(std::string_view input) {
  sim::CostTable table;
  if (!accepts([&] { table = sim::parse_costs(input, kInputName); })) return;
  const std::string text = sim::format_costs(table);
  require(sim::format_costs(sim::parse_costs(text, "again")) == text, "a table that was written reads alike");
}

}  // namespace detent::fuzz

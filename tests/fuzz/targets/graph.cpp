// Op graph files and tables of ops: what is read is written, read again and written to the same bytes.
#include "models/files/graph_file.hpp"
#include "models/files/op_table.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void graph_target(std::string_view input) {
  models::Model model;
  const bool is_table = accepts([&] { model = models::parse_op_table(input, kInputName); });
  if (is_table) require(models::op_table_lines(input).size() == model.ops.size(), "each op of a table has its line");
  if (!is_table && !accepts([&] { model = models::parse_graph(std::string(input), kInputName); })) return;
  const std::string text = models::format_graph(model);
  require(models::format_graph(models::parse_graph(text, "again")) == text, "a graph that was written reads alike");
}

}  // namespace detent::fuzz

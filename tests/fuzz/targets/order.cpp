// Order files: a permutation of the ops, or a refusal.
#include <algorithm>
#include <array>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {

void order_target(std::string_view input) {
  constexpr std::array<const char*, 4> kNames = {"stem", "left", "7", "join#1"};
  std::array<detent_op, kNames.size()> ops{};
  for (std::size_t i = 0; i < ops.size(); ++i) ops[i].name = kNames[i];
  detent_desc desc{};
  desc.ops = ops.data();
  desc.op_count = static_cast<std::uint32_t>(ops.size());
  std::vector<std::uint32_t> order;
  if (!accepts([&] { order = app::parse_order(input, kInputName, desc); })) return;
  std::string text;
  for (const std::uint32_t op : order) text += std::to_string(op) + "\n";
  require(app::parse_order(text, "again", desc) == order, "an order that was written reads alike");
  std::sort(order.begin(), order.end());
  require(order == std::vector<std::uint32_t>({0, 1, 2, 3}), "every op once");
}

}  // namespace detent::fuzz

#include "verify/smt/solver/serial_order.hpp"

#include <functional>
#include <queue>
#include <stdexcept>

#include "base/ids.hpp"

namespace detent::verify::smt {

std::span<const std::uint32_t> row_of(const detent_slice& slice, std::span<const std::uint32_t> table,
                                      std::uint32_t limit) {
  const bool fits = slice.first <= table.size() && slice.count <= table.size() - slice.first;
  if (!fits) throw std::invalid_argument("a list lies outside its table; repair the tables");
  const std::span<const std::uint32_t> row = table.subspan(slice.first, slice.count);
  for (const std::uint32_t id : row) {
    if (id >= limit) throw std::invalid_argument("a list names what does not exist; repair the tables");
  }
  return row;
}

std::vector<std::uint32_t> serial_order(const detent_desc& desc) {
  const std::span<const std::uint32_t> table{desc.successors, desc.successor_count};
  std::vector<std::uint32_t> waits(desc.op_count, 0);
  for (OpId op = 0; op < desc.op_count; ++op) {
    for (const std::uint32_t next : row_of(desc.ops[op].successors, table, desc.op_count)) ++waits[next];
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (waits[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::uint32_t next : row_of(desc.ops[order.back()].successors, table, desc.op_count)) {
      if (--waits[next] == 0) ready.push(next);
    }
  }
  return order;
}

}  // namespace detent::verify::smt

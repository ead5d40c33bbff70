// A memory plan for a sample: tensors may share bytes only where the graph orders all their users.
#include "tests/reports/samples/plan.hpp"

#include <algorithm>

namespace detent::reports::samples {
namespace {

using Ids = std::vector<std::uint32_t>;

/// reach[a][b]: a path leads from a to b. Ids are a topological order in every sample.
std::vector<std::vector<bool>> closure_of(const Tables& tables) {
  const std::size_t count = tables.successors.size();
  std::vector<std::vector<bool>> reach(count, std::vector<bool>(count, false));
  for (std::size_t op = count; op-- > 0;) {
    for (const std::uint32_t to : tables.successors[op]) {
      reach[op][to] = true;
      for (std::size_t b = 0; b < count; ++b) reach[op][b] = reach[op][b] || reach[to][b];
    }
  }
  return reach;
}

Ids users_of(const Tables& tables, std::uint32_t tensor) {
  Ids users;
  for (std::uint32_t op = 0; op < tables.reads.size(); ++op) {
    const auto names = [&](const Ids& list) { return std::find(list.begin(), list.end(), tensor) != list.end(); };
    if (names(tables.reads[op]) || names(tables.writes[op])) users.push_back(op);
  }
  return users;
}

}  // namespace

std::uint64_t plan_region(Tables& tables, std::uint32_t region, bool by_id_order) {
  const auto reach = closure_of(tables);
  std::vector<Ids> users;
  Ids order;
  for (std::uint32_t t = 0; t < tables.tensors.size(); ++t) {
    users.push_back(users_of(tables, t));
    if (tables.tensors[t].region == region) order.push_back(t);
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::all_of(users[a].begin(), users[a].end(), [&](std::uint32_t x) {
      return std::all_of(users[b].begin(), users[b].end(),
                         [&](std::uint32_t y) { return by_id_order ? x < y : static_cast<bool>(reach[x][y]); });
    });
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tables.tensors[a].size_bytes > tables.tensors[b].size_bytes;
  });
  Ids placed;
  std::uint64_t height = 0;
  for (const std::uint32_t t : order) {
    detent_tensor& tensor = tables.tensors[t];
    std::stable_sort(placed.begin(), placed.end(), [&](std::uint32_t a, std::uint32_t b) {
      return tables.tensors[a].offset_bytes < tables.tensors[b].offset_bytes;
    });
    std::uint64_t offset = 0;
    for (const std::uint32_t other : placed) {
      const detent_tensor& o = tables.tensors[other];
      if (before(t, other) || before(other, t)) continue;
      if (offset + tensor.size_bytes <= o.offset_bytes) break;
      offset = std::max(offset, o.offset_bytes + o.size_bytes);
    }
    tensor.offset_bytes = offset;
    height = std::max(height, offset + tensor.size_bytes);
    placed.push_back(t);
  }
  tables.regions[region].size_bytes = height;
  return height;
}

}  // namespace detent::reports::samples

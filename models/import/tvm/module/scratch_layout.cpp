#include "models/import/tvm/module/scratch_layout.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kBlockAlign = 16;  // TVM's promise for its workspace: what it gave its buffers, they keep
constexpr std::uint64_t kStackAlign = 16;

struct Use {
  const PoolUse* pool_use = nullptr;
  std::uint64_t size_bytes = 0;
  bool is_local = false;

  [[nodiscard]] std::uint64_t begin() const { return pool_use->offset_bytes; }
  [[nodiscard]] std::uint64_t end() const { return pool_use->offset_bytes + size_bytes; }
};

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t align) { return (bytes + align - 1) / align * align; }

std::uint64_t size_of(const PoolUse& use) {
  const std::int64_t end = std::max<std::int64_t>({use.access.reads.hull().end, use.access.writes.hull().end, 1});
  return std::max(static_cast<std::uint64_t>(end), use.literal_size_bytes);
}

bool is_bounded(const PoolUse& use) {
  return use.literal_size_bytes > 0 || (!use.access.reads_unbounded && !use.access.writes_unbounded);
}

/// Element types that local arrays may have, with the size where every target has the same; 0: the compiler knows.
std::optional<std::uint64_t> element_bytes(std::string_view type) {
  struct Row {
    std::string_view name;
    std::uint64_t bytes;
  };
  constexpr std::array<Row, 19> kRows = {{{"float", 4},
                                          {"double", 8},
                                          {"int8_t", 1},
                                          {"uint8_t", 1},
                                          {"int16_t", 2},
                                          {"uint16_t", 2},
                                          {"int32_t", 4},
                                          {"uint32_t", 4},
                                          {"int64_t", 8},
                                          {"uint64_t", 8},
                                          {"char", 1},
                                          {"signed char", 1},
                                          {"unsigned char", 1},
                                          {"short", 2},
                                          {"unsigned short", 2},
                                          {"int", 4},
                                          {"unsigned int", 4},
                                          {"long", 0},
                                          {"unsigned long", 0}}};
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == type; });
  if (found == kRows.end()) return std::nullopt;
  return found->bytes;
}

std::string local_array(const Use& use) {
  const std::optional<std::uint64_t> element = element_bytes(use.pool_use->element);
  const std::string type = element ? use.pool_use->element : "uint8_t";
  const std::uint64_t bytes = element.value_or(1);
  const std::string count =
      bytes != 0 ? std::to_string((use.size_bytes + bytes - 1) / bytes)
                 : "(" + std::to_string(use.size_bytes) + " + sizeof(" + type + ") - 1) / sizeof(" + type + ")";
  return type + " " + use.pool_use->name + "[" + count + "] __attribute__((aligned(" + std::to_string(kStackAlign) +
         ")));";
}

void choose_local(std::vector<Use>& uses, std::uint64_t limit, ScratchLayout& layout) {
  std::vector<Use*> by_size;
  for (Use& use : uses) by_size.push_back(&use);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Use* a, const Use* b) { return a->size_bytes < b->size_bytes; });
  for (Use* use : by_size) {
    const std::uint64_t bytes = rounded(use->size_bytes, kStackAlign);
    if (layout.stack_bytes + bytes > limit) break;
    layout.stack_bytes += bytes;
    ++layout.local_buffers;
    use->is_local = true;
  }
}

/// Where the use stands in the text, as far as its tree tells: its declaration, else the first mention of its name.
std::string line_of(const CUnit& unit, const PoolUse& use) {
  const bool is_declared = use.declaration.begin < use.declaration.end && use.declaration.end <= unit.text.size();
  const std::size_t at = is_declared ? use.declaration.begin : std::min(unit.text.find(use.name), unit.text.size());
  return std::to_string(1 + std::count(unit.text.begin(), unit.text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Buffers that shared bytes keep doing so, at the same distances; the others stand side by side.
void place_block(const CUnit& unit, std::vector<Use>& uses, ScratchLayout& layout) {
  std::vector<Use*> moved;
  for (Use& use : uses) {
    if (!use.is_local) moved.push_back(&use);
  }
  std::stable_sort(moved.begin(), moved.end(), [](const Use* a, const Use* b) {
    return std::pair(a->pool_use->param, a->begin()) < std::pair(b->pool_use->param, b->begin());
  });
  std::uint64_t group_begin = 0;
  std::uint64_t group_end = 0;
  std::uint32_t group_param = UINT32_MAX;
  std::uint64_t place = 0;
  for (const Use* use : moved) {
    if (use->pool_use->param != group_param || use->begin() >= group_end) {
      place = rounded(layout.block_bytes, kBlockAlign);
      group_begin = use->begin();
      group_end = group_begin;
      group_param = use->pool_use->param;
    }
    group_end = std::max(group_end, use->end());
    layout.block_bytes = place + (group_end - group_begin);
    const SourceRange& literal = use->pool_use->literal;
    if (literal.end <= literal.begin || literal.end > unit.text.size()) {
      throw InputError(unit.file, line_of(unit, *use->pool_use),
                       use->pool_use->name + ": its offset is not a single number, so it cannot be moved");
    }
    layout.edits.push_back({literal, std::to_string(place + (use->begin() - group_begin))});
    ++layout.moved_buffers;
  }
}

}  // namespace

ScratchLayout lay_out_scratch(const CUnit& unit, const FunctionFootprint& footprint,
                              const std::vector<bool>& is_scratch_pool, std::uint64_t stack_limit_bytes,
                              bool keeps_offsets) {
  ScratchLayout layout;
  layout.is_local.assign(footprint.pool_uses.size(), false);
  std::vector<Use> uses;
  for (const PoolUse& use : footprint.pool_uses) {
    if (use.param >= is_scratch_pool.size() || !is_scratch_pool[use.param]) continue;
    layout.is_opaque = layout.is_opaque || !is_bounded(use);
    uses.push_back({.pool_use = &use, .size_bytes = size_of(use)});
  }
  for (std::size_t k = 0; k < footprint.params.size() && k < is_scratch_pool.size(); ++k) {
    const AccessSets& direct = footprint.params[k];
    const bool is_touched =
        direct.reads_unbounded || direct.writes_unbounded || !direct.reads.empty() || !direct.writes.empty();
    layout.is_opaque = layout.is_opaque || (is_scratch_pool[k] && is_touched);
  }
  const bool takes_pool = std::find(is_scratch_pool.begin(), is_scratch_pool.end(), true) != is_scratch_pool.end();
  layout.is_opaque = layout.is_opaque || (!footprint.understood && takes_pool);
  if (layout.is_opaque) return layout;
  choose_local(uses, stack_limit_bytes, layout);
  if (!keeps_offsets) place_block(unit, uses, layout);
  for (const Use& use : uses) {
    if (!use.is_local) continue;
    layout.is_local[static_cast<std::size_t>(use.pool_use - footprint.pool_uses.data())] = true;
    if (use.pool_use->declaration.end <= use.pool_use->declaration.begin) {
      throw InputError(unit.file, line_of(unit, *use.pool_use), use.pool_use->name + ": its declaration was not found");
    }
    layout.edits.push_back({use.pool_use->declaration, local_array(use)});
  }
  return layout;
}

}  // namespace detent::models::tvm

// Memory map: tensors and a run -> rectangles of bytes over time.
#include "reports/view/memory_map.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "reports/view/desc_view.hpp"
#include "verify/graph/order.hpp"

namespace detent::reports {
namespace {

struct Interval {
  std::uint64_t begin = 0, end = 0;
  bool ran = false;
};

/// Topological, lowest id first; ids where the edges give no order.
std::vector<std::uint32_t> positions_of(const detent_desc& desc) {
  std::vector<std::uint32_t> positions(desc.op_count);
  std::iota(positions.begin(), positions.end(), 0U);
  try {
    const verify::Order order(desc);
    for (OpId op = 0; op < desc.op_count; ++op) positions[op] = order.position_of(op);
  } catch (const std::invalid_argument&) {
    // structure is violated then, and the report says so
  }
  return positions;
}

/// When each op ran; by position when there is no run.
std::vector<Interval> intervals_of(const detent_desc* desc, const TimelineRun* run) {
  std::vector<Interval> out(op_count(desc));
  if (run == nullptr) {
    const std::vector<std::uint32_t> positions = positions_of(*desc);
    for (OpId op = 0; op < out.size(); ++op) out[op] = {positions[op], positions[op] + 1ULL, true};
    return out;
  }
  for (const harness::Span& span : run->trace.spans) {
    if (span.op < out.size()) out[span.op] = {span.begin_ps, std::max(span.begin_ps, span.end_ps), true};
  }
  return out;
}

class MapBuilder {
 public:
  MapBuilder(const detent_desc* desc, const TimelineRun* run) : desc_(desc), intervals_(intervals_of(desc, run)) {
    map_.is_time = run != nullptr;
    for (const Interval& interval : intervals_) map_.end = std::max(map_.end, interval.end);
    if (run != nullptr) map_.end = std::max(map_.end, run->makespan_ps);
  }

  MemoryMap build(std::size_t max_blocks) {
    lives_.resize(desc_->tensor_count);
    for (OpId op = 0; op < intervals_.size(); ++op) {
      if (!intervals_[op].ran) continue;
      for (const TensorId tensor : writes_of(desc_, op)) use(op, tensor, true);
      for (const TensorId tensor : reads_of(desc_, op)) use(op, tensor, false);
    }
    extend_to_edges();
    for (TensorId tensor = 0; tensor < lives_.size(); ++tensor) {
      if (lives_[tensor].used) add_block(tensor, lives_[tensor].block);
    }
    cut(max_blocks);
    return std::move(map_);
  }

 private:
  struct Life {
    MemoryBlock block;
    bool used = false;
  };

  bool is_range(TensorId tensor) const { return (desc_->tensors[tensor].flags & DETENT_TENSOR_RANGE) != 0; }

  void use(OpId op, TensorId tensor, bool is_write) {
    const Interval& when = intervals_[op];
    if (is_range(tensor)) {
      add_block(tensor, {.begin = when.begin, .end = when.end, .producer = op, .is_write = is_write});
      return;
    }
    Life& life = lives_[root_tensor(desc_, tensor)];
    MemoryBlock& block = life.block;
    block.begin = life.used ? std::min(block.begin, when.begin) : when.begin;
    block.end = std::max(block.end, when.end);
    const bool is_first = block.producer == DETENT_NONE || when.begin < intervals_[block.producer].begin;
    if (is_write && is_first) block.producer = op;
    life.used = true;
  }

  void extend_to_edges() {
    for (TensorId tensor = 0; tensor < lives_.size(); ++tensor) {
      if (lives_[tensor].used && lives_[tensor].block.producer == DETENT_NONE) lives_[tensor].block.begin = 0;
    }
    for (std::uint32_t i = 0; desc_->outputs != nullptr && i < desc_->output_count; ++i) {
      const TensorId tensor = desc_->outputs[i];
      if (tensor < lives_.size()) lives_[root_tensor(desc_, tensor)].block.end = map_.end;
    }
  }

  void add_block(TensorId tensor, MemoryBlock block) {
    const detent_tensor& from = desc_->tensors[tensor];
    const bool is_known = desc_->regions != nullptr && from.region < desc_->region_count;
    if (!is_known || desc_->regions[from.region].kind == DETENT_REGION_WEIGHTS) return;
    block.tensor = tensor;
    block.region = from.region;
    block.offset_bytes = from.offset_bytes;
    block.size_bytes = from.size_bytes;
    map_.blocks.push_back(block);
  }

  void cut(std::size_t max_blocks) {
    std::vector<MemoryBlock>& blocks = map_.blocks;
    const auto place = [](const MemoryBlock& b) { return std::tie(b.region, b.begin, b.offset_bytes, b.tensor); };
    if (blocks.size() > max_blocks) {
      std::stable_sort(blocks.begin(), blocks.end(),
                       [](const MemoryBlock& a, const MemoryBlock& b) { return a.size_bytes > b.size_bytes; });
      map_.left_out = blocks.size() - max_blocks;
      blocks.resize(max_blocks);
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [&](const MemoryBlock& a, const MemoryBlock& b) { return place(a) < place(b); });
  }

  const detent_desc* desc_;
  std::vector<Interval> intervals_;
  std::vector<Life> lives_;
  MemoryMap map_;
};

}  // namespace

MemoryMap map_memory(const detent_desc* desc, const TimelineRun* run, std::size_t max_blocks) {
  if (desc == nullptr || desc->tensors == nullptr) return {};
  return MapBuilder(desc, run).build(max_blocks);
}

std::vector<LostBlock> map_lost_values(const detent_desc* desc, const TimelineRun* run, const MemoryMap& map,
                                       const std::vector<LostValue>& lost) {
  std::vector<LostBlock> blocks;
  if (desc == nullptr || lost.empty()) return blocks;
  const std::vector<Interval> intervals = intervals_of(desc, run);
  const auto name = [&](std::uint32_t op) { return std::to_string(op) + " " + op_name(desc, op); };
  for (const LostValue& one : lost) {
    if (one.region >= desc->region_count || one.size_bytes == 0) continue;
    LostBlock block{one.region, one.offset_bytes, one.size_bytes, 0, map.end, one.value + ": for "};
    std::uint64_t begin = one.writer < intervals.size() ? intervals[one.writer].begin : 0;
    std::uint64_t end = one.reader < intervals.size() ? intervals[one.reader].end : map.end;
    if (one.in_the_way < intervals.size()) {
      begin = std::min(begin, intervals[one.in_the_way].begin);
      end = std::max(end, intervals[one.in_the_way].end);
      block.text += one.reader < intervals.size() ? name(one.reader) : std::string("the application");
      block.text += ", overwritten by " + name(one.in_the_way);
    } else {
      block.text +=
          (one.reader < intervals.size() ? name(one.reader) : std::string("the application")) + ", read too early";
    }
    block.begin = std::min(begin, end);
    block.end = std::max(begin, end);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace detent::reports

// Tensors by family of views, in serial order -> wants; named ranges -> wants.
#include "verify/flow/wants.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/byte_ranges.hpp"
#include "base/lists/rows.hpp"
#include "verify/graph/guards.hpp"
#include "verify/static/access_table.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

/// Blocks of strided tensors that are looked at one by one, in all.
constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 22;

ByteSet linear_bytes(const detent_tensor& tensor) {
  ByteSet bytes = bytes_of(tensor);
  bytes.begin += kRegionSpacing * tensor.region;
  return bytes;
}

ByteSet dense_set(const ByteRange& range) { return {range.begin, range.end - range.begin, 0, 1}; }

std::span<const std::uint32_t> refs_of(const detent_desc& desc, const detent_slice& slice) {
  return {desc.tensor_refs + slice.first, slice.count};
}

bool is_range(const detent_tensor& tensor) { return (tensor.flags & DETENT_TENSOR_RANGE) != 0; }

// ---- Values that the reads of bare ranges name.

class DeclaredWants {
 public:
  DeclaredWants(const detent_desc& desc, const ValueTables& tables, Wants& wants)
      : desc_(desc), tables_(tables), wants_(wants), writers_(tables.names.size(), kNobody) {}

  void find() {
    wants_.names = tables_.names;
    for (std::uint32_t i = 0; i < desc_.input_count; ++i) note_writer(desc_.inputs[i], kApplication);
    for (OpId op = 0; op < desc_.op_count; ++op) {
      for (const std::uint32_t tensor : refs_of(desc_, desc_.ops[op].outputs)) note_writer(tensor, op);
      find_clashes(op);
    }
    for (OpId op = 0; op < desc_.op_count; ++op) add_reads(op, refs_of(desc_, desc_.ops[op].inputs));
    add_reads(kApplication, {desc_.outputs, desc_.output_count});
  }

 private:
  static constexpr std::uint32_t kNobody = DETENT_NONE - 1;

  [[nodiscard]] const std::vector<std::uint32_t>& values_of(std::uint32_t tensor) const {
    static const std::vector<std::uint32_t> kNone;
    return tensor < tables_.tensor_values.size() ? tables_.tensor_values[tensor] : kNone;
  }

  void note_writer(std::uint32_t tensor, std::uint32_t writer) {
    for (const std::uint32_t value : values_of(tensor)) {
      if (value >= writers_.size()) throw std::invalid_argument("a tensor names a value that does not exist");
      writers_[value] = writer;
    }
  }

  [[nodiscard]] std::uint32_t writer_of(std::uint32_t value) const {
    if (value < writers_.size() && writers_[value] != kNobody) return writers_[value];
    const bool is_absent = value < tables_.absent_writers.size() && tables_.absent_writers[value] < desc_.op_count;
    if (is_absent) return tables_.absent_writers[value];
    throw std::invalid_argument("a read wants a value that nobody writes");
  }

  void find_clashes(OpId op) {
    std::map<std::uint32_t, std::vector<ByteRange>> by_value;
    for (const std::uint32_t tensor : refs_of(desc_, desc_.ops[op].outputs)) {
      for (const std::uint32_t value : values_of(tensor)) {
        append_blocks(desc_.tensors[tensor], kRegionSpacing * desc_.tensors[tensor].region, by_value[value]);
      }
    }
    if (by_value.size() < 2) return;
    std::vector<std::pair<ByteRange, std::uint32_t>> ranges;
    for (auto& [value, blocks] : by_value) {
      for (const ByteRange& range : make_ranges(std::move(blocks))) ranges.emplace_back(range, value);
    }
    std::ranges::sort(ranges, {}, [](const auto& entry) { return std::pair(entry.first.begin, entry.second); });
    add_clashes(op, ranges);
  }

  /// Ranges of one value do not touch, so each that begins within another is of another value.
  void add_clashes(OpId op, const std::vector<std::pair<ByteRange, std::uint32_t>>& ranges) {
    constexpr std::size_t kMostOfOneOp = 1000;
    const std::size_t most = wants_.clashes.size() + kMostOfOneOp;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      for (std::size_t k = i + 1; k < ranges.size() && ranges[k].first.begin < ranges[i].first.end; ++k) {
        if (wants_.clashes.size() == most) return;
        const ByteRange shared{ranges[k].first.begin, std::min(ranges[i].first.end, ranges[k].first.end)};
        wants_.clashes.push_back({op, ranges[i].second, ranges[k].second, dense_set(shared)});
      }
    }
  }

  void add_reads(std::uint32_t reader, std::span<const std::uint32_t> tensors) {
    std::map<std::vector<std::uint32_t>, std::vector<ByteSet>> by_values;
    for (const std::uint32_t tensor : tensors) {
      const std::vector<std::uint32_t>& values = values_of(tensor);
      if (!values.empty()) by_values[values].push_back(linear_bytes(desc_.tensors[tensor]));
    }
    for (auto& [values, bytes] : by_values) {
      Want want;
      want.reader = reader;
      want.bytes = std::move(bytes);
      want.is_declared = true;
      for (const std::uint32_t value : values) {
        want.values.push_back({value, writer_of(value)});
      }
      wants_.all.push_back(std::move(want));
    }
  }

  const detent_desc& desc_;
  const ValueTables& tables_;
  Wants& wants_;
  std::vector<std::uint32_t> writers_;  ///< by value
};

// ---- Tensors: the versions of a family of views.

/// Steps of the serial order: 0 the application before the run, 1 + position, then the application after it.
struct Touch {
  std::uint32_t step = 0;
  std::uint32_t op = kApplication;
  bool writes = false;
  TensorId tensor = 0;
};

class FamilyWants {
 public:
  /// @param has_alternatives  tensors hold decisions: ops of exclusive branches may write one tensor
  FamilyWants(const detent_desc& desc, const Order& order, const Guards& guards, bool has_alternatives, Wants& wants)
      : desc_(desc), order_(order), guards_(guards), has_alternatives_(has_alternatives), wants_(wants) {
    find_roots();
  }

  void find() {
    collect();
    wants_.all.reserve(wants_.all.size() + read_count_);
    for (std::uint32_t root = 0; root < desc_.tensor_count; ++root) {
      if (!touches_[root].empty()) resolve(root);
    }
  }

 private:
  void find_roots() {
    roots_.resize(desc_.tensor_count);
    for (TensorId tensor = 0; tensor < desc_.tensor_count; ++tensor) {
      std::uint32_t at = tensor;
      for (std::uint32_t steps = 0; desc_.tensors[at].alias_of != DETENT_NONE; at = desc_.tensors[at].alias_of) {
        if (++steps > desc_.tensor_count || desc_.tensors[at].alias_of >= desc_.tensor_count) {
          throw std::invalid_argument(tensor_name(desc_, tensor) + " is a view without a base; repair the tables");
        }
      }
      roots_[tensor] = at;
    }
  }

  void collect() {
    touches_ = Rows<Touch>(desc_.tensor_count, [&](const auto& put) {
      read_count_ = 0;
      for_each_touch([&](const Touch& touch) {
        if (!has_versions(touch.tensor)) return;
        put(roots_[touch.tensor], touch);
        if (!touch.writes) ++read_count_;
      });
    });
  }

  /// In serial order, the reads of an op before its writes.
  template <typename Visit>
  void for_each_touch(const Visit& visit) const {
    for (TensorId tensor = 0; tensor < desc_.tensor_count; ++tensor) {
      const bool is_base = roots_[tensor] == tensor && has_versions(tensor);
      const bool is_input_region = is_base && desc_.regions[desc_.tensors[tensor].region].kind == DETENT_REGION_INPUT;
      if (is_input_region) visit({0, kApplication, true, tensor});
    }
    for (std::uint32_t i = 0; i < desc_.input_count; ++i) {
      visit({0, kApplication, true, TensorId(desc_.inputs[i])});
    }
    for (std::uint32_t p = 0; p < order_.op_count(); ++p) {
      const OpId op = order_.op_at(p);
      for (const TensorId tensor : refs_of(desc_, desc_.ops[op].inputs)) visit({p + 1, op, false, tensor});
      for (const TensorId tensor : refs_of(desc_, desc_.ops[op].outputs)) visit({p + 1, op, true, tensor});
    }
    for (std::uint32_t i = 0; i < desc_.output_count; ++i) {
      visit({order_.op_count() + 1, kApplication, false, TensorId(desc_.outputs[i])});
    }
  }

  [[nodiscard]] bool has_versions(TensorId tensor) const {
    const detent_tensor& t = desc_.tensors[tensor];
    return !is_range(t) && t.region < desc_.region_count && has_sound_bytes(t) &&
           desc_.regions[t.region].kind != DETENT_REGION_WEIGHTS;
  }

  void resolve(std::uint32_t root) {
    writes_.clear();
    reads_.clear();
    for (const Touch& touch : touches_[root]) (touch.writes ? writes_ : reads_).push_back(touch);
    if (writes_.empty() || reads_.empty()) return;
    name_ = static_cast<std::uint32_t>(wants_.names.size());
    const char* const text = desc_.tensors[root].name;
    wants_.names.push_back(text != nullptr && *text != '\0' ? text : "tensor " + std::to_string(root));
    if (writes_.size() == 1) {
      for (const Touch& read : reads_) resolve_alone(read, writes_.front());
    } else {
      resolve_versions(reads_, writes_);
    }
  }

  /// One writer of the family: nothing to take apart where it writes all that is read.
  void resolve_alone(const Touch& read, const Touch& write) {
    if (read.op == write.op && read.op != kApplication) return;
    const ByteSet wanted = linear_bytes(desc_.tensors[read.tensor]);
    const ByteSet written = linear_bytes(desc_.tensors[write.tensor]);
    const bool all = read.tensor == write.tensor ||
                     (written.dense() && written.begin <= wanted.begin && wanted.end() <= written.end());
    if (all) return add(read.op, write.op, {wanted});
    const ByteRanges both = intersection(ranges_of(read.tensor), ranges_of(write.tensor));
    if (!both.empty()) add(read.op, write.op, sets_of(both));
  }

  void resolve_versions(const std::vector<Touch>& reads, const std::vector<Touch>& writes) {
    std::vector<ByteRanges> written;
    for (const Touch& write : writes) written.push_back(ranges_of(write.tensor));
    for (std::size_t i = 0; i < reads.size();) {
      const Touch& read = reads[i];
      ByteRanges left;
      for (; i < reads.size() && reads[i].step == read.step; ++i) left = unite(left, ranges_of(reads[i].tensor));
      const auto first_after =
          static_cast<std::size_t>(std::ranges::lower_bound(writes, read.step, {}, &Touch::step) - writes.begin());
      if (has_alternatives_) left = resolve_alternatives(read.op, std::move(left), writes, written, first_after);
      const auto take = [&](std::size_t w, bool is_wanted) {
        const ByteRanges both = intersection(left, written[w]);
        if (both.empty()) return;
        if (is_wanted) add(read.op, writes[w].op, sets_of(both));
        left = difference(left, written[w]);
      };
      for (std::size_t w = first_after; w-- > 0 && !left.empty();) take(w, true);
      std::size_t later = first_after;
      for (; later < writes.size() && writes[later].step == read.step; ++later) take(later, false);
      for (; later < writes.size() && !left.empty(); ++later) take(later, true);
    }
  }

  /// Bytes that a read wants of one of several ops: of those that the last of them writes, back to where one of them
  /// surely runs.
  struct Open {
    ByteRanges bytes;
    std::vector<std::uint32_t> writers;
  };

  /// A write that some runs leave out stands beside the one before it.
  /// @return  the bytes of which no write before the read is wanted
  ByteRanges resolve_alternatives(std::uint32_t reader, ByteRanges bytes, const std::vector<Touch>& writes,
                                  const std::vector<ByteRanges>& written, std::size_t first_after) {
    std::vector<Open> open = {{std::move(bytes), {}}};
    for (std::size_t w = first_after; w-- > 0;) {
      if (guards_.contradict(std::array{reader, writes[w].op})) continue;
      std::vector<Open> next;
      for (Open& one : open) take_alternative(reader, writes[w].op, written[w], std::move(one), next);
      open = std::move(next);
    }
    ByteRanges left;
    for (Open& one : open) {
      if (one.writers.empty()) {
        left = unite(left, one.bytes);
      } else {
        add(reader, one.writers, sets_of(one.bytes));
      }
    }
    return left;
  }

  void take_alternative(std::uint32_t reader, std::uint32_t writer, const ByteRanges& written, Open one,
                        std::vector<Open>& next) {
    ByteRanges both = intersection(one.bytes, written);
    if (both.empty()) {
      next.push_back(std::move(one));
      return;
    }
    ByteRanges rest = difference(one.bytes, written);
    if (!rest.empty()) next.push_back({std::move(rest), one.writers});
    one.writers.push_back(writer);
    if (guards_.imply_one_of(std::array{reader}, one.writers)) {
      add(reader, one.writers, sets_of(both));
    } else {
      next.push_back({std::move(both), std::move(one.writers)});
    }
  }

  void add(std::uint32_t reader, const std::vector<std::uint32_t>& writers, SmallList<ByteSet> bytes) {
    Want want{reader, {}, std::move(bytes), false};
    for (auto writer = writers.rbegin(); writer != writers.rend(); ++writer) want.values.push_back({name_, *writer});
    wants_.all.push_back(std::move(want));
  }

  void add(std::uint32_t reader, std::uint32_t writer, SmallList<ByteSet> bytes) {
    wants_.all.push_back({reader, {{name_, writer}}, std::move(bytes), false});
  }

  ByteRanges ranges_of(TensorId tensor) {
    const detent_tensor& t = desc_.tensors[tensor];
    blocks_ += t.block_count;
    if (blocks_ > kMaxBlocks) {
      throw std::invalid_argument("strided tensors of several writers have more than " + std::to_string(kMaxBlocks) +
                                  " blocks");
    }
    std::vector<ByteRange> blocks;
    append_blocks(t, kRegionSpacing * t.region, blocks);
    return make_ranges(std::move(blocks));
  }

  static SmallList<ByteSet> sets_of(const ByteRanges& ranges) {
    SmallList<ByteSet> sets;
    for (const ByteRange& range : ranges) sets.push_back(dense_set(range));
    return sets;
  }

  const detent_desc& desc_;
  const Order& order_;
  const Guards& guards_;
  const bool has_alternatives_;
  Wants& wants_;
  std::vector<std::uint32_t> roots_;
  Rows<Touch> touches_;  ///< by base tensor
  std::size_t read_count_ = 0;
  std::vector<Touch> writes_, reads_;  ///< of one of them
  std::uint64_t blocks_ = 0;
  std::uint32_t name_ = 0;
};

/// By reader, first value, its writer; equal ones as they are.
void sort_wants(std::vector<Want>& wants, std::uint32_t op_count) {
  Rows<std::uint32_t> by_reader(std::size_t{op_count} + 1, [&](const auto& put) {
    for (std::uint32_t i = 0; i < wants.size(); ++i) put(std::min(wants[i].reader, op_count), i);
  });
  std::vector<Want> sorted;
  sorted.reserve(wants.size());
  for (std::size_t row = 0; row < by_reader.size(); ++row) {
    std::ranges::sort(by_reader[row], {}, [&](std::uint32_t i) {
      const Wanted& value = wants[i].values.front();
      return std::tuple(value.name, value.writer, i);
    });
    for (const std::uint32_t i : by_reader[row]) sorted.push_back(std::move(wants[i]));
  }
  wants = std::move(sorted);
}

}  // namespace

Wants find_wants(const detent_desc& desc, const Order& order, const ValueTables* tables) {
  require_sound_accesses(desc);
  Wants wants;
  if (tables != nullptr && tables->names_values()) DeclaredWants(desc, *tables, wants).find();
  const Guards guards(tables, desc.op_count);
  const bool has_alternatives =
      tables != nullptr &&
      std::ranges::any_of(tables->decisions, [](const Decision& decision) { return decision.tensor != DETENT_NONE; });
  FamilyWants(desc, order, guards, has_alternatives, wants).find();
  sort_wants(wants.all, desc.op_count);
  return wants;
}

}  // namespace detent::verify

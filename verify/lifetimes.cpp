// A sweep over op positions that keeps the set of live tensors.
#include "verify/lifetimes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace detent::verify {
namespace {

bool has_lifetime(const detent_desc& desc, const detent_tensor& tensor) {
  return tensor.live_begin != DETENT_NONE && tensor.live_end != DETENT_NONE && tensor.live_begin <= tensor.live_end &&
         tensor.alias_of == DETENT_NONE && (tensor.flags & DETENT_TENSOR_RANGE) == 0 &&
         tensor.region < desc.region_count && has_sound_bytes(tensor);
}

/// The tensor that a view stands on. Views that close a cycle end at some member of it.
std::uint32_t root_of(const detent_desc& desc, std::uint32_t tensor) {
  for (std::uint32_t steps = 0; steps < desc.tensor_count && desc.tensors[tensor].alias_of < desc.tensor_count;
       ++steps) {
    tensor = desc.tensors[tensor].alias_of;
  }
  return tensor;
}

bool refers_to(const detent_desc& desc, const detent_slice& slice, std::uint32_t root) {
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const std::uint32_t tensor = desc.tensor_refs[slice.first + k];
    if (tensor < desc.tensor_count && root_of(desc, tensor) == root) return true;
  }
  return false;
}

class Sweep {
 public:
  Sweep(const detent_desc& desc, std::size_t max_found) : desc_(desc), max_found_(max_found) {}

  std::vector<LifetimeOverlap> run() {
    using At = std::pair<std::uint32_t, std::uint32_t>;  // position, tensor
    std::vector<At> begins;
    std::vector<At> ends;
    for (std::uint32_t id = 0; id < desc_.tensor_count; ++id) {
      if (!has_lifetime(desc_, desc_.tensors[id])) continue;
      begins.emplace_back(desc_.tensors[id].live_begin, id);
      ends.emplace_back(desc_.tensors[id].live_end, id);
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    std::size_t ended = 0;
    for (const auto& [position, id] : begins) {
      for (; ended < ends.size() && ends[ended].first < position; ++ended) remove(ends[ended].second);
      insert(id, compare(id, position));
      if (found_.size() >= max_found_) break;
    }
    return std::move(found_);
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint64_t>;  // region, first byte

  [[nodiscard]] ByteSet bytes(std::uint32_t id) const { return bytes_of(desc_.tensors[id]); }
  [[nodiscard]] Key key(std::uint32_t id) const { return {desc_.tensors[id].region, bytes(id).begin}; }

  /// A tensor that shares a byte with a live one, rightly or not, stays out of the disjoint set.
  void insert(std::uint32_t id, bool shares) {
    if (bytes(id).dense() && !shares) {
      dense_.emplace(key(id), id);
    } else {
      others_.push_back(id);
    }
  }

  void remove(std::uint32_t id) {
    const auto it = dense_.find(key(id));
    if (it != dense_.end() && it->second == id) {
      dense_.erase(it);
    } else {
      others_.erase(std::remove(others_.begin(), others_.end(), id), others_.end());
    }
  }

  /// True when the tensor shares a byte with one that is live.
  bool compare(std::uint32_t id, std::uint32_t position) {
    bool shares = false;
    for (const std::uint32_t other : others_) shares = compare_pair(other, id, position) || shares;
    // Live dense tensors are disjoint, so of those that begin before this one only the last can reach into it.
    auto it = dense_.lower_bound(key(id));
    if (it != dense_.begin()) --it;
    const Key end{desc_.tensors[id].region, bytes(id).end()};
    for (; it != dense_.end() && it->first < end; ++it) shares = compare_pair(it->second, id, position) || shares;
    return shares;
  }

  bool compare_pair(std::uint32_t a, std::uint32_t b, std::uint32_t position) {
    if (desc_.tensors[a].region != desc_.tensors[b].region) return false;
    const std::optional<ByteRange> shared = first_shared_bytes(bytes(a), bytes(b));
    if (!shared) return false;
    const bool is_fault = !is_in_place(a, b, position) && !is_in_place(b, a, position);
    if (is_fault && found_.size() < max_found_) found_.push_back({a, b, position, *shared});
    return true;
  }

  /// `from` is an input of the op at `position` that ends there, `to` an output that begins there.
  [[nodiscard]] bool is_in_place(std::uint32_t from, std::uint32_t to, std::uint32_t position) const {
    if (desc_.tensors[from].live_end != position || desc_.tensors[to].live_begin != position) return false;
    if (position >= desc_.op_count) return false;
    const detent_op& op = desc_.ops[position];
    return (op.flags & DETENT_OP_IN_PLACE) != 0 && refers_to(desc_, op.inputs, from) &&
           refers_to(desc_, op.outputs, to);
  }

  const detent_desc& desc_;
  std::size_t max_found_;
  std::map<Key, std::uint32_t> dense_;  ///< live, dense, disjoint
  std::vector<std::uint32_t> others_;   ///< live, strided or sharing bytes
  std::vector<LifetimeOverlap> found_;
};

}  // namespace

std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, std::size_t max_found) {
  return Sweep(desc, max_found).run();
}

}  // namespace detent::verify

#include "models/plan/problem/solve.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/interrupt.hpp"
#include "base/random.hpp"
#include "models/plan/problem/greedy.hpp"
#include "models/plan/problem/parts.hpp"
#include "models/plan/problem/search.hpp"

namespace detent::models::packing {
namespace {

constexpr std::uint64_t kDefaultWork = 8'000'000'000;
constexpr std::uint64_t kLeastNodes = 1'000;
constexpr std::uint64_t kFirstLimit = 4'000;  // nodes of the first search
constexpr double kNoise = 0.2;                // by which keys differ from the buffers' own, in later rounds

/// Keys by which items are sorted, the largest first: (T)otal of the fullest section, (W)idth in time, (A)rea, (S)ize,
/// (N)umber of sections. @see  Moffitt 2023 for TWA, TAW and WAT
constexpr std::array<std::string_view, 7> kRules = {"TWA", "TAW", "WAT", "TSW", "TNA", "AT", "TA"};

std::uint64_t luby(std::uint64_t i) {
  for (std::uint64_t k = 1;; ++k) {
    const std::uint64_t end = (std::uint64_t{1} << k) - 1;
    if (i == end) return std::uint64_t{1} << (k - 1);
    if (i < end) return luby(i - (std::uint64_t{1} << (k - 1)) + 1);
  }
}

/// Orders of a part's items, without end: each rule as it is, then with noise.
class Orders {
 public:
  explicit Orders(const Part& part) : part_(part), fullest_(part.items.size()), random_(part.items.size()) {
    std::vector<std::int64_t> totals(part.sections);
    for (const Item& item : part.items) {
      for (std::uint32_t s = item.first_section; s < item.end_section; ++s) totals[s] += item.size;
    }
    for (std::size_t i = 0; i < part.items.size(); ++i) {
      const Item& item = part.items[i];
      fullest_[i] = *std::max_element(totals.begin() + item.first_section, totals.begin() + item.end_section);
    }
  }

  std::vector<std::uint32_t> order(std::uint64_t search) {
    const std::string_view rule = kRules[search % kRules.size()];
    const bool is_noisy = search >= kRules.size();
    std::vector<std::array<double, 3>> keys(part_.items.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (std::size_t k = 0; k < rule.size(); ++k) {
        const double noise = is_noisy && rule[k] != 'T' ? 1 + kNoise * (2 * random_.unit() - 1) : 1;
        keys[i][k] = -key(i, rule[k]) * noise;
      }
    }
    std::vector<std::uint32_t> result(keys.size());
    std::iota(result.begin(), result.end(), 0U);
    std::stable_sort(result.begin(), result.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    return result;
  }

 private:
  [[nodiscard]] double key(std::size_t i, char name) const {
    const Item& item = part_.items[i];
    const auto size = static_cast<double>(item.size);
    const auto lifetime = static_cast<double>(item.lifetime);
    switch (name) {
      case 'T':
        return static_cast<double>(fullest_[i]);
      case 'W':
        return lifetime;
      case 'A':
        return size * lifetime;
      case 'S':
        return size;
      default:
        return item.end_section - item.first_section;
    }
  }

  const Part& part_;
  std::vector<std::int64_t> fullest_;  // of items: what lives at once in the fullest of their sections
  RandomSource random_;
};

class Solver {
 public:
  Solver(const MemoryProblem& problem, const SolveOptions& options)
      : buffers_(problem.buffers), options_(options), parts_(cut_into_parts(buffers_)) {
    result_.max_nodes = options.max_nodes == 0 ? default_max_nodes(buffers_) : options.max_nodes;
    result_.lower_bound_bytes = lower_bound_bytes(buffers_);
    for (const Part& part : parts_.parts) placements_.push_back(place_greedily(part));
  }

  Solution solve() {
    if (options_.capacity_bytes == 0) {
      minimise();
    } else {
      fit();
    }
    write_offsets();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t height() const {
    std::int64_t height = 0;
    for (const PartPlacement& placement : placements_) height = std::max(height, placement.height);
    return height;
  }

  void fit() {
    const auto ceiling =
        static_cast<std::int64_t>(std::min(options_.capacity_bytes, 2 * kMaxTotalBytes) / parts_.unit_bytes);
    const Found found =
        result_.lower_bound_bytes > options_.capacity_bytes ? Found::kNone : place_under(ceiling, result_.max_nodes);
    result_.is_placed = found == Found::kPlacement;
    result_.is_proven = found != Found::kLimit;
  }

  /// Heights up to `none` are proven to be too low, at `tried` the nodes did not suffice.
  void minimise() {
    const auto unit = parts_.unit_bytes;
    auto none = static_cast<std::int64_t>((result_.lower_bound_bytes + unit - 1) / unit) - 1;
    std::int64_t tried = none;
    for (std::int64_t ceiling = none + 1; tried + 1 < height(); ceiling = tried + (height() - tried) / 2) {
      const std::uint64_t left = result_.max_nodes - result_.nodes;
      if (left == 0 || stop_requested()) break;
      const Found found = place_under(ceiling, std::max(left / 3, std::min(left, kLeastNodes)));
      if (found == Found::kPlacement) continue;
      tried = ceiling;
      if (found == Found::kNone) none = ceiling;
    }
    result_.is_placed = true;
    result_.is_proven = none + 1 == height();
  }

  Found place_under(std::int64_t ceiling, std::uint64_t max_nodes) {
    const std::uint64_t end = result_.nodes + max_nodes;
    for (std::size_t p = 0; p < placements_.size(); ++p) {
      if (placements_[p].height <= ceiling) continue;
      const Found found = search_part(p, ceiling, end);
      if (found != Found::kPlacement) return found;
    }
    return Found::kPlacement;
  }

  Found search_part(std::size_t p, std::int64_t ceiling, std::uint64_t end_nodes) {
    const Part& part = parts_.parts[p];
    if (part.items.size() > kMaxSearchedBuffers) return Found::kLimit;
    Search search(part, ceiling);
    Orders orders(part);
    const auto tick = [this](std::uint64_t nodes) {
      if (options_.progress) options_.progress(result_.nodes + nodes, result_.max_nodes);
      return !stop_requested();
    };
    for (std::uint64_t i = 0; result_.nodes < end_nodes && !stop_requested(); ++i) {
      const std::uint64_t limit = kFirstLimit * luby(i / kRules.size() + 1);
      const Found found = search.run(orders.order(i), std::min(limit, end_nodes - result_.nodes), tick);
      result_.nodes += search.nodes();
      if (found == Found::kPlacement) store(p, search.offsets());
      if (found != Found::kLimit) return found;
    }
    return Found::kLimit;
  }

  void store(std::size_t p, const std::vector<std::int64_t>& offsets) {
    const Part& part = parts_.parts[p];
    placements_[p] = {0, offsets};
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      placements_[p].height = std::max(placements_[p].height, offsets[i] + part.items[i].size);
    }
  }

  void write_offsets() {
    result_.offsets_bytes.resize(buffers_.size());
    for (std::size_t p = 0; p < placements_.size(); ++p) {
      for (std::size_t i = 0; i < placements_[p].offsets.size(); ++i) {
        const std::uint64_t offset = static_cast<std::uint64_t>(placements_[p].offsets[i]) * parts_.unit_bytes;
        const std::uint32_t buffer = parts_.parts[p].items[i].buffer;
        result_.offsets_bytes[buffer] = offset;
        result_.height_bytes = std::max(result_.height_bytes, offset + buffers_[buffer].size_bytes);
      }
    }
  }

  const std::vector<Buffer>& buffers_;
  const SolveOptions& options_;
  Parts parts_;
  std::vector<PartPlacement> placements_;  // the lowest of each part so far
  Solution result_;
};

}  // namespace

std::uint64_t default_max_nodes(const std::vector<Buffer>& buffers) {
  std::uint64_t work = 0;
  for (const Part& part : cut_into_parts(buffers).parts) {
    for (const Item& item : part.items) work += 1 + item.end_section - item.first_section;
  }
  return std::max(kLeastNodes, kDefaultWork / work);
}

Solution solve_memory_problem(const MemoryProblem& problem, const SolveOptions& options) {
  return Solver(problem, options).solve();
}

}  // namespace detent::models::packing

// Conflicts by byte sets, ancestors by bitsets.
#include "models/import/tvm/hazards/hazards.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace detent::models::tvm {
namespace {

using Kind = MemoryObject::Kind;
using Bits = std::vector<std::uint64_t>;

constexpr std::size_t kWordBits = 64;

bool test(const Bits& bits, std::size_t i) { return (bits[i / kWordBits] >> (i % kWordBits) & 1U) != 0; }
void set(Bits& bits, std::size_t i) { bits[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits); }
void unite(Bits& bits, const Bits& other) {
  for (std::size_t w = 0; w < bits.size(); ++w) bits[w] |= other[w];
}

/// Ancestors of every call; edges go from lower to higher calls.
class Ancestors {
 public:
  explicit Ancestors(std::size_t calls) : bits_(calls, Bits((calls + kWordBits - 1) / kWordBits)) {}
  void add(std::uint32_t from, std::uint32_t to) {
    unite(bits_[to], bits_[from]);
    set(bits_[to], from);
  }
  [[nodiscard]] bool precedes(std::uint32_t from, std::uint32_t to) const { return test(bits_[to], from); }
  [[nodiscard]] std::uint64_t count(std::uint32_t call) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : bits_[call]) sum += static_cast<std::uint64_t>(__builtin_popcountll(word));
    return sum;
  }

 private:
  std::vector<Bits> bits_;
};

/// All bytes of one call in one object.
struct ObjectSets {
  ByteSet reads, writes;
};
using PerObject = std::map<std::uint32_t, ObjectSets>;

std::vector<PerObject> per_object(const CallAccesses& accesses) {
  std::vector<PerObject> result(accesses.size());
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (const CallAccess& access : accesses[i]) {
      ObjectSets& sets = result[i][access.object];
      sets.reads.unite(access.reads);
      sets.writes.unite(access.writes);
    }
  }
  return result;
}

std::uint8_t kinds_of(const PerObject& a, const PerObject& b) {
  std::uint8_t kinds = 0;
  for (const auto& [object, first] : a) {
    const auto found = b.find(object);
    if (found == b.end()) continue;
    const ObjectSets& second = found->second;
    if (first.writes.intersects(second.reads)) kinds |= kRaw;
    if (first.reads.intersects(second.writes)) kinds |= kWar;
    if (first.writes.intersects(second.writes)) kinds |= kWaw;
  }
  return kinds;
}

std::vector<Overlap> overlaps_of(const std::vector<CallAccess>& a, const std::vector<CallAccess>& b) {
  std::vector<Overlap> result;
  for (const CallAccess& first : a) {
    for (const CallAccess& second : b) {
      if (first.object != second.object) continue;
      const auto meet = [&](HazardKind kind, const ByteSet& left, const ByteSet& right) {
        ByteSet bytes = left.intersection(right);
        if (!bytes.empty()) result.push_back({kind, first.object, std::move(bytes), first.what, second.what});
      };
      meet(kRaw, first.writes, second.reads);
      meet(kWar, first.reads, second.writes);
      meet(kWaw, first.writes, second.writes);
    }
  }
  return result;
}

std::vector<CallEdge> device_chain(const Program& program) {
  std::vector<CallEdge> edges;
  std::map<std::uint32_t, std::uint32_t> last;
  for (std::uint32_t i = 0; i < program.calls.size(); ++i) {
    const std::uint32_t device = program.calls[i].device;
    if (device == UINT32_MAX) continue;
    const auto found = last.find(device);
    if (found != last.end()) edges.emplace_back(found->second, i);
    last[device] = i;
  }
  return edges;
}

/// Largest antichain by Dilworth: calls minus a maximum matching of the closure (Hopcroft-Karp is not needed at these
/// sizes; augmenting paths without recursion).
class Matching {
 public:
  Matching(std::size_t calls, const Ancestors& ancestors)
      : ancestors_(ancestors), left_(calls, kFree), right_(calls, kFree) {}
  std::size_t maximum() {
    std::size_t size = 0;
    for (std::uint32_t call = 0; call < left_.size(); ++call) size += augment(call) ? 1U : 0U;
    return size;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  bool augment(std::uint32_t start) {
    std::vector<std::uint32_t> parent(right_.size(), kFree), queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::uint32_t from = queue[head];
      for (std::uint32_t to = from + 1; to < right_.size(); ++to) {
        if (parent[to] != kFree || !ancestors_.precedes(from, to)) continue;
        parent[to] = from;
        if (right_[to] == kFree) {
          flip(to, parent);
          return true;
        }
        queue.push_back(right_[to]);
      }
    }
    return false;
  }

  void flip(std::uint32_t to, const std::vector<std::uint32_t>& parent) {
    while (to != kFree) {
      const std::uint32_t from = parent[to];
      const std::uint32_t next = left_[from];
      left_[from] = to;
      right_[to] = from;
      to = next;
    }
  }

  const Ancestors& ancestors_;
  std::vector<std::uint32_t> left_, right_;
};

}  // namespace

std::vector<CallEdge> with_order(std::size_t calls, const std::vector<CallEdge>& given,
                                 const std::vector<CallEdge>& wanted) {
  std::vector<std::vector<std::uint32_t>> given_to(calls), wanted_to(calls);
  for (const auto& [from, to] : given) given_to[to].push_back(from);
  for (const auto& [from, to] : wanted) wanted_to[to].push_back(from);
  Ancestors ancestors(calls);
  std::vector<CallEdge> edges;
  for (std::uint32_t to = 0; to < calls; ++to) {
    std::vector<std::uint32_t> from = given_to[to];
    for (const std::uint32_t one : from) ancestors.add(one, to);
    std::sort(wanted_to[to].rbegin(), wanted_to[to].rend());
    for (const std::uint32_t one : wanted_to[to]) {
      if (ancestors.precedes(one, to)) continue;
      ancestors.add(one, to);
      from.push_back(one);
    }
    std::sort(from.begin(), from.end());
    for (const std::uint32_t one : from) edges.emplace_back(one, to);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<CallEdge> edges_by_names(const Program& program, const Footprints& footprints) {
  const auto directions = argument_directions(program, footprints);
  std::unordered_map<std::string, std::uint32_t> last_writer;
  std::vector<CallEdge> edges;
  for (std::uint32_t i = 0; i < program.calls.size(); ++i) {
    const std::vector<Argument>& arguments = program.calls[i].arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (!directions[i][k].reads) continue;
      const auto found = last_writer.find(program.buffers[arguments[k].index].name);
      if (found != last_writer.end() && found->second != i) edges.emplace_back(found->second, i);
    }
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      if (directions[i][k].writes) last_writer[program.buffers[arguments[k].index].name] = i;
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

HazardReport find_hazards(const Program& program, const CallAccesses& accesses, std::vector<CallEdge> name_edges) {
  const auto calls = static_cast<std::uint32_t>(program.calls.size());
  HazardReport report;
  report.name_edges = std::move(name_edges);
  Ancestors by_name(calls);
  for (std::uint32_t to = 0; to < calls; ++to) {
    for (const auto& [from, end] : report.name_edges) {
      if (end == to) by_name.add(from, to);
    }
  }
  const std::vector<PerObject> sets = per_object(accesses);
  std::vector<CallEdge> wanted = device_chain(program);
  for (std::uint32_t a = 0; a < calls; ++a) {
    for (std::uint32_t b = a + 1; b < calls; ++b) {
      const bool is_ordered = by_name.precedes(a, b);
      report.unordered_pairs += is_ordered ? 0U : 1U;
      const std::uint8_t kinds = kinds_of(sets[a], sets[b]);
      if (kinds == 0) continue;
      Conflict conflict{.a = a, .b = b, .kinds = kinds, .is_ordered = is_ordered, .overlaps = {}};
      if (!is_ordered) {
        conflict.overlaps = overlaps_of(accesses[a], accesses[b]);
        ++report.racing_pairs;
      }
      report.raw += (kinds & kRaw) != 0 ? 1U : 0U;
      report.war += (kinds & kWar) != 0 ? 1U : 0U;
      report.waw += (kinds & kWaw) != 0 ? 1U : 0U;
      wanted.emplace_back(a, b);
      report.conflicts.push_back(std::move(conflict));
    }
  }
  report.hazard_edges = with_order(calls, report.name_edges, wanted);
  return report;
}

Parallelism parallelism(std::size_t calls, const std::vector<CallEdge>& edges,
                        const std::vector<std::uint64_t>& costs) {
  Parallelism result{.edges = edges.size()};
  Ancestors ancestors(calls);
  std::vector<std::vector<std::uint32_t>> into(calls);
  for (const auto& [from, to] : edges) into[to].push_back(from);
  std::vector<std::uint64_t> depth(calls), finish(calls);
  for (std::uint32_t call = 0; call < calls; ++call) {
    for (const std::uint32_t from : into[call]) {
      ancestors.add(from, call);
      depth[call] = std::max(depth[call], depth[from]);
      finish[call] = std::max(finish[call], finish[from]);
    }
    const std::uint64_t cost = costs.empty() ? 1 : costs[call];
    depth[call] += 1;
    finish[call] += cost;
    result.work += cost;
    result.depth = std::max(result.depth, depth[call]);
    result.critical_path = std::max(result.critical_path, finish[call]);
    result.unordered_pairs += call - ancestors.count(call);
  }
  result.width = calls - Matching(calls, ancestors).maximum();
  return result;
}

}  // namespace detent::models::tvm

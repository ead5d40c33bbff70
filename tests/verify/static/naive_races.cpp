// Byte maps.
#include "tests/verify/static/naive_races.hpp"

#include <algorithm>

#include "tests/verify/random_graph.hpp"

namespace detent::verify::testing {
namespace {

/// What an op does to each byte of one region.
struct Touch {
  std::vector<bool> read, written;
};

void mark(const detent_desc& desc, const detent_slice& slice, std::uint32_t region, std::vector<bool>& bytes) {
  for (std::uint32_t k = 0; k < slice.count; ++k) {
    const detent_tensor& tensor = desc.tensors[desc.tensor_refs[slice.first + k]];
    if (tensor.region != region) continue;
    for (std::uint32_t block = 0; block < tensor.block_count; ++block) {
      for (std::uint64_t i = 0; i < tensor.block_bytes; ++i) {
        bytes[tensor.offset_bytes + block * tensor.stride_bytes + i] = true;
      }
    }
  }
}

Touch touch(const detent_desc& desc, std::uint32_t op, std::uint32_t region) {
  const std::uint64_t size = desc.regions[region].size_bytes;
  Touch result{std::vector<bool>(size, false), std::vector<bool>(size, false)};
  mark(desc, desc.ops[op].inputs, region, result.read);
  mark(desc, desc.ops[op].weights, region, result.read);
  mark(desc, desc.ops[op].outputs, region, result.written);
  mark(desc, desc.ops[op].scratch, region, result.written);
  return result;
}

/// First byte in both maps; size when there is none.
std::uint64_t first_common(const std::vector<bool>& x, const std::vector<bool>& y) {
  std::uint64_t i = 0;
  while (i < x.size() && !(x[i] && y[i])) ++i;
  return i;
}

bool share_mutex(const detent_desc& desc, std::uint32_t a, std::uint32_t b) {
  const auto of = [&](std::uint32_t op) {
    const detent_slice& slice = desc.ops[op].mutexes;
    return std::vector<std::uint32_t>(desc.mutex_refs + slice.first, desc.mutex_refs + slice.first + slice.count);
  };
  const std::vector<std::uint32_t> mutexes = of(b);
  for (const std::uint32_t mutex : of(a)) {
    if (std::find(mutexes.begin(), mutexes.end(), mutex) != mutexes.end()) return true;
  }
  return false;
}

std::vector<Race> conflicts_of(std::uint32_t a, std::uint32_t b, const std::vector<Touch>& of_a,
                               const std::vector<Touch>& of_b) {
  std::vector<Race> found;
  for (const HazardKind kind : {HazardKind::kRaw, HazardKind::kWar, HazardKind::kWaw}) {
    for (std::uint32_t region = 0; region < of_a.size(); ++region) {
      const auto& x = kind == HazardKind::kWar ? of_a[region].read : of_a[region].written;
      const auto& y = kind == HazardKind::kRaw ? of_b[region].read : of_b[region].written;
      const std::uint64_t first = first_common(x, y);
      if (first < x.size()) found.push_back({a, b, kind, region, first, 0, 0, 0});
    }
  }
  return found;
}

}  // namespace

NaiveRaces find_races_naively(const detent_desc& desc) {
  NaiveRaces result;
  const auto reach = close_naively(desc);
  std::vector<std::vector<Touch>> touches(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    for (std::uint32_t r = 0; r < desc.region_count; ++r) touches[op].push_back(touch(desc, op, r));
  }
  for (std::uint32_t a = 0; a < desc.op_count; ++a) {
    for (std::uint32_t b = a + 1; b < desc.op_count; ++b) {
      const std::vector<Race> conflicts = conflicts_of(a, b, touches[a], touches[b]);
      result.conflicting_pairs += conflicts.empty() ? 0 : 1;
      if (reach[a][b] || reach[b][a]) continue;
      ++result.unordered_pairs;
      const std::uint32_t group = desc.ops[a].commute_group;
      const bool commute = group != DETENT_NONE && group == desc.ops[b].commute_group;
      if (!share_mutex(desc, a, b)) {
        result.races.insert(result.races.end(), conflicts.begin(), conflicts.end());
      } else if (!commute) {
        result.order_dependent.insert(result.order_dependent.end(), conflicts.begin(), conflicts.end());
      }
    }
  }
  return result;
}

bool same_race(const Race& x, const Race& y) {
  return x.op_a == y.op_a && x.op_b == y.op_b && x.kind == y.kind && x.region == y.region &&
         x.offset_bytes == y.offset_bytes;
}

namespace {

std::string compare_lists(const char* name, const RaceList& list, const std::vector<Race>& expected) {
  if (list.count != expected.size() || list.listed.size() != expected.size()) {
    return std::string(name) + ": " + std::to_string(list.count) + " instead of " + std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Race& race = list.listed[i];
    if (!same_race(race, expected[i]) || race.size_bytes == 0) {
      return std::string(name) + " " + std::to_string(i) + ": ops " + std::to_string(race.op_a) + " and " +
             std::to_string(race.op_b) + " at " + std::to_string(race.offset_bytes) + " instead of " +
             std::to_string(expected[i].op_a) + " and " + std::to_string(expected[i].op_b) + " at " +
             std::to_string(expected[i].offset_bytes);
    }
  }
  return "";
}

}  // namespace

std::string describe_difference(const RaceReport& report, const NaiveRaces& expected) {
  if (report.unordered_pairs != expected.unordered_pairs) return "unordered pairs";
  if (report.conflicting_pairs != expected.conflicting_pairs) {
    return "conflicting pairs: " + std::to_string(report.conflicting_pairs.value_or(0)) + " instead of " +
           std::to_string(expected.conflicting_pairs);
  }
  const std::string races = compare_lists("races", report.races, expected.races);
  return races.empty() ? compare_lists("order dependent", report.order_dependent, expected.order_dependent) : races;
}

}  // namespace detent::verify::testing

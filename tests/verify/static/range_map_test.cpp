// What is known of which bytes: against one entry per byte.
#include "verify/static/range_map.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using Map = RangeMap<std::uint32_t>;
using Ranges = std::vector<Map::Range>;
constexpr std::uint32_t kUnknown = 0;

/// One entry per byte; kUnknown: none.
class ByteMap {
 public:
  explicit ByteMap(std::size_t size) : entries_(size, kUnknown) {}

  void write(std::uint64_t begin, std::uint64_t end, std::uint32_t entry) {
    for (std::uint64_t byte = begin; byte < end; ++byte) entries_[byte] = entry;
  }
  [[nodiscard]] std::vector<std::uint32_t> bytes(std::uint64_t begin, std::uint64_t end) const {
    return {entries_.begin() + static_cast<std::ptrdiff_t>(begin), entries_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

 private:
  std::vector<std::uint32_t> entries_;
};

std::vector<std::uint32_t> bytes_of(const Ranges& ranges, std::uint64_t begin, std::uint64_t end) {
  ByteMap map(end);
  for (const Map::Range& range : ranges) map.write(range.begin, range.end, range.entry);
  return map.bytes(begin, end);
}

/// Takes over, cuts, forgets and fills bytes at random.
void change_at_random(std::uint64_t size, std::uint64_t longest, std::uint32_t steps) {
  testing::Random random{size + longest};
  Map map;
  ByteMap expected(size);
  for (std::uint32_t step = 1; step <= steps; ++step) {
    const std::uint64_t begin = random.below(static_cast<std::uint32_t>(size));
    const std::uint64_t end = std::min(size, begin + 1 + random.below(static_cast<std::uint32_t>(longest)));
    const bool forgets = random.below(8) == 0;
    const bool keeps = !forgets && random.below(4) == 0;
    map.update(begin, end, [&](Ranges& known) {
      ASSERT_EQ(bytes_of(known, begin, end), expected.bytes(begin, end)) << step;
      if (!keeps) known.clear();
      if (!keeps && !forgets) known.push_back({begin, end, step});
    });
    if (!keeps) expected.write(begin, end, forgets ? kUnknown : step);
    const std::uint32_t wanted = expected.bytes(begin, begin + 1).front();
    const std::vector<std::uint32_t> around = expected.bytes(begin, std::min(size, begin + 5));
    const bool are_all = std::ranges::all_of(around, [&](std::uint32_t entry) { return entry == wanted; });
    EXPECT_EQ(map.all_of(begin, begin + around.size(), wanted == kUnknown,
                         [&](std::uint32_t entry) { return entry == wanted; }),
              are_all)
        << step;
  }
}

TEST(RangeMap, KnowsWhatOneEntryPerByteKnows) {
  change_at_random(50, 20, 2000);
  change_at_random(2000, 3, 20'000);   // many chunks
  change_at_random(2000, 1500, 2000);  // ranges over many chunks
  change_at_random(20'000, 40, 20'000);
}

TEST(RangeMap, TakesAscendingAndDescendingRanges) {
  Map up, down;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    up.update(10 * i, 10 * i + 5, [&](Ranges& known) { known.assign(1, {10 * i, 10 * i + 5, i + 1}); });
    const std::uint32_t k = 999 - i;
    down.update(10 * k, 10 * k + 5, [&](Ranges& known) { known.assign(1, {10 * k, 10 * k + 5, k + 1}); });
  }
  for (Map* const map : {&up, &down}) {
    std::uint32_t next = 0;
    map->for_each_entry([&](std::uint32_t& entry) { EXPECT_EQ(entry, ++next); });
    EXPECT_EQ(next, 1000U);
  }
}

}  // namespace
}  // namespace detent::verify

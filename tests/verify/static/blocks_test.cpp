// Bit sets over blocks of columns, bit by bit, and nothing beyond their last word.
#include <gtest/gtest.h>

#include <array>

#include "tests/verify/random_graph.hpp"
#include "verify/static/conflict_block.hpp"
#include "verify/static/sharing_block.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// 130 unordered ops, three words of columns: op i writes bytes [i, i + 2), reads [2 i, 2 i + 1) and, if odd, is
/// strided.
GraphSpec neighbours() {
  GraphSpec spec = make_ops(130);
  spec.regions = workspaces({512});
  for (std::uint32_t i = 0; i < 130; ++i) {
    spec.ops[i].writes = {{0, i, 2}};
    spec.ops[i].reads = {{0, std::uint64_t{2} * i, 1}};
    if (i % 2 == 1) spec.ops[i].reads = {{0, i, 1, 2, 3}};
    spec.ops[i].mutexes = {i % 3, 3 + i / 64};
  }
  spec.mutex_count = 6;
  return spec;
}

bool reads_byte(std::uint32_t op, std::uint64_t byte) {
  if (op % 2 == 0) return byte == 2 * std::uint64_t{op};
  return byte == op || byte == std::uint64_t{op} + 3;
}

constexpr Word kCanary = 0x5555'5555'5555'5555u;

/// The block's words with a canary before and behind.
class Row {
 public:
  explicit Row(std::uint32_t words) : bits_(words + 2, 0), words_(words) { bits_.front() = bits_.back() = kCanary; }
  Word* data() { return bits_.data() + 1; }
  [[nodiscard]] bool has(std::uint32_t column) const { return (bits_[1 + column / 64] >> (column % 64) & 1U) != 0; }
  [[nodiscard]] bool is_whole() const { return bits_.front() == kCanary && bits_.back() == kCanary; }
  [[nodiscard]] std::uint32_t columns() const { return words_ * 64; }

 private:
  std::vector<Word> bits_;
  std::uint32_t words_;
};

TEST(Blocks, ConflictsOfEveryOpWithEveryColumn) {
  const DescTables tables(neighbours());
  const Order order(tables.desc);
  const AccessTable table(tables.desc, order);
  for (const std::uint32_t width : {64U, 128U}) {
    ConflictBlock block(table, width);
    for (std::uint32_t first = 0; first < 130; first += width) {
      const std::uint32_t count = std::min(width, 130 - first);
      block.load(first, count);
      for (std::uint32_t op = 0; op < 130; ++op) {
        Row writers(width / 64), readers(width / 64), readers_of_reads(width / 64);
        for (const Access& access : table.writes(op)) block.add_writers(access, writers.data());
        for (const Access& access : table.writes(op)) block.add_readers(access, readers.data());
        for (const Access& access : table.reads(op)) block.add_writers(access, readers_of_reads.data());
        ASSERT_TRUE(writers.is_whole() && readers.is_whole() && readers_of_reads.is_whole()) << op;
        for (std::uint32_t column = 0; column < writers.columns(); ++column) {
          const std::uint32_t other = first + column;
          const bool exists = column < count;
          ASSERT_EQ(writers.has(column), exists && op <= other + 1 && other <= op + 1) << op << " " << other;
          ASSERT_EQ(readers.has(column), exists && (reads_byte(other, op) || reads_byte(other, op + 1)))
              << op << " " << other;
          ASSERT_EQ(readers_of_reads.has(column), exists && (reads_byte(op, other) || reads_byte(op, other + 1)))
              << op << " " << other;
        }
      }
    }
  }
}

TEST(Blocks, SharersOfEveryMutex) {
  const DescTables tables(neighbours());
  const Order order(tables.desc);
  const Memberships mutexes = mutexes_by_position(tables.desc, order);
  for (const std::uint32_t width : {64U, 128U}) {
    SharingBlock block(mutexes, width);
    for (std::uint32_t first = 0; first < 130; first += width) {
      const std::uint32_t count = std::min(width, 130 - first);
      block.load(first, count);
      for (std::uint32_t op = 0; op < 130; ++op) {
        Row sharers(width / 64);
        block.add_sharers(op, sharers.data());
        ASSERT_TRUE(sharers.is_whole()) << op;
        for (std::uint32_t column = 0; column < sharers.columns(); ++column) {
          const std::uint32_t other = first + column;
          const bool shares = column < count && (op % 3 == other % 3 || op / 64 == other / 64);
          ASSERT_EQ(sharers.has(column), shares) << op << " " << other;
        }
      }
    }
  }
}

TEST(Blocks, MutexesOutsideTheirTableAreRefused) {
  DescTables tables(neighbours());
  const Order order(tables.desc);
  const std::uint32_t count = tables.desc.mutex_ref_count;
  for (const detent_slice& slice : {detent_slice{count + 1, 0}, detent_slice{0, count + 1}, detent_slice{count, 1}}) {
    tables.ops[7].mutexes = slice;
    EXPECT_THROW((void)mutexes_by_position(tables.desc, order), std::invalid_argument) << slice.first;
  }
  tables.ops[7].mutexes = {count, 0};
  EXPECT_EQ(mutexes_by_position(tables.desc, order).groups.size(), 2U * 130 - 2);
}

TEST(Blocks, ReachOfAChainWithASkip) {
  GraphSpec spec = make_ops(130);
  for (std::uint32_t op = 2; op < 130; ++op) spec.edges.emplace_back(op - 2, op);
  const DescTables tables(spec);
  const Order order(tables.desc);
  ReachBlock block(order, 64);
  for (std::uint32_t first = 0; first < 130; first += 64) {
    block.compute(first);
    EXPECT_EQ(block.first(), first);
    EXPECT_EQ(block.column_count(), std::min(64U, 130 - first));
    EXPECT_EQ(block.words(), 1U);
    for (std::uint32_t p = 0; p < first + block.column_count(); ++p) {
      for (std::uint32_t c = 0; c < block.column_count(); ++c) {
        ASSERT_EQ(block.precedes(p, c), p < first + c && (first + c - p) % 2 == 0) << p << " " << first + c;
      }
    }
  }
}

TEST(Blocks, WidthsAreMultiplesOf64UpTo2048) {
  for (const std::array<std::uint32_t, 2> row : {std::array{0U, 64U},
                                                 {1U, 64U},
                                                 {64U, 64U},
                                                 {65U, 128U},
                                                 {2047U, 2048U},
                                                 {2048U, 2048U},
                                                 {2049U, 2048U},
                                                 {UINT32_MAX, 2048U}}) {
    EXPECT_EQ(block_width(row[0]), row[1]) << row[0];
  }
}

TEST(Blocks, AccessesMergeWhereTheyTouch) {
  GraphSpec spec = make_ops(2);
  spec.regions = workspaces({64, 64, 64});
  spec.ops[0].writes = {{0, 8, 8}, {0, 0, 8}, {0, 20, 4}, {0, 4, 8}, {1, 0, 8}};
  spec.ops[0].reads = {{0, 30, 2}, {2, 0, 8}, {0, 30, 1, 2, 4}};
  spec.ops[1].reads = {{0, 0, 8}, {0, 9, 1}};
  const DescTables tables(spec);
  const Order order(tables.desc);
  const AccessTable table(tables.desc, order);
  const auto text = [](std::span<const Access> row) {
    std::string all;
    for (const Access& a : row) {
      all += "[" + std::to_string(a.begin) + " " + std::to_string(a.end) + ") " + std::to_string(a.begin_rank) + "-" +
             std::to_string(a.end_rank) + (a.strided == DETENT_NONE ? "" : " strided " + std::to_string(a.strided)) +
             "; ";
    }
    return all;
  };
  EXPECT_EQ(text(table.writes(0)), "[0 16) 0-4; [20 24) 5-6; [4398046511104 4398046511112) 10-11; ");
  EXPECT_EQ(text(table.reads(0)), "[30 32) 7-8; [30 35) 7-9 strided 0; ") << "nobody writes region 2";
  EXPECT_EQ(text(table.reads(1)), "[0 8) 0-1; [9 10) 2-3; ");
  EXPECT_EQ(text(table.writes(1)), "");
  EXPECT_EQ(std::to_string(table.rank_count()), "12");
}

}  // namespace
}  // namespace detent::verify

// The search on problems whose answers are known, node limits, the check of placements; MiniMalloc's samples where they
// are present.
#include "models/plan/problem/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "models/plan/problem/solution_check.hpp"

namespace detent::models::packing {
namespace {

/// A rectangle of time times memory cut at random: the pieces fit it without a gap.
MemoryProblem tiling(std::uint64_t seed, std::size_t buffers) {
  struct Piece {
    std::uint32_t lower, upper, size;
  };
  RandomSource random(seed);
  std::vector<Piece> pieces{{0, 1024, 1024}};
  while (pieces.size() < buffers) {
    Piece& piece = pieces[random.below(static_cast<std::uint32_t>(pieces.size()))];
    Piece other = piece;
    std::uint32_t& length = random.below(2) == 0 ? piece.size : piece.upper;
    const std::uint32_t begin = &length == &piece.size ? 0 : piece.lower;
    if (length - begin < 8) continue;
    const std::uint32_t cut = begin + 1 + random.below(length - begin - 1);
    (&length == &piece.size ? other.size : other.lower) = &length == &piece.size ? length - cut : cut;
    length = cut;
    pieces.push_back(other);
  }
  MemoryProblem problem;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    problem.buffers.push_back(
        {.id = std::to_string(i), .lower = pieces[i].lower, .upper = pieces[i].upper, .size_bytes = pieces[i].size});
  }
  return problem;
}

/// Few buffers that live long among many that do not, small ones and large ones.
MemoryProblem long_and_short(std::uint64_t seed) {
  constexpr std::int64_t kMoments = 40;
  RandomSource random(seed);
  MemoryProblem problem;
  for (std::uint32_t i = 0; i < 120; ++i) {
    const double share = random.unit();
    const auto length = 1 + static_cast<std::int64_t>(40 * share * share * share);
    const std::int64_t lower = random.below(static_cast<std::uint32_t>(kMoments - 1 + length)) - length + 1;
    const std::uint32_t size = random.below(2) == 0 ? 1 + random.below(6) : 5 + random.below(36);
    problem.buffers.push_back({.id = std::to_string(i),
                               .lower = std::max<std::int64_t>(lower, 0),
                               .upper = std::min(lower + length, kMoments),
                               .size_bytes = size});
  }
  return problem;
}

MemoryProblem twelve() {
  return parse_memory_problem("id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n", "p.csv");
}

/// 8e9 over buffers and the sections that they live in; a section is a set that lives at once and is within no other.
TEST(SolveProblem, NodesByDefaultByHand) {
  MemoryProblem problem{.buffers = {{.id = "a", .lower = 0, .upper = 5, .size_bytes = 8}}};
  EXPECT_EQ(default_max_nodes(problem.buffers), 4'000'000'000U) << "one buffer in one section";
  problem.buffers.push_back({.id = "b", .lower = 3, .upper = 9, .size_bytes = 8});
  EXPECT_EQ(default_max_nodes(problem.buffers), 8'000'000'000U / 4) << "two buffers in one section";
  problem.buffers.push_back({.id = "c", .lower = 9, .upper = 12, .size_bytes = 8});
  EXPECT_EQ(default_max_nodes(problem.buffers), 8'000'000'000U / 6) << "one more in one of its own";
  problem.buffers.back().lower = 8;
  EXPECT_EQ(default_max_nodes(problem.buffers), 8'000'000'000U / 7) << "b lives in both sections";
  EXPECT_EQ(solve_memory_problem(problem, {}).max_nodes, 8'000'000'000U / 7);
  EXPECT_EQ(solve_memory_problem(problem, {.max_nodes = 1}).max_nodes, 1U);
  EXPECT_EQ(solve_memory_problem(problem, {.capacity_bytes = 16, .max_nodes = 7}).max_nodes, 7U);
}

TEST(SolveProblem, FitsItsLowerBoundAndNothingBelow) {
  const Solution placed = solve_memory_problem(twelve(), {.capacity_bytes = 12});
  EXPECT_TRUE(placed.is_placed && placed.is_proven);
  EXPECT_EQ(placed.height_bytes, 12U);
  const Solution none = solve_memory_problem(twelve(), {.capacity_bytes = 11});
  EXPECT_FALSE(none.is_placed);
  EXPECT_TRUE(none.is_proven);
  EXPECT_EQ(none.lower_bound_bytes, 12U);
  EXPECT_EQ(none.height_bytes, 12U) << "the lowest that was found";
  EXPECT_EQ(none.offsets_bytes.size(), 5U);
}

// Nine bytes live at once, but b and c at multiples of four leave no room for a between or above them.
TEST(SolveProblem, ACompleteSearchProvesThatNoneFits) {
  const MemoryProblem problem =
      parse_memory_problem("id,lower,upper,size,alignment\na,0,2,3,1\nb,0,2,3,4\nc,0,2,3,4\n", "p.csv");
  const Solution none = solve_memory_problem(problem, {.capacity_bytes = 9});
  EXPECT_EQ(none.lower_bound_bytes, 9U);
  EXPECT_FALSE(none.is_placed);
  EXPECT_TRUE(none.is_proven);
  EXPECT_GT(none.nodes, 0U);
  EXPECT_TRUE(solve_memory_problem(problem, {.capacity_bytes = 10}).is_placed);
}

TEST(SolveProblem, AlignmentIsKept) {
  const MemoryProblem problem =
      parse_memory_problem("id,lower,upper,size,alignment\na,0,2,5,\nb,0,2,8,8\nc,1,3,3,16\nd,2,4,9,4\n", "p.csv");
  const Solution solution = solve_memory_problem(problem, {});
  EXPECT_TRUE(solution.is_proven);
  EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, solution.height_bytes).empty());
}

TEST(SolveProblem, TilingsArePlacedWithoutAGap) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MemoryProblem problem = tiling(seed, 60);
    const Solution solution = solve_memory_problem(problem, {.capacity_bytes = 1024, .max_nodes = 200'000});
    EXPECT_TRUE(solution.is_placed) << seed;
    EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, 1024).empty()) << seed;
  }
}

// Without lift() of the search none of them is placed within 4,000 nodes.
TEST(SolveProblem, WhatDoesNotFitAboveABufferIsSeenAtOnce) {
  for (const std::uint64_t seed : {66U, 105U, 287U}) {
    const MemoryProblem problem = long_and_short(seed);
    const std::uint64_t capacity = lower_bound_bytes(problem.buffers);
    const Solution solution = solve_memory_problem(problem, {.capacity_bytes = capacity, .max_nodes = 1'000});
    EXPECT_TRUE(solution.is_placed) << seed;
    EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, capacity).empty()) << seed;
  }
}

// Known to fit, as each is cut from a rectangle.
TEST(SolveProblem, LargeTilingsArePlacedWithoutAGap) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MemoryProblem problem = tiling(seed, 120);
    const Solution solution = solve_memory_problem(problem, {.capacity_bytes = 1024, .max_nodes = 20'000});
    EXPECT_TRUE(solution.is_placed) << seed;
    EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, 1024).empty()) << seed;
  }
}

TEST(SolveProblem, TheLimitOfNodesIsKeptAndDecides) {
  const MemoryProblem problem = tiling(3, 200);
  const Solution first = solve_memory_problem(problem, {.capacity_bytes = 1023, .max_nodes = 5'000});
  EXPECT_TRUE(first.is_proven) << "1024 bytes live at one time";
  const Solution lowest = solve_memory_problem(problem, {.max_nodes = 20'000});
  EXPECT_LE(lowest.nodes, 20'000U);
  EXPECT_TRUE(find_placement_faults(problem.buffers, lowest.offsets_bytes, 0).empty());
  const Solution again = solve_memory_problem(problem, {.max_nodes = 20'000});
  EXPECT_EQ(lowest.offsets_bytes, again.offsets_bytes);
  EXPECT_EQ(lowest.nodes, again.nodes);
}

TEST(SolveProblem, PartsInTimeArePlacedApart) {
  MemoryProblem problem = tiling(1, 20);
  const MemoryProblem other = tiling(2, 20);
  for (Buffer buffer : other.buffers) {
    buffer.id += "later";
    buffer.lower += 1024;
    buffer.upper += 1024;
    problem.buffers.push_back(buffer);
  }
  const Solution solution = solve_memory_problem(problem, {.capacity_bytes = 1024});
  EXPECT_TRUE(solution.is_placed);
  EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, 1024).empty());
}

TEST(PlacementCheck, FindsWhatIsPlanted) {
  const std::vector<Buffer> buffers =
      parse_memory_problem("id,lower,upper,size,alignment\na,0,4,8,\nb,3,6,8,4\nc,4,9,8,\n", "p.csv").buffers;
  EXPECT_TRUE(find_placement_faults(buffers, {0, 8, 0}, 16).empty()) << "a ends when c begins";
  const auto one = [&](const std::vector<std::uint64_t>& offsets, std::uint64_t capacity, const char* text) {
    const std::vector<std::string> faults = find_placement_faults(buffers, offsets, capacity);
    ASSERT_EQ(faults.size(), 1U) << text;
    EXPECT_NE(faults[0].find(text), std::string::npos) << faults[0];
  };
  one({1, 8, 0}, 16, "b (lives [3, 6), bytes [8, +8)) and a (lives [0, 4), bytes [1, +8)) live at once");
  one({0, 10, 0}, 18, "is not at a multiple of its alignment 4");
  one({0, 12, 0}, 16, "does not end within 16 bytes");
  one({0, 8, 15}, 0, "c (lives [4, 9)");
  one({0, 8}, 16, "2 offsets for 3 buffers");
  one({0, UINT64_MAX - 3, 0}, 16, "does not end within");
  EXPECT_EQ(find_placement_faults(buffers, {0, 0, 0}, 0, 1).size(), 1U) << "the limit";
}

// The environment variable names a folder with the challenging benchmarks of MiniMalloc's repository, as
// id,lower,upper, size.
class MiniMallocSample : public testing::TestWithParam<const char*> {};

TEST_P(MiniMallocSample, IsPlacedAtItsCapacity) {
  const char* const folder = std::getenv("DETENT_MINIMALLOC_SAMPLES");
  if (folder == nullptr) GTEST_SKIP() << "DETENT_MINIMALLOC_SAMPLES is not set";
  std::ifstream file(std::string(folder) + "/" + GetParam() + ".1048576.csv");
  if (!file) GTEST_SKIP() << "no sample " << GetParam() << " in " << folder;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const MemoryProblem problem = parse_memory_problem(text, GetParam());
  const Solution solution = solve_memory_problem(problem, {.capacity_bytes = 1'048'576});
  EXPECT_TRUE(solution.is_placed);
  EXPECT_TRUE(find_placement_faults(problem.buffers, solution.offsets_bytes, 1'048'576).empty());
}

INSTANTIATE_TEST_SUITE_P(Problem, MiniMallocSample,
                         testing::Values("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"));

}  // namespace
}  // namespace detent::models::packing

// Rounds of several networks: what each round says, and that nobody is left waiting.
#include "harness/together/run_together.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/desc_tables.hpp"

namespace detent::harness {
namespace {

support::GraphSpec chain(std::uint32_t ops) {
  support::GraphSpec spec = support::make_ops(ops);
  for (std::uint32_t op = 1; op < ops; ++op) spec.edges.push_back({op - 1, op});
  support::add_dataflow(spec);
  return spec;
}

class Rounds : public ::testing::Test {
 protected:
  Rounds() {
    for (const support::DescTables* const tables : {&three_, &five_}) {
      networks_.push_back({.desc = &tables->desc});
      networks_.back().options.engine.workers = 2;
    }
  }
  support::DescTables three_{chain(3)}, five_{chain(5)};
  std::vector<SharedNetwork> networks_;
};

TEST_F(Rounds, EachHasEveryNetworkOnceInTheOrderOfTheirEnds) {
  std::uint64_t rounds = 0;
  const auto failure = run_together(networks_, 20, [&](std::uint64_t number, const Round& round) {
    EXPECT_EQ(number, rounds++);
    EXPECT_EQ(round.runs.size(), 2U);
    EXPECT_EQ(round.runs[0].result.ops_run, 3U);
    EXPECT_EQ(round.runs[1].result.ops_run, 5U);
    EXPECT_LE(round.runs[round.order[0]].result.end_ps, round.runs[round.order[1]].result.end_ps);
    EXPECT_EQ(round.order[0] + round.order[1], 1U);
    return true;
  });
  EXPECT_FALSE(failure);
  EXPECT_EQ(rounds, 20U);
}

TEST_F(Rounds, EndWhereNoMoreAreWanted) {
  std::uint64_t rounds = 0;
  run_together(networks_, 20, [&](std::uint64_t, const Round&) { return ++rounds < 3; });
  EXPECT_EQ(rounds, 3U);
  run_together(networks_, 0, [&](std::uint64_t, const Round&) { return ++rounds != 0; });
  EXPECT_EQ(rounds, 3U);
}

TEST_F(Rounds, AnErrorOfTheListenerComesOutAndLeavesNobodyWaiting) {
  const auto throws = [](std::uint64_t, const Round&) -> bool { throw std::runtime_error("enough"); };
  EXPECT_THROW(run_together(networks_, 5, throws), std::runtime_error);
  networks_[1].options.input_bytes = {1};  // of the wrong size: noticed between rounds
  EXPECT_THROW(run_together(networks_, 5, [](std::uint64_t, const Round&) { return true; }), std::invalid_argument);
}

TEST_F(Rounds, ANetworkThatDoesNotBindIsNamed) {
  support::GraphSpec unknown = chain(1);
  unknown.kernels = {"nobody_knows_it"};
  const support::DescTables bad(unknown);
  networks_[1].desc = &bad.desc;
  const auto failure = run_together(networks_, 5, [](std::uint64_t, const Round&) { return true; });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->network, 1U);
  EXPECT_EQ(failure->error.status, DETENT_UNKNOWN_KERNEL);
}

TEST_F(Rounds, WhatAPoolCannotHaveIsRefused) {
  const auto go_on = [](std::uint64_t, const Round&) { return true; };
  EXPECT_THROW(run_together({}, 1, go_on), std::invalid_argument);
  EXPECT_THROW(run_together(std::vector<SharedNetwork>(17, networks_[0]), 1, go_on), std::invalid_argument);
  networks_[0].options.faults.op_deadline_ps = 1;
  EXPECT_THROW(run_together(networks_, 1, go_on), std::invalid_argument);
}

}  // namespace
}  // namespace detent::harness

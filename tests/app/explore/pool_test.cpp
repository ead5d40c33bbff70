// Several models on one pool of workers, explored: what is said, what a schedule repeats, what is refused.
#include "app/explore/pool.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::app {
namespace {

using verify::Outcome;

ExploreRequest threads_of(const std::string& model, std::uint32_t workers) {
  ExploreRequest made;
  made.request.model = model;
  made.level = "threads";
  made.workers = workers;
  return made;
}

TEST(PoolExploration, EveryScheduleOfTwoSmallNetworksHolds) {
  ExploreRequest wanted = threads_of("chain:1", 1);
  wanted.threads.line.threads.memory = "sc";
  const Answer answer = explore_models_together(wanted, {"chain:1"}, {0, 1});
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["complete"], true);
  EXPECT_EQ(answer.json["verdict"], "holds");
  EXPECT_EQ(answer.json["networks"][1]["priority"], 1);
  EXPECT_TRUE(answer.json["failure"].is_null());
}

TEST(PoolExploration, ARacingNetworkIsFoundAndItsChoicesRepeatIt) {
  ExploreRequest wanted = threads_of("bad_reuse_war", 2);
  wanted.strategy = "rotate";
  wanted.budget = 3000;
  const Answer answer = explore_models_together(wanted, {"chain:2"}, {});
  ASSERT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["failure"]["law"], "output");
  wanted.threads.line.threads.choices = answer.json["failure"]["choices"];
  const Answer again = explore_models_together(wanted, {"chain:2"}, {});
  EXPECT_EQ(again.outcome, Outcome::kViolated);
  EXPECT_EQ(again.json["failure"]["law"], "output");
  EXPECT_FALSE(std::string(again.json["listing"]).empty());
}

TEST(PoolExploration, ASampleIsUnknown) {
  ExploreRequest wanted = threads_of("wide:2", 2);
  wanted.strategy = "rotate";
  wanted.budget = 20;
  EXPECT_EQ(explore_models_together(wanted, {"chain:2"}, {}).outcome, Outcome::kUnknown);
}

TEST(PoolExploration, WhatBelongsToOneModelIsRefused) {
  ExploreRequest wanted = threads_of("chain:1", 1);
  wanted.level = "ops";
  EXPECT_THROW(explore_models_together(wanted, {"chain:1"}, {}), std::invalid_argument);
  wanted.level = "threads";
  EXPECT_THROW(explore_models_together(wanted, {"chain:1"}, {1}), std::invalid_argument);
  wanted.failure.file = "f";
  EXPECT_THROW(explore_models_together(wanted, {"chain:1"}, {}), std::invalid_argument);
  wanted.failure.file.clear();
  wanted.threads.line.threads.duplicate_answers = 1;
  EXPECT_THROW(explore_models_together(wanted, {"chain:1"}, {}), std::invalid_argument);
  wanted.threads.line.threads.duplicate_answers = 0;
  wanted.threads.line.engine.mode = DETENT_MODE_LAYERED;
  EXPECT_THROW(explore_models_together(wanted, {"chain:1"}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app

#include "app/explore/sharded.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "app/explore/ops.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

Answer explored_shard(const std::string& shard, const std::string& file, std::vector<std::string> merge = {}) {
  OpExploreRequest wanted;
  wanted.request.model = "bad_reuse_war";
  wanted.campaign.shard = shard;
  wanted.campaign.file = file;
  wanted.campaign.merge = std::move(merge);
  wanted.identity = "one and the same";
  return explore_orders(wanted, load("bad_reuse_war", {}), {});
}

TEST(ExploreShards, FilesOfAllShardsGiveTheWholeAnswer) {
  const TempDirectory scratch;
  const std::string a = scratch.path() / "a", b = scratch.path() / "b";
  const Answer first = explored_shard("0/2", a);
  EXPECT_EQ(first.json["schedules"]["count"], 1);
  EXPECT_EQ(first.outcome, verify::Outcome::kHolds);
  explored_shard("1/2", b);
  const Answer whole = explored_shard("", "", {b, a});
  EXPECT_EQ(whole.json, explored_shard("", "").json);
  EXPECT_EQ(whole.lines, explored_shard("", "").lines);
}

TEST(ExploreShards, AShardThatIsGivenTwiceOrMissingIsRefused) {
  const TempDirectory scratch;
  const std::string a = scratch.path() / "a", b = scratch.path() / "b";
  explored_shard("0/2", a);
  explored_shard("1/2", b);
  EXPECT_THROW(explored_shard("", "", {a, a, b}), std::invalid_argument);
  EXPECT_THROW(explored_shard("", "", {a}), std::invalid_argument);
  EXPECT_THROW(explored_shard("", "", {b}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app

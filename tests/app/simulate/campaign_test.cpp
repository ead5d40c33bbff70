#include "app/simulate/campaign.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "app/simulate/campaign_identity.hpp"

namespace detent::app {
namespace {

TEST(CampaignPart, ShardsCoverAllRunsOnce) {
  for (const std::uint64_t runs : {1ULL, 7ULL, 100ULL, 99'999'999ULL}) {
    for (const std::uint64_t count : {1ULL, 2ULL, 3ULL, 7ULL}) {
      if (count > runs) continue;
      std::uint64_t next = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        const sim::RunRange part = shard_part(std::to_string(i) + "/" + std::to_string(count), runs);
        EXPECT_EQ(part.first, next);
        next += part.count;
      }
      EXPECT_EQ(next, runs);
    }
  }
  EXPECT_EQ(shard_part("", 5).count, 5U);
}

TEST(CampaignPart, B71_InvalidShardsAreRefused) {
  for (const char* shard : {"1", "/", "2/2", "0/0", "-1/2", "0/2/3", "a/b", "0/8", "0/1000001", "0/", "/2"}) {
    EXPECT_THROW(static_cast<void>(shard_part(shard, 7)), std::invalid_argument) << shard;
  }
}

TEST(CampaignPart, OptionsThatContradictEachOtherAreRefused) {
  CampaignOptions options;
  options.resume = true;
  EXPECT_THROW(CampaignPart(options, 5, 4, ""), std::invalid_argument);
  options = {};
  options.merge = {"a"};
  options.shard = "0/2";
  EXPECT_THROW(CampaignPart(options, 5, 4, ""), std::invalid_argument);
}

TEST(CampaignPart, AFileIsContinuedOnlyWhenThatIsAskedFor) {
  CampaignOptions options;
  options.file = (std::filesystem::temp_directory_path() / "detent_campaign_part.dcf").string();
  std::filesystem::remove(options.file);
  const std::string identity = R"({"schema":"detent.campaign/1","options":{"--runs":"5"},"files":{}})";
  { CampaignPart(options, 5, 4, identity); }
  EXPECT_THROW(CampaignPart(options, 5, 4, identity), std::invalid_argument);
  options.resume = true;
  EXPECT_EQ(CampaignPart(options, 5, 4, identity).note(),
            options.file + ": 0 of 5 runs are there (byte 114: the file ends after 0 of 5 runs)");
  const std::string other = R"({"schema":"detent.campaign/1","options":{"--runs":"6"},"files":{}})";
  try {
    CampaignPart(options, 5, 4, other);
    ADD_FAILURE() << "another campaign was continued";
  } catch (const std::invalid_argument& refused) {
    EXPECT_EQ(std::string(refused.what()),
              options.file +
                  ": holds another campaign: --runs is 5 there and 6 here; repeat its command or name another file");
  }
  options.shard = "0/2";
  EXPECT_THROW(CampaignPart(options, 5, 4, identity), std::invalid_argument);
  std::filesystem::remove(options.file);
}

TEST(CampaignIdentity, FollowsOptionsModelAndPlatformAndNoOutput) {
  const LoadedModel diamond = load("diamond", {});
  const sim::Platform platform = sim::plain_platform({{"cpu", 2}});
  const std::string identity = campaign_identity({{"--runs", "5"}, {"--jitter", "worst"}}, diamond, platform);
  EXPECT_EQ(identity, campaign_identity({{"--jitter", "worst"}, {"--runs", "5"}, {"--json", "a"}, {"--out", "b"}},
                                        diamond, platform));
  EXPECT_NE(identity, campaign_identity({{"--runs", "6"}, {"--jitter", "worst"}}, diamond, platform));
  EXPECT_EQ(identity,
            campaign_identity({{"--runs", "5"}, {"--jitter", "worst"}, {"--deadline", "5ms"}}, diamond, platform))
      << "it judges runs, and changes none";
  const std::string explored = exploration_identity({{"--deadline", "5ms"}}, diamond);
  EXPECT_NE(explored, exploration_identity({{"--deadline", "6ms"}}, diamond)) << "of explore it is that of ops";
  EXPECT_EQ(identity_arguments("f", explored), (std::vector<std::string>{"--deadline=5ms"}));
  EXPECT_NE(identity, campaign_identity({{"--runs", "5"}, {"--jitter", "worst"}}, load("chain", {}), platform));
  EXPECT_NE(identity,
            campaign_identity({{"--runs", "5"}, {"--jitter", "worst"}}, diamond, sim::plain_platform({{"cpu", 3}})));
  EXPECT_EQ(identity_arguments("f", identity), (std::vector<std::string>{"--jitter=worst", "--runs=5"}));
  EXPECT_TRUE(identity_differences("f", identity, identity).empty());
}

}  // namespace
}  // namespace detent::app

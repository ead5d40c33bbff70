// Campaigns of another program, from the request to what all shards printed.
#include "app/campaign/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/campaign/job_files.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

class CampaignDriver : public ::testing::Test {
 protected:
  /// A shell script as the program, {index} and {shards} behind it.
  [[nodiscard]] CampaignRequest campaign_of(const std::string& script) const {
    const std::string program = place_.write("program", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    CampaignRequest made;
    made.command = {program, "{index}", "{shards}"};
    made.shards = 3;
    made.jobs = 2;
    made.retries = 0;
    made.directory = place_.file("out");
    return made;
  }
  CampaignRun run(const CampaignRequest& request) {
    notes_.clear();
    return run_campaign(request, {}, [&](const std::string& note) { notes_.push_back(note); });
  }
  std::string campaign_refusal(const CampaignRequest& request) {
    return refusal_of([&] { return run(request).done; });
  }

  TemporaryDirectory place_;
  std::vector<std::string> notes_;
};

TEST_F(CampaignDriver, WhatAllShardsPrintIsPutTogetherInTheirOrder) {
  const CampaignRun done = run(campaign_of("echo shard $1 of $2"));
  EXPECT_TRUE(done.done);
  EXPECT_FALSE(done.of_detent);
  ASSERT_EQ(done.parts.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bytes_of(done.parts[i]), "shard " + std::to_string(i) + " of 3\n");
    EXPECT_EQ(done.parts[i], part_of_shard(done.manifest.request.directory, static_cast<std::uint32_t>(i)));
  }
  EXPECT_EQ(done.answer.lines, (Lines{"shard 0 of 3", "shard 1 of 3", "shard 2 of 3"}));
  EXPECT_TRUE(std::filesystem::exists(place_.file("out/summary.json")));
}

TEST_F(CampaignDriver, PreparingStartsNothing) {
  CampaignRequest request = campaign_of("echo $1");
  request.prepare = true;
  const CampaignRun prepared = run(request);
  EXPECT_FALSE(prepared.done);
  EXPECT_EQ(notes_.back(), "prepared; " + request.directory + "/README says what each file is for");
  EXPECT_EQ(missing_shards(prepared.manifest).size(), 3U);
  request.prepare = false;
  request.resume = true;
  EXPECT_TRUE(run(request).done) << "and it can be taken up";
}

TEST_F(CampaignDriver, AShardThatDiesIsRunAgain) {
  CampaignRequest request = campaign_of("test -e " + place_.file("once$1") + " || { touch " + place_.file("once$1") +
                                        "; kill -9 $$; }; echo $1");
  request.retries = 1;
  const CampaignRun done = run(request);
  EXPECT_TRUE(done.done);
  EXPECT_EQ(done.answer.lines, (Lines{"0", "1", "2"}));
  EXPECT_NE(std::ranges::find(notes_, "3 shards died and are run again"), notes_.end());
}

TEST_F(CampaignDriver, AShardThatNeverEndsWellIsGivenUpWithTheWayOn) {
  const CampaignRequest request = campaign_of("test $1 != 1 || kill -9 $$; echo $1");
  const std::string refusal = campaign_refusal(request);
  EXPECT_TRUE(refusal.starts_with(request.directory + ": shard 1 was begun 1 time and never done")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; see " + request.directory + "/log/1.txt, then: detent campaign --resume --out " +
                                request.directory))
      << refusal;
}

TEST_F(CampaignDriver, OnlyWhatIsMissingIsDoneAgain) {
  const std::string bad = place_.write("bad", "");
  CampaignRequest request = campaign_of("echo $1 >>" + place_.file("runs") + "; test $1 != 1 || test ! -e " + bad +
                                        " || kill -9 $$; echo $1");
  EXPECT_NE(campaign_refusal(request), "");
  std::filesystem::remove(bad);
  std::filesystem::remove(place_.file("runs"));
  request.resume = true;
  request.command.clear();
  request.shards = 0;
  const CampaignRun done = run(request);
  EXPECT_EQ(done.answer.lines, (Lines{"0", "1", "2"}));
  EXPECT_TRUE(notes_.front().ends_with(" of 3 shards are done") || notes_.front().ends_with(" of 3 shards is done"))
      << notes_.front();
  EXPECT_EQ(bytes_of(place_.file("runs")).find('1'), bytes_of(place_.file("runs")).rfind('1')) << "once";
}

TEST_F(CampaignDriver, AShardWhosePartIsGoneIsRunAgain) {
  CampaignRequest request = campaign_of("echo $1 >>" + place_.file("runs") + "; echo $1");
  EXPECT_EQ(run(request).answer.lines, (Lines{"0", "1", "2"}));
  std::filesystem::remove(part_of_shard(request.directory, 1));
  std::filesystem::remove(place_.file("runs"));
  request.resume = true;
  request.command.clear();
  request.shards = 0;
  EXPECT_EQ(run(request).answer.lines, (Lines{"0", "1", "2"}));
  EXPECT_EQ(bytes_of(place_.file("runs")), "1\n");
}

TEST_F(CampaignDriver, AFolderThatIsInUseIsRefused) {
  CampaignRequest request = campaign_of("echo $1");
  EXPECT_TRUE(run(request).done);
  EXPECT_EQ(campaign_refusal(request),
            request.directory + ": holds a campaign; add --resume to go on with it, or name another folder");
  request.resume = true;
  request.shards = 4;
  EXPECT_EQ(campaign_refusal(request), request.directory + ": has 3 shards; leave --shards out or name another folder");
  request.shards = 0;
  request.command = {"simulate", "diamond"};
  const std::string refusal = campaign_refusal(request);
  EXPECT_TRUE(refusal.starts_with(request.directory + ": holds another campaign: ")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; leave the command out or name another folder")) << refusal;
}

TEST_F(CampaignDriver, AFolderOfSomethingElseIsRefused) {
  CampaignRequest request = campaign_of("echo $1");
  std::filesystem::create_directory(request.directory);
  (void)place_.write("out/letter", "dear");
  EXPECT_EQ(campaign_refusal(request), request.directory + ": is not empty and holds no campaign; name another folder");
  EXPECT_EQ(bytes_of(place_.file("out/letter")), "dear");
}

TEST_F(CampaignDriver, AProgramThatChangedIsRefused) {
  CampaignRequest request = campaign_of("echo $1");
  request.prepare = true;
  (void)run(request);
  (void)campaign_of("echo other $1");
  request.prepare = false;
  request.resume = true;
  EXPECT_NE(campaign_refusal(request), "");
  EXPECT_TRUE(std::filesystem::is_empty(place_.file("out/parts"))) << "no shard was run";
}

TEST_F(CampaignDriver, WhatIsMissingInARequestIsAskedFor) {
  CampaignRequest request = campaign_of("echo $1");
  request.directory.clear();
  EXPECT_EQ(campaign_refusal(request), "--out: is missing; give a folder for the campaign");
  request = campaign_of("echo $1");
  request.shards = 0;
  EXPECT_EQ(campaign_refusal(request), "--shards: how long the program takes is not known; give a number");
  request = campaign_of("echo $1");
  request.command = {place_.file("nothing"), "{index}"};
  EXPECT_EQ(campaign_refusal(request),
            place_.file("nothing") + ": is neither simulate nor explore nor a program; give one");
}

}  // namespace
}  // namespace detent::app

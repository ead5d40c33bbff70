// What a campaign writes and says, without a process.
#include <gtest/gtest.h>

#include <stdexcept>

#include "app/campaign/children.hpp"
#include "app/campaign/command.hpp"
#include "app/campaign/scripts.hpp"
#include "app/campaign/slurm_words.hpp"
#include "app/campaign/trial.hpp"

namespace detent::app {
namespace {

TEST(CampaignWords, ListsOfIndices) {
  EXPECT_EQ(index_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(index_list({3}), "3");
  EXPECT_EQ(index_list({}), "");
}

TEST(CampaignWords, StatesAndReasonsOfSlurm) {
  EXPECT_EQ(slurm_words("RUNNING", "None"), "running");
  EXPECT_EQ(slurm_words("PENDING", "Resources"), "waiting for a free core");
  EXPECT_EQ(slurm_words("PENDING", "ReqNodeNotAvail, UnavailableNodes:n1"), "waiting, for nodes are drained or down");
  EXPECT_EQ(slurm_words("PENDING", "NewReason"), "waiting (NewReason)");
  EXPECT_EQ(slurm_words("CANCELLED by 0", ""), "cancelled");
  EXPECT_EQ(slurm_words("SOMETHING", ""), "SOMETHING");
}

TEST(CampaignWords, AccountingNamesTasksThatDidNotEndWell) {
  const std::string accounting = "12_0|COMPLETED|0:0|n1\n12_1|NODE_FAIL|1:0|n2\n12_2|TIMEOUT|0:15|n1\n";
  EXPECT_EQ(failed_tasks(accounting), (std::vector<std::string>{"task 12_1: lost with the node on n2 (1:0)",
                                                                "task 12_2: stopped by --time on n1 (0:15)"}));
  EXPECT_EQ(one_line("a\nb\n"), "a b");
  EXPECT_EQ(one_line("Name or service not known\r\n"), "Name or service not known");
}

TEST(CampaignWords, NumbersOfShardsStandInTheirWords) {
  CampaignManifest manifest;
  manifest.request = {.command = {"prog", "--part={shard}", "{index}of{shards} $"}, .shards = 4};
  EXPECT_EQ(shard_command(manifest, ""), "prog --part=\"$i/4\" \"$i\"of4' $' >\"$here/parts/$i.part.new\"");
}

TEST(CampaignWords, LengthsBecomeShardsAndLimits) {
  EXPECT_EQ(planned_shards("local", 95, 2), 10U);
  EXPECT_EQ(planned_shards("local", 1, 3), 3U);
  EXPECT_EQ(planned_shards("slurm", 1200, 8), 10U);
  EXPECT_EQ(planned_shards("slurm", 1, 8), 1U);
  EXPECT_EQ(planned_shards("local", 1e9, 8), 1000U);
  EXPECT_EQ(slurm_time(60), "00:08:00");
  EXPECT_EQ(slurm_time(7200), "06:05:00");
}

TEST(CampaignWords, ShardsTooShortForSlurmAreSaid) {
  const CampaignRequest request{.engine = "slurm", .shards = 100};
  const std::vector<std::string> notes = plan_notes(request, 600, 0);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], "100 shards of about 6 s: about 10 min on one core of this machine");
  EXPECT_EQ(notes[1],
            "a shard of less than 60 s is short for Slurm, which takes about 1 s to begin each; --shards 10 would do");
  EXPECT_NE(notes[1].find("--shards 10 would do"), std::string::npos);
  EXPECT_EQ(plan_notes(request, 60'000, 0).size(), 1U);
  EXPECT_EQ(plan_notes({.shards = 2}, 0, 2), std::vector<std::string>{"2 shards; how long each takes is not known"});
  EXPECT_EQ(plan_notes({.shards = 8}, 30'000, 2)[0],
            "8 shards of about 62 min: about 8.3 h on one core of this machine, 4.2 h with 2 at a time");
}

TEST(CampaignWords, TheArrayAlwaysHasALimitAndIsRequeued) {
  CampaignManifest manifest;
  manifest.request = {
      .command = {"simulate", "m"}, .shards = 7, .directory = "/d", .partition = "short", .time = "00:10:00"};
  const std::string script = slurm_script(manifest);
  for (const char* line :
       {"#SBATCH --time=00:10:00\n", "#SBATCH --requeue\n", "#SBATCH --partition=short\n", "--array=0-6 "}) {
    EXPECT_NE(script.find(line), std::string::npos) << line << script;
  }
}

}  // namespace
}  // namespace detent::app

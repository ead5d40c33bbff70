#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/campaign/job_files.hpp"
#include "app/campaign/summary.hpp"
#include "base/input_error.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

/// A campaign of two shards that are done, the second by `program`.
CampaignManifest done_campaign(const TempDirectory& scratch, const std::string& program) {
  CampaignManifest manifest;
  manifest.request = {.command = {"simulate", "m"}, .shards = 2, .directory = scratch.path().string()};
  manifest.program_hash = "aa";
  manifest.version = "1";
  std::filesystem::create_directory(scratch.path() / "done");
  for (const int shard : {0, 1}) {
    std::ofstream(scratch.path() / "done" / (std::to_string(shard) + ".json"))
        << R"({"schema": "detent.campaign_shard/1", "shard": )" << shard
        << R"(, "exit_code": 0, "host": "h", "instruction_set": "x", "program": ")" << (shard == 0 ? "aa" : program)
        << R"(", "detent_version": "1", "milliseconds": 1500})";
  }
  return manifest;
}

TEST(CampaignSummary, SaysWhoDidWhat) {
  const TempDirectory scratch;
  std::vector<std::string> notes;
  summarise_campaign(done_campaign(scratch, "aa"), [&](const std::string& text) { notes.push_back(text); });
  EXPECT_EQ(notes, std::vector<std::string>{"2 shards done on 1 machine"});
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "summary.json"));
  EXPECT_EQ(read_shard_record(scratch.path().string(), 1)->seconds, 1.5);
  EXPECT_FALSE(read_shard_record(scratch.path().string(), 2).has_value());
}

TEST(CampaignSummary, AShardOfAnotherProgramIsRefused) {
  const TempDirectory scratch;
  EXPECT_THROW(summarise_campaign(done_campaign(scratch, "bb"), [](const std::string&) {}), std::invalid_argument);
}

TEST(CampaignSummary, RecordsThatNoShardWroteAreRefused) {
  const TempDirectory scratch;
  done_campaign(scratch, "aa");
  std::filesystem::copy_file(scratch.path() / "done" / "0.json", scratch.path() / "done" / "5.json");
  EXPECT_THROW(read_shard_record(scratch.path().string(), 5), InputError);
}

}  // namespace
}  // namespace detent::app

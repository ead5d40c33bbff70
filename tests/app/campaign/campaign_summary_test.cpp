#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/campaign/job_files.hpp"
#include "app/campaign/summary.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
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

TEST(CampaignSummary, TheFileSaysWhoDidEachShard) {
  const TempDirectory scratch;
  CampaignManifest manifest = done_campaign(scratch, "aa");
  manifest.request.engine = "local";
  summarise_campaign(manifest, [](const std::string&) {});
  const auto shard = [](int number) {
    return Json{{"shard", number}, {"exit_code", 0},         {"attempts", 1},
                {"host", "h"},     {"instruction_set", "x"}, {"seconds", 1.5}};
  };
  EXPECT_EQ(Json::parse(read_regular_file((scratch.path() / "summary.json").string(), 1U << 20U)),
            (Json{{"schema", "detent.campaign_run/1"},
                  {"detent_version", "1"},
                  {"command", {"simulate", "m"}},
                  {"engine", "local"},
                  {"program_hash", "aa"},
                  {"instruction_sets", {"x"}},
                  {"hosts", {"h"}},
                  {"seconds", 3.0},
                  {"shards", {shard(0), shard(1)}}}));
}

TEST(CampaignSummary, TheAnswerOfAnotherProgramHasItsOutputAndExitCodes) {
  const TempDirectory scratch;
  const CampaignManifest manifest = done_campaign(scratch, "aa");
  std::vector<std::string> parts;
  for (const char* text : {"one\ntwo\n", "three\n"}) {
    parts.push_back((scratch.path() / ("part" + std::to_string(parts.size()))).string());
    std::ofstream(parts.back()) << text;
  }
  const Answer holds = program_answer(manifest, parts);
  EXPECT_EQ(holds.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(holds.lines, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(holds.json["schema"], "detent.campaign/1");
  EXPECT_EQ(holds.json["command"], (Json{"simulate", "m"}));
  EXPECT_EQ(holds.json["shards"], 2);
  EXPECT_EQ(holds.json["exit_codes"], (Json{0, 0}));
  EXPECT_EQ(holds.json["output"], "one\ntwo\nthree\n");
  EXPECT_TRUE(holds.json.contains("detent_version"));
  std::string record = read_regular_file((scratch.path() / "done" / "1.json").string(), 1U << 20U);
  record.replace(record.find("\"exit_code\": 0"), 14, "\"exit_code\": 3");
  std::ofstream(scratch.path() / "done" / "1.json") << record;
  const Answer fails = program_answer(manifest, parts);
  EXPECT_EQ(fails.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(fails.json["exit_codes"], (Json{0, 3}));
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

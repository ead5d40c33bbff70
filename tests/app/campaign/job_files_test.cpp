// The folder of a campaign: what is written comes back, what others wrote is refused.
#include "app/campaign/job_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/input_error.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every field of another value than it has by itself. The program is a file of two bytes.
CampaignManifest full_manifest(const TempDirectory& scratch, const std::string& engine) {
  const std::string program = (scratch.path() / "program").string();
  write_text(program, "#!");
  write_text(scratch.path() / "model.json", "{}");
  CampaignManifest manifest;
  manifest.request = {.command = {"simulate", "model.json", "--runs", "7"},
                      .engine = engine,
                      .shards = 3,
                      .directory = (scratch.path() / "out").string(),
                      .partition = "short",
                      .time = "00:10:00",
                      .jobs = 2,
                      .retries = 5};
  manifest.program = program;
  manifest.version = "1.2";
  manifest.working_directory = scratch.path().string();
  manifest.files = {program, "model.json"};
  manifest.shard_seconds = 2.5;
  return manifest;
}

template <typename Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(CampaignJobFiles, ManifestComesBackAsItWas) {
  for (const std::string engine : {"local", "parallel", "slurm"}) {
    const TempDirectory scratch;
    CampaignManifest manifest = full_manifest(scratch, engine);
    write_job_files(manifest);
    const fs::path out = scratch.path() / "out";
    const CampaignManifest back = read_manifest(out.string());
    EXPECT_EQ(back.request.command, manifest.request.command);
    EXPECT_EQ(back.request.engine, engine);
    EXPECT_EQ(back.request.shards, 3U);
    EXPECT_EQ(back.request.directory, out.string());
    EXPECT_EQ(back.request.hosts, "");
    EXPECT_EQ(back.request.partition, "short");
    EXPECT_EQ(back.request.time, "00:10:00");
    EXPECT_EQ(back.request.jobs, 2U);
    EXPECT_EQ(back.request.retries, 5U);
    EXPECT_EQ(back.program, manifest.program);
    EXPECT_EQ(back.program_hash, "3612ddaf46e149a4f583faf0face846585148f59e0ce2645594df83b5dc807e8");  // of "#!"
    EXPECT_EQ(back.version, "1.2");
    EXPECT_EQ(back.working_directory, scratch.path().string());
    EXPECT_EQ(back.files, manifest.files);
    EXPECT_EQ(back.shard_seconds, 2.5);
    EXPECT_EQ(fs::exists(out / "parallel.sh"), engine == "parallel");
    EXPECT_EQ(fs::exists(out / "campaign.sbatch"), engine == "slurm");
    EXPECT_FALSE(fs::exists(out / "deploy.sh"));
    const std::string readme = text_of(out / "README");
    EXPECT_TRUE(readme.starts_with("3 shards of: detent campaign simulate model.json --runs 7\n")) << readme;
    EXPECT_EQ(readme.find("parallel.sh") != std::string::npos, engine == "parallel");
    EXPECT_EQ(readme.find("campaign.sbatch") != std::string::npos, engine == "slurm");
    EXPECT_EQ(missing_shards(back), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(part_of_shard(back.request.directory, 2), out.string() + "/parts/2.part");
  }
}

TEST(CampaignJobFiles, HostsGetABundleOfFilesBelowTheFolder) {
  const TempDirectory scratch;
  write_text(scratch.path() / "hosts", "2/:\n");
  CampaignManifest manifest = full_manifest(scratch, "parallel");
  manifest.request.hosts = (scratch.path() / "hosts").string();
  const fs::path here = fs::current_path();
  fs::current_path(scratch.path());
  write_job_files(manifest);
  const fs::path out = scratch.path() / "out";
  EXPECT_EQ(text_of(out / "bundle/bin/detent"), "#!");
  EXPECT_EQ(text_of(out / "bundle/model.json"), "{}");
  EXPECT_EQ(text_of(out / "hosts"), "2/:\n");
  EXPECT_NE(text_of(out / "bundle/files.sha256").find("  bin/detent\n"), std::string::npos);
  EXPECT_NE(text_of(out / "bundle/files.sha256").find("  model.json\n"), std::string::npos);
  EXPECT_NE(text_of(out / "README").find("deploy.sh"), std::string::npos);
  for (const std::string outside : {"../model.json", "/etc/hostname"}) {
    manifest.files = {manifest.program, outside};
    write_text(scratch.path() / "deep/x", "");
    fs::current_path(scratch.path() / "deep");
    manifest.working_directory = (scratch.path() / "deep").string();
    EXPECT_EQ(refusal_of([&] { write_job_files(manifest); }),
              outside + ": hosts have other folders; go to the folder that holds it and name it from there");
  }
  fs::current_path(here);
}

TEST(CampaignJobFiles, OtherFilesAreNotManifests) {
  const TempDirectory scratch;
  CampaignManifest manifest = full_manifest(scratch, "local");
  write_job_files(manifest);
  const std::string directory = manifest.request.directory;
  const std::string good = text_of(directory + "/campaign.json");
  const auto refused = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    write_text(directory + "/campaign.json", text);
    return refusal_of([&] { read_manifest(directory); });
  };
  EXPECT_NE(refused("detent.campaign_plan/1", "detent.campaign_plan/2").find("is not of detent campaign"),
            std::string::npos);
  EXPECT_NE(refused("\"shards\": 3", "\"shards\": 0").find("no shards; plan the campaign again"), std::string::npos);
  EXPECT_NE(refused("\"shards\": 3", "\"shards\": 1000001").find("1000000"), std::string::npos);
  EXPECT_NE(refused("\"shards\": 3", "\"shard\": 3").find("shard"), std::string::npos);
  EXPECT_EQ(refused("\"shards\"", "\"shards\""), "");
  EXPECT_NE(refusal_of([&] { read_manifest(scratch.path().string()); }), "");
}

TEST(CampaignJobFiles, RecordsOfOtherShardsAreRefused) {
  const TempDirectory scratch;
  const std::string directory = scratch.path().string();
  const auto record = [](const std::string& schema, int shard, int code) {
    return R"({"schema": ")" + schema + R"(", "shard": )" + std::to_string(shard) + R"(, "exit_code": )" +
           std::to_string(code) +
           R"(, "host": "h", "instruction_set": "i", "program": "p", "detent_version": "v", "milliseconds": 250})";
  };
  const auto refused = [&] { return refusal_of([&] { read_shard_record(directory, 4); }); };
  write_text(directory + "/done/4.json", record("detent.campaign_shard/1", 4, 255));
  const std::optional<ShardRecord> good = read_shard_record(directory, 4);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->exit_code, 255);
  EXPECT_EQ(good->host + good->instruction_set + good->program_hash + good->version, "hipv");
  EXPECT_EQ(good->seconds, 0.25);
  write_text(directory + "/done/4.json", record("detent.campaign_shard/1", 4, 256));
  EXPECT_NE(refused(), "");
  write_text(directory + "/done/4.json", record("detent.campaign_shard/1", 5, 0));
  EXPECT_NE(refused().find("is not of this shard; remove the file"), std::string::npos);
  write_text(directory + "/done/4.json", record("detent.campaign_shard/2", 4, 0));
  EXPECT_NE(refused().find("is not of this shard; remove the file"), std::string::npos);
}

TEST(CampaignJobFiles, AttemptsCodesAndLastWords) {
  const TempDirectory scratch;
  const std::string directory = scratch.path().string();
  EXPECT_EQ(attempts_of(directory, 1), 0U);
  EXPECT_FALSE(is_refused(directory, 1));
  EXPECT_EQ(last_words(directory, 1), "");
  write_text(directory + "/lock/1.begun", "begun\nbegun\n");
  write_text(directory + "/lock/1.code", "2\n");
  write_text(directory + "/log/1.txt", "first\nsecond\n\n");
  EXPECT_EQ(attempts_of(directory, 1), 2U);
  EXPECT_TRUE(is_refused(directory, 1));
  EXPECT_EQ(last_words(directory, 1), "second");
  write_text(directory + "/lock/1.code", "1\n");
  EXPECT_FALSE(is_refused(directory, 1));
}

TEST(CampaignJobFiles, LastWordsAreThoseAtTheEndHoweverLongTheLog) {
  const TempDirectory scratch;
  const std::string directory = scratch.path().string();
  std::string log;
  for (int line = 0; line < 20'000; ++line) log += "line " + std::to_string(line) + "\n";
  write_text(directory + "/log/3.txt", log + "\n");
  EXPECT_EQ(last_words(directory, 3), "line 19999");
  write_text(directory + "/log/3.txt", "first\n" + std::string(65'535, 'x') + "\n");
  EXPECT_EQ(last_words(directory, 3), std::string(65'535, 'x')) << "2^16 bytes with its end";
  write_text(directory + "/log/3.txt", "first\n" + std::string(70'000, 'x'));
  EXPECT_EQ(last_words(directory, 3), std::string(65'536, 'x')) << "of a longer line its end";
  write_text(directory + "/log/3.txt", "only");
  EXPECT_EQ(last_words(directory, 3), "only");
}

}  // namespace
}  // namespace detent::app

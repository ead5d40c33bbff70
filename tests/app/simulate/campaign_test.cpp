#include "app/simulate/campaign.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "app/answer/answer.hpp"
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

TEST(CampaignIdentity, EachOfItsPartsMakesAnother) {
  const std::string identity =
      campaign_identity({{"--runs", "5"}}, load("diamond", {}), sim::plain_platform({{"cpu", 2}}));
  const Json parsed = Json::parse(identity);
  std::vector<std::string> parts;
  for (const auto& [part, value] : parsed.items()) parts.push_back(part);
  EXPECT_EQ(parts,
            (std::vector<std::string>{"schema", "detent_version", "model_hash", "platform_hash", "options", "files"}));
  for (const char* part : {"detent_version", "model_hash", "platform_hash"}) {
    Json other = parsed;
    EXPECT_FALSE(other[part].get<std::string>().empty()) << part;
    other[part] = "x";
    EXPECT_EQ(
        identity_differences("f", other.dump(), identity),
        std::vector<std::string>{std::string(part) + " is x there and " + parsed[part].get<std::string>() + " here"});
  }
}

/// Whatever of a platform a run can depend on.
TEST(CampaignIdentity, EachNumberOfThePlatformMakesAnother) {
  using sim::Platform;
  Platform platform = sim::plain_platform({{"cpu", 2}});
  platform.classes[0].npu.emplace();
  platform.classes[0].gpu.emplace();
  platform.classes[0].kernel_efficiency = {{"conv2d_f32", 0.5}};
  platform.loads = {{.name = "tick", .core_class = "cpu"}};
  const std::vector<void (*)(Platform&)> changes = {
      [](Platform& p) { p.name += "x"; },
      [](Platform& p) { ++p.dram_bytes_per_s; },
      [](Platform& p) { ++p.memory_bytes; },
      [](Platform& p) { ++p.burst_bytes; },
      [](Platform& p) { p.contention = sim::Contention::kQueue; },
      [](Platform& p) { ++p.overheads.dispatch_ps; },
      [](Platform& p) { ++p.overheads.queue_ps; },
      [](Platform& p) { ++p.overheads.lock_ps; },
      [](Platform& p) { ++p.overheads.wake_ps; },
      [](Platform& p) { ++p.overheads.log_ps; },
      [](Platform& p) { ++p.overheads.lock_contended_ps; },
      [](Platform& p) { ++p.overheads.interrupt_ps; },
      [](Platform& p) { ++p.overheads.migrate_ps; },
      [](Platform& p) { p.classes[0].name += "x"; },
      [](Platform& p) { ++p.classes[0].count; },
      [](Platform& p) { ++p.classes[0].clock_hz; },
      [](Platform& p) { p.classes[0].flops_per_cycle += 1; },
      [](Platform& p) { p.classes[0].efficiency /= 2; },
      [](Platform& p) { p.classes[0].kernel_efficiency[0].first += "x"; },
      [](Platform& p) { p.classes[0].kernel_efficiency[0].second /= 2; },
      [](Platform& p) { ++p.classes[0].l1_bytes; },
      [](Platform& p) { ++p.classes[0].l2_bytes; },
      [](Platform& p) { p.classes[0].cache_bytes_per_cycle += 1; },
      [](Platform& p) { ++p.classes[0].dram_bytes_per_s; },
      [](Platform& p) { ++p.classes[0].threads_per_core; },
      [](Platform& p) { p.classes[0].corun_rate /= 2; },
      [](Platform& p) { ++p.classes[0].queue_depth; },
      [](Platform& p) { p.classes[0].npu.reset(); },
      [](Platform& p) { p.classes[0].gpu.reset(); },
      [](Platform& p) { ++p.classes[0].npu->array.rows; },
      [](Platform& p) { ++p.classes[0].npu->array.cols; },
      [](Platform& p) { ++p.classes[0].npu->input_buffer_bytes; },
      [](Platform& p) { ++p.classes[0].npu->weight_buffer_bytes; },
      [](Platform& p) { ++p.classes[0].npu->output_buffer_bytes; },
      [](Platform& p) { ++p.classes[0].npu->word_bytes; },
      [](Platform& p) { ++p.classes[0].npu->vector_lanes; },
      [](Platform& p) { ++p.classes[0].npu->port_bytes_per_cycle; },
      [](Platform& p) { ++p.classes[0].npu->dma_outstanding; },
      [](Platform& p) { ++p.classes[0].npu->command_cycles; },
      [](Platform& p) { p.classes[0].npu->private_ports = true; },
      [](Platform& p) { p.classes[0].npu->dataflow = sim::npu::Dataflow::kInputStationary; },
      [](Platform& p) { ++p.classes[0].gpu->wave_elements; },
      [](Platform& p) { ++p.classes[0].gpu->launch_cycles; },
      [](Platform& p) { ++p.classes[0].gpu->loads_outstanding; },
      [](Platform& p) { p.loads[0].name += "x"; },
      [](Platform& p) { p.loads[0].core_class += "x"; },
      [](Platform& p) { ++p.loads[0].core; },
      [](Platform& p) { ++p.loads[0].period_ps; },
      [](Platform& p) { ++p.loads[0].duration_ps; },
      [](Platform& p) { ++p.loads[0].offset_ps; },
      [](Platform& p) { ++p.loads[0].jitter_ps; },
  };
  const LoadedModel diamond = load("diamond", {});
  std::set<std::string> identities = {campaign_identity({}, diamond, platform)};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Platform other = platform;
    changes[i](other);
    EXPECT_TRUE(identities.insert(campaign_identity({}, diamond, other)).second) << "change " << i;
  }
  Platform told = platform;
  told.description = "another";
  told.provenance = {{.key = "cpu.clock_hz", .source = "seen"}};
  EXPECT_FALSE(identities.insert(campaign_identity({}, diamond, told)).second) << "what is said of it changes no run";
}

}  // namespace
}  // namespace detent::app

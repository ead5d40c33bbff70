// One digest, however a network is executed: workers, modes, schedulers, policies, seeds, native and simulated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

std::string digest_of(const std::string& arguments) {
  const Answer answer = run_detent(arguments + " --json -");
  EXPECT_EQ(answer.exit_code, 0) << arguments << "\n" << answer.error;
  return parse(answer).value("digest", "none");
}

class Digest : public testing::TestWithParam<const char*> {};

TEST_P(Digest, IsTheSameOverWorkersModesAndPolicies) {
  const std::string model = GetParam();
  const std::string serial = digest_of(fmt::format("run {} --workers 0", model));
  for (const char* mode : {"serial", "layered", "closed-loop", "static"}) {
    EXPECT_EQ(digest_of(fmt::format("run {} --workers 2 --mode {}", model, mode)), serial) << mode;
  }
  for (const char* policy : {"id", "priority", "critical-path", "random"}) {
    EXPECT_EQ(digest_of(fmt::format("run {} --workers 3 --policy {} --seed 7", model, policy)), serial) << policy;
  }
  EXPECT_EQ(digest_of(fmt::format("run {} --workers 2 --scheduler thread", model)), serial);
  EXPECT_EQ(digest_of(fmt::format("simulate {} --platform quad_npu --runs 2 --seed 3", model)), serial);
  EXPECT_EQ(digest_of(fmt::format("simulate {} --platform rk3588 --no-npu --policy random", model)), serial);
}

INSTANTIATE_TEST_SUITE_P(Zoo, Digest,
                         testing::Values("yolov8n:64", "mobilenetv2:64", "branchnet", "branchnet_int8", "diamond",
                                         "wide"));

TEST(DigestOfSplit, IsBitStableOverWorkers) {
  const std::string serial = digest_of("run yolov8n:64 --split 4 --workers 0");
  EXPECT_EQ(digest_of("run yolov8n:64 --split 4 --workers 3"), serial);
  EXPECT_EQ(digest_of("run yolov8n:64 --split 4 --workers 2 --policy random --seed 5"), serial);
}

TEST(DigestOfInput, DependsOnTheInputSeedAndNotOnTheScheduleSeed) {
  const std::string first = digest_of("run branchnet --seed 1");
  EXPECT_EQ(digest_of("run branchnet --seed 2"), first);
  EXPECT_NE(digest_of("run branchnet --input-seed 2"), first);
}

}  // namespace
}  // namespace detent::e2e

// detent_bind_regions: each status, all or nothing, and runs that read and write the caller's memory.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "tests/runtime/desc_builder.hpp"

namespace detent {
namespace {

/// Memory of the application, aligned for every region.
struct alignas(128) Buffer {
  std::array<std::uint8_t, 256> bytes{};
  std::uint8_t* data() { return bytes.data(); }
};

/// The diamond, bound: region 0 is its input of 64 bytes, 1 its workspace, 2 its output of 64 bytes.
class RegionBindings : public ::testing::Test {
 protected:
  void SetUp() override { init(nullptr); }
  void TearDown() override { EXPECT_EQ(detent_deinit(context_), DETENT_OK); }

  void init(void* const* region_bases) {
    config_ = detent_default_config(&port_);
    config_.backends = &cpu_;
    config_.backend_count = 1;
    config_.region_bases = region_bases;
    arena_.resize(detent_arena_bytes(&diamond_.refresh(), &config_));
    ASSERT_EQ(detent_init(arena_.data(), arena_.size(), &diamond_.desc, &config_, &context_, nullptr), DETENT_OK);
    std::memset(detent_region_base(context_, 1), 0, 256);
  }
  detent_error bind(std::vector<detent_binding> bindings) {
    detent_error error{};
    EXPECT_EQ(detent_bind_regions(context_, bindings.data(), static_cast<std::uint32_t>(bindings.size()), &error),
              error.status);
    return error;
  }
  detent_status bind_status(std::uint32_t region, void* data, std::uint64_t size_bytes = 64) {
    return bind({{region, data, size_bytes}}).status;
  }
  /// The output's bytes after a run on an input of these bytes.
  std::vector<std::uint8_t> run(std::uint8_t input) {
    std::memset(detent_region_base(context_, 0), input, 64);
    detent_result result{};
    EXPECT_EQ(detent_run(context_, &result), DETENT_OK);
    const auto* output = static_cast<const std::uint8_t*>(detent_tensor_data(context_, 4));
    return {output, output + 64};
  }

  test::DescBuilder diamond_ = test::make_diamond();
  detent_port port_ = detent_port_single();
  detent_backend cpu_ = detent_cpu_backend("*", detent_builtin_kernels());
  detent_config config_{};
  std::vector<std::uint8_t> arena_;
  detent_context* context_ = nullptr;
  Buffer input_, output_, other_;
};

TEST_F(RegionBindings, RunsReadAndWriteTheCallersMemory) {
  const std::vector<std::uint8_t> expected = run(7);
  auto* const placed_input = static_cast<std::uint8_t*>(detent_region_base(context_, 0));
  auto* const placed_output = static_cast<std::uint8_t*>(detent_region_base(context_, 2));
  ASSERT_EQ(bind({{0, input_.data(), 64}, {2, output_.data(), 64}}).status, DETENT_OK);
  EXPECT_EQ(detent_region_base(context_, 0), input_.data());
  EXPECT_EQ(detent_tensor_data(context_, 4), output_.data());
  std::memset(placed_input, 1, 64);
  std::memset(placed_output, 2, 64);
  EXPECT_EQ(run(7), expected);
  EXPECT_EQ(std::memcmp(output_.data(), expected.data(), 64), 0);
  EXPECT_EQ(placed_output[0], 2) << "nothing is written where the region stood before";
  EXPECT_EQ(output_.bytes[64], 0) << "nor behind the region";
}

TEST_F(RegionBindings, ARegionThatIsNotNamedStaysAndNullBringsItBack) {
  const std::vector<std::uint8_t> expected = run(3);
  void* const placed = detent_region_base(context_, 2);
  ASSERT_EQ(bind_status(2, output_.data()), DETENT_OK);
  ASSERT_EQ(bind_status(0, input_.data()), DETENT_OK);
  EXPECT_EQ(detent_region_base(context_, 2), output_.data());
  EXPECT_EQ(run(3), expected);
  ASSERT_EQ(bind_status(2, nullptr, 0), DETENT_OK);
  EXPECT_EQ(detent_region_base(context_, 2), placed);
  EXPECT_EQ(detent_region_base(context_, 0), input_.data());
  EXPECT_EQ(run(3), expected);
}

TEST_F(RegionBindings, AKernelsArgumentsStayWhereTheyAre) {
  const detent_kernel_args* const args = &detent_context_entity(context_, 0)->args;
  const detent_buffer* const inputs = args->inputs;
  ASSERT_EQ(bind_status(0, input_.data()), DETENT_OK);
  EXPECT_EQ(args->inputs, inputs);
  EXPECT_EQ(args->inputs[0].data, input_.data());
}

TEST_F(RegionBindings, MemoryThatDoesNotFitIsRefusedByName) {
  EXPECT_EQ(bind_status(3, input_.data()), DETENT_TABLE_RANGE);
  EXPECT_EQ(bind_status(1, input_.data(), 256), DETENT_INVALID_ARGUMENT) << "a workspace is the network's own";
  EXPECT_EQ(bind_status(0, input_.data(), 63), DETENT_OUT_OF_REGION);
  EXPECT_EQ(bind_status(2, input_.data(), 63), DETENT_INSUFFICIENT_SIZE) << "nothing is written there";
  EXPECT_EQ(bind_status(0, input_.data() + 32), DETENT_ALIGNMENT);
  EXPECT_EQ(bind_status(0, input_.data(), UINT64_MAX), DETENT_OFFSET_WRAP);
  EXPECT_EQ(bind_status(0, detent_region_base(context_, 0)), DETENT_OVERLAP) << "the arena is the context's";
  const detent_error error = bind({{2, input_.data() + 1, 64}});
  EXPECT_EQ(error.status, DETENT_ALIGNMENT);
  EXPECT_EQ(error.region, 2U);
  EXPECT_EQ(detent_bind_regions(nullptr, nullptr, 0, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_bind_regions(context_, nullptr, 1, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_bind_regions(context_, nullptr, 0, nullptr), DETENT_OK);
}

TEST_F(RegionBindings, BindingsAreComparedWithEachOtherAndWithTheOtherRegions) {
  EXPECT_EQ(bind({{0, input_.data(), 64}, {2, input_.data(), 64}}).status, DETENT_OVERLAP);
  EXPECT_EQ(bind({{0, input_.data(), 64}, {0, output_.data(), 64}}).status, DETENT_INVALID_ARGUMENT) << "named twice";
  ASSERT_EQ(bind({{0, input_.data(), 64}, {2, input_.data() + 64, 64}}).status, DETENT_OK) << "side by side";
  EXPECT_EQ(bind_status(0, input_.data() + 64), DETENT_OVERLAP);
  EXPECT_EQ(bind_status(2, input_.data()), DETENT_OVERLAP);
  EXPECT_EQ(bind({{0, input_.data() + 64, 64}, {2, input_.data(), 64}}).status, DETENT_OK) << "exchanged in one call";
}

TEST_F(RegionBindings, OneThatDoesNotFitLeavesAllAsTheyWere) {
  const std::vector<std::uint8_t> expected = run(9);
  ASSERT_EQ(bind_status(0, input_.data()), DETENT_OK);
  EXPECT_EQ(bind({{0, other_.data(), 64}, {2, output_.data() + 8, 64}}).status, DETENT_ALIGNMENT);
  EXPECT_EQ(bind({{0, other_.data(), 64}, {2, other_.data(), 64}}).status, DETENT_OVERLAP);
  EXPECT_EQ(detent_region_base(context_, 0), input_.data());
  EXPECT_EQ(detent_context_entity(context_, 0)->args.inputs[0].data, input_.data());
  EXPECT_EQ(run(9), expected);
}

TEST_F(RegionBindings, MemoryThatInitWasGivenIsReturnedToAndNotShared) {
  ASSERT_EQ(detent_deinit(context_), DETENT_OK);
  void* const bases[] = {input_.data(), nullptr, output_.data()};
  init(bases);
  ASSERT_EQ(bind_status(0, other_.data()), DETENT_OK);
  ASSERT_EQ(bind_status(2, input_.data()), DETENT_OK) << "the input has left it";
  EXPECT_EQ(bind_status(0, nullptr), DETENT_OVERLAP) << "where the output stands now";
  EXPECT_EQ(bind({{0, nullptr, 0}, {2, nullptr, 0}}).status, DETENT_OK);
  EXPECT_EQ(detent_region_base(context_, 0), input_.data());
  EXPECT_EQ(detent_region_base(context_, 2), output_.data());
}

}  // namespace
}  // namespace detent

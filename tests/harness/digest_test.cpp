#include "harness/digest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "harness/fill.hpp"
#include "harness/instance.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

/// The diamond bound on the single port.
struct Bound {
  test::DescBuilder builder = test::make_diamond();
  detent_port port = detent_port_single();
  Instance instance;
  explicit Bound(test::DescBuilder b)
      : builder(std::move(b)), instance(builder.refresh(), port, {.mode = DETENT_MODE_SERIAL}) {}
  std::uint8_t* tensor(std::uint32_t index) {
    return static_cast<std::uint8_t*>(detent_tensor_data(instance.context(), index));
  }
};

TEST(Digest, FormatIsSixteenHexDigits) {
  EXPECT_EQ(format_digest(0), "0000000000000000");
  EXPECT_EQ(format_digest(0x0123456789abcdefu), "0123456789abcdef");
}

TEST(Digest, WithoutOutputsTheWorkspaceCounts) {
  test::DescBuilder b = test::make_diamond();
  b.ops.back().outputs.count = 0;
  b.outputs.clear();
  b.tensor_refs.back() = 3;
  b.regions = {b.regions[0], b.regions[1]};
  b.tensors.pop_back();
  Bound bound(std::move(b));
  ASSERT_EQ(bound.instance.status(), DETENT_OK);
  bound.instance.fill(1);
  const std::uint64_t before = bound.instance.digest();
  bound.tensor(1)[0] ^= 1;
  EXPECT_NE(bound.instance.digest(), before);
}

TEST(Digest, OnlyOutputsCount) {
  Bound bound(test::make_diamond());
  bound.instance.fill(1);
  const std::uint64_t before = bound.instance.digest();
  bound.tensor(2)[5] ^= 0xff;
  EXPECT_EQ(bound.instance.digest(), before);
  bound.tensor(4)[63] ^= 1;
  EXPECT_NE(bound.instance.digest(), before);
}

TEST(Digest, GapsBetweenBlocksDoNotCount) {
  test::DescBuilder b = test::make_diamond();
  b.regions[2].size_bytes = 128;
  b.tensors[4] = {};
  b.tensors.pop_back();
  b.add_tensor({.name = "out", .region = 2, .block_bytes = 16, .stride_bytes = 32, .block_count = 4});
  Bound bound(std::move(b));
  ASSERT_EQ(bound.instance.status(), DETENT_OK) << describe_error(bound.builder.refresh(), bound.instance.error());
  bound.instance.fill(1);
  const std::uint64_t before = bound.instance.digest();
  bound.tensor(4)[16] ^= 1;
  bound.tensor(4)[127] ^= 1;
  EXPECT_EQ(bound.instance.digest(), before);
  bound.tensor(4)[111] ^= 1;
  EXPECT_NE(bound.instance.digest(), before);
}

TEST(Digest, OfOneTensor) {
  Bound bound(test::make_diamond());
  bound.instance.fill(1);
  const std::uint64_t before = digest_tensor(bound.builder.refresh(), *bound.instance.context(), 2);
  bound.tensor(3)[0] ^= 1;
  EXPECT_EQ(digest_tensor(bound.builder.refresh(), *bound.instance.context(), 2), before);
  bound.tensor(2)[0] ^= 1;
  EXPECT_NE(digest_tensor(bound.builder.refresh(), *bound.instance.context(), 2), before);
}

TEST(Fill, SeedsGiveFloatsInRangeAndRepeat) {
  Bound bound(test::make_diamond());
  const auto values = [&] {
    std::array<float, 16> result{};
    std::memcpy(result.data(), bound.tensor(0), sizeof result);
    return result;
  };
  bound.instance.fill(7);
  const auto seven = values();
  for (const float value : seven) {
    EXPECT_GE(value, -1.0f);
    EXPECT_LT(value, 1.0f);
  }
  bound.instance.fill(8);
  EXPECT_NE(values(), seven);
  bound.instance.fill(7);
  EXPECT_EQ(values(), seven);
}

TEST(Fill, OtherRegionsHoldAFixedPattern) {
  Bound bound(test::make_diamond());
  bound.instance.fill(7);
  for (const std::uint32_t tensor : {1u, 4u}) {
    for (int i = 0; i < 64; ++i) EXPECT_EQ(bound.tensor(tensor)[i], kUnwrittenByte);
  }
}

TEST(Fill, PaddingChannelsAreZeroAndBoolsAreZeroOrOne) {
  test::DescBuilder b = test::make_diamond();
  b.regions[0].size_bytes = 256;
  detent_tensor& t = b.tensors[0];
  t.layout = DETENT_LAYOUT_C16;
  t.rank = 4;
  const std::int32_t dims[] = {1, 3, 1, 1};
  std::copy(dims, dims + 4, t.dims);
  detent_tensor flags = b.tensors[b.add_tensor({.name = "flags", .region = 0, .offset_bytes = 64})];
  flags.dtype = DETENT_BOOL;
  flags.dims[0] = 64;
  b.tensors.back() = flags;
  Bound bound(std::move(b));
  ASSERT_EQ(bound.instance.status(), DETENT_OK) << describe_error(bound.builder.refresh(), bound.instance.error());
  bound.instance.fill(3);
  float lanes[16];
  std::memcpy(lanes, bound.tensor(0), sizeof lanes);
  for (int lane = 3; lane < 16; ++lane) EXPECT_EQ(lanes[lane], 0.0f);
  EXPECT_NE(lanes[0], 0.0f);
  int ones = 0;
  for (int i = 0; i < 64; ++i) {
    EXPECT_LE(bound.tensor(5)[i], 1);
    ones += bound.tensor(5)[i];
  }
  EXPECT_GT(ones, 10);
  EXPECT_LT(ones, 54);
}

/// An input of four tensors and gaps: what a seed fills in never changes, since failures are replayed by it.
TEST(Fill, BytesOfASeedAreThoseOfTheGoldenFile) {
  test::DescBuilder b = test::make_diamond();
  b.regions[0].size_bytes = 1032;
  b.add_region("second", DETENT_REGION_INPUT, 13);
  detent_tensor image =
      b.tensors[b.add_tensor({.name = "image", .region = 0, .offset_bytes = 128, .block_bytes = 512})];
  image.layout = DETENT_LAYOUT_C16;
  image.rank = 4;
  const std::int32_t dims[] = {1, 20, 2, 2};
  std::copy(dims, dims + 4, image.dims);
  b.tensors.back() = image;
  b.add_tensor(
      {.name = "rows", .region = 0, .offset_bytes = 640, .block_bytes = 8, .stride_bytes = 24, .block_count = 3});
  detent_tensor flags = b.tensors[b.add_tensor(
      {.name = "flags", .region = 0, .offset_bytes = 768, .block_bytes = 4, .stride_bytes = 16, .block_count = 2})];
  flags.dtype = DETENT_BOOL;
  flags.dims[0] = 8;
  b.tensors.back() = flags;
  Bound bound(std::move(b));
  ASSERT_EQ(bound.instance.status(), DETENT_OK) << describe_error(bound.builder.refresh(), bound.instance.error());
  const auto bytes = [&](std::uint32_t region) {
    return std::string_view(static_cast<const char*>(detent_region_base(bound.instance.context(), region)),
                            bound.builder.regions[region].size_bytes);
  };
  std::string text;
  for (const std::uint64_t seed : {0U, 1U, 7U}) {
    bound.instance.fill(seed);
    for (const std::uint32_t region : {0U, 1U, 2U, 3U}) {
      text += "seed " + std::to_string(seed) + " region " + std::to_string(region) + " #" +
              std::to_string(fnv_of(bytes(region))) + "\n";
    }
    text += "digest " + format_digest(bound.instance.digest());
    for (std::uint32_t tensor = 0; tensor < bound.builder.tensors.size(); ++tensor)
      text += " " + format_digest(digest_tensor(bound.builder.refresh(), *bound.instance.context(), tensor));
    text +=
        " outputs " + std::to_string(copy_outputs(bound.builder.refresh(), *bound.instance.context()).size()) + "\n";
  }
  EXPECT_TRUE(bound.instance.run_untraced().error.status == DETENT_OK);
  text += "run " + format_digest(bound.instance.digest()) + "\n";
  for (const std::uint32_t region : {0U, 1U, 2U, 3U}) text += std::to_string(fnv_of(bytes(region))) + "\n";
  expect_golden(text, "harness/golden/fill.txt");
}

}  // namespace
}  // namespace detent::harness

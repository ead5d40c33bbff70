// What stands below the access audit: sets of bytes, where positions lie, bits to sets, runs with an observer.
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "base/byte_ranges.hpp"
#include "harness/access/bits.hpp"
#include "harness/access/observed_run.hpp"
#include "harness/access/probed_memory.hpp"
#include "harness/run_native.hpp"
#include "tests/runtime/desc_builder.hpp"

namespace detent::harness {
namespace {

/// The ones of a 10-bit number as ranges, in an order that is none.
ByteRanges ranges_of(std::uint32_t bits) {
  std::vector<ByteRange> any;
  for (std::uint64_t i = 10; i-- > 0;) {
    if ((bits >> i & 1U) != 0) any.push_back({i, i + 1});
  }
  return make_ranges(any);
}

TEST(ByteRangesTest, AgreeWithBitsOverAllPairsOfSmallSets) {
  for (std::uint32_t a = 0; a < 1024; a += 3) {
    EXPECT_EQ(byte_count(ranges_of(a)), static_cast<std::uint64_t>(__builtin_popcount(a)));
    for (std::uint32_t b = 0; b < 1024; b += 7) {
      ASSERT_EQ(difference(ranges_of(a), ranges_of(b)), ranges_of(a & ~b)) << a << " " << b;
      ASSERT_EQ(unite(ranges_of(a), ranges_of(b)), ranges_of(a | b)) << a << " " << b;
      ASSERT_EQ(make_ranges(intersection(ranges_of(a), ranges_of(b))), ranges_of(a & b)) << a << " " << b;
    }
  }
  EXPECT_EQ(make_ranges({{5, 9}, {6, 7}, {9, 10}, {3, 3}, {4, 2}}), (ByteRanges{{5, 10}}));
}

TEST(ByteRangesTest, BlocksOfATensor) {
  detent_tensor tensor{};
  tensor.offset_bytes = 10;
  tensor.block_bytes = 4;
  tensor.stride_bytes = 16;
  tensor.block_count = 3;
  std::vector<ByteRange> blocks{{1, 2}};
  append_blocks(tensor, 100, blocks);
  EXPECT_EQ(blocks, (std::vector<ByteRange>{{1, 2}, {110, 114}, {126, 130}, {142, 146}}));
}

TEST(AccessBitsTest, RunsOfOnesBecomeIntervalsOnce) {
  AccessBits bits(3 * 4096 - 5);
  const auto set = [](std::uint64_t* words, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) words[i / 64] |= std::uint64_t{1} << (i % 64);
  };
  set(bits.reads(), 0, 1);
  set(bits.reads(), 3, 5);
  set(bits.reads(), 60, 192);
  set(bits.reads(), 4000, 4100);
  set(bits.writes(), 4095, 4096);
  set(bits.writes(), 12287, 12288);
  set(bits.early(), 64, 128);
  set(bits.reads(), 8200, 8201);  // nobody marked its chunk
  bits.dirty()[0] = bits.dirty()[1] = 1;
  AccessBits::Sets sets = bits.take();
  EXPECT_EQ(sets.reads, (ByteRanges{{0, 1}, {3, 5}, {60, 192}, {4000, 4100}}));
  EXPECT_EQ(sets.writes, (ByteRanges{{4095, 4096}}));
  EXPECT_EQ(sets.early, (ByteRanges{{64, 128}}));
  bits.dirty()[0] = bits.dirty()[2] = 1;
  sets = bits.take();
  EXPECT_EQ(sets.reads, (ByteRanges{{8200, 8201}}));
  EXPECT_EQ(sets.writes, (ByteRanges{{12287, 12288}}));
  EXPECT_TRUE(sets.early.empty());
  EXPECT_TRUE(bits.take().reads.empty());
}

std::string access_text(const OpAccess& access) {
  std::string text;
  const auto add = [&](const char* what, const ByteRanges& ranges) {
    for (const ByteRange& range : ranges) text += what + std::to_string(range.begin) + ".." + std::to_string(range.end);
  };
  for (const RegionAccess& region : access.regions) {
    text += "region " + std::to_string(region.region);
    add(" r", region.reads);
    add(" w", region.writes);
    add(" e", region.early_reads);
    text += "; ";
  }
  for (const auto& stray : access.strays) {
    text += std::to_string(stray.region) + (stray.is_write ? " w" : " r") + std::to_string(stray.begin) + ".." +
            std::to_string(stray.end) + " ";
  }
  return text;
}

TEST(ProbedMemoryTest, PositionsBelongToTheNearestRegion) {
  test::DescBuilder b = test::make_diamond();
  const ProbedMemory memory(b.refresh(), 4096);
  // Regions of 64, 256 and 64 bytes at 4096, 8320 and 12672, multiples of 128; the middles between are 6240 and 10624.
  EXPECT_EQ(memory.block_bytes(), 20480U);
  const auto base = [&](std::uint32_t region) {
    return static_cast<std::uint8_t*>(memory.region_bases()[region]) - memory.block();
  };
  EXPECT_EQ(base(0), 4096);
  EXPECT_EQ(base(1), 8320);
  EXPECT_EQ(base(2), 12672);
  const ByteRanges reads{{0, 10},      {4090, 4100},   {4150, 4170},  {6239, 6241},
                         {8320, 8324}, {10623, 10625}, {12736, 12744}};
  EXPECT_EQ(
      access_text(memory.by_region(reads, {{4159, 8321}}, {{4090, 4098}, {4160, 4165}}, AccessMethod::kInstrumented)),
      "region 0 r0..4 r54..64 w63..64 e0..2; region 1 r0..4 w0..1; 0 r-4096..-4086 0 r-6..0 0 r64..74 0 "
      "r2143..2144 1 r-2080..-2079 1 r2303..2304 2 r-2048..-2047 2 r64..72 0 w64..2144 1 w-2080..0 ");
  EXPECT_EQ(memory.declared(b.ops[3].inputs), (ByteRanges{{8320 + 64, 8320 + 192}}));
  EXPECT_EQ(memory.declared(b.ops[0].inputs), (ByteRanges{{4096, 4160}}));
}

/// The diamond with a second region of inputs.
test::DescBuilder two_inputs() {
  test::DescBuilder b = test::make_diamond();
  b.add_region("more", DETENT_REGION_INPUT, 16);
  return b;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& bad) {
    return bad.what();
  }
  return "";
}

TEST(ObservedRun, InputBytesFillTheRegionsInTheirOrder) {
  test::DescBuilder b = two_inputs();
  const ProbedMemory memory(b.refresh(), 4096);
  std::vector<std::uint8_t> bytes(80);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  std::string order;
  const Observer observer = [&](const detent_entity& entity, std::size_t backend) {
    if (order.empty()) {
      EXPECT_EQ(std::memcmp(memory.region_bases()[0], bytes.data(), 64), 0);
      EXPECT_EQ(std::memcmp(memory.region_bases()[3], bytes.data() + 64, 16), 0);
    }
    order += std::to_string(entity.args.op) + ":" + std::to_string(backend) + " ";
    return entity.run(&entity.args);
  };
  EXPECT_EQ(run_observed(memory, {.seed = 3, .input_bytes = bytes}, observer).status, DETENT_OK);
  EXPECT_EQ(order, "0:0 1:0 2:0 3:0 ");
  for (const std::size_t size : {1U, 63U, 64U, 79U, 81U}) {
    EXPECT_EQ(
        refusal_of([&] { run_observed(memory, {.input_bytes = std::vector<std::uint8_t>(size)}, observer); }),
        "input: " + std::to_string(size) + " bytes do not fill the input regions; give all of them in region order");
  }
}

TEST(ObservedRun, BackEndsServeTheirClassAndExceptionsComeThrough) {
  test::DescBuilder b = test::make_diamond();
  const ProbedMemory memory(b.refresh(), 4096);
  const auto knows = [](void*, const char*, detent_entity* entity) {
    entity->run = [](const detent_kernel_args*) { return 0; };
    return DETENT_OK;
  };
  const auto knows_nothing = [](void*, const char*, detent_entity*) { return DETENT_UNKNOWN_KERNEL; };
  const auto only_dispatches = [](void*, const char*, detent_entity*) { return DETENT_OK; };
  std::string order;
  const Observer observer = [&](const detent_entity& entity, std::size_t backend) {
    order += std::to_string(backend);
    return entity.args.op == 2 ? 17 : entity.run(&entity.args);
  };
  const std::vector<detent_backend> backends{
      {nullptr, "npu", knows, nullptr}, {nullptr, "*", knows_nothing, nullptr}, {nullptr, "cpu", knows, nullptr}};
  const detent_error error = run_observed(memory, {.backends = backends}, observer);
  EXPECT_EQ(error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(error.op, 2U);
  EXPECT_EQ(error.code, 17);
  EXPECT_EQ(order, "222");
  EXPECT_EQ(run_observed(memory, {.backends = {{nullptr, "*", only_dispatches, nullptr}}}, observer).status,
            DETENT_UNSUPPORTED);
  const Observer throws = [](const detent_entity&, std::size_t) -> std::int32_t { throw std::length_error("mine"); };
  EXPECT_THROW(run_observed(memory, {}, throws), std::length_error);
}

TEST(RunNative, InputBytesFillTheRegionsInTheirOrder) {
  test::DescBuilder b = two_inputs();
  std::vector<std::uint8_t> bytes(80, 5);
  NativeOptions options{.engine = {.workers = 0}, .input_bytes = bytes};
  options.keep_output = true;
  const harness::Run first = run_native(b.refresh(), options);
  EXPECT_EQ(first.output.size(), 64U);
  options.input_bytes[79] = 6;
  EXPECT_EQ(run_native(b.refresh(), options).output, first.output);  // nobody reads the second region
  options.input_bytes[63] = 6;
  EXPECT_NE(run_native(b.refresh(), options).output, first.output);
  for (const std::size_t size : {79U, 81U}) {
    options.input_bytes.assign(size, 0);
    EXPECT_EQ(
        refusal_of([&] { run_native(b.refresh(), options); }),
        "input: " + std::to_string(size) + " bytes, but the input regions hold 80; give all of them in region order");
  }
  EXPECT_EQ(refusal_of([] { NamedPolicy("lifo", 0, {}); }),
            "policy: \"lifo\" is unknown; use id, priority, critical-path, fifo, random or given");
}

}  // namespace
}  // namespace detent::harness

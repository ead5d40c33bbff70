// Memory pools: places by numbers that nobody trusts, files as pools, and a run whose memory is all of pools.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <detent/memory_pool.h>

#include "tests/runtime/desc_builder.hpp"

namespace detent::test {
namespace {

namespace fs = std::filesystem;

alignas(128) std::uint8_t pool_bytes[1024];
const detent_pool kPool{pool_bytes, sizeof pool_bytes, false};

detent_status place(std::uint64_t offset, std::uint64_t length, std::uint32_t align = 1,
                    const detent_pool& pool = kPool) {
  void* data = pool_bytes + 7;
  const detent_status status = detent_pool_place(&pool, offset, length, align, &data);
  EXPECT_EQ(data, status == DETENT_OK ? static_cast<std::uint8_t*>(pool.data) + offset : pool_bytes + 7);
  return status;
}

TEST(MemoryPool, EachPlaceInsideIsFoundAndNoneOutside) {
  for (std::uint64_t offset = 0; offset <= 1100; offset += 25) {
    for (std::uint64_t length = 1; length <= 1100; length += 25) {
      EXPECT_EQ(place(offset, length), offset + length <= 1024 ? DETENT_OK : DETENT_OUT_OF_REGION);
    }
  }
  EXPECT_EQ(place(1023, 1), DETENT_OK);
  EXPECT_EQ(place(1024, 1), DETENT_OUT_OF_REGION);
  EXPECT_EQ(place(0, 1024), DETENT_OK);
  EXPECT_EQ(place(0, 0), DETENT_EMPTY) << "B47";
}

TEST(MemoryPool, B11_B41_SumsThatWrapAreRefused) {
  for (const std::uint64_t offset : {std::uint64_t{1} << 32, std::uint64_t{1} << 63, UINT64_MAX - 63, UINT64_MAX}) {
    for (const std::uint64_t length :
         {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{1024}, 0 - offset, UINT64_MAX, std::uint64_t{1} << 63}) {
      EXPECT_EQ(place(offset, length), DETENT_OUT_OF_REGION) << offset << " + " << length;
      EXPECT_EQ(place(length == 0 ? 1 : 8, offset), DETENT_OUT_OF_REGION);
    }
  }
}

TEST(MemoryPool, B13_B48_AlignmentIsOfTheAddress) {
  EXPECT_EQ(place(64, 64, 64), DETENT_OK);
  EXPECT_EQ(place(32, 64, 64), DETENT_ALIGNMENT);
  EXPECT_EQ(place(64, 64, 64, {pool_bytes + 8, 512, false}), DETENT_ALIGNMENT);
  EXPECT_EQ(place(56, 64, 64, {pool_bytes + 8, 512, false}), DETENT_OK);
  for (const std::uint32_t align : {0U, 3U, 96U, UINT32_MAX}) EXPECT_EQ(place(0, 64, align), DETENT_ALIGNMENT);
}

TEST(MemoryPool, PoolsThatAreNoneAreRefused) {
  EXPECT_EQ(place(0, 1, 1, {nullptr, 64, false}), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(place(0, 1, 1, {pool_bytes, 0, false}), DETENT_EMPTY);
  EXPECT_EQ(place(0, 1, 1, {pool_bytes, UINT64_MAX, false}), DETENT_OFFSET_WRAP);
  void* data = nullptr;
  EXPECT_EQ(detent_pool_place(nullptr, 0, 1, 1, &data), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_place(&kPool, 0, 1, 1, nullptr), DETENT_INVALID_ARGUMENT);
}

/// Regions of make_diamond: 0 input, 1 workspace, 2 output, of 64, 256 and 64 bytes.
detent_error bindings_of(const std::vector<detent_pool_region>& regions,
                         const std::vector<detent_pool>& pools = {kPool}) {
  DescBuilder b = make_diamond();
  std::vector<detent_binding> bindings(regions.size());
  detent_error error{};
  const detent_status status =
      detent_pool_bindings(&b.refresh(), pools.data(), static_cast<std::uint32_t>(pools.size()), regions.data(),
                           static_cast<std::uint32_t>(regions.size()), bindings.data(), &error);
  EXPECT_EQ(status, error.status);
  for (std::size_t i = 0; i < regions.size() && status == DETENT_OK; ++i) {
    EXPECT_EQ(bindings[i].region, regions[i].region);
    EXPECT_EQ(bindings[i].size_bytes, regions[i].length_bytes);
    EXPECT_EQ(bindings[i].data, static_cast<std::uint8_t*>(pools[regions[i].pool].data) + regions[i].offset_bytes);
  }
  return error;
}

TEST(MemoryPool, BindingsNameTheRegionThatDoesNotFit) {
  const std::vector<detent_pool> both = {kPool, {pool_bytes + 512, 512, true}};
  EXPECT_EQ(bindings_of({}).status, DETENT_OK);
  EXPECT_EQ(bindings_of({{0, 1, 0, 64}, {2, 0, 64, 64}}, both).status, DETENT_OK);
  const auto expect = [&](const detent_pool_region& place, detent_status status) {
    const detent_error error = bindings_of({{0, 0, 0, 64}, place}, both);
    EXPECT_EQ(error.status, status);
    EXPECT_EQ(error.region, status == DETENT_TABLE_RANGE && place.region > 2 ? DETENT_NONE : place.region);
  };
  expect({3, 0, 0, 64}, DETENT_TABLE_RANGE);
  expect({2, 2, 0, 64}, DETENT_TABLE_RANGE);
  expect({1, 0, 0, 256}, DETENT_INVALID_ARGUMENT);
  expect({0, 0, 64, 64}, DETENT_INVALID_ARGUMENT);
  expect({2, 1, 0, 64}, DETENT_INVALID_ARGUMENT);
  expect({2, 0, 64, 63}, DETENT_INSUFFICIENT_SIZE);
  expect({2, 0, 1000, 64}, DETENT_OUT_OF_REGION);
  expect({2, 0, UINT64_MAX, 64}, DETENT_OUT_OF_REGION);
  expect({2, 0, 8, 64}, DETENT_ALIGNMENT);
  EXPECT_EQ(bindings_of({{0, 0, 0, 63}}).status, DETENT_OUT_OF_REGION);
  DescBuilder b = make_diamond();
  const detent_desc& desc = b.refresh();
  const detent_pool_region region{0, 0, 0, 64};
  detent_binding binding{};
  EXPECT_EQ(detent_pool_bindings(nullptr, &kPool, 1, &region, 1, &binding, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_bindings(&desc, nullptr, 1, &region, 1, &binding, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_bindings(&desc, &kPool, 1, nullptr, 1, &binding, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_bindings(&desc, &kPool, 1, &region, 1, nullptr, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_bindings(&desc, nullptr, 0, &region, 1, &binding, nullptr), DETENT_TABLE_RANGE);
}

/// A folder of the test's own.
class PoolFile : public ::testing::Test {
 protected:
  PoolFile() : folder_(fs::path(::testing::TempDir()) / "detent_pool_file") {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    std::ofstream(file(), std::ios::binary) << std::string(100, 'a') << std::string(100, 'b');
    std::memset(memory_, 'x', sizeof memory_);
  }
  ~PoolFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string file(const char* name = "weights") const { return (folder_ / name).string(); }
  detent_status read(const std::string& path, std::uint64_t offset, std::uint64_t count) {
    pool_ = {nullptr, 0, false};
    const detent_status status = detent_pool_read_file(path.c_str(), offset, memory_, count, &pool_);
    EXPECT_EQ(pool_.data, status == DETENT_OK ? memory_ : nullptr);
    return status;
  }

  fs::path folder_;
  std::uint8_t memory_[256]{};
  detent_pool pool_{};
};

TEST_F(PoolFile, IsReadAsAWholeAndNotBeyond) {
  ASSERT_EQ(read(file(), 90, 20), DETENT_OK);
  EXPECT_EQ(pool_.size_bytes, 20U);
  EXPECT_TRUE(pool_.is_read_only);
  EXPECT_EQ(std::string(memory_, memory_ + 21), std::string(10, 'a') + std::string(10, 'b') + "x");
  EXPECT_EQ(read(file(), 0, 200), DETENT_OK);
  EXPECT_EQ(read(file(), 199, 1), DETENT_OK);
}

TEST_F(PoolFile, B04_B06_B63_PartsBehindItsEndAreRefused) {
  EXPECT_EQ(read(file(), 0, 201), DETENT_OUT_OF_REGION);
  EXPECT_EQ(read(file(), 200, 1), DETENT_OUT_OF_REGION);
  EXPECT_EQ(read(file(), 0, 0), DETENT_EMPTY);
  for (const std::uint64_t offset : {std::uint64_t{1} << 62, std::uint64_t{1} << 63, UINT64_MAX - 3, UINT64_MAX}) {
    EXPECT_EQ(read(file(), offset, 4), DETENT_OUT_OF_REGION) << offset;
  }
  std::ofstream(file("empty"));
  EXPECT_EQ(read(file("empty"), 0, 1), DETENT_OUT_OF_REGION) << "B01";
}

TEST_F(PoolFile, B62_WhatIsNoRegularFileIsRefused) {
  fs::create_symlink(file(), file("link"));
  ASSERT_EQ(mkfifo(file("fifo").c_str(), 0600), 0);
  for (const std::string& path : {file("link"), file("fifo"), file("absent"), folder_.string(),
                                  std::string("/dev/zero"), std::string(), file() + "/../weights"}) {
    EXPECT_EQ(read(path, 0, 4), DETENT_UNSUPPORTED) << path;
  }
  EXPECT_EQ(detent_pool_read_file(nullptr, 0, memory_, 4, &pool_), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_read_file(file().c_str(), 0, nullptr, 4, &pool_), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_pool_read_file(file().c_str(), 0, memory_, 4, nullptr), DETENT_INVALID_ARGUMENT);
}

TEST_F(PoolFile, B64_AFileThatChangesLaterDoesNotChangeThePool) {
  ASSERT_EQ(read(file(), 0, 100), DETENT_OK);
  std::ofstream(file(), std::ios::binary) << "c";
  EXPECT_EQ(std::string(memory_, memory_ + 100), std::string(100, 'a'));
}

/// y = x + w, byte by byte.
std::int32_t add_weights(const detent_kernel_args* args) {
  const auto* x = static_cast<const std::uint8_t*>(args->inputs[0].data);
  const auto* w = static_cast<const std::uint8_t*>(args->weights[0].data);
  auto* y = static_cast<std::uint8_t*>(args->outputs[0].data);
  for (std::size_t i = 0; i < 64; ++i) y[i] = static_cast<std::uint8_t>(x[i] + w[i]);
  return 0;
}

TEST_F(PoolFile, ARunReadsWeightsOfAFileAndInputsAndOutputsOfAnObject) {
  alignas(128) std::uint8_t constants[128];
  detent_pool of_file{};
  ASSERT_EQ(detent_pool_read_file(file().c_str(), 36, constants, sizeof constants, &of_file), DETENT_OK);
  void* weights = nullptr;
  ASSERT_EQ(detent_pool_place(&of_file, 64, 64, 64, &weights), DETENT_OK);
  DescBuilder b;
  b.kernels = {"add"};
  b.add_region("input", DETENT_REGION_INPUT, 64);
  b.add_region("weights", DETENT_REGION_WEIGHTS, 64, 64, weights);
  b.add_region("output", DETENT_REGION_OUTPUT, 64);
  for (const std::uint32_t region : {0U, 1U, 2U}) b.add_tensor({.region = region});
  b.add_op({.inputs = {0}, .outputs = {2}, .weights = {1}});
  b.inputs = {0};
  b.outputs = {2};
  const detent_desc& desc = b.refresh();
  const detent_kernel kernels[] = {{"add", add_weights, nullptr}};
  const detent_kernel_table table{kernels, 1};
  const detent_backend backend = detent_cpu_backend("cpu", &table);
  const detent_port port = detent_port_single();
  detent_config config = detent_default_config(&port);
  config.backends = &backend;
  config.backend_count = 1;
  config.worker_count = 0;
  std::vector<std::uint8_t> arena(detent_arena_bytes(&desc, &config));
  detent_context* context = nullptr;
  ASSERT_EQ(detent_init(arena.data(), arena.size(), &desc, &config, &context, nullptr), DETENT_OK);
  const detent_pool_region regions[] = {{0, 0, 128, 64}, {2, 0, 512, 80}};
  detent_binding bindings[2];
  ASSERT_EQ(detent_pool_bindings(&desc, &kPool, 1, regions, 2, bindings, nullptr), DETENT_OK);
  ASSERT_EQ(detent_bind_regions(context, bindings, 2, nullptr), DETENT_OK);
  std::memset(pool_bytes, 1, sizeof pool_bytes);
  detent_result result{};
  ASSERT_EQ(detent_run(context, &result), DETENT_OK);
  EXPECT_EQ(pool_bytes[512], 'b' + 1);
  EXPECT_EQ(pool_bytes[575], 'b' + 1);
  EXPECT_EQ(pool_bytes[511], 1);
  EXPECT_EQ(pool_bytes[576], 1);
  const detent_pool_region same[] = {{0, 0, 128, 64}, {2, 0, 128, 64}};
  ASSERT_EQ(detent_pool_bindings(&desc, &kPool, 1, same, 2, bindings, nullptr), DETENT_OK);
  EXPECT_EQ(detent_bind_regions(context, bindings, 2, nullptr), DETENT_OVERLAP);
  EXPECT_EQ(detent_deinit(context), DETENT_OK);
}

}  // namespace
}  // namespace detent::test

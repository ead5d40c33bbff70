// F09 and B50 through detent_init: the arena is swept until it is large enough, and nothing is written past its end.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/runtime/desc_builder.hpp"

namespace detent {
namespace {

constexpr std::uint8_t kGuard = 0xe7;
constexpr std::size_t kGuardBytes = 4096;

/// An arena at `shift` bytes past a 128-byte boundary, with guard bytes behind it.
class GuardedArena {
 public:
  GuardedArena(std::size_t bytes, std::size_t shift) : bytes_(bytes), memory_(bytes + kGuardBytes + 256, kGuard) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    begin_ = memory_.data() + (128 - address % 128) % 128 + shift;
    std::memset(begin_, 0, bytes);
  }
  std::uint8_t *data() { return begin_; }
  [[nodiscard]] bool guards_hold() const {
    for (const std::uint8_t *p = memory_.data(); p < begin_; ++p) {
      if (*p != kGuard) return false;
    }
    for (const std::uint8_t *p = begin_ + bytes_; p < memory_.data() + memory_.size(); ++p) {
      if (*p != kGuard) return false;
    }
    return true;
  }

 private:
  std::size_t bytes_;
  std::vector<std::uint8_t> memory_;
  std::uint8_t *begin_;
};

detent_config make_config(const detent_port &port, const detent_backend &cpu, detent_mode mode) {
  detent_config config = detent_default_config(&port);
  config.backends = &cpu;
  config.backend_count = 1;
  config.mode = mode;
  config.worker_count = 1;
  config.log_records_per_worker = 16;
  return config;
}

class ArenaSweep : public ::testing::TestWithParam<detent_mode> {};

TEST_P(ArenaSweep, F09_NoSpaceUntilItFitsAndNothingPastTheEnd) {
  test::DescBuilder diamond = test::make_diamond();
  const detent_port port = detent_port_single();
  const detent_backend cpu = detent_cpu_backend("*", detent_builtin_kernels());
  const detent_config config = make_config(port, cpu, GetParam());
  const std::size_t needed = detent_arena_bytes(&diamond.refresh(), &config);
  ASSERT_GT(needed, 0u);
  bool fitted = false;
  for (std::size_t bytes = 0; bytes < needed + 8; bytes += 8) {
    GuardedArena arena(bytes, 1);
    detent_context *context = nullptr;
    detent_error error{};
    const detent_status status = detent_init(arena.data(), bytes, &diamond.refresh(), &config, &context, &error);
    ASSERT_TRUE(arena.guards_hold()) << bytes;
    ASSERT_EQ(error.status, status);
    ASSERT_EQ(status, fitted ? DETENT_OK : status);
    if (status != DETENT_OK) {
      ASSERT_EQ(status, DETENT_NO_SPACE) << bytes;
      ASSERT_EQ(context, nullptr);
      continue;
    }
    fitted = true;
    detent_result result{};
    ASSERT_EQ(detent_run(context, &result), DETENT_OK);
    ASSERT_EQ(result.ops_run, 4u);
    ASSERT_EQ(detent_deinit(context), DETENT_OK);
    ASSERT_TRUE(arena.guards_hold()) << bytes;
  }
  EXPECT_TRUE(fitted);
}

TEST_P(ArenaSweep, F09_AskedForBytesSufficeAtEveryAddress) {
  test::DescBuilder diamond = test::make_diamond();
  const detent_port port = detent_port_single();
  const detent_backend cpu = detent_cpu_backend("*", detent_builtin_kernels());
  const detent_config config = make_config(port, cpu, GetParam());
  const std::size_t needed = detent_arena_bytes(&diamond.refresh(), &config);
  for (std::size_t shift = 0; shift < 128; ++shift) {
    GuardedArena arena(needed, shift);
    detent_context *context = nullptr;
    ASSERT_EQ(detent_init(arena.data(), needed, &diamond.refresh(), &config, &context, nullptr), DETENT_OK) << shift;
    ASSERT_EQ(detent_deinit(context), DETENT_OK);
    ASSERT_TRUE(arena.guards_hold()) << shift;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, ArenaSweep,
                         ::testing::Values(DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP,
                                           DETENT_MODE_STATIC));

TEST(Init, B50_MemoryLimitIsCheckedAtInit) {
  test::DescBuilder diamond = test::make_diamond();
  const detent_port port = detent_port_single();
  const detent_backend cpu = detent_cpu_backend("*", detent_builtin_kernels());
  detent_config config = make_config(port, cpu, DETENT_MODE_SERIAL);
  config.memory_limit_bytes = 383;
  std::vector<std::uint8_t> arena(detent_arena_bytes(&diamond.refresh(), &config));
  detent_context *context = nullptr;
  EXPECT_EQ(detent_init(arena.data(), arena.size(), &diamond.refresh(), &config, &context, nullptr),
            DETENT_MEMORY_LIMIT);
  EXPECT_EQ(context, nullptr);
}

}  // namespace
}  // namespace detent

// Bind: sizes, placement, resolution.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

struct Binding {
  detent_port port = detent_port_single();
  detent_backend backend = detent_cpu_backend("*", &watch_kernels());
  detent_config config = detent_default_config(&port);
  Binding() {
    config.backends = &backend;
    config.backend_count = 1;
    config.worker_count = 1;
  }
};

TEST(Bind, F09_EveryArenaThatIsTooSmallIsRefusedAndNothingIsWrittenPastItsEnd) {
  Graph graph = diamond();
  for (const detent_mode mode :
       {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    Binding binding;
    binding.config.mode = mode;
    binding.config.log_records_per_worker = 4;
    const std::size_t needed = detent_arena_bytes(&graph.desc(), &binding.config);
    std::vector<std::uint8_t> memory(needed + 64);
    for (std::size_t bytes = 0; bytes <= needed; bytes += bytes + 8 < needed ? 8 : 1) {
      std::memset(memory.data(), 0xEE, memory.size());
      detent_context* context = nullptr;
      const detent_status status = detent_init(memory.data(), bytes, &graph.desc(), &binding.config, &context, nullptr);
      ASSERT_TRUE(status == DETENT_OK || status == DETENT_NO_SPACE) << bytes;
      ASSERT_EQ(context != nullptr, status == DETENT_OK);
      ASSERT_TRUE(bytes != needed || status == DETENT_OK);
      if (context != nullptr) {
        detent_result result{};
        ASSERT_EQ(detent_run(context, &result), DETENT_OK);
        ASSERT_EQ(detent_deinit(context), DETENT_OK);
      }
      for (std::size_t i = bytes; i < memory.size(); ++i) ASSERT_EQ(memory[i], 0xEE) << bytes << " " << i;
    }
  }
}

// Found by a planted fault that the thread level could not see: a class that no op is of had its queue, and no network
// of the explorer took the shortest path through the scheduler.
TEST(Bind, AClassThatCompletesLaterTakesAQueueOnlyWhereAnOpIsOfIt) {
  Graph graph = diamond();
  Binding binding;
  detent_desc desc = graph.desc();
  const detent_class classes[2] = {desc.classes[0], {"later", DETENT_CLASS_ASYNC}};
  desc.class_count = 1;
  const std::size_t alone = detent_arena_bytes(&desc, &binding.config);
  desc.classes = classes;
  desc.class_count = 2;
  EXPECT_EQ(detent_arena_bytes(&desc, &binding.config), alone);
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  ops[1].core_class = 1;
  desc.ops = ops.data();
  EXPECT_GT(detent_arena_bytes(&desc, &binding.config), alone);
}

TEST(Bind, AnArenaOfAnyAlignmentWillDo) {
  Graph graph = diamond();
  Binding binding;
  const std::size_t needed = detent_arena_bytes(&graph.desc(), &binding.config);
  std::vector<std::uint8_t> memory(needed + 128);
  for (std::size_t shift = 0; shift < 128; shift += 7) {
    detent_context* context = nullptr;
    ASSERT_EQ(detent_init(memory.data() + shift, needed, &graph.desc(), &binding.config, &context, nullptr), DETENT_OK);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(detent_region_base(context, 0)) % 64, 0u);
    ASSERT_EQ(detent_deinit(context), DETENT_OK);
  }
}

TEST(Bind, TheCallerMayPlaceRegions) {
  Graph graph = diamond();
  Binding binding;
  alignas(64) std::uint8_t region[64];
  void* bases[1] = {region};
  binding.config.region_bases = bases;
  std::vector<std::uint8_t> memory(detent_arena_bytes(&graph.desc(), &binding.config));
  detent_context* context = nullptr;
  ASSERT_EQ(detent_init(memory.data(), memory.size(), &graph.desc(), &binding.config, &context, nullptr), DETENT_OK);
  EXPECT_EQ(detent_region_base(context, 0), region);
  EXPECT_EQ(detent_tensor_data(context, 2), region + 16);
  EXPECT_EQ(detent_context_entity(context, 2)->args.outputs[0].data, region + 16);
  EXPECT_EQ(detent_deinit(context), DETENT_OK);
  bases[0] = region + 8;
  detent_error error{};
  EXPECT_EQ(detent_init(memory.data(), memory.size(), &graph.desc(), &binding.config, &context, &error),
            DETENT_ALIGNMENT);
  EXPECT_EQ(error.region, 0u);
}

TEST(Bind, B29_UnknownKernelIsRefusedWithItsOp) {
  Graph graph = diamond();
  Binding binding;
  const detent_kernel_table none{nullptr, 0};
  binding.backend = detent_cpu_backend("*", &none);
  std::vector<std::uint8_t> memory(detent_arena_bytes(&graph.desc(), &binding.config));
  detent_context* context = nullptr;
  detent_error error{};
  EXPECT_EQ(detent_init(memory.data(), memory.size(), &graph.desc(), &binding.config, &context, &error),
            DETENT_UNKNOWN_KERNEL);
  EXPECT_EQ(error.op, 0u);
  EXPECT_EQ(context, nullptr);
}

TEST(Bind, TheFirstBackEndThatKnowsTheKernelServesIt) {
  Graph graph = diamond();
  Binding binding;
  const detent_kernel_table none{nullptr, 0};
  const detent_backend backends[] = {detent_cpu_backend("npu", &watch_kernels()), detent_cpu_backend("cpu", &none),
                                     detent_cpu_backend("cpu", &watch_kernels())};
  binding.config.backends = backends;
  binding.config.backend_count = 3;
  std::vector<std::uint8_t> memory(detent_arena_bytes(&graph.desc(), &binding.config));
  detent_context* context = nullptr;
  ASSERT_EQ(detent_init(memory.data(), memory.size(), &graph.desc(), &binding.config, &context, nullptr), DETENT_OK);
  EXPECT_EQ(detent_deinit(context), DETENT_OK);
}

TEST(Bind, BadConfigsAreRefused) {
  Graph graph = diamond();
  std::vector<std::uint8_t> memory(1 << 16);
  const auto init = [&](const detent_config& config) {
    detent_context* context = nullptr;
    return detent_init(memory.data(), memory.size(), &graph.desc(), &config, &context, nullptr);
  };
  Binding binding;
  detent_config config = binding.config;
  config.port = nullptr;
  EXPECT_EQ(init(config), DETENT_INVALID_ARGUMENT);
  config = binding.config;
  config.worker_count = DETENT_MAX_WORKERS + 1;
  EXPECT_EQ(init(config), DETENT_INVALID_ARGUMENT);
  config = binding.config;
  config.memory_limit_bytes = 31;
  EXPECT_EQ(init(config), DETENT_MEMORY_LIMIT);
  config.memory_limit_bytes = 32;
  EXPECT_EQ(init(config), DETENT_OK);
  EXPECT_EQ(detent_init(nullptr, 0, nullptr, nullptr, nullptr, nullptr), DETENT_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace detent::test

// Tables of device modules: of this version and an older one, what is wrong with others, and what can be asked.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <limits>
#include <set>
#include <string>

#include <detent/device.h>

namespace detent::test {
namespace {

constexpr const char* kKernels[] = {"copy_f32"};
constexpr const char* kFused[] = {"fused", "packed"};
constexpr const char* kOther[] = {"other"};
constexpr detent_device_performance kClaims[] = {{DETENT_F32, 0.5F, 0.25F}, {DETENT_I8, 0.125F, 0.25F}};
constexpr detent_device_extension kExtensions[] = {{"com.example.fused", 3, kFused, 2},
                                                   {"com.example.x", 1, kOther, 1}};

detent_device_module good_table() {
  detent_device_module table = *detent_software_npu();
  table.kernels = kKernels;
  table.kernel_count = 1;
  table.performance = kClaims;
  table.performance_count = 2;
  table.extensions = kExtensions;
  table.extension_count = 2;
  return table;
}

template <typename Change>
detent_device_fault fault_with(Change change) {
  detent_device_module table = good_table();
  change(table);
  detent_device_module read;
  std::memset(static_cast<void*>(&read), 0x5A, sizeof read);
  const detent_device_module before = read;
  const detent_device_fault fault = detent_device_read(&table, &read);
  if (fault != DETENT_DEVICE_FAULT_NONE)
    EXPECT_EQ(std::memcmp(&read, &before, sizeof read), 0) << "filled all the same";
  return fault;
}

TEST(DeviceTable, ThatOfTheSoftwareNpuCanBeUsed) {
  detent_device_module table{};
  ASSERT_EQ(detent_device_read(detent_software_npu(), &table), DETENT_DEVICE_FAULT_NONE);
  EXPECT_STREQ(table.name, "software NPU");
  EXPECT_EQ(table.kind, DETENT_DEVICE_NPU);
  EXPECT_EQ(table.table_bytes, sizeof table);
  EXPECT_NE(table.prepare, nullptr);
  EXPECT_EQ(table.extension_count, 0U);
}

/// Behind a table of version 1 there may be nothing at all.
TEST(DeviceTable, OfVersion1IsReadToItsEndAndNotFurther) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  constexpr std::size_t kBytes = offsetof(detent_device_module, table_bytes);
  auto* const pages =
      static_cast<std::uint8_t*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(pages), MAP_FAILED);
  ASSERT_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  detent_device_module old = good_table();
  old.version = 1;
  std::uint8_t* const at = pages + page - kBytes;
  std::memcpy(at, &old, kBytes);
  detent_device_module table = good_table();
  ASSERT_EQ(detent_device_read(reinterpret_cast<const detent_device_module*>(at), &table), DETENT_DEVICE_FAULT_NONE);
  EXPECT_EQ(table.version, 1U);
  EXPECT_EQ(table.kernel_count, 1U);
  EXPECT_EQ(table.count, old.count);
  EXPECT_EQ(table.table_bytes, 0U);
  EXPECT_EQ(table.extension_count, 0U);
  EXPECT_EQ(table.extensions, nullptr);
  EXPECT_EQ(table.identify, nullptr);
  EXPECT_EQ(table.prepare, nullptr);
  munmap(pages, 2 * page);
}

TEST(DeviceTable, EveryFaultHasItsName) {
  using Table = detent_device_module;
  EXPECT_EQ(fault_with([](Table&) {}), DETENT_DEVICE_FAULT_NONE);
  detent_device_module table{};
  EXPECT_EQ(detent_device_read(nullptr, &table), DETENT_DEVICE_FAULT_TABLE);
  for (const std::uint32_t version : {0U, DETENT_DEVICE_VERSION + 1, UINT32_MAX}) {
    EXPECT_EQ(fault_with([&](Table& t) { t.version = version; }), DETENT_DEVICE_FAULT_VERSION) << "B03";
  }
  EXPECT_EQ(fault_with([](Table& t) { --t.table_bytes; }), DETENT_DEVICE_FAULT_SIZE) << "B04";
  EXPECT_EQ(fault_with([](Table& t) { t.kind = static_cast<detent_device_kind>(4); }), DETENT_DEVICE_FAULT_KIND);
  EXPECT_EQ(fault_with([](Table& t) { t.name = ""; }), DETENT_DEVICE_FAULT_NAME);
  EXPECT_EQ(fault_with([](Table& t) { t.release = nullptr; }), DETENT_DEVICE_FAULT_NAME);
  EXPECT_EQ(fault_with([](Table& t) { t.class_name = nullptr; }), DETENT_DEVICE_FAULT_CLASS);
  EXPECT_EQ(fault_with([](Table& t) { t.slots = 0; }), DETENT_DEVICE_FAULT_SLOTS);
  EXPECT_EQ(fault_with([](Table& t) { t.slots = DETENT_MAX_WORKERS + 1; }), DETENT_DEVICE_FAULT_SLOTS);
  EXPECT_EQ(fault_with([](Table& t) { t.measure = nullptr; }), DETENT_DEVICE_FAULT_FUNCTION);
  EXPECT_EQ(fault_with([](Table& t) { t.count = nullptr; }), DETENT_DEVICE_FAULT_FUNCTION);
  EXPECT_EQ(fault_with([](Table& t) { t.kernels = nullptr; }), DETENT_DEVICE_FAULT_LIST);
  EXPECT_EQ(fault_with([](Table& t) { t.performance = nullptr; }), DETENT_DEVICE_FAULT_LIST);
  EXPECT_EQ(fault_with([](Table& t) { t.extensions = nullptr; }), DETENT_DEVICE_FAULT_LIST);
  static constexpr const char* kUnnamed[] = {""};
  EXPECT_EQ(fault_with([](Table& t) { t.kernels = kUnnamed; }), DETENT_DEVICE_FAULT_KERNEL);
  EXPECT_EQ(fault_with([](Table& t) { t.identify = nullptr; }), DETENT_DEVICE_FAULT_PREPARE);
  EXPECT_EQ(fault_with([](Table& t) { t.prepare = nullptr; }), DETENT_DEVICE_FAULT_PREPARE);
}

TEST(DeviceTable, ClaimsAreAboveZeroFiniteAndOfKnownTypes) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const detent_device_performance claim : {detent_device_performance{DETENT_BF16 + 1, 1, 1},
                                                {DETENT_F32, 0, 1},
                                                {DETENT_F32, 1, -1},
                                                {DETENT_F32, kInfinity, 1},
                                                {DETENT_F32, 1, std::numeric_limits<float>::quiet_NaN()}}) {
    EXPECT_EQ(fault_with([&](detent_device_module& table) {
                table.performance = &claim;
                table.performance_count = 1;
              }),
              DETENT_DEVICE_FAULT_PERFORMANCE);
  }
}

TEST(DeviceTable, ExtensionsHaveNamesVersionsAndKernelsOfTheirOwn) {
  static constexpr const char* kCopy[] = {"copy_f32"};
  static constexpr const char* kTwice[] = {"a", "b", "a"};
  static constexpr const char* kUnnamed[] = {"a", nullptr};
  const auto fault_of = [](const detent_device_extension& second) {
    const detent_device_extension both[] = {kExtensions[0], second};
    return fault_with([&](detent_device_module& table) { table.extensions = both; });
  };
  EXPECT_EQ(fault_of({"x", 1, kOther, 1}), DETENT_DEVICE_FAULT_NONE);
  EXPECT_EQ(fault_of({"", 1, kOther, 1}), DETENT_DEVICE_FAULT_EXTENSION);
  EXPECT_EQ(fault_of({"x", 0, kOther, 1}), DETENT_DEVICE_FAULT_EXTENSION);
  EXPECT_EQ(fault_of({"x", 1, nullptr, 1}), DETENT_DEVICE_FAULT_EXTENSION);
  EXPECT_EQ(fault_of({"x", 1, kOther, 0}), DETENT_DEVICE_FAULT_EXTENSION);
  EXPECT_EQ(fault_of({"x", 1, kUnnamed, 2}), DETENT_DEVICE_FAULT_EXTENSION);
  EXPECT_EQ(fault_of({"x", 1, kTwice, 3}), DETENT_DEVICE_FAULT_EXTENSION) << "twice in it";
  EXPECT_EQ(fault_of({"x", 1, kFused, 2}), DETENT_DEVICE_FAULT_EXTENSION) << "in another one";
  EXPECT_EQ(fault_of({"x", 1, kCopy, 1}), DETENT_DEVICE_FAULT_EXTENSION) << "among the table's own";
  EXPECT_EQ(fault_of({"com.example.fused", 1, kOther, 1}), DETENT_DEVICE_FAULT_EXTENSION) << "twice";
}

TEST(DeviceTable, AnswersWhatItHas) {
  const detent_device_module table = good_table();
  static constexpr detent_kernel kHostKernels[] = {{"mix", nullptr, nullptr}};
  constexpr detent_kernel_table kHost{kHostKernels, 1};
  EXPECT_TRUE(detent_device_has_kernel(&table, &kHost, "copy_f32"));
  EXPECT_TRUE(detent_device_has_kernel(&table, &kHost, "packed"));
  EXPECT_TRUE(detent_device_has_kernel(&table, &kHost, "other"));
  EXPECT_FALSE(detent_device_has_kernel(&table, &kHost, "mix")) << "it names its own";
  EXPECT_FALSE(detent_device_has_kernel(&table, &kHost, "nothing"));
  EXPECT_TRUE(detent_device_has_kernel(detent_software_npu(), &kHost, "mix"));
  EXPECT_FALSE(detent_device_has_kernel(detent_software_npu(), &kHost, "copy_f32"));
  EXPECT_EQ(detent_device_find_extension(&table, "com.example.x"), &kExtensions[1]);
  EXPECT_EQ(detent_device_find_extension(&table, "com.example"), nullptr);
  EXPECT_EQ(detent_device_find_performance(&table, DETENT_I8), &kClaims[1]);
  EXPECT_EQ(detent_device_find_performance(&table, DETENT_F16), nullptr);
}

TEST(DeviceTable, KindsAndFaultsHaveTexts) {
  EXPECT_STREQ(detent_device_kind_name(DETENT_DEVICE_CPU), "cpu");
  EXPECT_STREQ(detent_device_kind_name(DETENT_DEVICE_GPU), "gpu");
  EXPECT_STREQ(detent_device_kind_name(DETENT_DEVICE_NPU), "npu");
  EXPECT_STREQ(detent_device_kind_name(DETENT_DEVICE_OTHER), "other");
  EXPECT_STREQ(detent_device_kind_name(static_cast<detent_device_kind>(4)), "?");
  std::set<std::string> texts;
#define DETENT_CHECK_ROW(name, number, text)                                \
  EXPECT_EQ(static_cast<int>(DETENT_DEVICE_FAULT_##name), number);          \
  EXPECT_STREQ(detent_device_fault_text(DETENT_DEVICE_FAULT_##name), text); \
  EXPECT_TRUE(texts.insert(text).second) << "twice";
  DETENT_DEVICE_FAULT_LIST(DETENT_CHECK_ROW)
#undef DETENT_CHECK_ROW
  EXPECT_STREQ(detent_device_fault_text(static_cast<detent_device_fault>(99)), "?");
}

}  // namespace
}  // namespace detent::test

// Forms that devices prepare, kept in a folder: compiled once, reused, compiled anew where they are damaged.
#include "harness/device/prepared_form.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "harness/device/device.hpp"
#include "harness/run_native.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/build.hpp"

namespace detent::harness {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, empty at its begin.
fs::path folder_of(const std::string& name) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("detent_prepared_" + name);
  fs::remove_all(folder);
  return folder;
}

models::LoweredModel made_for_npu(const char* spec) {
  return models::lower(models::make_zoo_model(spec, {.accelerator = "npu"}));
}

DeviceSpec software_in(const fs::path& folder) { return {.module = "software", .prepared_folder = folder.string()}; }

std::uint64_t digest_with(Device* device, const detent_desc& desc) {
  NativeOptions options;
  options.engine.workers = 2;
  if (device != nullptr) options.extend = [device](InstanceOptions& words) { device->serve(words); };
  return run_native(desc, options).digest;
}

PreparedOrigin origin_of(const DeviceSpec& spec, const detent_desc& desc) {
  const Device device(spec, desc);
  EXPECT_NE(device.prepared(), nullptr);
  return device.prepared()->origin();
}

fs::path only_file(const fs::path& folder) {
  fs::path found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    EXPECT_TRUE(found.empty());
    found = entry.path();
  }
  return found;
}

std::string refusal_of(const DeviceSpec& spec, const detent_desc& desc) {
  try {
    const Device device(spec, desc);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(PreparedForm, IsCompiledOnceAndGivesTheBytesOfARunWithoutIt) {
  const fs::path folder = folder_of("once");
  for (const char* spec : {"branchnet", "cascade", "fallback", "yolov8n:64"}) {
    const models::LoweredModel lowered = made_for_npu(spec);
    const detent_desc& desc = lowered.desc();
    const std::uint64_t expected = digest_with(nullptr, desc);
    Device plain({.module = "software"}, desc);
    EXPECT_EQ(plain.prepared(), nullptr);
    EXPECT_EQ(digest_with(&plain, desc), expected);
    for (const PreparedOrigin origin : {PreparedOrigin::kCompiled, PreparedOrigin::kReused, PreparedOrigin::kReused}) {
      Device device(software_in(folder), desc);
      EXPECT_EQ(device.prepared()->origin(), origin) << spec;
      EXPECT_EQ(digest_with(&device, desc), expected) << spec;
      EXPECT_EQ(device.counters().ops, plain.counters().ops);
      EXPECT_EQ(device.counters().written_bytes, plain.counters().written_bytes);
      EXPECT_LT(device.counters().read_bytes, plain.counters().read_bytes);
      EXPECT_EQ(device.needs().scratchpad_bytes, plain.needs().scratchpad_bytes);
    }
  }
}

TEST(PreparedForm, TwoDevicesThatAreOpenAtOnceMayHaveOneEach) {
  const fs::path folder = folder_of("two");
  const models::LoweredModel lowered = made_for_npu("branchnet");
  const detent_desc& desc = lowered.desc();
  Device first(software_in(folder), desc), second(software_in(folder), desc);
  EXPECT_EQ(first.prepared()->token(), second.prepared()->token());
  EXPECT_EQ(first.prepared()->token().size(), 64U);
  EXPECT_EQ(digest_with(&first, desc), digest_with(&second, desc));
}

TEST(PreparedForm, DamagedOrForeignFilesAreCompiledAnewAndSaid) {
  const fs::path folder = folder_of("damage");
  const models::LoweredModel lowered = made_for_npu("branchnet");
  const detent_desc& desc = lowered.desc();
  ASSERT_EQ(origin_of(software_in(folder), desc), PreparedOrigin::kCompiled);
  const fs::path file = only_file(folder);
  const auto bytes = fs::file_size(file);
  const auto expect_repaired = [&](const char* what) {
    EXPECT_EQ(origin_of(software_in(folder), desc), PreparedOrigin::kRecompiled) << what;
    EXPECT_EQ(fs::file_size(file), bytes) << what;
    EXPECT_EQ(origin_of(software_in(folder), desc), PreparedOrigin::kReused) << what;
  };
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, bytes - 1, bytes + 1, 64 * bytes}) {
    fs::resize_file(file, size);
    expect_repaired("another size");
  }
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(-200, std::ios::end);
    stream.write("other bytes", 11);
  }
  expect_repaired("other bytes");
  fs::remove(file);
  fs::create_directory(file);
  const std::string text = refusal_of(software_in(folder), desc);
  EXPECT_NE(text.find(file.filename().string()), std::string::npos) << text;
}

TEST(PreparedForm, ModulesWithoutPrepareWorkAsBefore) {
  const fs::path folder = folder_of("none");
  const models::LoweredModel lowered = made_for_npu("branchnet");
  const Device device(
      {.module = std::string(kBuildFolder) + "/tests/harness/device/device.so", .prepared_folder = folder.string()},
      lowered.desc());
  EXPECT_EQ(device.prepared(), nullptr);
  EXPECT_FALSE(fs::exists(folder));
}

TEST(PreparedForm, WhatAModuleCannotPrepareIsRefused) {
  const fs::path folder = folder_of("refused");
  const models::LoweredModel lowered = made_for_npu("branchnet");
  for (const auto& [module, says] : std::vector<std::pair<std::string, std::string>>{
           {"bad_identify", "bad: the device cannot identify the network: UNSUPPORTED; leave out --prepared"},
           {"bad_compile", "bad: the device cannot prepare the network: WORKER_FAILED; leave out --prepared"},
           {"bad_form", "bad: the device cannot prepare the network: NO_SPACE; leave out --prepared"}}) {
    EXPECT_EQ(refusal_of({.module = std::string(kBuildFolder) + "/tests/harness/device/" + module + ".so",
                          .prepared_folder = folder.string()},
                         lowered.desc()),
              says);
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(PreparedForm, FolderThatCannotBeMadeIsRefused) {
  const models::LoweredModel lowered = made_for_npu("branchnet");
  const fs::path file = folder_of("file");
  std::ofstream(file) << "no folder";
  const std::string text = refusal_of(software_in(file), lowered.desc());
  EXPECT_EQ(text.find(file.string() + ": is no folder and cannot be made; "), 0U) << text;
}

TEST(PreparedForm, OriginsHaveNames) {
  EXPECT_STREQ(prepared_origin_name(PreparedOrigin::kCompiled), "compiled");
  EXPECT_STREQ(prepared_origin_name(PreparedOrigin::kReused), "reused");
  EXPECT_STREQ(prepared_origin_name(PreparedOrigin::kRecompiled), "recompiled");
}

}  // namespace
}  // namespace detent::harness

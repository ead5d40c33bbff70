// Device modules of shared objects: the example of the documents, and what is wrong with others.
#include "harness/device/device_module.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "harness/run_native.hpp"
#include "models/builder/builder.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/build.hpp"

namespace detent::harness {
namespace {

std::string built(const std::string& name) {
  return std::string(kBuildFolder) + "/tests/harness/device/" + name + ".so";
}

std::string refusal_of_module(const std::string& name) {
  try {
    const DeviceModule module(name);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "";
}

void expect_says(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

/// in -> copy on the NPU -> out.
models::LoweredModel copy_network() {
  models::Builder b("copies");
  const TensorId x = b.input("x", {1, 1000});
  const TensorId y = b.copy("first", x);
  b.last_op().core_class = "npu";
  const TensorId z = b.copy("second", y);
  b.last_op().core_class = "npu";
  b.output(b.copy("third", z));
  models::Model model = b.finish();
  models::prepare_model(model, {});
  return models::lower(model);
}

TEST(DeviceModule, SoftwareNpuDescribesItself) {
  const DeviceModule module("software");
  EXPECT_STREQ(module.table().name, "software NPU");
  EXPECT_STREQ(module.table().class_name, "npu");
  EXPECT_EQ(module.table().version, DETENT_DEVICE_VERSION);
  EXPECT_EQ(module.table().kind, DETENT_DEVICE_NPU);
  EXPECT_EQ(module.table().slots, 2U);
  EXPECT_EQ(module.kernels().size(), detent_builtin_kernels()->count);
}

TEST(DeviceModule, ExampleOfTheDocumentsExecutesItsOps) {
  const models::LoweredModel lowered = copy_network();
  const detent_desc& desc = lowered.desc();
  NativeOptions options;
  options.engine.workers = 0;
  const std::uint64_t expected = run_native(desc, options).digest;
  Device device({.module = built("device")}, desc);
  EXPECT_EQ(device.module().kernels(), std::vector<std::string>{"copy_f32"});
  EXPECT_EQ(device.needs().op_count, 2U);
  options.engine.workers = 2;
  options.extend = [&](InstanceOptions& words) { device.serve(words); };
  EXPECT_EQ(run_native(desc, options).digest, expected);
  EXPECT_EQ(device.counters().ops, 2U);
  EXPECT_EQ(device.counters().written_bytes, 2U * 4000U);

  options.extend = {};
  options.backends = {device.inline_backend()};
  EXPECT_EQ(run_native(desc, options).digest, expected);
  EXPECT_EQ(device.counters().ops, 4U);

  // Whoever asks it of an op of another class without looking at the class, as wrappers of back ends do.
  const detent_backend backend = device.inline_backend();
  detent_entity entity{};
  entity.args.op = 2;
  EXPECT_EQ(backend.resolve(backend.self, "copy_f32", &entity), DETENT_UNKNOWN_KERNEL);
}

TEST(DeviceModule, ExtensionsOfASharedObjectAreRead) {
  const DeviceModule module(built("bad_open"));  // its table is good
  const detent_device_extension* const extension = detent_device_find_extension(&module.table(), "com.example");
  ASSERT_NE(extension, nullptr);
  EXPECT_EQ(extension->version, 2U);
  EXPECT_TRUE(detent_device_has_kernel(&module.table(), detent_builtin_kernels(), "com.example.fused"));
  EXPECT_EQ(module.kernels(), std::vector<std::string>{"copy_f32"}) << "without those of extensions";
}

TEST(DeviceModule, FileThatIsNoneIsRefused) {
  expect_says(refusal_of_module("/nonexistent/npu.so"), {"/nonexistent/npu.so: no such shared object", "\"software\""});
  expect_says(refusal_of_module(std::string(kBuildFolder) + "/tests/harness/device"), {"no such shared object"});
  expect_says(refusal_of_module(std::string(DETENT_SOURCE_DIR) + "/README.md"),
              {"README.md: cannot be loaded: ", "shared object of this machine"});
}

TEST(DeviceModule, TableThatCannotBeUsedIsRefusedWithItsFault) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"null", "its device table is null"},
      {"version", "its device table is of a version that this program has not: 99, where 1 to 2 are possible"},
      {"kind", "has a kind that is unknown"},
      {"name", "lacks a name or a release"},
      {"class", "lacks the class of cores that it serves"},
      {"slots", "has a number of slots that is not possible: 0, where 1 to "},
      {"function", "lacks a function: measure, open, close or count"},
      {"kernels", "counts kernels, types or extensions and has none"},
      {"kernel", "has a kernel without a name"},
      {"time", "claims a time or power that is not above 0"},
      {"size", "is shorter than its version says"},
      {"extension", "has an extension without name, version or kernels"},
      {"prepare", "has one of identify and prepare without the other"},
  };
  for (const auto& [fault, says] : faults) {
    expect_says(refusal_of_module(built("bad_" + fault)), {"bad_" + fault + ".so: ", says, "; "});
  }
  expect_says(refusal_of_module(built("bad_entry")), {"exports no function detent_device_entry"});
}

TEST(DeviceModule, DeviceThatCannotBeOpenedIsRefused) {
  const models::LoweredModel lowered = copy_network();
  for (const auto& [module, says] : std::vector<std::pair<std::string, std::string>>{
           {"bad_measure", "cannot say what the network needs: UNSUPPORTED"},
           {"bad_open", "the device cannot be opened: WORKER_FAILED"},
           {"bad_backend", "its back end lacks resolve or dispatch"}}) {
    std::string text;
    try {
      Device device({.module = built(module)}, lowered.desc());
    } catch (const std::invalid_argument& refusal) {
      text = refusal.what();
    }
    expect_says(text, {module, says});
  }
}

}  // namespace
}  // namespace detent::harness

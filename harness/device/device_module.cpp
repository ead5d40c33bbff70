#include "harness/device/device_module.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <detent/limits.h>

namespace detent::harness {
namespace {

constexpr const char* kSoftware = "software";
constexpr const char* kKinds[] = {"cpu", "gpu", "npu", "other"};

[[noreturn]] void refuse_table(const std::string& module, const std::string& what) {
  throw std::invalid_argument(module + ": its device table " + what + "; repair the module (<detent/device.h>)");
}

bool has_text(const char* text) { return text != nullptr && text[0] != '\0'; }

void require_usable(const std::string& module, const detent_device_module* table) {
  if (table == nullptr) refuse_table(module, "is null");
  if (table->version != DETENT_DEVICE_VERSION) {
    refuse_table(module, "is of version " + std::to_string(table->version) + ", and this program has " +
                             std::to_string(DETENT_DEVICE_VERSION) + "; compile it with this program's headers");
  }
  if (static_cast<std::uint32_t>(table->kind) >= std::size(kKinds)) refuse_table(module, "has a kind that is unknown");
  if (!has_text(table->name) || !has_text(table->release)) refuse_table(module, "lacks a name or a release");
  if (!has_text(table->class_name)) refuse_table(module, "lacks the class of cores that it serves");
  if (table->slots == 0 || table->slots > DETENT_MAX_WORKERS) {
    refuse_table(module, "has " + std::to_string(table->slots) + " slots; 1 to " + std::to_string(DETENT_MAX_WORKERS) +
                             " are possible");
  }
  if (table->measure == nullptr || table->open == nullptr || table->close == nullptr || table->count == nullptr) {
    refuse_table(module, "lacks a function: measure, open, close or count");
  }
  if ((table->kernel_count != 0 && table->kernels == nullptr) ||
      (table->performance_count != 0 && table->performance == nullptr)) {
    refuse_table(module, "counts kernels or types and has none");
  }
  const auto is_sound = [](const detent_device_performance& one) {
    return one.dtype <= DETENT_BF16 && one.time > 0 && one.power > 0 && std::isfinite(one.time + one.power);
  };
  if (!std::all_of(table->performance, table->performance + table->performance_count, is_sound)) {
    refuse_table(module, "claims a time or power that is not above 0, or of a type that is unknown");
  }
  if (!std::all_of(table->kernels, table->kernels + table->kernel_count, has_text)) {
    refuse_table(module, "has a kernel without a name");
  }
}

/// dlopen looks for bare names in the system's folders: a file of this folder is meant.
std::string path_of(const std::string& name) { return name.find('/') == std::string::npos ? "./" + name : name; }

}  // namespace

DeviceModule::DeviceModule(const std::string& name) {
  if (name == kSoftware) {
    table_ = detent_software_npu();
    return;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(name, error)) {
    throw std::invalid_argument(name + ": no such shared object; give its path, or \"" + kSoftware + "\"");
  }
  handle_ = ::dlopen(path_of(name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* const reason = ::dlerror();
    throw std::invalid_argument(name + ": cannot be loaded: " + (reason != nullptr ? reason : "?") +
                                "; give a shared object of this machine");
  }
  try {
    void* const entry = ::dlsym(handle_, DETENT_DEVICE_ENTRY);
    if (entry == nullptr) {
      throw std::invalid_argument(name + ": exports no function " + DETENT_DEVICE_ENTRY +
                                  "; it is no device module (<detent/device.h>)");
    }
    table_ = reinterpret_cast<const detent_device_module* (*)()>(entry)();
    require_usable(name, table_);
  } catch (...) {
    ::dlclose(handle_);
    throw;
  }
}

DeviceModule::~DeviceModule() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

std::vector<std::string> DeviceModule::kernels() const {
  std::vector<std::string> names(table_->kernels, table_->kernels + table_->kernel_count);
  if (!names.empty()) return names;
  const detent_kernel_table& builtin = *detent_builtin_kernels();
  for (std::uint32_t i = 0; i < builtin.count; ++i) names.emplace_back(builtin.kernels[i].name);
  return names;
}

const char* device_kind_name(detent_device_kind kind) { return kKinds[kind]; }

}  // namespace detent::harness

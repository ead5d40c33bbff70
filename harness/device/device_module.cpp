#include "harness/device/device_module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include <detent/limits.h>

namespace detent::harness {
namespace {

constexpr const char* kSoftware = "software";
/// The phrase of the list, with the numbers that belong to it.
std::string what_is_wrong(detent_device_fault fault, const detent_device_module* table) {
  const std::string phrase = detent_device_fault_text(fault);
  if (fault == DETENT_DEVICE_FAULT_VERSION) {
    return phrase + ": " + std::to_string(table->version) + ", where 1 to " + std::to_string(DETENT_DEVICE_VERSION) +
           " are possible; compile it with this program's headers";
  }
  if (fault == DETENT_DEVICE_FAULT_SLOTS) {
    return phrase + ": " + std::to_string(table->slots) + ", where 1 to " + std::to_string(DETENT_MAX_WORKERS) + " are";
  }
  return phrase;
}

detent_device_module read_table(const std::string& module, const detent_device_module* table) {
  detent_device_module read{};
  const detent_device_fault fault = detent_device_read(table, &read);
  if (fault == DETENT_DEVICE_FAULT_NONE) return read;
  throw std::invalid_argument(module + ": its device table " + what_is_wrong(fault, table) +
                              "; repair the module (<detent/device.h>)");
}

/// dlopen looks for bare names in the system's folders: a file of this folder is meant.
std::string path_of(const std::string& name) { return name.find('/') == std::string::npos ? "./" + name : name; }

}  // namespace

bool is_linked_in(const std::string& name) { return name == kSoftware; }

DeviceModule::DeviceModule(const std::string& name) {
  if (is_linked_in(name)) {
    table_ = read_table(name, detent_software_npu());
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
    table_ = read_table(name, reinterpret_cast<const detent_device_module* (*)()>(entry)());
  } catch (...) {
    ::dlclose(handle_);
    throw;
  }
}

DeviceModule::~DeviceModule() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

std::vector<std::string> DeviceModule::kernels() const {
  std::vector<std::string> names(table_.kernels, table_.kernels + table_.kernel_count);
  if (!names.empty()) return names;
  const detent_kernel_table& builtin = *detent_builtin_kernels();
  for (std::uint32_t i = 0; i < builtin.count; ++i) names.emplace_back(builtin.kernels[i].name);
  return names;
}

}  // namespace detent::harness

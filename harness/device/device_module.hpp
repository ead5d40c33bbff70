// DeviceModule: "software", or the path of a shared object -> the table of a device module that can be used.
#pragma once

#include <string>
#include <vector>

#include <detent/device.h>

namespace detent::harness {

/// Whether a name is that of a module of this program, and of no file.
bool is_linked_in(const std::string& name);

/// A module. Owns the shared object: devices opened by it are closed before.
class DeviceModule {
 public:
  /// @param name  "software" for the software NPU, else a shared object, whose code runs from now on
  /// @throws std::invalid_argument  names the file, what is wrong with it or its table, and the remedy
  explicit DeviceModule(const std::string& name);
  ~DeviceModule();
  DeviceModule(const DeviceModule&) = delete;
  DeviceModule& operator=(const DeviceModule&) = delete;

  /// As detent_device_read fills it.
  [[nodiscard]] const detent_device_module& table() const { return table_; }
  /// Kernels that it computes, without those of extensions; those built in where its table names none.
  [[nodiscard]] std::vector<std::string> kernels() const;

 private:
  void* handle_ = nullptr;  ///< null: linked in
  detent_device_module table_{};
};

}  // namespace detent::harness

// Device: a module and a Desc -> an opened device, whose back ends execute the ops of its class.
#pragma once

#include <optional>
#include <string>

#include "harness/device/device_module.hpp"
#include "harness/device/prepared_form.hpp"
#include "harness/instance.hpp"
#include "harness/posix_port.hpp"

namespace detent::harness {

/// How a device is asked for.
struct DeviceSpec {
  std::string module{};                ///< as DeviceModule; empty: no device
  std::uint64_t scratchpad_bytes = 0;  ///< memory of its own that an op may use; 0: as the largest op needs
  /// Where forms that modules prepare are kept, by token; empty: nothing is prepared.
  std::string prepared_folder{};
  bool operator==(const DeviceSpec&) const = default;
};

/// "MODULE" or "MODULE:BYTES", as "software:2MiB"; and back, in bytes, without the folder: outputs do not depend on it.
/// @throws std::invalid_argument  no module is named
DeviceSpec read_device(const std::string& text);
std::string device_text(const DeviceSpec& spec);

/// A device that is open for one Desc, with threads of its own. Contexts over it end before it does; one runs at a
/// time.
class Device {
 public:
  /// @param desc  outlives this; one that detent_check refuses opens nothing, and then no op is the device's
  /// @throws std::invalid_argument  the module cannot be used, an op needs more of its memory than there is, or
  ///         spec.prepared_folder cannot be written
  /// @throws InputError  as the last
  Device(const DeviceSpec& spec, const detent_desc& desc);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Executes each op on the thread that calls it, through the device's memory.
  [[nodiscard]] detent_backend inline_backend();
  /// Let an instance give the device commands: its back end comes first, and where workers have classes or may have
  /// them (closed loop and layers, no classes but those of CPU and device), its slots become workers.
  void serve(InstanceOptions& options);

  [[nodiscard]] const DeviceModule& module() const { return module_; }
  [[nodiscard]] const detent_device_needs& needs() const { return needs_; }
  [[nodiscard]] detent_device_counters counters() const;
  /// With what the device was opened; null: the folder is not given, or the module prepares nothing.
  [[nodiscard]] const PreparedForm* prepared() const { return prepared_ ? &*prepared_ : nullptr; }

 private:
  detent_status resolve(const char* name, detent_entity* entity) const;
  [[nodiscard]] detent_backend backend(bool has_dispatch);
  /// Into memory_ and opened_.
  detent_status open(const detent_device_config& config);
  /// The same with a prepared form: that of the folder where it fits, else one that is compiled and saved.
  detent_status open_prepared(detent_device_config& config, const std::string& folder);

  DeviceModule module_;
  const detent_desc& desc_;
  PosixPort port_{};
  detent_device_needs needs_{0, 0, DETENT_NONE, 0};
  std::optional<PreparedForm> prepared_{};
  AlignedMemory memory_{};  ///< null: not open
  detent_backend opened_{};
};

}  // namespace detent::harness

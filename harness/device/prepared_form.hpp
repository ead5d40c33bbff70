// PreparedForm: what a device's module makes of a network once, kept in a folder by its token.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <detent/device.h>

namespace detent::harness {

/// Where a form is from.
enum class PreparedOrigin : std::uint8_t {
  kCompiled,   ///< made now; the folder had none
  kReused,     ///< from the folder
  kRecompiled  ///< made now; the one of the folder was damaged or made of something else
};
/// "compiled", "reused", "recompiled".
const char* prepared_origin_name(PreparedOrigin origin);

/// Memory as tables of C want it, aligned to DETENT_CACHE_LINE.
struct AlignedDelete {
  void operator()(void* memory) const;
};
using AlignedMemory = std::unique_ptr<void, AlignedDelete>;
/// @throws std::bad_alloc
AlignedMemory allocate_aligned(std::uint64_t bytes);

/// One form. Devices that were opened with it are closed before it goes.
class PreparedForm {
 public:
  /// Find the form of a network in a folder.
  /// @param table   has identify and prepare
  /// @param folder  read only here
  /// @throws std::invalid_argument  the module cannot identify the network
  PreparedForm(const detent_device_module& table, const detent_desc& desc, const detent_device_config& config,
               const std::string& folder);

  [[nodiscard]] bool is_there() const { return memory_ != nullptr; }
  /// Compile it, in place of what was found and is not wanted.
  /// @throws std::invalid_argument  the module cannot prepare the network
  void compile(const detent_device_module& table, const detent_desc& desc, const detent_device_config& config);
  /// Write the file of a form that was compiled; makes the folder where it is not there.
  /// @throws InputError, std::invalid_argument  it cannot be written
  void save() const;

  [[nodiscard]] const void* data() const { return memory_.get(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// 64 lower-case hex digits.
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] PreparedOrigin origin() const { return origin_; }

 private:
  [[nodiscard]] std::string path() const;
  void read();

  std::string folder_;
  std::string token_{};
  std::uint64_t most_bytes_ = 0;  ///< that it may have
  AlignedMemory memory_{};        ///< null: there is none
  std::uint64_t bytes_ = 0;
  PreparedOrigin origin_ = PreparedOrigin::kCompiled;
};

}  // namespace detent::harness

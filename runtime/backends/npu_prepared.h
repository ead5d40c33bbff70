/* The prepared form of the software NPU: a network's constants as the device reads them, behind a header that says what
 * they were made of.
 *
 *     FormHeader | uint64_t at[tensor_count] | constants, each at its offset's place in a cache line
 *
 * at[t] is the distance of tensor t from the begin of the form; 0: it is not there. Gaps hold 0. A form is memory of
 * somebody else, maybe a file's: nothing in it is believed before find_constants has looked at it. */
#ifndef DETENT_RUNTIME_BACKENDS_NPU_PREPARED_H_
#define DETENT_RUNTIME_BACKENDS_NPU_PREPARED_H_

#include <detent/device.h>

#include "runtime/base/freestanding.h"

namespace detent::npu {

inline constexpr const char *kName = "software NPU";
inline constexpr const char *kRelease = "1.1";

struct FormHeader {
  std::uint64_t magic;  ///< another one with another order of bytes
  std::uint64_t bytes;  ///< of the form
  std::uint64_t tensor_count;
  std::uint8_t token[DETENT_TOKEN_BYTES];
  std::uint8_t contents[DETENT_TOKEN_BYTES];  ///< fingerprint of everything behind the header
};

/// The constants of a form that has been looked at.
class Constants {
 public:
  Constants() = default;
  explicit Constants(const void *form) : form_(static_cast<const std::uint8_t *>(form)) {}
  [[nodiscard]] bool is_there() const { return form_ != nullptr; }
  /// Of a tensor that the form holds: its first byte, which nobody writes.
  [[nodiscard]] void *data(std::uint32_t tensor) const;

 private:
  const std::uint8_t *form_ = nullptr;
};

/// As detent_device_module.identify and .prepare.
detent_status identify(const detent_desc *desc, const detent_device_config *config, detent_device_identity *identity);
detent_status prepare(const detent_desc *desc, const detent_device_config *config, void *memory,
                      std::uint64_t memory_bytes, std::uint64_t *form_bytes);

/// Look at config.prepared.
/// @param constants  filled with OK only; without a form there are none
/// @return  OK; STALE: it is no form, is damaged, or was made of something else; every constant that an op of the
/// device
///          reads lies inside of one that is OK
detent_status find_constants(const detent_desc &desc, const detent_device_config &config, Constants &constants);

}  // namespace detent::npu

#endif

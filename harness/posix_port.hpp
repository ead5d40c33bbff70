// PosixPort: the POSIX port with its memory.
#pragma once

#include <new>

#include <detent/detent.h>

namespace detent::harness {

/// A port on this machine's threads. Outlives the instances made on it. Where one of them was left with an op in flight
/// (Instance), the memory is leaked with it.
class PosixPort {
 public:
  /// @throws std::runtime_error  the machine refuses mutexes or conditions
  PosixPort();
  ~PosixPort();
  PosixPort(const PosixPort&) = delete;
  PosixPort& operator=(const PosixPort&) = delete;
  [[nodiscard]] const detent_port& port() const { return port_; }

 private:
  static constexpr std::align_val_t kAlign{DETENT_CACHE_LINE};
  void* state_;
  detent_port port_{};
};

}  // namespace detent::harness

// detent emit c: a network as a self-contained firmware directory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct EmitRequest {
  Request request{};
  ModelOptions model{};
  /// Numbers of workers, 0: serial. A static schedule is computed for each, the largest is the firmware's default.
  std::vector<std::uint32_t> workers{};
  std::string directory{};
  bool force = false;     ///< write into a directory that is not empty
  bool no_audit = false;  ///< of kernels of imported C
};

/// Write the directory, whole or not at all. @return  `detent.emit/1`; violated, and nothing is written, where the
/// audit of its kernels is
/// @throws InputError, std::invalid_argument  a model that no firmware can hold, a directory that cannot be written
Answer emit_firmware(const EmitRequest& options);

}  // namespace detent::app

// Versions: the values that a buffer of main holds one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/hazards/hazards.hpp"

namespace detent::models::tvm {

/// One value: written first by its first call and read by later ones. Under USMP a buffer has one; without, TVM lets
/// tensors follow each other in one buffer.
struct Version {
  std::string name;  ///< of the buffer; "sid_1.2" for the second value
  std::uint32_t object = 0;
  std::uint64_t size_bytes = 0;  ///< from the buffer's begin to the last byte touched
  bool is_last = true;           ///< of its buffer: an output's last version is the output
};

struct VersionUse {
  std::uint32_t version = 0;
  bool reads = false, writes = false;
};

struct Versions {
  std::vector<Version> versions;
  std::vector<std::vector<VersionUse>> uses;  ///< by call and argument; version UINT32_MAX where the argument is none

  static constexpr std::uint32_t kNoVersion = UINT32_MAX;
};

/// A call that writes a buffer without reading it begins a version, if what is read until the next such call is all
/// written from there on; else the version before goes on.
Versions find_versions(const Program& program, const CallAccesses& accesses);

}  // namespace detent::models::tvm

// Random artifacts as TVM writes them, with what is true of them: the generator knows every byte that it lets a call
// use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace detent::models::tvm {

struct RandomArtifact {
  std::map<std::string, std::string> files;  ///< of the Model Library Format
  std::string variant;                       ///< "0.14 usmp", for messages
  std::uint32_t calls = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;      ///< who reads the tensor that another call writes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> conflicts;  ///< that use a byte together, one of them writing
  std::uint32_t races = 0;                                         ///< conflicts that the edges leave unordered
};

/// Chains and branches of element-wise calls with scratch, constants, several inputs and outputs, copies of inputs to
/// outputs, and storage that is used again, in place too. The same seed gives the same text.
RandomArtifact random_artifact(std::uint64_t seed);

}  // namespace detent::models::tvm

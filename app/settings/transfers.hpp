// [[transfers]] of a settings file: what it takes until an op of one class of cores may use what an op of another class
// has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/model.hpp"

namespace detent {
class TomlReader;
}

namespace detent::app {

/// Stands for every class.
inline constexpr std::string_view kAnyClass = "*";

/// Edges between ops of two classes are delays: a fence, cache maintenance, a copy.
struct TransferRule {
  std::string from{}, to{};       ///< different classes of cores, or kAnyClass
  std::uint64_t time_ps = 0;      ///< of each edge
  std::uint64_t bytes_per_s = 0;  ///< and for the bytes that `to` reads of what `from` writes; 0: they take no time
  bool operator==(const TransferRule&) const = default;
};

/// The tables [[transfers]] of a file. @throws std::invalid_argument  names file and line
std::vector<TransferRule> read_transfers(const TomlReader& top);

/// The same as text, a table each.
std::string format_transfers(const std::vector<TransferRule>& rules);

/// Add to each edge between ops of different classes what the first rule says that is of these classes. A time of bytes
/// is rounded up. Ops have the classes that they keep.
/// @param path  of the file, for messages
/// @return  edges that a rule is of
/// @throws std::invalid_argument  a delay that does not fit 64 bits
std::size_t apply_transfers(const std::vector<TransferRule>& rules, const std::string& path, models::Model& model);

}  // namespace detent::app

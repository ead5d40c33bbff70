// Who comes first by the edges: each wanted value's writer or its reader, each decision or the ops that it guards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// How a writer stands to its reader.
enum class Standing : std::uint8_t { kBefore, kAfter, kUnordered };

class Standings {
 public:
  /// @param tables  null: nothing is guarded
  Standings(const detent_desc& desc, const ValueTables* tables, const Order& order, const Wants& wants);

  /// Of the writer of a value to the reader that wants it. @param value  index into Want::values
  [[nodiscard]] Standing of(std::uint32_t want, std::size_t value) const { return all_[first_[want] + value]; }
  /// Of the ops that decide to those that they guard: by op, for each guard of it.
  [[nodiscard]] std::span<const Standing> of_guards() const { return std::span(all_).subspan(first_.back()); }

 private:
  std::vector<std::uint32_t> first_;  ///< by want: into all_; then the end of them
  std::vector<Standing> all_;         ///< of the values of all wants, then of all guards
};

}  // namespace detent::verify

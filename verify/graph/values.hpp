// Values: the base tensors of a Desc that hold something, each with everyone who uses it, as topological positions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/lists/rows.hpp"
#include "base/lists/small_list.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// A tensor that is no view, no bare byte range and no weight, of which somebody makes use.
///
/// Users are steps: 0 is the application before the run (it writes the inputs), 1 + p is the op at position p of the
/// Order, 1 + op_count is the application after the run (it reads the outputs). An op uses a value when it reads,
/// writes or takes as scratch the tensor or any view of it, and when the tensor's declared lifetime begins or ends
/// there.
struct Value {
  TensorId tensor = 0;
  RegionId region = 0;
  SmallList<ByteSet> parts;  ///< the tensor's bytes, and those of views that lie over gaps between its blocks
  std::span<const std::uint32_t> users;  ///< steps, ascending, each once; not empty; kept by the Values

  [[nodiscard]] std::uint32_t first() const { return users.front(); }
  [[nodiscard]] std::uint32_t last() const { return users.back(); }
};

class Values {
 public:
  /// @param order  of this Desc
  Values(const detent_desc& desc, const Order& order);
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  /// By first user, last user, tensor.
  [[nodiscard]] const std::vector<Value>& all() const { return values_; }
  /// The step at which `from` gives its bytes to `to`: the last user of the one is the first of the other, an op that
  /// is declared in place and reads `from`, no more, and writes `to`, no more; and somebody else uses `from` before.
  [[nodiscard]] std::optional<std::uint32_t> handed_over_at(const Value& from, const Value& to) const;
  /// Neither can live while the other does: each is one op's alone, and a mutex keeps the two ops apart.
  [[nodiscard]] bool kept_apart_by_mutex(const Value& a, const Value& b) const;
  [[nodiscard]] std::uint32_t step_after_run() const { return order_.op_count() + 1; }
  /// The op of a step; DETENT_NONE: the application.
  [[nodiscard]] std::uint32_t op_of(std::uint32_t step) const;
  /// Of one region.
  static std::optional<ByteRange> first_shared(const Value& a, const Value& b);

 private:
  void find_roots();
  void add_views_over_gaps();
  [[nodiscard]] Rows<std::uint32_t> steps_by_root() const;
  [[nodiscard]] bool refers_to(const detent_slice& slice, std::uint32_t root) const;

  const detent_desc& desc_;
  const Order& order_;
  std::vector<std::uint32_t> root_of_;  ///< by tensor: the value at the end of its chain of views, or DETENT_NONE
  std::vector<std::uint32_t> users_;    ///< of all values
  std::vector<Value> values_;
};

/// True for a tensor that is no view, no byte range and no weight, and whose tables describe bytes of a region.
bool can_hold_a_value(const detent_desc& desc, const detent_tensor& tensor);

}  // namespace detent::verify

// PlanUsers: who uses each tensor that is no view, in a Desc that may break any law.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::verify::smt {

/// Of a list that may be broken: nothing, then.
std::span<const std::uint32_t> tensors_of(const detent_desc& desc, const detent_slice& slice);

class PlanUsers {
 public:
  explicit PlanUsers(const detent_desc& desc);

  /// Ops that use the tensor or a view of it.
  [[nodiscard]] const std::set<std::uint32_t>& of(TensorId tensor) const { return users_[tensor]; }
  /// The application writes it before the run.
  [[nodiscard]] bool is_input(TensorId tensor) const { return inputs_.contains(tensor); }
  /// The application reads it after the run.
  [[nodiscard]] bool is_output(TensorId tensor) const { return outputs_.contains(tensor); }
  [[nodiscard]] bool is_used(TensorId tensor) const {
    return !users_[tensor].empty() || is_input(tensor) || is_output(tensor);
  }
  [[nodiscard]] std::uint32_t base_of(std::uint32_t id) const;
  [[nodiscard]] bool refers_to(const detent_slice& slice, std::uint32_t base) const;

 private:
  void add_ops();
  void add_application();

  const detent_desc& desc_;
  std::vector<std::set<std::uint32_t>> users_;  ///< by tensor: ops
  std::set<std::uint32_t> inputs_, outputs_;
};

}  // namespace detent::verify::smt

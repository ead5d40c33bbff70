// JointDesc: several Descs -> the same ops over one table of core classes, for each network alone and for the chip that
// they share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::sim {

/// Classes of one name are one class. Ops of all networks count through, network after network: what the chip, the port
/// and the cost of ops see. Tensors, edges and all else stay those of each network.
class JointDesc {
 public:
  /// @param descs  checked (detent_check); outlive this
  /// @throws std::invalid_argument  more classes than DETENT_MAX_CLASSES, one name for two kinds of class
  explicit JointDesc(const std::vector<const detent_desc*>& descs);
  JointDesc(const JointDesc&) = delete;
  JointDesc& operator=(const JointDesc&) = delete;

  /// A network with the shared classes: can be bound.
  [[nodiscard]] const detent_desc& network(std::size_t i) const { return networks_[i]; }
  [[nodiscard]] OpId first_op(std::size_t i) const { return first_ops_[i]; }
  /// Ops and classes alone: cannot be bound.
  [[nodiscard]] const detent_desc& ops() const { return ops_desc_; }

 private:
  std::uint32_t class_of(const detent_class& wanted);

  std::vector<detent_class> classes_;
  std::vector<std::vector<detent_op>> network_ops_;
  std::vector<detent_op> all_ops_;
  std::vector<detent_desc> networks_;
  std::vector<OpId> first_ops_;
  detent_desc ops_desc_{};
};

}  // namespace detent::sim

// A network, and what it takes under placements of its ops on the classes of cores of a platform.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/partition/partition.hpp"
#include "app/partition/placement.hpp"
#include "app/settings/transfers.hpp"
#include "reports/data/time_grounds.hpp"
#include "sim/simulate.hpp"

namespace detent::app {

/// Times come from the platform, costs and jitter of the request; transfers of its settings are counted in every time.
class PlacedNetwork {
 public:
  /// Both outlive this. @throws as partition_model
  PlacedNetwork(const PartitionRequest& wanted, const sim::Platform& platform);

  [[nodiscard]] const models::Model& model() const { return model_; }
  [[nodiscard]] const std::vector<PlacementDevice>& devices() const { return devices_; }
  [[nodiscard]] const std::vector<OpChoices>& choices() const { return choices_; }
  [[nodiscard]] const std::vector<TransferRule>& transfers() const { return transfers_; }

  /// By op, those that an edge joins with it, ascending.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> neighbours() const;
  [[nodiscard]] std::size_t edges_between_devices(const Placement& placement) const;

  /// The simulated run in which every op takes its worst time.
  std::uint64_t makespan_ps(const Placement& placement);
  /// The lowest upper bound of every schedule; verify::kUnknownPs: none is known.
  std::uint64_t bound_ps(const Placement& placement);
  /// By op the worst time alone on the chip, on one device; those that may not be there are where they may.
  std::vector<std::uint64_t> worst_ps(std::uint32_t device);
  /// What the times of the ops rest on.
  reports::TimeGrounds grounds(const Placement& placement);

 private:
  models::LoweredModel lower_with(const Placement& placement);

  const PartitionRequest& wanted_;
  const sim::Platform& platform_;
  std::vector<PlacementDevice> devices_;
  std::shared_ptr<const sim::CostTable> costs_{};
  std::vector<std::string> unused_costs_{};
  models::Model model_{};
  std::vector<models::Edge> edges_{};  ///< without transfers
  std::vector<TransferRule> transfers_{};
  std::vector<OpChoices> choices_{};
  sim::SimOptions options_{};
};

}  // namespace detent::app

// Lower: Model -> Desc. Owns every table and the weights that the Desc points to.
#pragma once

#include <cstdint>
#include <memory>

#include <detent/desc.h>

#include "models/core/model.hpp"

namespace detent::models {

/// A Desc with its storage. Movable; the Desc's address and tables stay valid for its life.
class LoweredModel {
 public:
  LoweredModel(LoweredModel&&) noexcept;
  LoweredModel& operator=(LoweredModel&&) noexcept;
  ~LoweredModel();
  [[nodiscard]] const detent_desc& desc() const;

 private:
  friend LoweredModel lower(const Model& model, const struct LowerOptions& options);
  struct State;
  explicit LoweredModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct LowerOptions {
  bool weights = true;  ///< false: weight regions hold zeros and are cheap to make (timing-only)
};

/// Turn a planned model (every tensor has a region) into tables. Transfer delays and release times become pseudo-ops
/// of class "delay" with ids after all real ops. Faults of the model (cycles, overlaps) are kept: detent_init and
/// verify judge them.
/// @throws std::invalid_argument  a tensor without a place
LoweredModel lower(const Model& model, const LowerOptions& options = {});

}  // namespace detent::models

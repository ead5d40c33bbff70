// What the I8 elements of a Model stand for. A Model holds no scales, only multipliers, which are quotients of them
// (runtime/include/detent/op_config.h); ONNX wants each. They follow from the ops: to and from F32 a scale is the
// factor, a table is that of SiLU for one scale alone, an addition and an average have quotients. Where nothing
// follows, as between convolutions, any scale will do, as the weights take the rest.
#pragma once

#include <cstdint>
#include <map>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::bench {

/// How elements of a tensor are written as unsigned bytes in ONNX: q as q + zero.
struct Quantisation {
  double scale = 1;         ///< what q = 1 stands for
  std::int32_t zero = 128;  ///< 0 where every op that writes the tensor yields 0 to 127 alone, as behind ReLU
};

class Scales {
 public:
  /// @throws InputError  a table that is not SiLU's for any scale; scales that contradict each other by more than 1e-5;
  ///                     an op that writes I8 and has no rule here
  explicit Scales(const models::Model& model);

  /// @param tensor  I8, or a view of such a tensor
  [[nodiscard]] const Quantisation& of(TensorId tensor) const;

 private:
  const models::Model& model_;
  std::map<std::uint32_t, Quantisation> by_root_{};
};

}  // namespace detent::bench

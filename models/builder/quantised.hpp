// Layers of int8 networks over a Builder: as those of layers.hpp, on I8 tensors. Weights have the draws of the F32
// layer of the same name, rounded to I8, so that a network and its quantised form compute nearly the same.
//
// Scales come from the statistics that the F32 layers are initialised by, without a calibration run: a layer's sums
// have a normal distribution whose deviation is the gain times that of its input, and an I8 tensor reaches up to six
// deviations, for channels differ. What lies beyond is held at the ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"

namespace detent::models {

/// An I8 tensor and what its elements stand for.
struct Quantised {
  TensorId id = kNone;
  double scale = 1;      ///< the number that element 1 stands for
  double deviation = 1;  ///< root mean square of the numbers, as expected
};

/// F32 to I8. @param greatest  the number that element 127 stands for   @param deviation  root mean square of x
Quantised quantise(Builder& b, const std::string& name, TensorId x, double greatest, double deviation);
TensorId dequantise(Builder& b, const std::string& name, const Quantised& x);

/// No residual. RELU and RELU6 are ranges of the result, SiLU and sigmoid tables.
/// @param greatest  the number that element 127 stands for, of the sums also where a table follows; 0: six deviations
Quantised conv(Builder& b, const std::string& name, const Quantised& x, const ConvOptions& o, double greatest = 0);
Quantised gemm(Builder& b, const std::string& name, const Quantised& a, std::int32_t n,
               detent_activation activation = DETENT_ACT_NONE);
/// @param activation  NONE, RELU or RELU6
/// @param greatest    the number that element 127 stands for; 0: as far as both operands reach, independent of each
/// other
Quantised add(Builder& b, const std::string& name, const Quantised& left, const Quantised& right,
              detent_activation activation = DETENT_ACT_NONE, double greatest = 0);
Quantised max_pool(Builder& b, const std::string& name, const Quantised& x, const PoolOptions& options);
Quantised upsample(Builder& b, const std::string& name, const Quantised& x, std::int32_t factor);
Quantised global_avg_pool(Builder& b, const std::string& name, const Quantised& x);
/// Channels [begin, begin+count): a view; both are multiples of 16, but for a count that ends at the last channel.
Quantised channels(Builder& b, const std::string& name, const Quantised& x, std::int32_t begin, std::int32_t count);
/// Along channels. The parts have one scale, and their channels are multiples of 16, but for those of the last one.
Quantised concat(Builder& b, const std::string& name, const std::vector<Quantised>& parts);

}  // namespace detent::models

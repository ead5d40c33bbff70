// Jitter as text and back.
#pragma once

#include <string>

#include "sim/types/options.hpp"

namespace detent::app {

/// "uniform:0.2", or rules such as "conv2d_f32=uniform:0.2,npu=worst,*=pareto:0.5:1.5;corr=core:0.5": the first rule
/// that matches an op decides, a distribution without a pattern stands for all others. Grammar:
/// app/simulate/jitter_text.cpp.
/// @throws std::invalid_argument  names the character and gives a correct example
sim::Jitter parse_jitter(const std::string& text);
/// The same in one spelling.
std::string jitter_name(const sim::Jitter& jitter);

}  // namespace detent::app

// Ranges of channels and concatenation over a Builder: views where the bytes allow it, copies where not. A view always
// names its root, never another view.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/builder/builder.hpp"

namespace detent::models {

/// Channels [begin, begin+count) of a C16 tensor: a view when begin % 16 == 0 (and count too unless it is the
/// tail), else a real copy through PLAIN.
TensorId channels(Builder& b, const std::string& name, TensorId x, std::int32_t begin, std::int32_t count);
/// Along channels for C16 [1,C,H,W] and dimension 0 for PLAIN. Parts become views of one base where their bytes
/// allow it; a part that is an input, stands elsewhere already or whose channel offset is no multiple of 16 is
/// copied.
TensorId concat(Builder& b, const std::string& name, const std::vector<TensorId>& parts);

}  // namespace detent::models

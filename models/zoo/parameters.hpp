// Parameters of a model of the zoo.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::models {

/// Numbers behind the name, in order: "yolov8n:320", "random:7:200". Missing ones take the entry's defaults.
using ZooParameters = std::vector<std::uint64_t>;

}  // namespace detent::models

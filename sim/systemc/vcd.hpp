// ScLibrary::write_vcd, inside the shared object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/systemc/traced.hpp"

namespace detent::sim {

std::uint64_t write_vcd(const std::vector<TracedSignal>& signals, const std::vector<TracedChange>& changes,
                        const std::vector<TracedStep>& steps, const std::string& path);

}  // namespace detent::sim

// Parts of bench_sim beside the comparison with the bare loop. Each prints its figures and returns them.
#pragma once

#include <nlohmann/json.hpp>

namespace detent::bench {

/// us per run of YOLOv8n's graph on the whole chip model (arrays, caches, DRAM queue, overheads), by platform.
nlohmann::ordered_json bench_chip(bool quick);

/// ns per op for 1,000 to 1,000,000 ops on 4 to 64 cores.
nlohmann::ordered_json bench_growth(bool quick);

}  // namespace detent::bench

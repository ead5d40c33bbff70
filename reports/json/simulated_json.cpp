#include "reports/json/simulated_json.hpp"

#include "reports/text/simulated_text.hpp"

namespace detent::reports {

Json percentiles_json(const std::vector<Percentile>& percentiles) {
  Json list = Json::array();
  for (const Percentile& one : percentiles) {
    const auto known = [&](std::uint64_t ps) { return one.has_interval ? Json(ps) : Json(nullptr); };
    list.push_back({{"name", one.name},
                    {"ps", known(one.value_ps)},
                    {"low_ps", known(one.low_ps)},
                    {"high_ps", known(one.high_ps)},
                    {"confidence", 0.95},
                    {"needs_runs", one.needs_runs},
                    {"text", percentile_text(one)}});
  }
  return list;
}

Json search_json(const LongRunSearch& search) {
  return {{"runs", search.runs},
          {"all_worst_ps", search.all_worst_ps},
          {"longest_ps", search.longest_ps},
          {"is_longest", search.is_longest},
          {"shorter_ops", search.shorter_ops},
          {"times", search.times},
          {"ties", search.ties},
          {"text", search_text(search)}};
}

}  // namespace detent::reports

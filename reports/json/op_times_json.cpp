// TimeGrounds -> JSON.
#include "reports/json/op_times_json.hpp"

#include "reports/text/report_text.hpp"

namespace detent::reports {

Json op_times_json(const TimeGrounds& times) {
  if (times.grounds.empty()) return nullptr;
  Json sources = Json::array();
  for (const TimeGround& ground : times.grounds) {
    sources.push_back(
        {{"source", ground.source}, {"ops", ground.ops}, {"worst_ps", ground.worst_ps}, {"why", ground.why}});
  }
  Json out = {{"sources", std::move(sources)},
              {"weakest", times.grounds.back().source},
              {"condition", condition_of_bounds(times)},
              {"jitter", times.jitter}};
  if (!times.remedy.empty()) out["remedy"] = times.remedy;
  if (!times.unused_rows.empty()) {
    out["unused_rows"] = {{"ops", times.unused_rows}, {"why", times.unused_why}, {"text", unused_rows_text(times)}};
  }
  return out;
}

}  // namespace detent::reports

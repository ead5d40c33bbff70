// The detector with a serial memory plan: the races that parallel runs then have, found by brute force.
#include "reports/view/desc_view.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {
namespace {

using verify::Outcome;

/// Every op that must have run, in id order, then the pair.
std::vector<std::uint32_t> schedule_to(const std::vector<bool>& before_a, const std::vector<bool>& before_b,
                                       std::uint32_t a, std::uint32_t b) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t op = 0; op < before_a.size(); ++op) {
    if (before_a[op] || before_b[op]) out.push_back(op);
  }
  out.push_back(a);
  out.push_back(b);
  return out;
}

std::vector<verify::Witness> races_of(const detent_desc* desc) {
  const auto predecessors = all_predecessors(desc);
  std::vector<verify::Witness> out;
  for (std::uint32_t b = 0; b < desc->op_count; ++b) {
    const std::vector<bool> before_b = ancestors_of(predecessors, b);
    for (std::uint32_t a = 0; a < b; ++a) {
      if (before_b[a]) continue;
      const std::vector<Conflict> conflicts = conflicts_of(desc, a, b, 1);
      if (conflicts.empty()) continue;
      const std::string text = "op " + std::to_string(a) + " " + op_name(desc, a) + " and op " + std::to_string(b) +
                               " " + op_name(desc, b) + " share " + std::to_string(conflicts[0].size_bytes) +
                               " bytes of " + region_name(desc, conflicts[0].region) + " (" + conflicts[0].kind + ")";
      out.push_back({text, {a, b}, schedule_to(ancestors_of(predecessors, a), before_b, a, b)});
    }
  }
  return out;
}

}  // namespace

Sample racy_detector() {
  Sample sample = detector(true);
  ReportData& data = sample.data;
  data.model = "detector_serial_plan";
  const std::vector<verify::Witness> races = races_of(data.desc);
  data.native_digest = "02be77c1405d9a6f";
  data.verdicts[2].outcome = Outcome::kViolated;
  data.verdicts[2].summary = std::to_string(races.size()) + " racing pairs among the unordered pairs of ops";
  data.verdicts[2].witnesses = races;
  data.verdicts[3].outcome = Outcome::kViolated;
  data.verdicts[3].summary = "2 digests over serial, 1 to 8 workers, 5 policies and 100 permuted orders";
  data.verdicts[3].witnesses = {
      {"serial gives 8f1c03d95ab7e244, 3 workers with policy random (seed 4) give 02be77c1405d9a6f", races.front().ops,
       races.front().schedule}};
  data.verdicts[4].outcome = Outcome::kUnknown;
  data.verdicts[4].summary = "traces are not judged while buffers race";
  return sample;
}

}  // namespace detent::reports::samples

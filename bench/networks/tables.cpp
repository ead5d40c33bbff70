#include "bench/networks/tables.hpp"

#include <algorithm>
#include <cstdio>

namespace detent::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1024.0 * 1024.0;

double own_bytes(const Row& row) { return static_cast<double>(row.peak_bytes) - static_cast<double>(row.before_bytes); }

Json row_json(const Row& row, const Row* peer) {
  Json json;
  if (peer != nullptr) {
    json["time_over_peer"] = row.time_over_peer;
    json["least_time_over_peer"] = row.least_time_over_peer;
    json["processor_time_over_peer"] = row.processor_time_over_peer;
    json["peak_memory_over_peer"] = own_bytes(row) / own_bytes(*peer);
  }
  json["contender"] = row.contender;
  json["p50_ms"] = row.p50_ms;
  json["least_ms"] = row.least_ms;
  json["processor_ms"] = row.processor_ms;
  json["peak_resident_bytes"] = row.peak_bytes;
  json["resident_before_load_bytes"] = row.before_bytes;
  if (row.difference) {
    json["largest_difference"] = row.difference->absolute;
    json["largest_difference_over_row"] = row.difference->share;
    json["within_tolerance"] = row.difference->within;
  }
  if (row.steps) {
    json["elements"] = row.steps->elements;
    json["elements_by_steps"] = row.steps->counts;
    json["deviation_steps"] = row.steps->deviation();
    json["tolerance_steps"] = {{"deviation", row.law.deviation}, {"largest", row.law.largest}};
    json["within_tolerance"] = row.steps->within;
  }
  return json;
}

const Row* peer_of(const Cell& cell) { return cell.rows.back().time_over_peer > 0 ? &cell.rows.back() : nullptr; }

std::string steps_text(const StepDifference& steps) {
  return std::to_string(steps.largest()) + (steps.largest() == 1 ? " step" : " steps");
}

// "of 1000 elements at the ends of the integers 990 are equal, 9 differ by 1 step, 1 by 2"
void print_steps(const StepDifference& steps, const StepLaw& law) {
  std::printf("  of %llu elements at the ends of the integers %llu are equal",
              static_cast<unsigned long long>(steps.elements),
              static_cast<unsigned long long>(steps.counts.empty() ? 0 : steps.counts[0]));
  constexpr std::size_t kShown = 8;
  for (std::size_t k = 1; k < std::min(steps.counts.size(), kShown + 1); ++k) {
    if (steps.counts[k] == 0) continue;
    std::printf(", %llu differ by %zu", static_cast<unsigned long long>(steps.counts[k]), k);
  }
  if (steps.largest() > kShown) std::printf(", others by up to %zu", steps.largest());
  std::printf("; root mean square %.3f\n", steps.deviation());
  if (steps.within) return;
  std::printf("  VIOLATED: at most %zu steps and a root mean square of %.2f are what rounding explains\n", law.largest,
              law.deviation);
}

void print_row(const Row& row, const Row* peer) {
  if (peer != nullptr) {
    std::printf("  %14s %-8.2f %-8.2f %-10.2f %-8.2f", "", row.time_over_peer, row.least_time_over_peer,
                row.processor_time_over_peer, own_bytes(row) / own_bytes(*peer));
  }
  std::printf("  %8.2f %8.2f %12.2f %8.1f  ", row.p50_ms, row.least_ms, row.processor_ms, own_bytes(row) / kMiB);
  if (row.difference) std::printf("%-12.1e", row.difference->share);
  if (row.steps) std::printf("%-12s", steps_text(*row.steps).c_str());
  std::printf("%*s%s\n", peer != nullptr && !row.difference && !row.steps ? 12 : 0, "", row.contender.c_str());
  if (row.steps) print_steps(*row.steps, row.law);
  if (!row.difference || row.difference->within) return;
  std::printf("  VIOLATED: outputs differ by up to %.2e, %.2e of the largest in the row; at most %.0e\n",
              row.difference->absolute, row.difference->share, kTolerance);
}

}  // namespace

void print_cell(const Cell& cell) {
  const Row* const peer = peer_of(cell);
  std::printf("\n%s, %u worker%s, %u rounds of %u runs\n", cell.network.c_str(), cell.workers,
              cell.workers == 1 ? "" : "s", cell.rounds, cell.runs);
  if (peer != nullptr) std::printf("  of the peer's: %-8s %-8s %-10s %-8s", "p50", "least", "processor", "memory");
  std::printf("  %8s %8s %12s %8s", "p50 ms", "least ms", "processor ms", "peak MiB");
  std::printf("  %s\n", peer != nullptr ? "difference" : "");
  for (const Row& row : cell.rows) print_row(row, peer);
  std::fflush(stdout);
}

Json cells_json(const std::vector<Cell>& cells, const Circumstances& circumstances) {
  Json list = Json::array();
  for (const Cell& cell : cells) {
    Json rows = Json::array();
    for (const Row& row : cell.rows) rows.push_back(row_json(row, peer_of(cell)));
    list.push_back({{"network", cell.network},
                    {"workers", cell.workers},
                    {"rounds", cell.rounds},
                    {"runs", cell.runs},
                    {"rows", std::move(rows)}});
  }
  return {{"benchmark", "networks"},          {"processor", circumstances.processor},
          {"peer", circumstances.peer},       {"disturbed", circumstances.disturbed},
          {"tolerance_over_row", kTolerance}, {"cells", std::move(list)}};
}

}  // namespace detent::bench

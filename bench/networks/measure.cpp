#include "bench/networks/measure.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bench/statistics.hpp"

namespace detent::bench {
namespace {

constexpr std::uint32_t kFewestRuns = 10, kMostRuns = 400;
constexpr std::uint32_t kWarmRuns = 10;
constexpr std::uint32_t kStartRuns = 2;

struct Seat {
  std::string name;
  std::function<Turn(const TurnOptions&)> measure;
  std::vector<float> output{};
  std::vector<double> p50_ms{}, least_ms{}, processor_ms{};  // by round
  double start_ms = 0;                                       // processor time of a process that runs kStartRuns times
  std::vector<double> peak_bytes{};
  std::uint64_t before_bytes = 0;
};

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Seat> seats_for(const Network& network, const std::string& program, const std::vector<std::string>& detent,
                            PeerContender* peer, const TurnOptions& options) {
  std::vector<Seat> seats;
  for (const std::string& arguments : detent) {
    const DetentContender contender(program, words_of(arguments));
    Seat seat{.name = "detent run" + (arguments.empty() ? "" : " " + arguments),
              .measure = [=](const TurnOptions& turn) { return contender.measure(network, turn); }};
    try {
      seat.output = contender.compute(network, options);
    } catch (const std::runtime_error&) {  // it has said why
      if (arguments.empty()) throw;
      std::fprintf(stderr, "%s: %s is left out\n", network.spec.c_str(), seat.name.c_str());
      continue;
    }
    seats.push_back(std::move(seat));
  }
  if (peer != nullptr) {
    seats.push_back(
        {.name = "ONNX Runtime", .measure = [=](const TurnOptions& turn) { return peer->measure(network, turn); }});
    seats.back().output = peer->compute(network, options);
  }
  return seats;
}

/// Runs of about `turn_ms`, as many for every contender.
std::uint32_t runs_for(const Seat& seat, TurnOptions options, double turn_ms) {
  options.repeat = kFewestRuns;
  const double runs = turn_ms / median(seat.measure(options).runs_ms);
  return std::clamp(static_cast<std::uint32_t>(runs), kFewestRuns, kMostRuns);
}

double start_ms_of(const Seat& seat, TurnOptions options) {
  options.warmup = 0;
  options.repeat = kStartRuns;
  std::vector<double> starts;
  for (int i = 0; i < 3; ++i) starts.push_back(seat.measure(options).processor_ms);
  return median(starts);
}

void take_turn(Seat& seat, const TurnOptions& options) {
  Turn turn = seat.measure(options);
  seat.p50_ms.push_back(median(turn.runs_ms));
  seat.least_ms.push_back(least(turn.runs_ms));
  const std::uint32_t runs = options.warmup + options.repeat - kStartRuns;
  seat.processor_ms.push_back((turn.processor_ms - seat.start_ms) / runs);
  seat.peak_bytes.push_back(static_cast<double>(turn.peak_bytes));
  seat.before_bytes = turn.before_bytes;
  if (!turn.output.empty()) seat.output = std::move(turn.output);
}

Row row_of(const Seat& seat, const Seat* peer, const Network& network) {
  Row row{.contender = seat.name,
          .p50_ms = median(seat.p50_ms),
          .least_ms = least(seat.least_ms),
          .processor_ms = median(seat.processor_ms),
          .peak_bytes = static_cast<std::uint64_t>(median(seat.peak_bytes)),
          .before_bytes = seat.before_bytes};
  if (peer == nullptr) return row;
  row.time_over_peer = median(ratios(seat.p50_ms, peer->p50_ms));
  row.least_time_over_peer = row.least_ms / least(peer->least_ms);
  row.processor_time_over_peer = median(ratios(seat.processor_ms, peer->processor_ms));
  if (&seat == peer) return row;
  if (network.ends.empty()) {
    row.difference = difference_of(seat.output, peer->output, network.output_columns);
  } else {
    row.steps = step_difference_of(seat.output, peer->output, network.law);
    row.law = network.law;
  }
  return row;
}

}  // namespace

Cell measure_cell(const Network& network, std::uint32_t workers, const std::string& program,
                  const std::vector<std::string>& detent, PeerContender* peer, const CellOptions& options) {
  TurnOptions turn{.workers = workers, .warmup = kWarmRuns, .folder = options.folder};
  std::vector<Seat> seats = seats_for(network, program, detent, peer, turn);
  for (Seat& seat : seats) seat.start_ms = start_ms_of(seat, turn);
  turn.repeat = runs_for(seats.front(), turn, options.turn_ms);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    for (Seat& seat : seats) take_turn(seat, turn);
  }
  Cell cell{.network = network.spec, .workers = workers, .rounds = options.rounds, .runs = turn.repeat};
  for (const Seat& seat : seats) {
    cell.rows.push_back(row_of(seat, peer != nullptr ? &seats.back() : nullptr, network));
  }
  return cell;
}

}  // namespace detent::bench

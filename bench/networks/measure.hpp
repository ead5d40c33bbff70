// One network on some number of workers, by all contenders in turns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/networks/contender.hpp"
#include "bench/networks/difference.hpp"

namespace detent::bench {

/// Detent with some arguments, or the peer.
struct Row {
  std::string contender{};
  double time_over_peer = 0;               ///< median over rounds of the ratio of a round's p50; 0 without a peer
  double least_time_over_peer = 0;         ///< ratio of the fastest runs: where other processes want the cores
  double p50_ms = 0;                       ///< the median of the rounds' p50
  double least_ms = 0;                     ///< the fastest of all runs
  double processor_time_over_peer = 0;     ///< median over rounds of the ratio of the processor time of a run
  double processor_ms = 0;                 ///< of a run, all threads, those that wait actively too: the median
  std::uint64_t peak_bytes = 0;            ///< the median over rounds
  std::uint64_t before_bytes = 0;          ///< of these, the interpreter's before it loads the runtime
  std::optional<Difference> difference{};  ///< of the outputs, from the peer's
  std::optional<StepDifference> steps{};   ///< instead, of an int8 network: of the elements at the ends of its integers
  StepLaw law{};                           ///< of `steps`
};

struct Cell {
  std::string network{};
  std::uint32_t workers = 0;
  std::uint32_t rounds = 0, runs = 0;  ///< runs of each round
  std::vector<Row> rows{};             ///< Detent's in the order of the arguments, then the peer's
};

struct CellOptions {
  std::uint32_t rounds = 9;
  double turn_ms = 1000;  ///< so long a contender runs in a round, at least 10 runs
  std::string folder{};   ///< for files in between
};

/// Contenders take turns in each round, each in a process of its own that loads the network, warms up and runs. The
/// processor time of a run is what a process takes more than one that runs twice.
/// @param detent  arguments for Detent, one list per contender; with arguments that a network does not take it is left
///                out   @param peer  null: none is installed
/// @throws std::runtime_error  a contender failed
Cell measure_cell(const Network& network, std::uint32_t workers, const std::string& program,
                  const std::vector<std::string>& detent, PeerContender* peer, const CellOptions& options);

}  // namespace detent::bench

// Determinism: is the result the same on every schedule? Once by proof, once by running.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "harness/run_native.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// Property "determinism", static part: race-free, and every conflicting unordered pair that a mutex keeps apart
/// commutes by declaration; then all schedules order all conflicting ops alike, so each op reads the same bytes on
/// every schedule. Assumes that kernels are pure and touch what they declare.
Verdict judge_determinism(const detent_desc& desc, const RaceReport& report);

/// Digest of one run and how it was run, for people: "closed-loop, 3 workers, policy random seed 5".
struct DigestRun {
  std::string how;
  std::uint64_t digest = 0;
};

/// Property "determinism", from digests however they came about (native, simulated): all equal to the reference.
Verdict compare_digests(std::uint64_t reference, const std::vector<DigestRun>& runs);

/// How much to run.
struct DeterminismOptions {
  std::vector<std::uint32_t> worker_counts{0, 1, 2, 3, 8};
  std::uint32_t random_seeds = 8;                   ///< runs of the random policy
  std::uint32_t permuted_orders = 8;                ///< random linear extensions, given as order
  std::uint64_t max_runs = 32;                      ///< besides the serial one; the kinds of runs share it fairly
  std::uint64_t max_ops = 1'000'000;                ///< ops executed in all; at least one run is always made
  harness::Seeds seeds{.input = 0, .schedule = 1};  ///< schedule: of the random policy and the permuted orders
  std::vector<detent_backend> backends{};           ///< asked first
  /// As harness::NativeOptions::extend, in all runs but the serial one. Back ends that it puts before `backends` are
  /// left out where two runs are repeated to find the op that differs: `backends` executes their ops, too.
  std::function<void(harness::InstanceOptions&)> extend{};
};

struct DeterminismReport {
  Verdict verdict;
  std::uint64_t serial_digest = 0;
  std::vector<DigestRun> runs;  ///< without the serial one, in the order in which they were made
};

/// Property "determinism", dynamic part: runs natively, serial first, then all modes, worker counts and policies,
/// random policies with several seeds and permuted ready orders, and compares the digests with the serial one. Where
/// one differs, both runs are repeated with a digest per op and the witness names the first op whose output differs
/// (F13); Witness::schedule is the order in which that run started its ops. Starts threads unless worker_counts are all
/// 0 or 1.
/// @return  verdict unknown when the Desc does not bind or has a cycle
DeterminismReport check_determinism(const detent_desc& desc, const DeterminismOptions& options = {});

/// The runs that check_determinism makes, at most options.max_runs: every kind of variation in turn, of those that have
/// workers for all ops.
std::vector<harness::NativeOptions> plan_determinism_runs(const detent_desc& desc, const DeterminismOptions& options);

/// "closed-loop, 3 workers, policy random seed 5".
std::string describe_options(const harness::NativeOptions& options);

}  // namespace detent::verify

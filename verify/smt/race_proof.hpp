// Races by Z3: the same question as verify/buffer_race, answered by a proof that shares no code with it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/value_tables.hpp"
#include "verify/smt/solver/inquiry.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::smt {

/// With op_a < op_b by id: kRaw a writes and b reads, kWar a reads and b writes, kWaw both write.
enum class RaceKind : std::uint8_t { kRaw, kWar, kWaw };

/// "raw", "war", "waw".
const char* race_kind_name(RaceKind kind);

/// A schedule in which two ops touch one byte at once.
struct ProvedRace {
  OpId op_a = 0;  ///< op_a < op_b
  OpId op_b = 0;
  RaceKind kind = RaceKind::kRaw;
  RegionId region = 0;
  std::uint64_t byte = 0;  ///< within the region; some byte that both touch
  TensorId tensor_a = 0, tensor_b = 0;
  std::vector<std::uint32_t> schedule;  ///< op ids by start in the solver's model; only of the first kSchedules found
};

struct ProofOptions {
  Limits limits;
  std::uint64_t max_races = 10'000;                                         ///< stop looking for more
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< may be empty
};

struct RaceProof {
  std::vector<ProvedRace> races;  ///< by (op_a, op_b, kind, region)
  bool complete = false;          ///< Z3 has shown that there are no others
  std::string reason;             ///< when not complete
  std::uint64_t writers = 0;      ///< groups of writes asked about
  ProofCost cost;
};

/// One question per op and region that it writes: can another op touch a byte of it at the same instant? Until the
/// answer is no. An empty complete list proves: no schedule has a race. Also asks whether there is a schedule at all.
/// @param tables  guards; null: none
/// @throws std::invalid_argument  as encode_races
RaceProof prove_races(const detent_desc& desc, const ValueTables* tables, const ProofOptions& options = {});

/// Property "buffer_races_smt". Unknown, with the reason, when a limit ended the proof before it found anything.
Verdict judge_race_proof(const detent_desc& desc, const RaceProof& proof);

/// prove_races and judge_race_proof; unknown, with the reason, when the Desc is refused.
Verdict check_buffer_races_smt(const detent_desc& desc, const ValueTables* tables, const ProofOptions& options = {});

}  // namespace detent::verify::smt

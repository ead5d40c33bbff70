// Asks the solver writer by writer, and reads races and schedules off its models.
#include "verify/smt/race_proof.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "base/counted.hpp"
#include "verify/smt/race_query.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::smt {
namespace {

/// Races that come with a schedule.
constexpr std::size_t kSchedules = 100;

/// The tensor of a group in which a byte lies, by the definition of runtime/include/detent/desc.h.
std::uint32_t tensor_at(const detent_desc& desc, const AccessGroup& group, std::uint64_t byte) {
  for (const std::uint32_t id : group.tensors) {
    const detent_tensor& tensor = desc.tensors[id];
    if (byte < tensor.offset_bytes || byte - tensor.offset_bytes >= tensor.size_bytes) continue;
    const std::uint64_t distance = byte - tensor.offset_bytes;
    if (tensor.block_count == 1 || distance % tensor.stride_bytes < tensor.block_bytes) return id;
  }
  return DETENT_NONE;
}

class RaceSearch {
 public:
  RaceSearch(const detent_desc& desc, const ValueTables* tables, const ProofOptions& options)
      : desc_(desc),
        options_(options),
        budget_(options.limits),
        query_(encode_races(desc, tables, budget_)),
        inquiry_(query_.script, budget_, query_.stopped) {}

  RaceProof run() {
    inquiry_.finish(inquiry_.can_ask() && inquiry_.has_schedule() && ask_all_writers(), proof_);
    std::ranges::sort(proof_.races, {},
                      [](const ProvedRace& race) { return std::tuple(race.op_a, race.op_b, race.kind, race.region); });
    return std::move(proof_);
  }

 private:
  bool ask_all_writers() {
    for (std::size_t g = 0; g < query_.groups.size(); ++g) {
      if (options_.progress) options_.progress(g, query_.groups.size());
      if (!query_.groups[g].writes) continue;
      if (!ask(g)) return false;
      retire(g);
      ++proof_.writers;
    }
    return true;
  }

  /// All races of the writes of one group, except those that were found from the other side.
  bool ask(std::size_t writer) {
    return inquiry_.ask_until_no({query_.claim, query_.first[writer]}, [&] { return take_model(writer); });
  }

  /// All pairs of this group and another's writes are known: neither side need be tried again.
  void retire(std::size_t writer) {
    inquiry_.forbid({query_.first[writer]});
    inquiry_.forbid({query_.second[writer]});
  }

  bool take_model(std::size_t writer) {
    if (proof_.races.size() >= options_.max_races) {
      return inquiry_.stop("limit of " + std::to_string(options_.max_races) + " races");
    }
    std::size_t other = 0;
    while (!inquiry_.is_true(query_.second[other])) ++other;
    proof_.races.push_back(race_of(writer, other));
    inquiry_.forbid({query_.first[writer], query_.second[other]});
    if (query_.groups[other].writes) inquiry_.forbid({query_.first[other], query_.second[writer]});
    return true;
  }

  ProvedRace race_of(std::size_t writer, std::size_t other) {
    const AccessGroup* a = &query_.groups[writer];
    const AccessGroup* b = &query_.groups[other];
    if (a->op > b->op) std::swap(a, b);
    ProvedRace race;
    race.op_a = a->op;
    race.op_b = b->op;
    race.kind = a->writes && b->writes ? RaceKind::kWaw : a->writes ? RaceKind::kRaw : RaceKind::kWar;
    race.region = a->region;
    race.byte = inquiry_.value(query_.byte);
    race.tensor_a = tensor_at(desc_, *a, race.byte);
    race.tensor_b = tensor_at(desc_, *b, race.byte);
    if (proof_.races.size() < kSchedules) race.schedule = inquiry_.schedule(query_.start);
    return race;
  }

  const detent_desc& desc_;
  const ProofOptions& options_;
  const Budget budget_;
  RaceQuery query_;
  Inquiry inquiry_;
  RaceProof proof_;
};

std::string describe(const detent_desc& desc, const ProvedRace& race) {
  const char* const a_does = race.kind == RaceKind::kWar ? " reads" : " writes";
  const char* const b_does = race.kind == RaceKind::kRaw ? " reads" : " writes";
  return std::string(race_kind_name(race.kind)) + ": " + op_name(desc, race.op_a) + a_does + " and " +
         op_name(desc, race.op_b) + b_does + " byte " + std::to_string(race.byte) + " of " +
         region_name(desc, race.region) + " at once (" + tensor_name(desc, race.tensor_a) + ", " +
         tensor_name(desc, race.tensor_b) + ")";
}

}  // namespace

const char* race_kind_name(RaceKind kind) {
  switch (kind) {
    case RaceKind::kRaw:
      return "raw";
    case RaceKind::kWar:
      return "war";
    case RaceKind::kWaw:
      return "waw";
  }
  return "?";
}

RaceProof prove_races(const detent_desc& desc, const ValueTables* tables, const ProofOptions& options) {
  return RaceSearch(desc, tables, options).run();
}

Verdict judge_race_proof(const detent_desc& desc, const RaceProof& proof) {
  Verdict verdict{Property::kBufferRacesSmt, Outcome::kHolds, proof_head(proof.cost), {}};
  for (const ProvedRace& race : proof.races) {
    if (verdict.witnesses.size() >= kSchedules) break;
    verdict.witnesses.push_back({describe(desc, race), {race.op_a, race.op_b}, race.schedule});
  }
  if (!proof.races.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.total = proof.races.size();
    verdict.summary +=
        counted(proof.races.size(), "hazard") + ", each with a schedule that shows it" + proof_tail(proof);
  } else if (proof.complete) {
    verdict.summary += "no schedule lets two ops touch a byte at once that one of them writes";
  } else {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary += "not decided: " + proof.reason;
  }
  return verdict;
}

Verdict check_buffer_races_smt(const detent_desc& desc, const ValueTables* tables, const ProofOptions& options) {
  try {
    return judge_race_proof(desc, prove_races(desc, tables, options));
  } catch (const std::invalid_argument& refusal) {
    return {Property::kBufferRacesSmt, Outcome::kUnknown, std::string("not checked: ") + refusal.what(), {}};
  }
}

}  // namespace detent::verify::smt

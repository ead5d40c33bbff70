// Asks the solver writer by writer, and reads races and schedules off its models.
#include "verify/smt/race_proof.hpp"

#include <algorithm>
#include <array>
#include <numeric>
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
  RaceSearch(const detent_desc& desc, const ProofOptions& options)
      : desc_(desc),
        options_(options),
        budget_(options.limits),
        query_(encode_races(desc, budget_)),
        solver_(query_.script, budget_) {}

  RaceProof run() {
    proof_.reason = query_.stopped;
    proof_.complete = query_.stopped.empty() && has_schedule() && ask_all_writers();
    std::ranges::sort(proof_.races, {},
                      [](const ProvedRace& race) { return std::tuple(race.op_a, race.op_b, race.kind, race.region); });
    proof_.cost.questions = solver_.questions();
    proof_.cost.steps = solver_.steps_used();
    proof_.cost.seconds = budget_.seconds();
    return std::move(proof_);
  }

 private:
  /// From edges that close a cycle everything would follow.
  bool has_schedule() {
    const Answer answer = solver_.check();
    if (answer == Answer::kUnsat) proof_.reason = "there is no schedule: the edges close a cycle";
    if (answer == Answer::kUnknown) proof_.reason = solver_.reason();
    return answer == Answer::kSat;
  }

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
    const std::array<Term, 2> assumptions = {query_.claim, query_.first[writer]};
    for (;;) {
      switch (solver_.check(assumptions)) {
        case Answer::kUnsat:
          return true;
        case Answer::kUnknown:
          proof_.reason = solver_.reason();
          return false;
        case Answer::kSat:
          if (!take_model(writer)) return false;
          break;
      }
    }
  }

  /// All pairs of this group and another's writes are known: neither side need be tried again.
  void retire(std::size_t writer) {
    query_.script.require(query_.script.negate(query_.first[writer]));
    query_.script.require(query_.script.negate(query_.second[writer]));
  }

  bool take_model(std::size_t writer) {
    if (proof_.races.size() >= options_.max_races) {
      proof_.reason = "limit of " + std::to_string(options_.max_races) + " races";
      return false;
    }
    std::size_t other = 0;
    while (!solver_.is_true(query_.second[other])) ++other;
    proof_.races.push_back(race_of(writer, other));
    forbid(writer, other);
    if (query_.groups[other].writes) forbid(other, writer);
    return true;
  }

  void forbid(std::size_t first, std::size_t second) {
    Script& script = query_.script;
    script.require(script.any_of({script.negate(query_.first[first]), script.negate(query_.second[second])}));
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
    race.byte = solver_.value(query_.byte);
    race.tensor_a = tensor_at(desc_, *a, race.byte);
    race.tensor_b = tensor_at(desc_, *b, race.byte);
    if (proof_.races.size() < kSchedules) race.schedule = schedule_of_model();
    return race;
  }

  std::vector<std::uint32_t> schedule_of_model() {
    std::vector<std::uint64_t> start;
    for (const Term term : query_.start) start.push_back(solver_.value(term));
    std::vector<std::uint32_t> schedule(start.size());
    std::iota(schedule.begin(), schedule.end(), 0U);
    std::ranges::stable_sort(schedule, {}, [&](OpId op) { return start[op]; });
    return schedule;
  }

  const detent_desc& desc_;
  const ProofOptions& options_;
  const Budget budget_;
  RaceQuery query_;
  Solver solver_;
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

RaceProof prove_races(const detent_desc& desc, const ProofOptions& options) { return RaceSearch(desc, options).run(); }

Verdict judge_race_proof(const detent_desc& desc, const RaceProof& proof) {
  Verdict verdict{Property::kBufferRacesSmt, Outcome::kHolds, Solver::version() + ", ", {}};
  verdict.summary += counted(proof.cost.questions, "question") + ": ";
  for (const ProvedRace& race : proof.races) {
    if (verdict.witnesses.size() >= kSchedules) break;
    verdict.witnesses.push_back({describe(desc, race), {race.op_a, race.op_b}, race.schedule});
  }
  if (!proof.races.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.total = proof.races.size();
    verdict.summary += counted(proof.races.size(), "hazard") + ", each with a schedule that shows it";
    verdict.summary += proof.complete ? ", and no others" : "; stopped by the " + proof.reason;
  } else if (proof.complete) {
    verdict.summary += "no schedule lets two ops touch a byte at once that one of them writes";
  } else {
    verdict.outcome = Outcome::kUnknown;
    verdict.summary += "not decided: " + proof.reason;
  }
  return verdict;
}

Verdict check_buffer_races_smt(const detent_desc& desc, const ProofOptions& options) {
  try {
    return judge_race_proof(desc, prove_races(desc, options));
  } catch (const std::invalid_argument& refusal) {
    return {Property::kBufferRacesSmt, Outcome::kUnknown, std::string("not checked: ") + refusal.what(), {}};
  }
}

}  // namespace detent::verify::smt

// Asks for longer runs, then for shorter ones, and reads the last of each off its model.
#include "verify/smt/timing_proof.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "verify/smt/timing/query.hpp"

namespace detent::verify::smt {
namespace {

class ExtremeSearch {
 public:
  ExtremeSearch(const TimingProblem& problem, const ReadyOrder& order, const Limits& limits)
      : problem_(problem),
        budget_(limits),
        query_(encode_runs(problem, order, budget_)),
        inquiry_(query_.script, budget_, query_.stopped) {}

  TimingProof run() {
    TimingProof proof;
    // While a run lasts some op runs, since what is ready first never waits for nothing.
    std::uint64_t most = 0;
    for (const TimedOp& op : problem_.ops) most += op.worst_ps / query_.tick_ps;
    const bool is_whole =
        inquiry_.can_ask() && has_run(proof) && search(most, true, proof.worst) && search(0, false, proof.best);
    inquiry_.finish(is_whole, proof);
    return proof;
  }

 private:
  bool has_run(TimingProof& proof) {
    const std::optional<bool> is_possible = inquiry_.ask({});
    if (!is_possible) return false;
    if (!*is_possible) return inquiry_.stop("no run keeps the rules: a fault of Detent, please report it");
    proof.worst = proof.best = read_run();
    return true;
  }

  /// From a run that is known towards `end`, which no run passes.
  bool search(std::uint64_t end, bool up, ProvedRun& run) {
    std::uint64_t reached = run.makespan_ps / query_.tick_ps;
    while (reached != end) {
      const std::uint64_t distance = up ? end - reached : reached - end;
      const std::uint64_t step = (distance + 1) / 2;
      const std::uint64_t wanted = up ? reached + step : reached - step;
      const std::optional<bool> is_possible = inquiry_.ask({passes(wanted, up)});
      if (!is_possible) return false;
      if (*is_possible) {
        run = read_run();
        reached = run.makespan_ps / query_.tick_ps;
      } else {
        end = up ? wanted - 1 : wanted + 1;
      }
    }
    return true;
  }

  /// The makespan is at least `ticks`, or at most.
  Term passes(std::uint64_t ticks, bool up) {
    Script& script = query_.script;
    const Term asked = script.boolean("asked_" + std::to_string(asked_++));
    const Term number = script.number(ticks);
    script.require(
        script.implies(asked, up ? script.at_most(number, query_.makespan) : script.at_most(query_.makespan, number)));
    return asked;
  }

  ProvedRun read_run() {
    ProvedRun run;
    run.makespan_ps = inquiry_.value(query_.makespan) * query_.tick_ps;
    std::vector<std::uint64_t> places;
    for (std::size_t op = 0; op < problem_.ops.size(); ++op) {
      run.times_ps.push_back((inquiry_.value(query_.end[op]) - inquiry_.value(query_.begin[op])) * query_.tick_ps);
      places.push_back(inquiry_.value(query_.place[op]));
    }
    run.order.resize(places.size());
    std::iota(run.order.begin(), run.order.end(), OpId{0});
    std::ranges::sort(run.order, {}, [&](OpId op) { return places[op]; });
    return run;
  }

  const TimingProblem& problem_;
  const Budget budget_;
  TimingQuery query_;
  Inquiry inquiry_;
  std::uint32_t asked_ = 0;
};

}  // namespace

TimingProof prove_extremes(const TimingProblem& problem, const ReadyOrder& order, const Limits& limits) {
  return ExtremeSearch(problem, order, limits).run();
}

}  // namespace detent::verify::smt

// Script -> Z3, incrementally. The only file that knows Z3.
#include "verify/smt/solver/solver.hpp"

#include <z3++.h>

#include <algorithm>
#include <optional>

namespace detent::verify::smt {
namespace {

/// Terms that Z3 takes over between two looks at the clock: about a millisecond.
constexpr std::size_t kTermsPerPoll = 1024;

/// The number behind a name of Z3's statistics; 0 when it has none.
std::uint64_t find_statistic(const z3::stats& statistics, const std::string& name) {
  for (unsigned i = 0; i < statistics.size(); ++i) {
    if (statistics.key(i) == name && statistics.is_uint(i)) return statistics.uint_value(i);
  }
  return 0;
}

}  // namespace

struct Solver::State {
  State(const Script& of, const Budget& within)
      : script(of), budget(within), solver(context, z3::solver::simple()), terms(context) {
    set("random_seed", 0);
    set("relevancy", 0);  // no quantifiers: what is relevant need not be tracked
  }

  void set(const char* name, unsigned value) {
    z3::params parameters(context);
    parameters.set(name, value);
    solver.set(parameters);
  }

  [[nodiscard]] z3::expr term(Term of) const { return terms[static_cast<int>(of.index)]; }

  [[nodiscard]] z3::expr_vector children_of(const Node& node) {
    z3::expr_vector children(context);
    for (const Term child : script.children(node)) children.push_back(term(child));
    return children;
  }

  [[nodiscard]] z3::expr child(const Node& node, std::size_t i) const { return term(script.children(node)[i]); }

  z3::expr translate(const Node& node) {
    switch (node.kind) {
      case TermKind::kBoolean:
        return context.bool_const(script.name(node).c_str());
      case TermKind::kInteger:
        return context.int_const(script.name(node).c_str());
      case TermKind::kNumber:
        return context.int_val(node.value);
      case TermKind::kNot:
        return !child(node, 0);
      case TermKind::kAnd:
        return z3::mk_and(children_of(node));
      case TermKind::kOr:
        return z3::mk_or(children_of(node));
      case TermKind::kImplies:
        return z3::implies(child(node, 0), child(node, 1));
      case TermKind::kEqual:
        return child(node, 0) == child(node, 1);
      case TermKind::kAtMost:
        return child(node, 0) <= child(node, 1);
      case TermKind::kLess:
        return child(node, 0) < child(node, 1);
      case TermKind::kPlus:
        return child(node, 0) + child(node, 1);
      case TermKind::kTimes:
        return child(node, 0) * child(node, 1);
    }
    return context.bool_val(false);
  }

  /// What the Script has and Z3 has not. False, with the reason, where the time limit ends it: that takes about as long
  /// as writing the Script did. (Its steps were counted when it was written.)
  bool take_over() {
    while (terms.size() < script.nodes().size()) {
      if (terms.size() % kTermsPerPoll == 0 && budget.is_late()) return refuse_at("term", terms.size(), script.nodes());
      terms.push_back(translate(script.nodes()[terms.size()]));
    }
    for (; asserted < script.assertions().size(); ++asserted) {
      if (asserted % kTermsPerPoll == 0 && budget.is_late()) {
        return refuse_at("assertion", asserted, script.assertions());
      }
      solver.add(term(script.assertions()[asserted].term));
    }
    return true;
  }

  template <typename List>
  bool refuse_at(const char* what, std::size_t done, const List& all) {
    return refuse(budget.time_limit() + " while Z3 took over " + what + " " + std::to_string(done) + " of " +
                  std::to_string(all.size()));
  }

  /// False, with the reason, when nothing is left of a limit.
  bool grant_what_is_left() {
    if (budget.is_late()) return refuse(budget.time_limit());
    if (budget.is_spent(steps_used())) return refuse(budget.step_limit());
    if (budget.has_time_limit())
      set("timeout", static_cast<unsigned>(std::clamp(budget.left_seconds() * 1e3, 1., 4e9)));
    if (budget.has_step_limit()) {
      set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(budget.left_steps(steps_used()), UINT32_MAX)));
    }
    return true;
  }

  bool refuse(std::string why) {
    reason = std::move(why);
    return false;
  }

  [[nodiscard]] std::uint64_t steps_used() const {
    return script.nodes().size() + find_statistic(solver.statistics(), "rlimit count");
  }

  Answer ask(z3::expr_vector& assumed) {
    ++questions;
    switch (solver.check(assumed)) {
      case z3::sat:
        model = solver.get_model();
        return Answer::kSat;
      case z3::unsat:
        return Answer::kUnsat;
      case z3::unknown:
        break;
    }
    const bool is_spent = budget.is_spent(steps_used());
    reason = budget.is_late() ? budget.time_limit() : is_spent ? budget.step_limit() : solver.reason_unknown();
    return Answer::kUnknown;
  }

  const Script& script;
  const Budget& budget;
  z3::context context;
  z3::solver solver;
  z3::expr_vector terms;
  std::optional<z3::model> model;
  std::size_t asserted = 0;
  std::string reason;
  std::uint64_t questions = 0;
};

Solver::Solver(const Script& script, const Budget& budget) : state_(std::make_unique<State>(script, budget)) {}
Solver::~Solver() = default;

Answer Solver::check(std::span<const Term> assumptions) {
  try {
    if (!state_->take_over() || !state_->grant_what_is_left()) return Answer::kUnknown;
    z3::expr_vector assumed(state_->context);
    for (const Term assumption : assumptions) assumed.push_back(state_->term(assumption));
    return state_->ask(assumed);
  } catch (const z3::exception& failure) {  // out of memory
    state_->reason = failure.msg();
    return Answer::kUnknown;
  }
}

bool Solver::is_true(Term boolean) const { return state_->model->eval(state_->term(boolean), true).is_true(); }

std::uint64_t Solver::value(Term integer) const {
  return state_->model->eval(state_->term(integer), true).get_numeral_uint64();
}

const std::string& Solver::reason() const { return state_->reason; }
std::uint64_t Solver::steps_used() const { return state_->steps_used(); }
std::uint64_t Solver::questions() const { return state_->questions; }

std::string Solver::version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace detent::verify::smt

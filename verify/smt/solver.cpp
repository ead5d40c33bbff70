// Script -> Z3, incrementally. The only file that knows Z3.
#include "verify/smt/solver.hpp"

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace detent::verify::smt {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The number behind a name of Z3's statistics; 0 when it has none.
std::uint64_t find_statistic(const z3::stats& statistics, const std::string& name) {
  for (unsigned i = 0; i < statistics.size(); ++i) {
    if (statistics.key(i) == name && statistics.is_uint(i)) return statistics.uint_value(i);
  }
  return 0;
}

}  // namespace

struct Solver::State {
  State(const Script& of, const Limits& up_to)
      : script(of), limits(up_to), solver(context, z3::solver::simple()), terms(context) {
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

  void take_over() {
    while (terms.size() < script.nodes().size()) terms.push_back(translate(script.nodes()[terms.size()]));
    for (; asserted < script.assertions().size(); ++asserted) solver.add(term(script.assertions()[asserted].term));
  }

  /// False, with the reason, when nothing is left of a limit.
  bool grant_what_is_left() {
    if (limits.seconds > 0) {
      const double left = limits.seconds - seconds_spent();
      if (left <= 0) return refuse(time_limit());
      set("timeout", static_cast<unsigned>(std::clamp(left * 1000, 1.0, 4e9)));
    }
    if (limits.steps > 0) {
      const std::uint64_t spent = steps_spent();
      if (spent >= limits.steps) return refuse(step_limit());
      set("rlimit", static_cast<unsigned>(std::min<std::uint64_t>(limits.steps - spent, UINT32_MAX)));
    }
    return true;
  }

  bool refuse(std::string why) {
    reason = std::move(why);
    return false;
  }

  [[nodiscard]] std::string time_limit() const {
    const std::string text = std::to_string(limits.seconds);
    return "time limit of " + text.substr(0, text.find('.') + 3) + " s";
  }
  [[nodiscard]] std::string step_limit() const { return "limit of " + std::to_string(limits.steps) + " solver steps"; }

  [[nodiscard]] std::uint64_t steps_used() const { return find_statistic(solver.statistics(), "rlimit count"); }

  [[nodiscard]] double seconds_spent() const { return limits.spent_seconds + seconds_since(begin); }
  [[nodiscard]] std::uint64_t steps_spent() const { return limits.spent_steps + steps_used(); }

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
    const bool is_late = limits.seconds > 0 && seconds_spent() >= limits.seconds;
    const bool is_spent = limits.steps > 0 && steps_spent() >= limits.steps;
    reason = is_late ? time_limit() : is_spent ? step_limit() : solver.reason_unknown();
    return Answer::kUnknown;
  }

  const Script& script;
  const Limits limits;
  z3::context context;
  z3::solver solver;
  z3::expr_vector terms;
  std::optional<z3::model> model;
  std::size_t asserted = 0;
  std::string reason;
  std::uint64_t questions = 0;
  Clock::time_point begin = Clock::now();
};

Solver::Solver(const Script& script, const Limits& limits) : state_(std::make_unique<State>(script, limits)) {}
Solver::~Solver() = default;

Answer Solver::check(std::span<const Term> assumptions) {
  try {
    state_->take_over();
    if (!state_->grant_what_is_left()) return Answer::kUnknown;
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

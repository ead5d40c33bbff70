// Script: assertions over booleans and mathematical integers, as plain data. One file turns it into Z3 terms, another
// into SMT-LIB text, so that two solvers judge the same formula without sharing a writer.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "verify/smt/solver/budget.hpp"

namespace detent::verify::smt {

/// A term of one Script; only that Script knows what it means.
struct Term {
  std::uint32_t index = 0;
  friend bool operator==(Term, Term) = default;
};

enum class TermKind : std::uint8_t {
  kBoolean,  ///< a variable; value = index of its name
  kInteger,  ///< a variable; value = index of its name
  kNumber,   ///< value
  kNot,
  kAnd,  ///< of none: true
  kOr,   ///< of none: false
  kImplies,
  kEqual,
  kAtMost,  ///< <=
  kLess,    ///< <
  kPlus,
  kTimes  ///< a number by a term: everything stays linear
};

struct Node {
  TermKind kind = TermKind::kBoolean;
  std::uint32_t first = 0;  ///< into the children
  std::uint32_t count = 0;
  std::uint64_t value = 0;
};

/// Terms refer to earlier terms only. No sum or product is formed here: integers are mathematical, so what would wrap
/// in 64 bits does not wrap in a formula.
class Script {
 public:
  /// @param name  a simple SMT-LIB symbol, used once: letters, digits, '_'; not a reserved word
  Term boolean(std::string name) { return variable(TermKind::kBoolean, std::move(name)); }
  Term integer(std::string name) { return variable(TermKind::kInteger, std::move(name)); }
  Term number(std::uint64_t value) { return add({TermKind::kNumber, 0, 0, value}); }

  Term negate(Term a) { return make(TermKind::kNot, {a}); }
  Term all_of(std::span<const Term> terms) { return make(TermKind::kAnd, terms); }
  Term all_of(std::initializer_list<Term> terms) { return make(TermKind::kAnd, {terms.begin(), terms.size()}); }
  Term any_of(std::span<const Term> terms) { return make(TermKind::kOr, terms); }
  Term any_of(std::initializer_list<Term> terms) { return make(TermKind::kOr, {terms.begin(), terms.size()}); }
  Term implies(Term a, Term b) { return make(TermKind::kImplies, {a, b}); }
  Term equal(Term a, Term b) { return make(TermKind::kEqual, {a, b}); }
  Term at_most(Term a, Term b) { return make(TermKind::kAtMost, {a, b}); }
  Term less(Term a, Term b) { return make(TermKind::kLess, {a, b}); }
  Term plus(Term a, Term b) { return make(TermKind::kPlus, {a, b}); }
  Term times(std::uint64_t factor, Term a) { return make(TermKind::kTimes, {number(factor), a}); }

  /// Assert a boolean term. @param comment  for people, above it in the file; any text
  void require(Term term, std::string comment = "");

  struct Assertion {
    Term term;
    std::string comment;
  };
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Term> children(const Node& node) const {
    return {children_.data() + node.first, node.count};
  }
  [[nodiscard]] const std::string& name(const Node& variable) const { return names_[variable.value]; }
  [[nodiscard]] const std::vector<Assertion>& assertions() const { return assertions_; }

 private:
  Term variable(TermKind kind, std::string name);
  Term make(TermKind kind, std::span<const Term> children);
  Term make(TermKind kind, std::initializer_list<Term> children) {
    return make(kind, {children.begin(), children.size()});
  }
  Term add(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Term> children_;
  std::vector<std::string> names_;
  std::vector<Assertion> assertions_;
};

/// While a Script is built, before its next part: the limit that is reached, and where; empty: go on. The terms so far
/// are steps. "time limit of 3.00 s while the formula was built (edges 100 of 20000)".
std::string stopped_building(const Budget& budget, const Script& script, const char* what, std::uint32_t done,
                             std::uint32_t count);

}  // namespace detent::verify::smt

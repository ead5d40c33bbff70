// Terms as S-expressions.
#include "verify/smt/solver/smtlib.hpp"

namespace detent::verify::smt {
namespace {

constexpr std::size_t kMaxCommentBytes = 160;

/// Names come from models: anything may stand in them, also an end of line or a '|'.
std::string plain_text(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (plain.size() >= kMaxCommentBytes) return plain + "...";
    const bool is_plain = c >= ' ' && c <= '~' && c != '|' && c != '\\';
    plain += is_plain ? c : '?';
  }
  return plain;
}

const char* status_name(Status status) {
  switch (status) {
    case Status::kSat:
      return "sat";
    case Status::kUnsat:
      return "unsat";
    case Status::kUnknown:
      return "unknown";
  }
  return "unknown";
}

const char* operator_name(TermKind kind) {
  switch (kind) {
    case TermKind::kNot:
      return "not";
    case TermKind::kAnd:
      return "and";
    case TermKind::kOr:
      return "or";
    case TermKind::kImplies:
      return "=>";
    case TermKind::kEqual:
      return "=";
    case TermKind::kAtMost:
      return "<=";
    case TermKind::kLess:
      return "<";
    case TermKind::kPlus:
      return "+";
    case TermKind::kTimes:
      return "*";
    case TermKind::kBoolean:
    case TermKind::kInteger:
    case TermKind::kNumber:
      break;
  }
  return "";
}

class Writer {
 public:
  explicit Writer(const Script& script) : script_(script) {}

  void declare_all() {
    for (const Node& node : script_.nodes()) {
      if (node.kind == TermKind::kBoolean) text_ += "(declare-const " + script_.name(node) + " Bool)\n";
      if (node.kind == TermKind::kInteger) text_ += "(declare-const " + script_.name(node) + " Int)\n";
    }
  }

  void assert_term(Term term) {
    text_ += "(assert ";
    write(term);
    text_ += ")\n";
  }

  void comment(const std::string& text) { text_ += "; " + plain_text(text) + "\n"; }
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string take() { return std::move(text_); }

 private:
  /// Terms are shallow: an assertion nests about eight deep whatever the model.
  void write(Term term) {
    const Node& node = script_.nodes()[term.index];
    if (node.kind == TermKind::kBoolean || node.kind == TermKind::kInteger) {
      text_ += script_.name(node);
    } else if (node.kind == TermKind::kNumber) {
      text_ += std::to_string(node.value);
    } else {
      write_application(node);
    }
  }

  void write_application(const Node& node) {
    const bool is_list = node.kind == TermKind::kAnd || node.kind == TermKind::kOr;
    if (is_list && node.count == 0) {
      text_ += node.kind == TermKind::kAnd ? "true" : "false";
    } else if (is_list && node.count == 1) {  // "and" and "or" take two or more
      write(script_.children(node)[0]);
    } else {
      text_ += std::string("(") + operator_name(node.kind);
      for (const Term child : script_.children(node)) {
        text_ += ' ';
        write(child);
      }
      text_ += ')';
    }
  }

  const Script& script_;
  std::string text_;
};

}  // namespace

std::string format_smtlib(const Script& script, Term claim, Status expected, const std::vector<std::string>& source) {
  Writer writer(script);
  writer.line("(set-info :smt-lib-version 2.6)\n(set-logic QF_LIA)\n(set-info :source |");
  for (const std::string& line : source) writer.line(plain_text(line));
  writer.line("|)\n(set-info :category \"industrial\")");
  writer.line(std::string("(set-info :status ") + status_name(expected) + ")");
  writer.declare_all();
  for (const Script::Assertion& assertion : script.assertions()) {
    if (!assertion.comment.empty()) writer.comment(assertion.comment);
    writer.assert_term(assertion.term);
  }
  writer.assert_term(claim);
  writer.line("(check-sat)\n(exit)");
  return writer.take();
}

}  // namespace detent::verify::smt

// --jitter: "conv2d_f32=uniform:0.2,npu=worst,triangular:0.1;corr=core:0.5" <-> sim::Jitter.
//
//   jitter       = item {"," item} [";corr=core:" number]
//   item         = [pattern "="] distribution       without a pattern: what no rule matches, at most once
//   distribution = word [":" spread [":" shape]]
#include "app/simulate/jitter_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/words/near.hpp"

namespace detent::app {
namespace {

struct JitterWord {
  std::string_view word;
  sim::Jitter::Kind kind;
  double shape;  ///< unless given; 0: takes none
};

constexpr std::array<JitterWord, 7> kJitterWords = {{{"worst", sim::Jitter::Kind::kWorst, 0},
                                                     {"constant", sim::Jitter::Kind::kWorst, 0},
                                                     {"uniform", sim::Jitter::Kind::kUniform, 0},
                                                     {"triangular", sim::Jitter::Kind::kTriangular, 0},
                                                     {"empirical", sim::Jitter::Kind::kEmpirical, 0},
                                                     {"pareto", sim::Jitter::Kind::kPareto, 1.5},
                                                     {"lognormal", sim::Jitter::Kind::kLognormal, 1}}};
constexpr double kMaxSpread = 10;
constexpr double kMaxShape = 20;
constexpr std::size_t kMaxRules = 1000;
constexpr std::size_t kMaxJitterBytes = 65'536;
constexpr std::string_view kCorrelation = "corr=core:";
constexpr const char* kJitterExample = "conv2d_f32=uniform:0.2,npu=worst,*=triangular:0.1;corr=core:0.5";

/// Cursor over the text; every refusal names the character it stands at.
class JitterParser {
 public:
  explicit JitterParser(std::string_view text) : text_(text) {}

  sim::Jitter parse() {
    if (text_.size() > kMaxJitterBytes) {
      throw std::invalid_argument("--jitter: longer than 64 KiB; use patterns with '*' instead of single names");
    }
    parse_item();
    while (peek() == ',') {
      ++at_;
      parse_item();
    }
    if (peek() == ';') parse_correlation();
    if (at_ != text_.size()) refuse("the correlation must be the last part");
    return jitter_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument(fmt::format("--jitter {}: character {}: {}; for example {}", text_.substr(0, 200),
                                            at_ + 1, what, kJitterExample));
  }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// Up to the next of these characters or the end.
  std::string_view until(std::string_view ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }

  void parse_item() {
    const std::size_t begin = at_;
    const std::string pattern(until("=,;"));
    const bool has_pattern = peek() == '=';
    if (has_pattern && pattern.empty()) refuse("a rule begins with a core class, kernel or op name");
    at_ = has_pattern ? at_ + 1 : begin;
    const sim::Jitter::Rule rule = parse_distribution(pattern);
    if (has_pattern) {
      jitter_.rules.push_back(rule);
      if (jitter_.rules.size() > kMaxRules) refuse("more than 1000 rules");
      return;
    }
    if (has_default_) {
      at_ = begin;
      refuse("two distributions without a pattern");
    }
    has_default_ = true;
    jitter_.kind = rule.kind;
    jitter_.spread = rule.spread;
    jitter_.shape = rule.shape;
  }

  sim::Jitter::Rule parse_distribution(const std::string& pattern) {
    const std::size_t begin = at_;
    const std::string_view word = until(":,;=");
    for (const JitterWord& known : kJitterWords) {
      if (known.word != word) continue;
      sim::Jitter::Rule rule{pattern, known.kind, 0.1, known.shape};
      if (take_colon()) rule.spread = number("a spread from 0 to 10", kMaxSpread, true);
      if (peek() == ':' && known.shape == 0) refuse(fmt::format("'{}' takes a spread only", word));
      if (take_colon()) rule.shape = number("a shape above 0, at most 20", kMaxShape, false);
      if (peek() != ',' && peek() != ';' && at_ != text_.size()) refuse("',' or ';' must follow a distribution");
      return rule;
    }
    at_ = begin;
    static const std::vector<std::string> kNames = {"worst",     "uniform", "triangular",
                                                    "empirical", "pareto",  "lognormal"};
    const std::string near = did_you_mean(word, kNames);
    refuse(fmt::format("'{}' is not a distribution{}", word,
                       near.empty() ? "; write " + choices_text(kNames) + ", with :spread" : near));
  }

  bool take_colon() {
    if (peek() != ':') return false;
    ++at_;
    return true;
  }

  double number(const char* what, double greatest, bool may_be_zero) {
    const std::size_t begin = at_;
    const std::string_view word = until(":,;=");
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (is_number && value <= greatest && (value > 0 || (may_be_zero && value == 0))) return value;
    at_ = begin;
    refuse(fmt::format("'{}' is not {}", word, what));
  }

  void parse_correlation() {
    ++at_;
    if (text_.substr(at_, kCorrelation.size()) != kCorrelation) refuse("only corr=core:RHO may follow ';'");
    at_ += kCorrelation.size();
    jitter_.core_correlation = number("a correlation from 0 to 1", 1, true);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_default_ = false;
  sim::Jitter jitter_;
};

std::string distribution_text(sim::Jitter::Kind kind, double spread, double shape) {
  for (const JitterWord& known : kJitterWords) {
    if (known.kind != kind) continue;
    return known.shape == 0 ? fmt::format("{}:{}", known.word, spread)
                            : fmt::format("{}:{}:{}", known.word, spread, shape);
  }
  return "?";
}

}  // namespace

sim::Jitter parse_jitter(const std::string& text) { return JitterParser(text).parse(); }

std::string jitter_name(const sim::Jitter& jitter) {
  std::string text;
  for (const sim::Jitter::Rule& rule : jitter.rules) {
    text += rule.pattern + "=" + distribution_text(rule.kind, rule.spread, rule.shape) + ",";
  }
  text += distribution_text(jitter.kind, jitter.spread, jitter.shape);
  if (jitter.core_correlation > 0) text += fmt::format(";{}{}", kCorrelation, jitter.core_correlation);
  return text;
}

}  // namespace detent::app

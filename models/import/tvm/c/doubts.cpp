#include "models/import/tvm/c/doubts.hpp"

#include <algorithm>
#include <utility>

#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {
namespace {

/// A declaration at file scope, or a line that defines a macro.
struct Chunk {
  SourceRange range;  ///< of the original text
  std::vector<std::string_view> words, names;
};

bool is_attribute_word(std::string_view word) {
  return word == "__attribute__" || word == "__attribute" || word == "_Alignas" || word == "__asm__" || word == "asm" ||
         word == "__asm" || word == "__declspec";
}

/// The code -> chunks. Groups of one condition follow one another; each begins at the depth of the first.
class Chunks {
 public:
  Chunks(const ScannedText& scanned, const std::string& file) : scanned_(scanned), text_(scanned.code, file) {}

  std::vector<Chunk> run();

 private:
  struct Token {
    enum class Kind : std::uint8_t { kWord, kConstant, kSign };
    Kind kind = Kind::kSign;
    char sign = ' ';        ///< kSign
    std::string_view word;  ///< kWord, and kConstant if it is a number
    std::uint32_t depth = 0, parens = 0;
  };

  void directive();
  void token();
  void bracket(char c);
  void end_chunk();
  [[nodiscard]] std::vector<std::string_view> declared() const;

  const ScannedText& scanned_;
  CText text_;
  std::vector<Chunk> chunks_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> outer_;  ///< depth before each open condition
  std::uint64_t pos_ = 0, begin_ = 0;
  std::uint32_t depth_ = 0, parens_ = 0;
  bool in_body_ = false, line_start_ = true;
};

std::vector<Chunk> Chunks::run() {
  while (pos_ < text_.size()) {
    const char c = text_.at(pos_);
    if (c == '\n' || is_space(c)) {
      line_start_ = line_start_ || c == '\n';
      ++pos_;
    } else if (text_.is_comment(pos_)) {
      pos_ = text_.comment_end(pos_);
    } else if (line_start_ && (c == '#' || (c == '%' && text_.at(pos_ + 1) == ':'))) {
      directive();
    } else {
      line_start_ = false;
      token();
    }
  }
  end_chunk();
  return std::move(chunks_);
}

void Chunks::directive() {
  const std::uint64_t begin = pos_;
  const std::uint64_t end = text_.directive_end(begin);
  std::uint64_t at = begin + (text_.at(begin) == '#' ? 1U : 2U);
  pos_ = end;
  Chunk chunk;
  chunk.range = scanned_.original(begin, end);
  while (at < end) {
    const std::uint64_t word_end = text_.word_end(at);
    if (word_end > at && !is_digit(text_.at(at))) chunk.words.push_back(text_.part(at, word_end));
    at = std::max(word_end, at + 1);
  }
  if (chunk.words.empty()) return;
  const std::string_view name = chunk.words[0];
  if (name == "if" || name == "ifdef" || name == "ifndef") outer_.push_back(depth_);
  if ((name == "else" || name == "elif") && !outer_.empty()) depth_ = outer_.back();
  if (name == "endif" && !outer_.empty()) outer_.pop_back();
  if ((name != "define" && name != "undef") || chunk.words.size() < 2) return;
  chunk.names.push_back(chunk.words[1]);
  chunk.words.erase(chunk.words.begin(), chunk.words.begin() + 2);
  chunks_.push_back(std::move(chunk));
}

void Chunks::token() {
  const char c = text_.at(pos_);
  if (tokens_.empty()) begin_ = pos_;
  Token token = {Token::Kind::kSign, ' ', {}, depth_, parens_};
  const std::uint64_t begin = pos_;
  if (is_word(c) || (c == '.' && is_digit(text_.at(pos_ + 1)))) {
    const bool is_number = !is_word(c) || is_digit(c);
    pos_ = is_number ? text_.number_end(pos_) : text_.word_end(pos_);
    token.kind = is_number ? Token::Kind::kConstant : Token::Kind::kWord;
    token.word = text_.part(begin, pos_);
  } else if (c == '"' || c == '\'') {
    pos_ = text_.quoted_end(pos_);
    token.kind = Token::Kind::kConstant;
  } else {
    token.sign = c;
    ++pos_;
  }
  tokens_.push_back(token);
  if (std::string_view("(){}[]").find(c) != std::string_view::npos) return bracket(c);
  if (c == ';' && depth_ == 0) end_chunk();
}

void Chunks::bracket(char c) {
  if (c == '{' && depth_ == 0) {  // a body follows ')', and stands alone where parameters are declared behind it
    const bool is_alone = tokens_.size() == 1;
    in_body_ = is_alone || tokens_[tokens_.size() - 2].sign == ')';
  }
  if (c == '(') ++parens_;
  if (c == ')' && parens_ > 0) --parens_;
  if (c == '{' || c == '[' || c == '(') ++depth_;
  if ((c == '}' || c == ']' || c == ')') && depth_ > 0) --depth_;
  const bool of_attribute =
      in_body_ && c == '}' && depth_ == 0 && std::none_of(tokens_.begin(), tokens_.end(), [&](const Token& token) {
        const std::size_t next = static_cast<std::size_t>(&token - tokens_.data()) + 1;
        return token.kind == Token::Kind::kWord && token.depth == 0 && next < tokens_.size() &&
               tokens_[next].sign == '(' && !is_attribute_word(token.word);
      });
  if (of_attribute && tokens_.size() > 1 && tokens_[0].sign != '{') in_body_ = false;  // struct __attribute__((x)) {}
  if (c == '}' && depth_ == 0 && in_body_) end_chunk();
}

/// Words before a sign that ends or begins what they declare; of a function its name alone.
std::vector<std::string_view> Chunks::declared() const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::kWord) continue;
    const bool is_last = i + 1 == tokens_.size();
    const char next = is_last ? ';' : tokens_[i + 1].sign;
    const bool is_before_attribute =
        !is_last && tokens_[i + 1].kind == Token::Kind::kWord && is_attribute_word(tokens_[i + 1].word);
    if (std::string_view(";=[(,{}:)").find(next) == std::string_view::npos && !is_before_attribute) continue;
    const bool is_pointed = i > 1 && tokens_[i - 1].sign == '*' && tokens_[i - 2].sign == '(';  // int (*f)(int)
    if (token.parens > 0 && !is_pointed && !(next == ')' && i > 0 && tokens_[i - 1].sign == '(')) continue;
    if (is_attribute_word(token.word)) continue;
    if (in_body_ && token.depth > 0) continue;
    names.push_back(token.word);
  }
  return names;
}

void Chunks::end_chunk() {
  if (!tokens_.empty()) {
    Chunk chunk;
    chunk.range = scanned_.original(begin_, pos_);
    chunk.names = declared();
    for (const Token& token : tokens_) {
      if (token.kind == Token::Kind::kWord && !(in_body_ && token.depth > 0)) chunk.words.push_back(token.word);
    }
    chunks_.push_back(std::move(chunk));
  }
  tokens_.clear();
  depth_ = parens_ = 0;
  in_body_ = false;
}

/// Chunks by the words in them.
std::map<std::string_view, std::vector<std::size_t>> users_of(const std::vector<Chunk>& chunks) {
  std::map<std::string_view, std::vector<std::size_t>> users;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    for (const std::string_view word : chunks[i].words) {
      std::vector<std::size_t>& of_word = users[word];
      if (of_word.empty() || of_word.back() != i) of_word.push_back(i);
    }
  }
  return users;
}

}  // namespace

DoubtfulPlaces::DoubtfulPlaces(std::vector<Doubt> doubts) : doubts_(std::move(doubts)) {
  std::stable_sort(doubts_.begin(), doubts_.end(),
                   [](const Doubt& a, const Doubt& b) { return a.range.begin < b.range.begin; });
  for (std::size_t i = 0; i < doubts_.size(); ++i) {
    const bool is_farther = i == 0 || doubts_[i].range.end > doubts_[farthest_.back()].range.end;
    farthest_.push_back(is_farther ? i : farthest_.back());
  }
}

const Doubt* DoubtfulPlaces::in(const SourceRange& range) const {
  const auto after = std::lower_bound(doubts_.begin(), doubts_.end(), range.end,
                                      [](const Doubt& doubt, std::uint64_t end) { return doubt.range.begin < end; });
  if (after == doubts_.begin()) return nullptr;
  const Doubt& last = doubts_[farthest_[static_cast<std::size_t>(after - doubts_.begin()) - 1]];
  return last.range.end > range.begin ? &last : nullptr;
}

DoubtfulNames doubtful_names(const ScannedText& scanned, const DoubtfulPlaces& places, const std::string& file) {
  DoubtfulNames result;
  if (places.doubts().empty()) return result;
  const std::vector<Chunk> chunks = Chunks(scanned, file).run();
  const auto users = users_of(chunks);
  std::vector<std::string> next;
  const auto add = [&](std::string_view name, const std::string& why) {
    if (result.emplace(name, why).second) next.emplace_back(name);
  };
  for (const Doubt& doubt : places.doubts()) {
    if (!doubt.name.empty()) add(doubt.name, doubt.why);
  }
  std::vector<bool> is_doubtful(chunks.size(), false);
  const auto taint = [&](std::size_t i, const std::string& why) {
    if (is_doubtful[i]) return;
    is_doubtful[i] = true;
    for (const std::string_view name : chunks[i].names) add(name, why);
  };
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Doubt* doubt = places.in(chunks[i].range);
    if (doubt != nullptr) taint(i, doubt->why);
  }
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    const auto using_it = users.find(name);
    if (using_it == users.end()) continue;
    const std::string why = result.find(name)->second;
    for (const std::size_t i : using_it->second) taint(i, why);
  }
  return result;
}

DoubtfulNames::const_iterator first_doubtful(std::string_view code, const DoubtfulNames& names,
                                             std::string_view except) {
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i;
    while (end < code.size() && is_word(code[end])) ++end;
    const std::string_view word = code.substr(i, end - i);
    const auto found = end > i && word != except ? names.find(word) : names.end();
    if (found != names.end()) return found;
    i = std::max(end, i + 1);
  }
  return names.end();
}

}  // namespace detent::models::tvm

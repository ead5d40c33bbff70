// Text of a graph -> nesting, keys and lines -> the line of each op.
#include "models/files/graph_lines.hpp"

#include <charconv>

namespace detent::models {
namespace {

/// The outer object is at depth 1, the list of ops at depth 2, an op at depth 3.
class LineScanner {
 public:
  LineScanner(std::string_view text, std::size_t op_count) : text_(text), lines_(op_count, 0) {}

  std::vector<std::uint32_t> scan() {
    while (at_ < text_.size()) step();
    return std::move(lines_);
  }

 private:
  void step() {
    const char c = text_[at_++];
    switch (c) {
      case '\n':
        ++line_;
        break;
      case '"':
        take_string();
        break;
      case '{':
      case '[':
        ++depth_;
        if (depth_ == 2) in_ops_ = c == '[' && key_ == "ops";
        if (depth_ == 3) op_line_ = line_;
        break;
      case '}':
      case ']':
        --depth_;
        if (depth_ < 2) in_ops_ = false;
        break;
      case ':':
        key_ = last_string_;
        if (in_ops_ && depth_ == 3 && key_ == "id") take_id();
        break;
      default:
        break;
    }
  }

  void take_string() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2U : 1U;
    if (at_ > text_.size()) at_ = text_.size();
    last_string_ = text_.substr(begin, at_ - begin);
    ++at_;
  }

  /// A whole number, as files have it; what is written otherwise (1e0) has no line.
  void take_id() {
    std::size_t begin = at_;
    while (begin < text_.size() && (text_[begin] == ' ' || text_[begin] == '\t')) ++begin;
    std::size_t id = 0;
    const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + text_.size(), id);
    if (error == std::errc{} && id < lines_.size()) lines_[id] = op_line_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1, op_line_ = 1;
  int depth_ = 0;
  bool in_ops_ = false;
  std::string_view last_string_, key_;
  std::vector<std::uint32_t> lines_;
};

}  // namespace

std::vector<std::uint32_t> graph_op_lines(std::string_view text, std::size_t op_count) {
  return LineScanner(text, op_count).scan();
}

}  // namespace detent::models

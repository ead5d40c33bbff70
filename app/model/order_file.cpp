#include "app/model/order_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <string_view>

#include "base/counted.hpp"
#include "base/wanted_file.hpp"

namespace detent::app {
namespace {

constexpr std::uint64_t kMaxOrderBytes = std::uint64_t{1} << 30U;
constexpr std::size_t kMaxShownWord = 200;

/// The next word of `text`, which is cut off it; empty at the end. '#' begins a comment.
std::string_view take_word(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r\n,[]";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n,[]#"));
  text.remove_prefix(word.size());
  return word;
}

std::uint32_t find_op(std::string_view word, const std::map<std::string, std::uint32_t, std::less<>>& names) {
  std::uint32_t op = DETENT_NONE;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), op);
  if (error == std::errc() && end == word.data() + word.size()) return op;
  const auto found = names.find(word);
  return found == names.end() ? DETENT_NONE : found->second;
}

}  // namespace

std::string op_name(const detent_desc& desc, OpId op) {
  if (op < desc.op_count && desc.ops[op].name != nullptr) return desc.ops[op].name;
  return fmt::format("op {}", op);
}

std::vector<std::uint32_t> read_order(const std::string& path, const detent_desc& desc) {
  static const WantedFile kOrder = {"an order of ops",
                                    {FileKind::kText, FileKind::kJson, FileKind::kCsv},
                                    "give a file with the id or name of every op, in order"};
  return parse_order(read_wanted_file(path, kMaxOrderBytes, kOrder), path, desc);
}

std::vector<std::uint32_t> parse_order(std::string_view text, const std::string& file, const detent_desc& desc) {
  std::map<std::string, std::uint32_t, std::less<>> names;
  for (OpId op = 0; op < desc.op_count; ++op) names.emplace(op_name(desc, op), op);
  std::vector<bool> seen(desc.op_count, false);
  std::vector<std::uint32_t> order;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    const OpId op = find_op(word, names);
    const auto refuse = [&](const char* what) {
      throw std::invalid_argument(
          fmt::format("{}: entry {} ('{}') {}", file, order.size() + 1, word.substr(0, kMaxShownWord), what));
    };
    if (op >= desc.op_count) refuse("is not an op of this model; see its ops with detent graph");
    if (seen[op]) refuse("is a duplicate; list every op once");
    seen[op] = true;
    order.push_back(op);
  }
  if (order.size() != desc.op_count) {
    throw std::invalid_argument(fmt::format("{}: has {}, the model has {}; list every op once", file,
                                            counted(order.size(), "op"), desc.op_count));
  }
  return order;
}

}  // namespace detent::app

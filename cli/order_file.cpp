// Order files: op ids or names -> a permutation of the ops.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>
#include <stdexcept>

#include "cli/model_input.hpp"
#include "models/io.hpp"

namespace detent::cli {
namespace {

constexpr std::uint64_t kMaxOrderBytes = std::uint64_t{1} << 30U;

std::vector<std::string> read_words(const std::string& path) {
  std::istringstream file(models::read_regular_file(path, kMaxOrderBytes));
  std::vector<std::string> words;
  std::string line;
  while (std::getline(file, line)) {
    line = line.substr(0, line.find('#'));
    std::size_t at = 0;
    while ((at = line.find_first_not_of(" \t\r,[]", at)) != std::string::npos) {
      const std::size_t end = line.find_first_of(" \t\r,[]", at);
      words.push_back(line.substr(at, end - at));
      at = end == std::string::npos ? line.size() : end;
    }
  }
  return words;
}

}  // namespace

std::string op_name(const detent_desc& desc, std::uint32_t op) {
  if (op < desc.op_count && desc.ops[op].name != nullptr) return desc.ops[op].name;
  return fmt::format("op {}", op);
}

std::vector<std::uint32_t> read_order(const std::string& path, const detent_desc& desc) {
  std::map<std::string, std::uint32_t> names;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) names.emplace(op_name(desc, op), op);
  std::vector<bool> seen(desc.op_count, false);
  std::vector<std::uint32_t> order;
  for (const std::string& word : read_words(path)) {
    std::uint32_t op = DETENT_NONE;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), op);
    if (error != std::errc() || end != word.data() + word.size()) {
      const auto found = names.find(word);
      op = found == names.end() ? DETENT_NONE : found->second;
    }
    const std::string place = fmt::format("{}: entry {} ('{}')", path, order.size() + 1, word);
    if (op >= desc.op_count)
      throw std::invalid_argument(place + " is no op of this model; see its ops with detent graph");
    if (seen[op]) throw std::invalid_argument(place + " is listed twice; list every op once");
    seen[op] = true;
    order.push_back(op);
  }
  if (order.size() != desc.op_count) {
    throw std::invalid_argument(
        fmt::format("{}: has {} ops, the model has {}; list every op once", path, order.size(), desc.op_count));
  }
  return order;
}

}  // namespace detent::cli

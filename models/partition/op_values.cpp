#include "models/partition/op_values.hpp"

#include <charconv>

namespace detent::models::partition {
namespace {

/// The k of OP<k>.
std::optional<std::uint32_t> number_of(std::string_view type) {
  if (!type.starts_with("OP")) return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = type.data() + type.size();
  const auto [at, error] = std::from_chars(type.data() + 2, end, number);
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool is_op_type(std::string_view type) { return input_count(type).has_value() || number_of(type).has_value(); }

std::optional<std::size_t> input_count(std::string_view type) {
  if (type == "NEG" || type == "COPY") return 1;
  if (type == "ADD" || type == "MUL" || type == "SUB" || type == "LESS" || type == "EQUAL") return 2;
  return std::nullopt;
}

double op_value(std::string_view type, std::span<const double> inputs) {
  if (type == "NEG") return -inputs[0];
  if (type == "COPY") return inputs[0];
  if (type == "ADD") return inputs[0] + inputs[1];
  if (type == "MUL") return inputs[0] * inputs[1];
  if (type == "SUB") return inputs[0] - inputs[1];
  if (type == "LESS") return inputs[0] < inputs[1] ? 1 : 0;
  if (type == "EQUAL") return inputs[0] == inputs[1] ? 1 : 0;
  double sum = number_of(type).value_or(0);
  for (std::size_t i = 0; i < inputs.size(); ++i) sum += static_cast<double>(i + 1) * inputs[i];
  return sum;
}

}  // namespace detent::models::partition

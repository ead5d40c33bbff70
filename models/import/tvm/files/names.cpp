// Names by the rules of the generators: docs/FORMATS.md, section on TVM artifacts.
#include "models/import/tvm/files/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace detent::models::tvm {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// p0, p0_1, placeholder, placeholder1_2: a stem, then digits and groups of "_digits".
bool is_numbered(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  while (!name.empty()) {
    if (name[0] == '_') name.remove_prefix(1);
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits == 0) return false;
    name.remove_prefix(digits);
  }
  return true;
}

}  // namespace

std::optional<std::string> pool_of_parameter(std::string_view name) {
  constexpr std::string_view kEnd = "_var";
  if (!name.ends_with(kEnd) || name.ends_with("_buffer_var")) return std::nullopt;
  name.remove_suffix(kEnd.size());
  const std::size_t at = name.rfind('_');
  if (at == name.npos || at == 0 || !all_digits(name.substr(at + 1))) return std::nullopt;
  return std::string(name.substr(0, at));
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool is_device_parameter(std::string_view name) { return name.starts_with("device_context"); }

std::string tensor_of_parameter(std::string_view name) {
  constexpr std::string_view kEnd = "_buffer_var";
  if (name.ends_with(kEnd)) name.remove_suffix(kEnd.size());
  return std::string(name);
}

bool is_input_name(std::string_view name) {
  if (name.size() > 1 && is_numbered(name, "p") && name[1] != '_') return true;
  if (is_numbered(name, "placeholder")) return true;
  constexpr std::array kStems = {"input_", "filter_",      "multiplier_",           "bias_",
                                 "shift_", "FunctionVar_", "tvm_var_extract_const_"};
  return std::any_of(kStems.begin(), kStems.end(), [&](const char* stem) { return name.starts_with(stem); });
}

bool is_output_name(std::string_view name) {
  return name.starts_with("output_") || name == "output" || (name.starts_with("out_") && all_digits(name.substr(4)));
}

std::string operator_name(std::string_view symbol, std::string_view module) {
  const std::string prefix = "tvmgen_" + std::string(module) + "_";
  if (symbol.starts_with(prefix) && symbol.size() > prefix.size()) symbol.remove_prefix(prefix.size());
  return std::string(symbol);
}

std::string_view device_hook(std::string_view symbol) {
  if (!symbol.starts_with("TVMDevice")) return {};
  for (const std::string_view hook : {"Deactivate", "Activate", "Open", "Close"}) {
    if (symbol.ends_with(hook)) return hook;
  }
  return {};
}

}  // namespace detent::models::tvm

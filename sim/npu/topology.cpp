// Cells of a line -> numbers -> a layer; each line is judged alone.
#include "sim/npu/topology.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace detent::sim::npu {
namespace {

constexpr std::size_t kMaxLayers = 1'000'000;
constexpr std::size_t kMaxCells = 64;

std::string trim(const std::string& text) {
  const char* blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Trailing empty cells are left out. No layer has as many as kMaxCells: one more than that is kept, and the rest left
/// out, so that a line costs no more than its bytes.
std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  std::size_t empty = 0;
  for (std::string cell; cells.size() <= kMaxCells && std::getline(stream, cell, ',');) {
    std::string trimmed = trim(cell);
    if (trimmed.empty()) {
      ++empty;
      continue;
    }
    for (; empty > 0 && cells.size() <= kMaxCells; --empty) cells.emplace_back();
    cells.push_back(std::move(trimmed));
  }
  return cells;
}

std::optional<std::uint64_t> parse_count(const std::string& cell) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
  throw std::invalid_argument(place + ": " + what);
}

std::vector<std::uint64_t> parse_counts(const std::vector<std::string>& cells, const std::string& place) {
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const auto count = parse_count(cells[i]);
    if (!count || *count == 0 || *count > kMaxDim)
      refuse(place, "column " + std::to_string(i + 1) + " is '" + cells[i] + "'; give a whole number from 1 to " +
                        std::to_string(kMaxDim));
    counts.push_back(*count);
  }
  return counts;
}

Layer parse_layer(const std::vector<std::string>& cells, const std::string& place) {
  const std::vector<std::uint64_t> n = parse_counts(cells, place);
  Layer layer;
  layer.name = cells[0];
  if (n.size() == 3) {
    layer.gemm = {n[0], n[1], n[2]};
    return layer;
  }
  if (n.size() != 7 && n.size() != 8)
    refuse(place, std::to_string(cells.size()) +
                      " columns; give a name and M,N,K, or a name and input height and width, filter height and width, "
                      "channels, filters, stride");
  layer.kind = Layer::Kind::kConv;
  layer.conv = {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n.back()};
  if (layer.name.find("DP") != std::string::npos) {
    layer.groups = layer.conv.channels;
    layer.conv.channels = 1;
  }
  if (layer.conv.filter_h > layer.conv.in_h || layer.conv.filter_w > layer.conv.in_w)
    refuse(place, "the filter is larger than the input; add the padding to the input's size");
  return layer;
}

}  // namespace

std::vector<Layer> parse_layers(const std::string& text, const std::string& file) {
  std::vector<Layer> layers;
  std::istringstream stream(text);
  std::size_t number = 0;
  bool is_first = true;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::vector<std::string> cells = split_cells(line);
    if (cells.empty() || cells[0].starts_with('#')) continue;
    const bool is_heading =
        is_first && cells.size() > 1 && !parse_count(cells[1]) && cells[1].find_first_of("-0123456789") != 0;
    is_first = false;
    if (is_heading) continue;
    layers.push_back(parse_layer(cells, file + ":" + std::to_string(number)));
    if (layers.size() > kMaxLayers) refuse(file, "more than a million layers; split the file");
  }
  if (layers.empty()) refuse(file, "no layers; give one line per layer: name,M,N,K");
  return layers;
}

}  // namespace detent::sim::npu

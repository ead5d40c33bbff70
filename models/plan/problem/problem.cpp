#include "models/plan/problem/problem.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_set>
#include <utility>

#include "base/arrays/csv.hpp"
#include "base/io.hpp"
#include "base/words/near.hpp"

namespace detent::models::packing {
namespace {

enum class Column : std::uint8_t { kId, kLower, kUpper, kSize, kAlignment, kHint, kOffset, kGaps };

constexpr std::array<std::pair<std::string_view, Column>, 8> kColumns = {{{"id", Column::kId},
                                                                          {"lower", Column::kLower},
                                                                          {"upper", Column::kUpper},
                                                                          {"size", Column::kSize},
                                                                          {"alignment", Column::kAlignment},
                                                                          {"hint", Column::kHint},
                                                                          {"offset", Column::kOffset},
                                                                          {"gaps", Column::kGaps}}};
constexpr std::size_t kNeededColumns = 4;

std::string shown(const std::string& text) { return "\"" + text.substr(0, 64) + "\""; }

class ProblemReader {
 public:
  ProblemReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  MemoryProblem read() {
    if (!lines_.next()) lines_.fail("is empty; the first line names the columns: id,lower,upper,size");
    read_heading();
    while (lines_.next()) read_row();
    if (problem_.buffers.empty()) lines_.fail("has no buffer; each line below the heading is one");
    return std::move(problem_);
  }

 private:
  void read_heading() {
    for (const std::string& name : lines_.cells()) {
      const auto* const known =
          std::find_if(kColumns.begin(), kColumns.end(), [&](const auto& row) { return row.first == name; });
      if (known == kColumns.end()) refuse_column(name);
      if (std::find(columns_.begin(), columns_.end(), known->second) != columns_.end())
        lines_.fail("duplicate column " + name + "; keep one of them");
      columns_.push_back(known->second);
      if (known->second == Column::kHint || known->second == Column::kOffset) problem_.unused_columns.push_back(name);
    }
    for (std::size_t i = 0; i < kNeededColumns; ++i) {
      if (std::find(columns_.begin(), columns_.end(), kColumns[i].second) == columns_.end())
        lines_.fail("no column " + std::string(kColumns[i].first) +
                    "; the first line names the columns: id,lower,upper,size");
    }
  }

  [[noreturn]] void refuse_column(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& row : kColumns) names.emplace_back(row.first);
    const std::string near = did_you_mean(name.substr(0, 64), names);
    lines_.fail("unknown column " + shown(name) + (near.empty() ? "; columns are " + choices_text(names) : near));
  }

  void read_row() {
    const std::vector<std::string> row = lines_.cells();
    if (row.size() != columns_.size())
      lines_.fail(std::to_string(row.size()) + " cells under " + std::to_string(columns_.size()) +
                  " columns; give each column a cell");
    if (problem_.buffers.size() == kMaxBuffers)
      lines_.fail("more than " + std::to_string(kMaxBuffers) + " buffers; solve parts of the problem");
    Buffer buffer;
    for (std::size_t i = 0; i < columns_.size(); ++i) read_cell(columns_[i], row[i], buffer);
    if (buffer.lower >= buffer.upper)
      lines_.fail("lower " + std::to_string(buffer.lower) + " is not below upper " + std::to_string(buffer.upper) +
                  "; a buffer lives from lower on and no longer at upper");
    total_bytes_ += buffer.size_bytes;
    if (total_bytes_ > kMaxTotalBytes)
      lines_.fail("with this one the sizes add up to more than " + std::to_string(kMaxTotalBytes) + " bytes");
    if (!ids_.insert(buffer.id).second) lines_.fail("duplicate id " + shown(buffer.id) + "; ids must differ");
    problem_.buffers.push_back(std::move(buffer));
  }

  void read_cell(Column column, const std::string& cell, Buffer& buffer) {
    switch (column) {
      case Column::kId:
        if (const char* fault = name_fault(cell)) lines_.fail(std::string("id: ") + fault);
        buffer.id = cell;
        break;
      case Column::kLower:
        buffer.lower = read_time(cell, "lower");
        break;
      case Column::kUpper:
        buffer.upper = read_time(cell, "upper");
        break;
      case Column::kSize:
        buffer.size_bytes = read_number(cell, "size", kMaxTotalBytes);
        break;
      case Column::kAlignment:
        if (cell.empty()) break;
        buffer.align_bytes = read_number(cell, "alignment", kMaxAlignBytes);
        if ((buffer.align_bytes & (buffer.align_bytes - 1)) != 0)
          lines_.fail("alignment: " + std::to_string(buffer.align_bytes) + " is not a power of two");
        break;
      case Column::kGaps:
        if (!cell.empty())
          lines_.fail(
              "gaps: lifetimes with gaps are not understood; leave the cell empty, then the buffer keeps its "
              "bytes from lower to upper");
        break;
      case Column::kHint:
      case Column::kOffset:
        break;
    }
  }

  [[nodiscard]] std::int64_t read_time(const std::string& cell, const std::string& column) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || value < 0)
      lines_.fail(column + ": " + shown(cell) + " is not a whole number from 0 to " + std::to_string(INT64_MAX));
    return value;
  }

  [[nodiscard]] std::uint64_t read_number(const std::string& cell, const std::string& column,
                                          std::uint64_t most) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || value == 0 || value > most)
      lines_.fail(column + ": " + shown(cell) + " is not a whole number of bytes from 1 to " + std::to_string(most));
    return value;
  }

  CsvReader lines_;
  MemoryProblem problem_;
  std::vector<Column> columns_;
  std::unordered_set<std::string> ids_;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace

MemoryProblem parse_memory_problem(std::string_view text, const std::string& file) {
  return ProblemReader(text, file).read();
}

std::uint64_t lower_bound_bytes(const std::vector<Buffer>& buffers) {
  std::vector<std::int64_t> moments;  // at which something begins: the peak is at one of them
  for (const Buffer& buffer : buffers) moments.push_back(buffer.lower);
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  struct Live {
    std::uint64_t align_bytes = kMaxAlignBytes, sum_bytes = 0, most_padding_bytes = 0;
  };
  std::vector<Live> live(moments.size());
  const auto each_moment = [&](const Buffer& buffer, const auto& visit) {
    auto at =
        static_cast<std::size_t>(std::lower_bound(moments.begin(), moments.end(), buffer.lower) - moments.begin());
    for (; at < moments.size() && moments[at] < buffer.upper; ++at) visit(live[at]);
  };
  for (const Buffer& buffer : buffers) {
    each_moment(buffer, [&](Live& one) { one.align_bytes = std::min(one.align_bytes, buffer.align_bytes); });
  }
  for (const Buffer& buffer : buffers) {
    each_moment(buffer, [&](Live& one) {
      const std::uint64_t padding = (one.align_bytes - buffer.size_bytes % one.align_bytes) % one.align_bytes;
      one.sum_bytes += buffer.size_bytes + padding;
      one.most_padding_bytes = std::max(one.most_padding_bytes, padding);
    });
  }
  std::uint64_t bound = 0;
  for (const Live& one : live) bound = std::max(bound, one.sum_bytes - one.most_padding_bytes);
  return bound;
}

}  // namespace detent::models::packing

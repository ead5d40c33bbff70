#include "base/arrays/csv.hpp"

#include <algorithm>
#include <utility>

#include "base/input_error.hpp"

namespace detent {
namespace {

constexpr std::size_t kMostCells = 64;

}  // namespace

std::string_view trimmed_cell(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(kBlank), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

CsvReader::CsvReader(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

bool CsvReader::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    line_ = trimmed_cell(rest_.substr(0, end));
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    if (!line_.empty() && line_[0] != '#') return true;
  }
  return false;
}

void CsvReader::fail(const std::string& what) const {
  throw InputError(file_, number_ == 0 ? "" : std::to_string(number_), what);
}

std::vector<std::string> CsvReader::cells() const {
  std::vector<std::string> result;
  std::string_view rest = line_;
  while (true) {
    if (result.size() == kMostCells) fail("more than " + std::to_string(kMostCells) + " cells");
    rest = trimmed_cell(rest);
    if (!rest.starts_with('"')) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      result.emplace_back(trimmed_cell(rest.substr(0, end)));
      rest.remove_prefix(end);
    } else {
      result.push_back(quoted(rest));
      if (!rest.empty() && rest[0] != ',') fail("a quote ends, and no comma follows");
    }
    if (rest.empty()) return result;
    rest.remove_prefix(1);
  }
}

std::string CsvReader::quoted(std::string_view& rest) const {
  std::string cell;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      cell += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      cell += rest[i++];
    } else {
      rest = trimmed_cell(rest.substr(i + 1));
      return std::string(trimmed_cell(cell));
    }
  }
  fail("a quote that does not end on its line");
}

}  // namespace detent

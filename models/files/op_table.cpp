#include "models/files/op_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include <detent/op_config.h>

#include "base/arrays/csv.hpp"
#include "base/input_error.hpp"
#include "base/io.hpp"
#include "base/words/near.hpp"
#include "base/words/quantity.hpp"
#include "models/core/core_class.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/graph_order.hpp"

namespace detent::models {
namespace {

enum class Column : std::uint8_t { kName, kClass, kKernel, kDuration, kPredecessors, kLayer };

struct ColumnRow {
  std::string_view name;
  Column column;
  std::string_view unit;  ///< of numbers
};

constexpr std::array<ColumnRow, 11> kColumns = {{{"name", Column::kName, ""},
                                                 {"class", Column::kClass, ""},
                                                 {"core", Column::kClass, ""},
                                                 {"kernel", Column::kKernel, ""},
                                                 {"duration", Column::kDuration, ""},
                                                 {"duration_ps", Column::kDuration, "ps"},
                                                 {"duration_ns", Column::kDuration, "ns"},
                                                 {"duration_us", Column::kDuration, "us"},
                                                 {"duration_ms", Column::kDuration, "ms"},
                                                 {"predecessors", Column::kPredecessors, ""},
                                                 {"layer", Column::kLayer, ""}}};

class TableReader {
 public:
  TableReader(std::string_view text, const std::string& file) : lines_(text, file), file_(file) {}

  Model read() {
    model_.name = "graph";
    if (!lines_.next()) fail("is empty; the first line names the columns: name,duration_us,predecessors");
    read_heading();
    while (lines_.next()) read_row();
    if (model_.ops.empty()) fail("has no op; each line below the heading is one");
    if (layer_column_) {
      add_layers();
    } else {
      add_predecessors();
    }
    check_order(model_, file_);
    return std::move(model_);
  }

 private:
  struct Row {
    std::uint32_t line = 0;
    std::vector<std::string> predecessors;
    std::uint64_t layer = 0;
  };

  [[noreturn]] void fail_at(std::uint32_t line, const std::string& what) const {
    throw InputError(file_, line == 0 ? "" : std::to_string(line), what);
  }
  [[noreturn]] void fail(const std::string& what) const { lines_.fail(what); }

  void read_heading() {
    for (const std::string& name : lines_.cells()) {
      const auto known =
          std::find_if(kColumns.begin(), kColumns.end(), [&](const ColumnRow& row) { return row.name == name; });
      if (known == kColumns.end()) refuse_column(name);
      const bool is_second = std::any_of(columns_.begin(), columns_.end(),
                                         [&](const ColumnRow* row) { return row->column == known->column; });
      if (is_second) fail("column " + name + ": another column says the same; keep one of them");
      columns_.push_back(&*known);
      if (known->column == Column::kLayer) layer_column_ = true;
    }
    for (const Column wanted : {Column::kName, Column::kDuration}) {
      const bool is_there =
          std::any_of(columns_.begin(), columns_.end(), [&](const ColumnRow* row) { return row->column == wanted; });
      if (!is_there)
        fail(std::string("no column ") +
             (wanted == Column::kName ? "name" : "duration (or duration_ps, _ns, _us, _ms)") +
             "; the first line names the columns: name,duration_us,predecessors");
    }
  }

  [[noreturn]] void refuse_column(const std::string& name) const {
    std::vector<std::string> names;
    for (const ColumnRow& row : kColumns) names.emplace_back(row.name);
    const std::string shown = name.substr(0, 64);
    const std::string near = did_you_mean(name.substr(0, 64), names);
    fail("unknown column \"" + shown + "\"" +
         (near.empty() ? "; columns are " + choices_text(names, 11) + "; sizes of layers are for detent npu --layers"
                       : near));
  }

  void read_row() {
    const std::vector<std::string> row = lines_.cells();
    if (row.size() > columns_.size())
      fail(std::to_string(row.size()) + " cells under " + std::to_string(columns_.size()) +
           " columns; put a cell with commas in quotes");
    if (model_.ops.size() == kMaxGraphOps)
      fail("more than " + std::to_string(kMaxGraphOps) + " ops; no graph has so many");
    Op op;
    op.kernel = "mix";
    op.in_place = true;
    op.config.resize(sizeof(detent_mix_config));
    Row facts;
    facts.line = lines_.number();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      read_cell(*columns_[i], i < row.size() ? row[i] : "", op, facts);
    }
    if (!ids_.try_emplace(op.name, static_cast<std::uint32_t>(model_.ops.size())).second)
      fail("op \"" + op.name.substr(0, 64) + "\" stands there twice; predecessors are named, so names must differ");
    model_.ops.push_back(std::move(op));
    rows_.push_back(std::move(facts));
  }

  void read_cell(const ColumnRow& column, const std::string& cell, Op& op, Row& facts) {
    switch (column.column) {
      case Column::kName:
        if (const char* fault = name_fault(cell)) fail(std::string("name: ") + fault);
        op.name = cell;
        break;
      case Column::kClass:
        read_class(cell, op);
        break;
      case Column::kKernel:
        if (const char* fault = cell.empty() ? nullptr : name_fault(cell)) fail(std::string("kernel: ") + fault);
        break;
      case Column::kDuration:
        op.time_ps = read_duration(cell, column.unit);
        break;
      case Column::kPredecessors:
        facts.predecessors = {cell};
        break;
      case Column::kLayer:
        facts.layer = read_layer(cell);
        break;
    }
  }

  void read_class(const std::string& cell, Op& op) {
    if (cell.empty()) return;
    if (const char* fault = name_fault(cell)) fail(std::string("class: ") + fault);
    if (cell == kDelayClass) fail("class: \"delay\" is that of transfer delays; give the op a class of the platform");
    op.core_class = cell;
    if (cell != "cpu" && classes_.insert(cell).second && classes_.size() > DETENT_MAX_CLASSES - 2)
      fail("more than " + std::to_string(DETENT_MAX_CLASSES - 2) + " classes of cores besides \"cpu\"");
  }

  /// "5us", "900ns..1us"; a number alone where the heading gives the unit.
  std::pair<std::uint64_t, std::uint64_t> read_duration(const std::string& cell, std::string_view unit) {
    const std::size_t dots = cell.find("..");
    const std::uint64_t least = read_time(cell.substr(0, dots), unit);
    const std::uint64_t most = dots == std::string::npos ? least : read_time(cell.substr(dots + 2), unit);
    if (least > most) fail("duration: the first time of " + cell.substr(0, 64) + " is above the second");
    total_ps_ += most;
    if (total_ps_ > kMaxGraphTimePs)
      fail("with this one the durations add up to more than " + std::to_string(kMaxGraphTimePs) + " ps");
    return {least, most};
  }

  std::uint64_t read_time(const std::string& cell, std::string_view unit) {
    const std::string text(trimmed_cell(cell));
    if (text.empty()) fail("duration: is missing; give a time, 0 for none");
    const bool has_unit = !unit.empty();
    if (has_unit && !is_digit_or_point(text.back()))
      fail("duration: \"" + text.substr(0, 64) + "\" is no number; the heading says " + std::string(unit) +
           ", a column duration takes units in its cells");
    const std::string whole = text + std::string(unit);
    const std::optional<std::uint64_t> time = read_time_ps(whole);
    if (!time || *time > kMaxGraphTimePs) fail("duration: \"" + text.substr(0, 64) + "\" " + refuse_time(whole));
    return *time;
  }

  static bool is_digit_or_point(char c) { return (c >= '0' && c <= '9') || c == '.'; }

  std::uint64_t read_layer(const std::string& cell) {
    std::uint32_t layer = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), layer);
    if (error != std::errc() || end != cell.data() + cell.size())
      fail("layer: \"" + cell.substr(0, 64) + "\" is no whole number from 0 to 4294967295; each op has one");
    return layer;
  }

  /// The ops that a cell names: one, or several with semicolons or blanks between.
  std::vector<std::uint32_t> predecessors_of(std::size_t op) const {
    std::vector<std::uint32_t> found;
    if (rows_[op].predecessors.empty()) return found;
    std::string_view rest = rows_[op].predecessors[0];
    const bool is_one = ids_.contains(std::string(rest));
    const std::string_view between = is_one ? "" : rest.find(';') != std::string_view::npos ? ";" : " \t";
    while (!rest.empty()) {
      const std::size_t end = is_one ? rest.size() : std::min(rest.find_first_of(between), rest.size());
      const std::string name(trimmed_cell(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!name.empty()) found.push_back(id_of(name, op));
    }
    std::sort(found.begin(), found.end());
    const auto twice = std::adjacent_find(found.begin(), found.end());
    if (twice != found.end())
      fail_at(rows_[op].line, "predecessors: " + model_.ops[*twice].name.substr(0, 64) + " stands there twice");
    return found;
  }

  std::uint32_t id_of(const std::string& name, std::size_t op) const {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    std::vector<std::string> names;
    constexpr std::size_t kLooked = 1000;
    for (std::size_t i = 0; i < std::min(kLooked, model_.ops.size()); ++i) names.push_back(model_.ops[i].name);
    const std::string near = did_you_mean(name.substr(0, 64), names);
    fail_at(rows_[op].line, "predecessors: there is no op \"" + name.substr(0, 64) + "\"" +
                                (near.empty() ? "; several are named with blanks or semicolons between" : near));
  }

  /// Room for `more` edges to an op.
  void take_edges(std::uint64_t more, std::uint32_t to) const {
    if (more <= kMaxTableEdges - model_.edges.size()) return;
    fail_at(rows_[to].line, "more than " + std::to_string(kMaxTableEdges) +
                                " edges; give wide layers an op between them that all wait for");
  }

  void add_edge(std::uint32_t from, std::uint32_t to) {
    take_edges(1, to);
    model_.edges.push_back({.from = from, .to = to});
  }

  void add_predecessors() {
    for (std::size_t op = 0; op < rows_.size(); ++op) {
      for (const std::uint32_t from : predecessors_of(op)) add_edge(from, static_cast<std::uint32_t>(op));
    }
  }

  /// A barrier after each layer orders all that predecessors could.
  void add_layers() {
    std::map<std::uint64_t, std::vector<std::uint32_t>> layers;
    for (std::uint32_t op = 0; op < rows_.size(); ++op) {
      layers[rows_[op].layer].push_back(op);
      for (const std::uint32_t from : predecessors_of(op)) {
        if (rows_[from].layer < rows_[op].layer) continue;
        fail_at(rows_[op].line, "predecessors: " + model_.ops[from].name.substr(0, 64) + " is in layer " +
                                    std::to_string(rows_[from].layer) + ", not before layer " +
                                    std::to_string(rows_[op].layer) + "; ops of one layer do not wait for each other");
      }
    }
    const std::vector<std::uint32_t>* before = nullptr;
    for (const auto& [number, ops] : layers) {
      if (before != nullptr) take_edges(std::uint64_t{before->size()} * ops.size(), ops.front());
      for (const std::uint32_t to : ops) {
        if (before == nullptr) break;
        for (const std::uint32_t from : *before) add_edge(from, to);
      }
      before = &ops;
    }
  }

  CsvReader lines_;
  const std::string& file_;
  Model model_;
  std::vector<const ColumnRow*> columns_;
  bool layer_column_ = false;
  std::vector<Row> rows_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::set<std::string> classes_;
  std::uint64_t total_ps_ = 0;
};

}  // namespace

Model parse_op_table(std::string_view text, const std::string& file) { return TableReader(text, file).read(); }

std::vector<std::uint32_t> op_table_lines(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  CsvReader lines(text, "");
  lines.next();
  while (lines.next()) numbers.push_back(lines.number());
  return numbers;
}

}  // namespace detent::models

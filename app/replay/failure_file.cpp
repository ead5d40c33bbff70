// Failure records as text. Reading is strict: what is read is written again and must give the same bytes.
#include "app/replay/failure_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "base/io.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kFailureMagic = "detent-failure/1";
constexpr std::string_view kFailureFamily = "detent-failure/";
constexpr const char* kRemedy = "; write it again with detent explore --failure FILE";

[[noreturn]] void refuse_row(const std::string& file, std::size_t line, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}:{}: {}{}", file, line, what, kRemedy));
}

std::string checksum_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

/// Control characters and percent signs as %0a: a text stays on its line.
std::string escape_text(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string(1, c) : escape_word(std::string(1, c));
  return out;
}

std::string join_names(const std::vector<std::uint32_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

std::string pair_rows(const RacingPair& pair) {
  return fmt::format("pair {} {}\nkind {}\nregion {}\nbytes {} {}\ntensors {} {}\n", pair.op_a, pair.op_b, pair.kind,
                     escape_word(pair.region), pair.offset_bytes, pair.size_bytes, escape_word(pair.tensor_a),
                     escape_word(pair.tensor_b));
}

std::string op_rows(const FailureRecord& record) {
  std::string text = record.pair ? pair_rows(*record.pair) : "";
  for (const auto& [first, then] : record.line.before) text += fmt::format("constraint {} < {}\n", first, then);
  if (!record.line.ops.empty()) text += "ops " + format_ranges(record.line.ops) + "\n";
  text += "schedule " + join_names(record.schedule) + "\n";
  return text + fmt::format("digest {}\nserial_digest {}\n", record.digest, record.serial_digest);
}

std::string thread_rows(const FailureRecord& record) {
  std::string text;
  for (const std::string& stop : record.stops) text += "constraint " + escape_text(stop) + "\n";
  text += "choices " + escape_word(record.line.threads.choices) + "\n";
  return text + "listing " + escape_word(record.line.threads.listing) + "\n";
}

/// Rows of a file, one after another.
class RowReader {
 public:
  RowReader(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  [[nodiscard]] std::size_t line() const { return line_; }
  [[noreturn]] void refuse(const std::string& what) const { refuse_row(file_, line_, what); }

  /// Is the next row of this key?
  [[nodiscard]] bool next_is(std::string_view key) const {
    return text_.substr(at_).starts_with(key) && text_.substr(at_ + key.size()).starts_with(' ');
  }
  /// The value of the next row, which must be of `key`.
  std::string value(std::string_view key) {
    ++line_;
    const std::size_t end = text_.find('\n', at_);
    if (!next_is(key) || end == std::string_view::npos) refuse(fmt::format("expected a row \"{} ...\"", key));
    const std::size_t begin = at_ + key.size() + 1;
    at_ = end + 1;
    return std::string(text_.substr(begin, end - begin));
  }
  template <typename Number>
  Number number(std::string_view text) const {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) refuse(fmt::format("'{}' is not a number", text));
    return number;
  }
  template <typename Number>
  std::vector<Number> numbers(std::string_view text, char separator) const {
    std::vector<Number> list;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(separator), text.size());
      list.push_back(number<Number>(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list;
  }
  /// Words with spaces between, escaped one by one.
  std::vector<std::string> words(const std::string& text, std::size_t count) const {
    std::vector<std::string> list;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      list.push_back(unescape_word(text.substr(at, end - at)));
      at = end + 1;
    }
    if (list.size() != count) refuse(fmt::format("expected {} words", count));
    return list;
  }

 private:
  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;  ///< the head of the file
};

RacingPair read_pair(RowReader& rows) {
  RacingPair pair;
  const auto ops = rows.numbers<std::uint32_t>(rows.value("pair"), ' ');
  if (ops.size() != 2) rows.refuse("expected two op ids");
  pair.op_a = ops[0];
  pair.op_b = ops[1];
  pair.kind = rows.value("kind");
  pair.region = unescape_word(rows.value("region"));
  const auto bytes = rows.numbers<std::uint64_t>(rows.value("bytes"), ' ');
  if (bytes.size() != 2) rows.refuse("expected an offset and a size");
  pair.offset_bytes = bytes[0];
  pair.size_bytes = bytes[1];
  const std::vector<std::string> tensors = rows.words(rows.value("tensors"), 2);
  pair.tensor_a = tensors[0];
  pair.tensor_b = tensors[1];
  return pair;
}

void read_op_rows(RowReader& rows, FailureRecord& record) {
  if (rows.next_is("pair")) record.pair = read_pair(rows);
  while (rows.next_is("constraint")) rows.value("constraint");  // the line has them; compared with it at the end
  if (rows.next_is("ops")) rows.value("ops");
  record.schedule = rows.numbers<std::uint32_t>(rows.value("schedule"), ',');
  record.digest = rows.value("digest");
  record.serial_digest = rows.value("serial_digest");
}

void read_thread_rows(RowReader& rows, FailureRecord& record) {
  while (rows.next_is("constraint")) record.stops.push_back(unescape_word(rows.value("constraint")));
  rows.value("choices");
  rows.value("listing");
}

/// The text without its checksum row. @throws std::invalid_argument  cut short, changed, or no such file at all
std::string_view checked_text(const std::string& file, std::string_view text) {
  if (text.size() > kMaxFailureBytes) refuse_row(file, 1, fmt::format("more than {} bytes", kMaxFailureBytes));
  const std::string_view head = text.substr(0, text.find('\n'));
  if (head != kFailureMagic) {
    const bool other = head.starts_with(kFailureFamily);
    refuse_row(file, 1,
               other ? fmt::format("version '{}', this program reads {}", head.substr(0, 40), kFailureMagic)
                     : fmt::format("a failure file starts with {}", kFailureMagic));
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (text.back() != '\n') refuse_row(file, lines + 1, "the file is cut short");
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  const std::string_view row = text.substr(last);
  if (!row.starts_with("checksum "))
    refuse_row(file, lines, "the last row must be a checksum: the file was cut short or extended");
  if (row != "checksum " + checksum_of(text.substr(0, last)) + "\n") {
    refuse_row(file, lines, "the checksum does not match the bytes before it: changed or damaged");
  }
  return text.substr(0, last);
}

/// Place of the first line in which two texts differ, from 1.
std::size_t first_difference(std::string_view a, std::string_view b) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) line += a[i] == '\n' ? 1 : 0;
  return line;
}

}  // namespace

std::string format_failure(const FailureRecord& record) {
  const ReplayLine& line = record.line;
  std::string text = fmt::format(
      "{}\nprogram {}\nengine {}\nmodel {}\nmodel_hash {}\nlevel {}\nlaw {}\ntext {}\nworkers {}\nmode {}\n",
      kFailureMagic, escape_word(record.program_version), escape_word(record.engine_hash), escape_word(line.model),
      escape_word(record.model_hash), is_of_threads(line) ? "threads" : "ops", escape_word(record.law),
      escape_text(record.text), line.engine.workers, harness::mode_name(line.engine.mode));
  text += is_of_threads(line) ? thread_rows(record) : op_rows(record);
  text += "replay " + format_replay_line(line) + "\n";
  return text + "checksum " + checksum_of(text) + "\n";
}

FailureRecord parse_failure(const std::string& file, const std::string& text) {
  RowReader rows(file, checked_text(file, text).substr(kFailureMagic.size() + 1));
  FailureRecord record;
  record.program_version = unescape_word(rows.value("program"));
  record.engine_hash = unescape_word(rows.value("engine"));
  rows.value("model");
  record.model_hash = unescape_word(rows.value("model_hash"));
  const std::string level = rows.value("level");
  record.law = unescape_word(rows.value("law"));
  record.text = unescape_word(rows.value("text"));
  rows.value("workers");
  rows.value("mode");
  if (level == "threads") {
    read_thread_rows(rows, record);
  } else {
    read_op_rows(rows, record);
  }
  const std::string line = rows.value("replay");
  try {
    record.line = parse_replay_line(line);
  } catch (const std::invalid_argument& bad) {
    refuse_row(file, rows.line() + 1, bad.what());
  }
  const std::string again = format_failure(record);
  if (again != text) refuse_row(file, first_difference(again, text), "the row is not what its replay line says");
  return record;
}

void write_failure_file(const std::string& path, const FailureRecord& record) {
  write_file_atomically(path, format_failure(record));
}

ReplayLine runnable_line(const FailureRecord& record) {
  ReplayLine line = record.line;
  if (is_of_threads(line) || !line.digest.empty()) return line;
  line.engine.policy = "given";
  line.engine.order = record.schedule;
  line.digest = record.digest;
  return line;
}

}  // namespace detent::app

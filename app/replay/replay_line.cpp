#include "app/replay/replay_line.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <functional>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include <detent/limits.h>

#include "base/words/near.hpp"

namespace detent::app {
namespace {

constexpr const char* kMagic = "detent-replay/1";

[[noreturn]] void fail(const std::string& word, const std::string& why) {
  throw std::invalid_argument("replay line: '" + word + "': " + why);
}

template <typename Integer>
Integer parse_number(const std::string& word, const std::string& value) {
  Integer number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    fail(word, fmt::format("needs a whole number from {} to {}", std::numeric_limits<Integer>::min(),
                           std::numeric_limits<Integer>::max()));
  }
  return number;
}

/// "7<3,2<9"
std::vector<std::pair<std::uint32_t, std::uint32_t>> parse_constraints(const std::string& word,
                                                                       const std::string& value) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constraints;
  if (value.ends_with(',')) fail(word, "ends with a comma; leave it out");
  std::istringstream stream(value);
  std::string item;
  while (std::getline(stream, item, ',')) {
    const std::size_t less = item.find('<');
    if (less == std::string::npos) fail(word, "needs pairs of op ids such as 7<3");
    constraints.emplace_back(parse_number<std::uint32_t>(word, item.substr(0, less)),
                             parse_number<std::uint32_t>(word, item.substr(less + 1)));
  }
  return constraints;
}

/// Reads the value of a key; `word` is the whole of it, for messages.
using ReadField = std::function<void(ReplayLine& line, const std::string& word, const std::string& value)>;
/// The value of a key as text.
using WriteField = std::function<std::string(const ReplayLine& line, const char* key)>;

std::string text_of(const std::string& value) { return escape_word(value); }
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(std::integral auto value) { return std::to_string(value); }
std::string text_of(const std::vector<std::uint32_t>& ids) { return format_ranges(ids); }

void read_value(std::string& field, const std::string&, const std::string& value) { field = unescape_word(value); }
void read_value(bool& field, const std::string& word, const std::string& value) {
  if (value != "0" && value != "1") fail(word, "must be 0 or 1");
  field = value == "1";
}
void read_value(std::integral auto& field, const std::string& word, const std::string& value) {
  field = parse_number<std::remove_reference_t<decltype(field)>>(word, value);
}
void read_value(std::vector<std::uint32_t>& field, const std::string&, const std::string& value) {
  field = parse_ranges(value);
}

/// A field of the line, or of one of its parts.
template <auto Field>
void read(ReplayLine& line, const std::string& word, const std::string& value) {
  read_value(line.*Field, word, value);
}
template <auto Field>
std::string write(const ReplayLine& line, const char*) {
  return text_of(line.*Field);
}
template <auto Part, auto Field>
void read_in(ReplayLine& line, const std::string& word, const std::string& value) {
  read_value(line.*Part.*Field, word, value);
}
template <auto Part, auto Field>
std::string write_in(const ReplayLine& line, const char*) {
  return text_of(line.*Part.*Field);
}

void read_world(ReplayLine& line, const std::string& word, const std::string& value) {
  if (value != "native" && value != "sim" && value != "explore") fail(word, "must be native, sim or explore");
  line.on = value;
}
void read_level(ReplayLine&, const std::string& word, const std::string& value) {
  if (value != "threads" && value != "ops") fail(word, "must be ops or threads");
}
std::string write_level(const ReplayLine& line, const char*) { return is_of_threads(line) ? "threads" : "ops"; }
void read_memory(ReplayLine& line, const std::string& word, const std::string& value) {
  if (value != "sc" && value != "c11") fail(word, "must be sc or c11");
  line.threads.memory = value;
}
void read_before(ReplayLine& line, const std::string& word, const std::string& value) {
  line.before = parse_constraints(word, value);
}
std::string write_before(const ReplayLine& line, const char*) {
  std::string text;
  for (const auto& [first, then] : line.before) text += fmt::format("{}{}<{}", text.empty() ? "" : ",", first, then);
  return text;
}

/// Several faults of one key stand in one word, with semicolons.
void read_fault(ReplayLine& line, const std::string& word, const std::string& value) {
  const std::string key = word.substr(0, word.find('='));
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(';', at), value.size());
    try {
      harness::add_fault(line.faults, {key, value.substr(at, end - at)});
    } catch (const std::invalid_argument& bad) {
      fail(word, bad.what());
    }
    at = end + 1;
  }
}
std::string write_fault(const ReplayLine& line, const char* key) {
  std::string text;
  for (const harness::FaultWord& word : harness::fault_words(line.faults)) {
    if (word.key == key) text += (text.empty() ? "" : ";") + word.value;
  }
  return text;
}

enum class Of : std::uint8_t { kAll, kSim, kThreads };     ///< the lines that a key is written in
enum class Written : std::uint8_t { kAlways, kWhereSet };  ///< kWhereSet: only when it is not as in a new line

struct FieldRow {
  const char* key;
  Of of;
  Written written;
  ReadField read;
  WriteField write;
  bool is_expected = false;  ///< says what came of the run, and not what is run
};

template <auto Field>
FieldRow row(const char* key, Of of, Written written) {
  return {key, of, written, read<Field>, write<Field>};
}
template <auto Field>
FieldRow thread_row(const char* key, Written written = Written::kWhereSet) {
  return {key, Of::kThreads, written, read_in<&ReplayLine::threads, Field>, write_in<&ReplayLine::threads, Field>};
}
template <auto Field>
FieldRow seed_row(const char* key) {
  return {key, Of::kAll, Written::kAlways, read_in<&ReplayLine::seeds, Field>, write_in<&ReplayLine::seeds, Field>};
}
FieldRow expected(FieldRow row) {
  row.is_expected = true;
  return row;
}
template <auto Field>
FieldRow end_row(const char* key) {
  return expected(
      {key, Of::kAll, Written::kWhereSet, read_in<&ReplayLine::ended, Field>, write_in<&ReplayLine::ended, Field>});
}
FieldRow fault_row(const char* key) { return {key, Of::kAll, Written::kWhereSet, read_fault, write_fault}; }

FieldRow engine_row(const harness::EngineField& field, Written written = Written::kWhereSet) {
  const auto read = [&field](ReplayLine& line, const std::string& word, const std::string& value) {
    try {
      field.read(line.engine, value);
    } catch (const std::invalid_argument& bad) {
      fail(word, bad.what());
    }
  };
  return {field.key, Of::kAll, written, read,
          [&field](const ReplayLine& line, const char*) { return field.write(line.engine); }};
}

FieldRow engine_row(const std::string& key, Written written = Written::kWhereSet) {
  return engine_row(harness::engine_field(key), written);
}

/// Up to the place where engine options go that have no place of their own.
std::vector<FieldRow> begin_of_fields() {
  return {
      row<&ReplayLine::model>("model", Of::kAll, Written::kAlways),
      {"on", Of::kAll, Written::kAlways, read_world, write<&ReplayLine::on>},
      {"level", Of::kThreads, Written::kAlways, read_level, write_level},
      engine_row("workers", Written::kAlways),
      seed_row<&harness::Seeds::schedule>("seed"),
      engine_row("mode", Written::kAlways),
      engine_row("scheduler"),
      engine_row("policy", Written::kAlways),
      row<&ReplayLine::split>("split", Of::kAll, Written::kAlways),
      row<&ReplayLine::winograd>("winograd", Of::kAll, Written::kWhereSet),
      row<&ReplayLine::set>("set", Of::kAll, Written::kWhereSet),
      row<&ReplayLine::schedule>("schedule", Of::kAll, Written::kWhereSet),
      row<&ReplayLine::device>("device", Of::kAll, Written::kWhereSet),
      row<&ReplayLine::outcomes>("outcomes", Of::kAll, Written::kWhereSet),
      seed_row<&harness::Seeds::input>("input_seed"),
      row<&ReplayLine::platform>("platform", Of::kSim, Written::kAlways),
      row<&ReplayLine::jitter>("jitter", Of::kSim, Written::kAlways),
      row<&ReplayLine::npu>("npu", Of::kSim, Written::kAlways),
      row<&ReplayLine::overheads>("overheads", Of::kSim, Written::kAlways),
      row<&ReplayLine::contention>("contention", Of::kSim, Written::kWhereSet),
      row<&ReplayLine::private_ports>("private_ports", Of::kSim, Written::kWhereSet),
      row<&ReplayLine::migrating>("migrating", Of::kSim, Written::kWhereSet),
      row<&ReplayLine::costs>("costs", Of::kSim, Written::kWhereSet),
      row<&ReplayLine::times>("times", Of::kSim, Written::kWhereSet),
      row<&ReplayLine::ties>("ties", Of::kSim, Written::kWhereSet),
      engine_row("order"),
      {"before", Of::kAll, Written::kWhereSet, read_before, write_before},
      row<&ReplayLine::ops>("ops", Of::kAll, Written::kWhereSet),
      {"memory", Of::kThreads, Written::kWhereSet, read_memory,
       write_in<&ReplayLine::threads, &ThreadReplaySpec::memory>},
      thread_row<&ThreadReplaySpec::spurious>("spurious", Written::kAlways),
      thread_row<&ThreadReplaySpec::cancel>("cancel", Written::kAlways),
      thread_row<&ThreadReplaySpec::runs>("runs"),
  };
}

std::vector<FieldRow> end_of_fields() {
  return {
      thread_row<&ThreadReplaySpec::op_deadline_ps>("deadline_ps"),
      thread_row<&ThreadReplaySpec::whole_life>("whole_life"),
      thread_row<&ThreadReplaySpec::failing_starts>("failing_starts"),
      thread_row<&ThreadReplaySpec::early_timeouts>("early_timeouts"),
      thread_row<&ThreadReplaySpec::duplicate_answers>("duplicate_answers"),
      thread_row<&ThreadReplaySpec::async_answers>("async_answers"),
      thread_row<&ThreadReplaySpec::failing_ops>("failing_ops"),
      expected(thread_row<&ThreadReplaySpec::law>("law")),
      expected(thread_row<&ThreadReplaySpec::listing>("listing")),
      thread_row<&ThreadReplaySpec::choices>("choices", Written::kAlways),
      fault_row("fail_op"),
      fault_row("late_op"),
      fault_row("hang_op"),
      fault_row("fail_device"),
      fault_row("late_device"),
      fault_row("hang_device"),
      fault_row("answer_twice"),
      fault_row("cancel_at"),
      fault_row("deadline_op"),
      fault_row("fail_start"),
      end_row<&RunEnd::status>("status"),
      end_row<&RunEnd::op>("error_op"),
      end_row<&RunEnd::code>("error_code"),
      end_row<&RunEnd::began>("began"),
      end_row<&RunEnd::in_flight>("in_flight"),
      expected(row<&ReplayLine::digest>("digest", Of::kAll, Written::kWhereSet)),
      expected(row<&ReplayLine::makespan_ps>("makespan_ps", Of::kAll, Written::kWhereSet)),
  };
}

std::vector<FieldRow> make_fields() {
  std::vector<FieldRow> fields = begin_of_fields();
  for (const harness::EngineField& field : harness::engine_fields()) {
    const bool is_placed =
        std::ranges::any_of(fields, [&](const FieldRow& row) { return row.key == std::string(field.key); });
    if (!is_placed) fields.push_back(engine_row(field));
  }
  for (FieldRow& row : end_of_fields()) fields.push_back(std::move(row));
  return fields;
}

/// All that a line can say, in the order in which it is written. Nothing else reads, writes, hashes or lists fields.
const std::vector<FieldRow>& all_fields() {
  static const std::vector<FieldRow> kFields = make_fields();
  return kFields;
}

bool is_written(const FieldRow& field, const ReplayLine& line, const std::string& value) {
  if (field.of == Of::kSim && line.on != "sim") return false;
  if (field.of == Of::kThreads && !is_of_threads(line)) return false;
  return field.written == Written::kAlways || value != field.write(ReplayLine{}, field.key);
}

void set_field(ReplayLine& line, const std::string& word, const std::string& key, const std::string& value) {
  for (const FieldRow& field : all_fields()) {
    if (key == field.key) return field.read(line, word, value);
  }
  std::vector<std::string> keys;
  for (const FieldRow& field : all_fields()) keys.emplace_back(field.key);
  fail(word, "is not a key of a replay line" + did_you_mean(key, keys));
}

}  // namespace

std::string escape_word(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || c == '%') {
      out += fmt::format("%{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescape_word(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16).ptr == text.data() + i + 3;
    out += is_code ? static_cast<char>(byte) : text[i];
    if (is_code) i += 2;
  }
  return out;
}

std::string format_ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += fmt::format("{}{}", i == 0 ? "" : ",", numbers[i]);
    if (end - i > 1) text += fmt::format("-{}", numbers[end - 1]);
    i = end;
  }
  return text;
}

std::vector<std::uint32_t> parse_ranges(const std::string& text) {
  if (text.ends_with(',')) fail(text, "ends with a comma; leave it out");
  std::vector<std::uint32_t> numbers;
  std::istringstream stream(text);
  std::string item;
  while (std::getline(stream, item, ',')) {
    const std::size_t dash = item.find('-');
    const auto first = parse_number<std::uint32_t>(item, item.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_number<std::uint32_t>(item, item.substr(dash + 1));
    const bool ascends = first <= last && (numbers.empty() || numbers.back() < first);
    if (!ascends || last >= DETENT_MAX_OPS) fail(item, "needs ascending ids and ranges such as 0-3,7");
    for (std::uint32_t number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::string format_replay_line(const ReplayLine& line) {
  std::string text = kMagic;
  for (const FieldRow& field : all_fields()) {
    const std::string value = field.write(line, field.key);
    if (is_written(field, line, value)) text += fmt::format(" {}={}", field.key, value);
  }
  return text;
}

std::uint64_t run_hash(const ReplayLine& line) {
  std::string text;
  for (const FieldRow& field : all_fields()) {
    const std::string value = field.write(line, field.key);
    if (!field.is_expected && is_written(field, line, value)) text += fmt::format("{}={}\n", field.key, value);
  }
  return XXH3_64bits(text.data(), text.size());
}

void add_replay(const ReplayLine& line, Json& answer) {
  answer["replay"] = format_replay_line(line);
  answer["run_hash"] = fmt::format("{:016x}", run_hash(line));
}

std::vector<std::string> replay_keys() {
  std::vector<std::string> keys;
  for (const FieldRow& field : all_fields()) keys.emplace_back(field.key);
  return keys;
}

ReplayLine parse_replay_line(const std::string& text) {
  std::istringstream stream(text);
  std::string word;
  stream >> word;
  if (word != kMagic) fail(word, std::string("a replay line starts with ") + kMagic);
  ReplayLine line;
  std::set<std::string> seen;
  bool needs_choices = false;
  while (stream >> word) {
    needs_choices = needs_choices || word == "level=threads";
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) fail(word, "must be key=value");
    const std::string key = word.substr(0, equals);
    if (!seen.insert(key).second) fail(word, "duplicate key");
    set_field(line, word, key, word.substr(equals + 1));
  }
  if (line.model.empty()) fail("model", "is missing");
  if (needs_choices && !is_of_threads(line)) fail("level=threads", "choices= is missing");
  if (!line.faults.empty() && (line.on == "explore" || !line.before.empty())) {
    fail("on=" + line.on,
         "a run with faults has no before= and is on=native or on=sim; the explorer's are failing_ops=, "
         "failing_starts=, duplicate_answers= and cancel=");
  }
  if (!(line.times + line.ties).empty() && (line.on != "sim" || !line.faults.empty() || !line.before.empty())) {
    fail("times=" + line.times, "op times are chosen in runs on=sim, without faults and before=");
  }
  if (is_of_threads(line) && line.on != "explore") {
    fail("on=" + line.on, "choices are of the engine's threads under the explorer: on=explore");
  }
  return line;
}

}  // namespace detent::app

// Replay lines as text.
#include "app/replay/replay_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include <detent/limits.h>

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
    fail(word, fmt::format("needs a whole number from 0 to {}", std::numeric_limits<Integer>::max()));
  }
  return number;
}

std::vector<std::uint32_t> parse_ids(const std::string& word, const std::string& value) {
  std::vector<std::uint32_t> ids;
  std::istringstream stream(value);
  std::string item;
  while (std::getline(stream, item, ',')) ids.push_back(parse_number<std::uint32_t>(word, item));
  return ids;
}

/// "7<3,2<9"
std::vector<std::pair<std::uint32_t, std::uint32_t>> parse_constraints(const std::string& word,
                                                                       const std::string& value) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> constraints;
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

/// Where a key's value goes: one row per key, so that each is read in one way.
using SetField = void (*)(ReplayLine& line, const std::string& word, const std::string& value);

template <std::string ReplayLine::*Field>
void set_text(ReplayLine& line, const std::string&, const std::string& value) {
  line.*Field = unescape_word(value);
}
template <auto Field>
void set_number(ReplayLine& line, const std::string& word, const std::string& value) {
  using Number = std::remove_reference_t<decltype(line.*Field)>;
  line.*Field = parse_number<Number>(word, value);
}
template <bool ReplayLine::*Field>
void set_flag(ReplayLine& line, const std::string& word, const std::string& value) {
  line.*Field = parse_number<std::uint32_t>(word, value) != 0;
}
template <std::string ThreadReplaySpec::*Field>
void set_engine_text(ReplayLine& line, const std::string&, const std::string& value) {
  line.engine.*Field = unescape_word(value);
}
template <auto Field>
void set_engine_number(ReplayLine& line, const std::string& word, const std::string& value) {
  using Number = std::remove_reference_t<decltype(line.engine.*Field)>;
  line.engine.*Field = parse_number<Number>(word, value);
}
template <bool ThreadReplaySpec::*Field>
void set_engine_flag(ReplayLine& line, const std::string& word, const std::string& value) {
  line.engine.*Field = parse_number<std::uint32_t>(word, value) != 0;
}

void set_world(ReplayLine& line, const std::string& word, const std::string& value) {
  if (value != "native" && value != "sim" && value != "explore") fail(word, "must be native, sim or explore");
  line.on = value;
}
void set_level(ReplayLine&, const std::string& word, const std::string& value) {
  if (value != "threads" && value != "ops") fail(word, "must be ops or threads");
}
void set_memory(ReplayLine& line, const std::string& word, const std::string& value) {
  if (value != "sc" && value != "c11") fail(word, "must be sc or c11");
  line.engine.memory = value;
}
void set_order(ReplayLine& line, const std::string& word, const std::string& value) {
  line.order = parse_ids(word, value);
}
void set_before(ReplayLine& line, const std::string& word, const std::string& value) {
  line.before = parse_constraints(word, value);
}
void set_ops(ReplayLine& line, const std::string&, const std::string& value) { line.ops = parse_ranges(value); }
void set_failing(ReplayLine& line, const std::string&, const std::string& value) {
  line.engine.failing_ops = parse_ranges(value);
}

/// Several faults of one key stand in one word, with semicolons.
void set_fault(ReplayLine& line, const std::string& word, const std::string& value) {
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
template <auto Field>
void set_end_number(ReplayLine& line, const std::string& word, const std::string& value) {
  using Number = std::remove_reference_t<decltype(line.ended.*Field)>;
  line.ended.*Field = parse_number<Number>(word, value);
}
template <std::vector<std::uint32_t> RunEnd::*Field>
void set_end_ops(ReplayLine& line, const std::string&, const std::string& value) {
  line.ended.*Field = parse_ranges(value);
}
void set_status(ReplayLine& line, const std::string&, const std::string& value) {
  line.ended.status = unescape_word(value);
}

struct KeyRow {
  const char* key;
  SetField set;
};
constexpr KeyRow kKeys[] = {
    {"model", set_text<&ReplayLine::model>},
    {"on", set_world},
    {"level", set_level},
    {"workers", set_number<&ReplayLine::workers>},
    {"seed", set_number<&ReplayLine::seed>},
    {"mode", set_text<&ReplayLine::mode>},
    {"scheduler", set_text<&ReplayLine::scheduler>},
    {"policy", set_text<&ReplayLine::policy>},
    {"split", set_number<&ReplayLine::split>},
    {"input_seed", set_number<&ReplayLine::input_seed>},
    {"platform", set_text<&ReplayLine::platform>},
    {"costs", set_text<&ReplayLine::costs>},
    {"jitter", set_text<&ReplayLine::jitter>},
    {"npu", set_flag<&ReplayLine::npu>},
    {"overheads", set_flag<&ReplayLine::overheads>},
    {"contention", set_flag<&ReplayLine::contention>},
    {"private_ports", set_flag<&ReplayLine::private_ports>},
    {"migrating", set_flag<&ReplayLine::migrating>},
    {"order", set_order},
    {"before", set_before},
    {"ops", set_ops},
    {"memory", set_memory},
    {"spurious", set_engine_number<&ThreadReplaySpec::spurious>},
    {"cancel", set_engine_flag<&ThreadReplaySpec::cancel>},
    {"runs", set_engine_number<&ThreadReplaySpec::runs>},
    {"spin", set_engine_number<&ThreadReplaySpec::spin_limit>},
    {"deadline_ps", set_engine_number<&ThreadReplaySpec::op_deadline_ps>},
    {"whole_life", set_engine_flag<&ThreadReplaySpec::whole_life>},
    {"failing_starts", set_engine_number<&ThreadReplaySpec::failing_starts>},
    {"early_timeouts", set_engine_number<&ThreadReplaySpec::early_timeouts>},
    {"duplicate_answers", set_engine_number<&ThreadReplaySpec::duplicate_answers>},
    {"async_answers", set_engine_flag<&ThreadReplaySpec::async_answers>},
    {"failing_ops", set_failing},
    {"law", set_engine_text<&ThreadReplaySpec::law>},
    {"listing", set_engine_text<&ThreadReplaySpec::listing>},
    {"choices", set_engine_text<&ThreadReplaySpec::choices>},
    {"fail_op", set_fault},
    {"late_op", set_fault},
    {"hang_op", set_fault},
    {"answer_twice", set_fault},
    {"cancel_at", set_fault},
    {"deadline_op", set_fault},
    {"fail_start", set_fault},
    {"status", set_status},
    {"error_op", set_end_number<&RunEnd::op>},
    {"error_code", set_end_number<&RunEnd::code>},
    {"began", set_end_ops<&RunEnd::began>},
    {"in_flight", set_end_ops<&RunEnd::in_flight>},
    {"digest", set_text<&ReplayLine::digest>},
    {"makespan_ps", set_number<&ReplayLine::makespan_ps>},
};

void set_field(ReplayLine& line, const std::string& word, const std::string& key, const std::string& value) {
  for (const KeyRow& row : kKeys) {
    if (key == row.key) return row.set(line, word, value);
  }
  fail(word, "is no key of a replay line");
}

std::string sim_words(const ReplayLine& line) {
  std::string text = fmt::format(" platform={} jitter={} npu={} overheads={}", escape_word(line.platform),
                                 escape_word(line.jitter), line.npu ? 1 : 0, line.overheads ? 1 : 0);
  if (!line.contention) text += " contention=0";
  if (line.private_ports) text += " private_ports=1";
  if (line.migrating) text += " migrating=1";
  if (!line.costs.empty()) text += " costs=" + escape_word(line.costs);
  return text;
}

std::string engine_words(const ThreadReplaySpec& engine) {
  std::string text;
  if (engine.memory != "sc") text += " memory=" + engine.memory;
  text += fmt::format(" spurious={} cancel={}", engine.spurious, engine.cancel ? 1 : 0);
  if (engine.runs != 1) text += fmt::format(" runs={}", engine.runs);
  if (engine.spin_limit != 0) text += fmt::format(" spin={}", engine.spin_limit);
  if (engine.op_deadline_ps != 0) text += fmt::format(" deadline_ps={}", engine.op_deadline_ps);
  if (engine.whole_life) text += " whole_life=1";
  if (engine.failing_starts != 0) text += fmt::format(" failing_starts={}", engine.failing_starts);
  if (engine.early_timeouts != 0) text += fmt::format(" early_timeouts={}", engine.early_timeouts);
  if (engine.duplicate_answers != 0) text += fmt::format(" duplicate_answers={}", engine.duplicate_answers);
  if (!engine.async_answers) text += " async_answers=0";
  if (!engine.failing_ops.empty()) text += " failing_ops=" + format_ranges(engine.failing_ops);
  if (!engine.law.empty()) text += " law=" + escape_word(engine.law);
  if (!engine.listing.empty()) text += " listing=" + escape_word(engine.listing);
  return text + " choices=" + escape_word(engine.choices);
}

std::string fault_words(const ReplayLine& line) {
  std::string text;
  std::string key;
  for (const harness::FaultWord& word : harness::fault_words(line.faults)) {
    text += (word.key == key ? ";" : " " + word.key + "=") + word.value;
    key = word.key;
  }
  const RunEnd& ended = line.ended;
  if (!ended.status.empty()) text += " status=" + escape_word(ended.status);
  if (ended.op != DETENT_NONE) text += fmt::format(" error_op={}", ended.op);
  if (ended.code != 0) text += fmt::format(" error_code={}", ended.code);
  if (!ended.began.empty()) text += " began=" + format_ranges(ended.began);
  if (!ended.in_flight.empty()) text += " in_flight=" + format_ranges(ended.in_flight);
  return text;
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
  std::string text = fmt::format("{} model={} on={}{} workers={} seed={} mode={}{} policy={} split={} input_seed={}",
                                 kMagic, escape_word(line.model), line.on, is_of_threads(line) ? " level=threads" : "",
                                 line.workers, line.seed, escape_word(line.mode),
                                 line.scheduler == "role" ? "" : " scheduler=" + escape_word(line.scheduler),
                                 escape_word(line.policy), line.split, line.input_seed);
  if (line.on == "sim") text += sim_words(line);
  if (!line.order.empty()) text += fmt::format(" order={}", fmt::join(line.order, ","));
  for (std::size_t i = 0; i < line.before.size(); ++i) {
    text += fmt::format("{}{}<{}", i == 0 ? " before=" : ",", line.before[i].first, line.before[i].second);
  }
  if (!line.ops.empty()) text += " ops=" + format_ranges(line.ops);
  if (is_of_threads(line)) text += engine_words(line.engine);
  text += fault_words(line);
  if (!line.digest.empty()) text += " digest=" + escape_word(line.digest);
  if (line.makespan_ps != 0) text += fmt::format(" makespan_ps={}", line.makespan_ps);
  return text;
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
    if (!seen.insert(key).second) fail(word, "stands twice");
    set_field(line, word, key, word.substr(equals + 1));
  }
  if (line.model.empty()) fail("model", "is missing");
  if (needs_choices && !is_of_threads(line)) fail("level=threads", "choices= is missing");
  if (!line.faults.empty() && (line.on == "explore" || !line.before.empty())) {
    fail("on=" + line.on,
         "a run with faults has no before= and is on=native or on=sim; the explorer's are failing_ops=, "
         "failing_starts=, duplicate_answers= and cancel=");
  }
  if (is_of_threads(line) && line.on != "explore") {
    fail("on=" + line.on, "choices are of the engine's threads under the explorer: on=explore");
  }
  return line;
}

}  // namespace detent::app

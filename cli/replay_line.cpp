// Replay lines as text.
#include "cli/replay_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

namespace detent::cli {
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

/// Spaces and percent signs in names are written as %20 and %25, so that a line splits at spaces.
std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' || c == '%') {
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text.compare(i, 3, "%20") == 0 || text.compare(i, 3, "%25") == 0;
    out += escaped ? (text[i + 2] == '0' ? ' ' : '%') : text[i];
    if (escaped) i += 2;
  }
  return out;
}

void set_field(ReplayLine& line, const std::string& word, const std::string& key, const std::string& value) {
  if (key == "model") {
    line.model = unescape(value);
  } else if (key == "on") {
    if (value != "native" && value != "sim") fail(word, "must be native or sim");
    line.on = value;
  } else if (key == "workers") {
    line.workers = parse_number<std::uint32_t>(word, value);
  } else if (key == "seed") {
    line.seed = parse_number<std::uint64_t>(word, value);
  } else if (key == "mode") {
    line.mode = value;
  } else if (key == "policy") {
    line.policy = value;
  } else if (key == "split") {
    line.split = parse_number<std::uint32_t>(word, value);
  } else if (key == "input_seed") {
    line.input_seed = parse_number<std::uint64_t>(word, value);
  } else if (key == "platform") {
    line.platform = unescape(value);
  } else if (key == "costs") {
    line.costs = unescape(value);
  } else if (key == "jitter") {
    line.jitter = unescape(value);
  } else if (key == "npu") {
    line.npu = parse_number<std::uint32_t>(word, value) != 0;
  } else if (key == "overheads") {
    line.overheads = parse_number<std::uint32_t>(word, value) != 0;
  } else if (key == "contention") {
    line.contention = parse_number<std::uint32_t>(word, value) != 0;
  } else if (key == "private_ports") {
    line.private_ports = parse_number<std::uint32_t>(word, value) != 0;
  } else if (key == "migrating") {
    line.migrating = parse_number<std::uint32_t>(word, value) != 0;
  } else if (key == "order") {
    line.order = parse_ids(word, value);
  } else if (key == "before") {
    line.before = parse_constraints(word, value);
  } else if (key == "digest") {
    line.digest = value;
  } else if (key == "makespan_ps") {
    line.makespan_ps = parse_number<std::uint64_t>(word, value);
  } else {
    fail(word, "is no key of a replay line");
  }
}

}  // namespace

std::string format_replay_line(const ReplayLine& line) {
  std::string text = fmt::format("{} model={} on={} workers={} seed={} mode={} policy={} split={} input_seed={}",
                                 kMagic, escape(line.model), line.on, line.workers, line.seed, line.mode, line.policy,
                                 line.split, line.input_seed);
  if (line.on == "sim") {
    text += fmt::format(" platform={} jitter={} npu={} overheads={}", escape(line.platform), escape(line.jitter),
                        line.npu ? 1 : 0, line.overheads ? 1 : 0);
    if (!line.contention) text += " contention=0";
    if (line.private_ports) text += " private_ports=1";
    if (line.migrating) text += " migrating=1";
    if (!line.costs.empty()) text += " costs=" + escape(line.costs);
  }
  if (!line.order.empty()) text += fmt::format(" order={}", fmt::join(line.order, ","));
  for (std::size_t i = 0; i < line.before.size(); ++i) {
    text += fmt::format("{}{}<{}", i == 0 ? " before=" : ",", line.before[i].first, line.before[i].second);
  }
  if (!line.digest.empty()) text += " digest=" + line.digest;
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
  while (stream >> word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) fail(word, "must be key=value");
    const std::string key = word.substr(0, equals);
    if (!seen.insert(key).second) fail(word, "stands twice");
    set_field(line, word, key, word.substr(equals + 1));
  }
  if (line.model.empty()) fail("model", "is missing");
  return line;
}

}  // namespace detent::cli

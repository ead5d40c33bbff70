// Names of values and decisions -> numbers, writers, checks.
#include "models/files/graph_values.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace detent::models {
namespace {

/// Larger than any end of a range within a region.
constexpr std::uint64_t kRegionSpacing = DETENT_MAX_BYTES * 2;

ByteRange linear(const GraphValues::Place& place) {
  const std::uint64_t begin = kRegionSpacing * place.region + place.offset;
  return {begin, begin + place.size};
}

bool covers(const ByteRanges& ranges, const ByteRange& wanted) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), wanted.begin,
                                      [](std::uint64_t at, const ByteRange& range) { return at < range.begin; });
  return after != ranges.begin() && wanted.end <= (after - 1)->end;
}

/// "c7" -> 7.
std::uint32_t numbered_op(std::string_view decision, std::size_t op_count) {
  std::uint32_t id = 0;
  if (decision.size() < 2 || decision[0] != 'c') return DETENT_NONE;
  const char* const end = decision.data() + decision.size();
  const auto [at, error] = std::from_chars(decision.data() + 1, end, id);
  return error == std::errc{} && at == end && id < op_count ? id : DETENT_NONE;
}

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

std::uint32_t GraphValues::value_id(std::string_view name) {
  const auto [entry, is_new] = value_ids_.try_emplace(std::string(name), static_cast<std::uint32_t>(writers_.size()));
  if (is_new) {
    model_.value_names.emplace_back(name);
    writers_.emplace_back();
    single_ids_.push_back(kNoSet);
  }
  return entry->second;
}

std::uint32_t GraphValues::read_set(const JsonValue& value, bool may_be_list) {
  if (!may_be_list || value.kind() != JsonKind::kArray) {
    const std::uint32_t id = value_id(value.as_name());
    if (single_ids_[id] == kNoSet) {
      single_ids_[id] = static_cast<std::uint32_t>(sets_.size());
      sets_.push_back({id});
    }
    return single_ids_[id];
  }
  std::vector<std::uint32_t> ids;
  for (const JsonValue name : value.elements()) {
    const std::uint32_t id = value_id(name.as_name());
    if (std::ranges::find(ids, id) != ids.end()) name.fail("the value stands in this list already; name it once");
    ids.push_back(id);
  }
  if (ids.empty()) value.fail("an empty list; name a value, or leave \"value\" out");
  if (ids.size() > kMaxListedValues) {
    value.fail(std::to_string(ids.size()) + " values; at most " + std::to_string(kMaxListedValues) + " are possible");
  }
  const auto [entry, is_new] = list_ids_.try_emplace(ids, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(std::move(ids));
  return entry->second;
}

std::string GraphValues::text_of(std::uint32_t set) const {
  std::string text;
  for (const std::uint32_t id : sets_[set]) text += (text.empty() ? "" : "|") + model_.value_names[id];
  return text;
}

void GraphValues::add_writer(std::uint32_t set, std::uint32_t op, const Place& place) {
  const std::uint32_t id = sets_[set].front();
  Writer& writer = writers_[id];
  if (writer.op != kNobody && writer.op != op) {
    const std::string other = writer.op == kInput ? "an input" : "written by op " + std::to_string(writer.op);
    place.where.fail("value " + in_quotes(model_.value_names[id]) + " is already " + other +
                     "; a value has one writer, give this one another name");
  }
  writer.op = op;
  writer.bytes.push_back(linear(place));
}

void GraphValues::add_write(std::uint32_t set, OpId op, const Place& place) { add_writer(set, op, place); }

void GraphValues::add_input(std::uint32_t set, const Place& place) {
  add_writer(set, kInput, place);
  inputs_.push_back({set, place});
}

void GraphValues::add_read(std::uint32_t set, const Place& place) { reads_.push_back({set, place}); }

void GraphValues::read_guards(const JsonValue& value, OpId op) {
  if (value.kind() != JsonKind::kArray) return add_guard(value, op);
  if (value.size() > kMaxOpGuards) {
    value.fail(std::to_string(value.size()) + " guards; at most " + std::to_string(kMaxOpGuards) + " are possible");
  }
  for (const JsonValue text : value.elements()) add_guard(text, op);
}

void GraphValues::add_guard(const JsonValue& text, OpId op) {
  const std::string_view guard = text.as_name();
  const std::size_t equals = guard.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == guard.size() ||
      guard.find('=', equals + 1) != std::string_view::npos) {
    text.fail("expected \"DECISION=OUTCOME\", such as \"c3=then\"");
  }
  guards_.push_back({op, guard.substr(0, equals), guard.substr(equals + 1), text});
}

void GraphValues::finish() {
  for (Writer& writer : writers_) writer.bytes = make_ranges(std::move(writer.bytes));
  check_inputs();
  for (const Read& read : reads_) check_read(read);
  resolve_guards();
}

void GraphValues::check_inputs() const {
  std::vector<std::pair<ByteRange, std::size_t>> ranges;
  for (std::size_t i = 0; i < inputs_.size(); ++i) ranges.emplace_back(linear(inputs_[i].place), i);
  std::ranges::sort(ranges, {}, [](const auto& entry) { return std::pair(entry.first.begin, entry.second); });
  std::size_t last = 0;  // of those so far, the one that ends last
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const Read& a = inputs_[ranges[last].second];
    const Read& b = inputs_[ranges[i].second];
    if (ranges[i].first.begin < ranges[last].first.end) {
      const Read& later = inputs_[std::max(ranges[last].second, ranges[i].second)];
      later.place.where.fail("shares bytes with another input (values " + in_quotes(text_of(a.set)) + " and " +
                             in_quotes(text_of(b.set)) + "); move one of them");
    }
    last = i;
  }
}

void GraphValues::check_read(const Read& read) const {
  for (const std::uint32_t id : sets_[read.set]) {
    const Writer& writer = writers_[id];
    const std::string name = in_quotes(model_.value_names[id]);
    if (writer.op == kNobody) {
      read.place.where.fail("value " + name +
                            " is written by no op and is no input; write it, add it to \"inputs\", or read another");
    }
    if (!covers(writer.bytes, linear(read.place))) {
      const std::string by =
          writer.op == kInput ? "its input" : "what op " + std::to_string(writer.op) + " writes of it";
      read.place.where.fail("bytes [" + std::to_string(read.place.offset) + "," +
                            std::to_string(read.place.offset + read.place.size) + ") of region " +
                            in_quotes(model_.regions[read.place.region].name) + " lie outside " + by + ", value " +
                            name + "; read bytes that hold it");
    }
  }
}

void GraphValues::resolve_guards() {
  if (guards_.empty()) return;
  index_op_names();
  for (const GuardText& guard : guards_) {
    const std::uint32_t id = decision_id(guard);
    std::vector<std::string>& outcomes = model_.decisions[id].outcomes;
    const auto known = std::ranges::find(outcomes, guard.outcome);
    const auto outcome = static_cast<std::uint32_t>(known - outcomes.begin());
    if (known == outcomes.end()) outcomes.emplace_back(guard.outcome);
    std::vector<Guard>& guards = model_.ops[guard.op].guards;
    for (const Guard& other : guards) {
      if (other.decision != id) continue;
      guard.where.fail(other.outcome == outcome
                           ? "this guard stands there already; name it once"
                           : "contradicts another guard of the op, which would never run; remove one of them");
    }
    guards.push_back({id, outcome});
  }
}

void GraphValues::index_op_names() {
  std::set<std::string_view> wanted;
  for (const GuardText& guard : guards_) wanted.insert(guard.decision);
  for (OpId op = 0; op < model_.ops.size(); ++op) {
    if (wanted.contains(model_.ops[op].name)) ops_by_name_[model_.ops[op].name].push_back(op);
  }
}

std::uint32_t GraphValues::decision_id(const GuardText& guard) {
  const auto [entry, is_new] =
      decision_ids_.try_emplace(std::string(guard.decision), static_cast<std::uint32_t>(model_.decisions.size()));
  if (is_new) model_.decisions.push_back({std::string(guard.decision), op_of_decision(guard), {}});
  return entry->second;
}

/// A value of this name, an op of this name, c and an op's id: all that there are must mean the same op.
std::uint32_t GraphValues::op_of_decision(const GuardText& guard) const {
  std::set<std::uint32_t> meant;
  const auto value = value_ids_.find(std::string(guard.decision));
  if (value != value_ids_.end() && writers_[value->second].op != kNobody) meant.insert(writers_[value->second].op);
  const auto named = ops_by_name_.find(guard.decision);
  if (named != ops_by_name_.end()) meant.insert(named->second.begin(), named->second.end());
  const std::uint32_t numbered = numbered_op(guard.decision, model_.ops.size());
  if (meant.empty() && numbered != DETENT_NONE) meant.insert(numbered);
  if (meant.empty()) {
    guard.where.fail("decision " + in_quotes(guard.decision) +
                     " is no value, no op's name and no c with an op's id; name the op that decides");
  }
  if (meant.size() > 1) {
    guard.where.fail("decision " + in_quotes(guard.decision) + " may be op " + std::to_string(*meant.begin()) + " or " +
                     (*meant.rbegin() == kInput ? "an input" : "op " + std::to_string(*meant.rbegin())) +
                     "; give one of them another name");
  }
  return *meant.begin();
}

}  // namespace detent::models

#include "models/import/tvm/entities/edges.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::entities {
namespace {

using footprint::bytes_of;

bool names_one_of(const std::string& name, std::initializer_list<std::string_view> words) {
  std::string lower;
  for (const char c : name.substr(name.rfind('.') + 1)) {
    if (c != '_') lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool names_successors(const std::string& name) {
  return names_one_of(name,
                      {"succ", "next", "child", "kids", "out", "consumer", "dependent", "edge", "target", "user"}) &&
         !names_one_of(name, {"output"});
}

bool names_predecessors(const std::string& name) {
  return names_one_of(name, {"indeg", "pred", "dep", "wait", "pend", "parent", "remain", "join", "need", "producer"}) &&
         !names_one_of(name, {"dependent"});
}

bool names_number(const std::string& name) {
  const std::string own = name.substr(name.rfind('.') + 1);
  return names_one_of(name, {"num", "count", "cnt", "len", "size", "total"}) || own.starts_with("n") ||
         own.ends_with("_n");
}

int list_score(const std::string& name) { return names_successors(name) ? 4 : names_predecessors(name) ? -4 : 0; }

int count_score(const std::string& name) {
  if (names_predecessors(name)) return -4;
  return (names_successors(name) ? 3 : 0) + (names_number(name) ? 1 : 0);
}

int indegree_score(const std::string& name) {
  if (names_predecessors(name)) return 4;
  return names_one_of(name, {"in"}) && !names_successors(name) ? 1 : names_successors(name) ? -4 : 0;
}

bool is_index(const CType& type) {
  return (type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt) && !type.is_vector;
}

/// What the list holds.
CType element_of_list(const CType& type) {
  if (!type.extents.empty()) return element_of(type);
  CType element = type;
  --element.pointers;
  return element;
}

}  // namespace

bool may_list_successors(const Member& member, const std::string& record) {
  const CType& type = member.type;
  const bool is_array = type.extents.size() == 1;
  const bool is_pointer = type.extents.empty() && type.pointers > 0;
  if (!is_array && !is_pointer) return false;
  const CType element = element_of_list(type);
  if (element.pointers == 0) return is_index(element);
  const bool is_entity = element.pointers == 1 && element.scalar == CType::Scalar::kRecord;
  std::string name = element.spelling;
  for (const std::string_view word : {"const ", "volatile "}) {
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word)) name.erase(at, word.size());
  }
  const std::size_t end = name.find(record);
  return is_entity && end == 0 &&
         name.find_first_of("abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", record.size()) ==
             std::string::npos;
}

std::size_t EdgeReading::edge_count() const {
  std::size_t count = 0;
  for (const auto& list : successors) count += list.size();
  return count;
}

std::vector<EdgeChoice> EdgeFinder::choices() const {
  std::vector<std::size_t> lists, numbers;
  for (std::size_t i = 0; i < table_.members.size(); ++i) {
    const Member& member = table_.members[i];
    if (i == table_.entry) continue;
    if (is_whole_number(member.type)) numbers.push_back(i);
    if (may_list_successors(member, table_.record)) lists.push_back(i);
  }
  std::vector<EdgeChoice> choices;
  for (const std::size_t list : lists) {
    for (const std::size_t indegree : numbers) {
      const int score = list_score(table_.members[list].name) + indegree_score(table_.members[indegree].name);
      choices.push_back({.list = list, .indegree = indegree, .score = score});
      for (const std::size_t count : numbers) {
        if (count == indegree) continue;
        choices.push_back({.list = list,
                           .count = count,
                           .indegree = indegree,
                           .score = score + 1 + count_score(table_.members[count].name)});
      }
    }
  }
  add_ranges(choices, numbers);
  return choices;
}

/// Successors of all entities in one array of the file, of which each entity has a part.
void EdgeFinder::add_ranges(std::vector<EdgeChoice>& choices, const std::vector<std::size_t>& numbers) const {
  constexpr std::size_t kMostNumbers = 8, kMostPools = 8;
  if (numbers.size() > kMostNumbers) return;
  std::vector<std::uint32_t> pools;
  for (std::uint32_t object = 0; object < data_.objects().size(); ++object) {
    const DataObject& one = data_.objects()[object];
    const bool is_pool = one.type.extents.size() == 1 && one.type.pointers == 0 && is_index(one.type) &&
                         one.is_defined && one.doubt.empty() && !one.variables.empty();
    if (is_pool) pools.push_back(object);
  }
  if (pools.size() > kMostPools) return;  // of some of them, a wrong one might agree by chance
  for (const std::uint32_t object : pools) {
    const DataObject& one = data_.objects()[object];
    for (const std::size_t first : numbers) {
      for (const std::size_t count : numbers) {
        for (const std::size_t indegree : numbers) {
          if (first == count || count == indegree || first == indegree) continue;
          const std::string& name = table_.members[count].name;
          for (const bool is_end : {false, true}) {
            const bool names_end = names_one_of(name, {"end", "last", "stop"});
            const int score =
                -2 + list_score(one.name) + indegree_score(table_.members[indegree].name) +
                (names_one_of(table_.members[first].name, {"first", "begin", "start", "off", "base"}) ? 2 : 0) +
                (is_end == names_end ? 1 : 0) + (is_end ? 0 : count_score(name));
            choices.push_back({.pool = object,
                               .first = first,
                               .count = count,
                               .is_end = is_end,
                               .indegree = indegree,
                               .score = score});
          }
        }
      }
    }
  }
}

std::string EdgeFinder::name_of(std::size_t entity) const {
  return "entity " + std::to_string(entity) + " (" + table_.entities[entity].entry + ")";
}

void EdgeFinder::fail(EdgeReading& reading, std::size_t entity, const std::string& what) const {
  if (reading.faults++ != 0) return;
  reading.fault = name_of(entity) + " " + what;
  reading.fault_line = table_.entities[entity].line;
}

std::optional<std::int64_t> EdgeFinder::number_of(std::size_t entity, std::size_t member, EdgeReading& reading) const {
  DataPlace place = table_.entities[entity].place;
  place.offset += table_.members[member].offset;
  const std::optional<std::int64_t> number = data_.int_at(place);
  if (!number) fail(reading, entity, "has a " + table_.members[member].name + " that is not known before the run");
  reading.read.push_back(place);
  return number;
}

std::optional<std::uint32_t> EdgeFinder::entity_at(const DataPlace& place) const {
  const auto found = std::lower_bound(table_.entities.begin(), table_.entities.end(), place,
                                      [](const Entity& entity, const DataPlace& at) { return entity.place < at; });
  if (found != table_.entities.end() && found->place == place)
    return static_cast<std::uint32_t>(found - table_.entities.begin());
  const auto listed = std::find(order_.begin(), order_.end(), place);
  if (listed == order_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(listed - order_.begin());
}

void EdgeFinder::read_list(std::size_t entity, DataPlace at, std::int64_t count, bool is_told, const CType& element,
                           EdgeReading& reading) const {
  const DataObject& object = data_.objects()[at.object];
  const auto bytes = static_cast<std::int64_t>(bytes_of(element));
  const auto most = static_cast<std::int64_t>(object.size_bytes);
  if (bytes <= 0 || at.offset < 0) return fail(reading, entity, "lists successors outside of " + object.name);
  if (!object.doubt.empty()) return fail(reading, entity, "lists successors in " + object.name + ", " + object.doubt);
  std::vector<std::uint32_t>& list = reading.successors[entity];
  for (std::int64_t i = 0; i < count; ++i) {
    const DataPlace place{at.object, at.offset + i * bytes};
    if (place.offset + bytes > most) {
      if (!is_told) return;
      return fail(
          reading, entity,
          "counts " + std::to_string(count) + " successors, and " + object.name + " ends after " + std::to_string(i));
    }
    reading.read.push_back(place);
    const Cell* const cell = data_.find(place);
    if (element.pointers > 0) {
      const bool is_null = cell == nullptr || cell->kind == Cell::Kind::kNull;
      if (is_null && !is_told) return;
      if (cell == nullptr || cell->kind != Cell::Kind::kAddress)
        return fail(reading, entity, "has successor number " + std::to_string(i) + ", which is no entity");
      const auto successor = entity_at({cell->object, cell->number});
      if (!successor)
        return fail(reading, entity,
                    "has successor number " + std::to_string(i) + ", which is no entity of " + table_.name);
      list.push_back(*successor);
      continue;
    }
    const std::optional<std::int64_t> index = data_.int_at(place);
    if (!index) return fail(reading, entity, "has a successor that is not known before the run");
    if (*index < 0 || *index >= static_cast<std::int64_t>(table_.entities.size())) {
      if (!is_told) return;
      return fail(reading, entity,
                  "has successor " + std::to_string(*index) + "; there are entities 0 to " +
                      std::to_string(table_.entities.size() - 1));
    }
    list.push_back(static_cast<std::uint32_t>(*index));
  }
}

void EdgeFinder::read_entity(std::size_t entity, EdgeReading& reading) const {
  const EdgeChoice& choice = reading.choice;
  const std::optional<std::int64_t> indegree = number_of(entity, choice.indegree, reading);
  reading.indegrees[entity] = indegree.value_or(0);
  const bool is_told = choice.count != SIZE_MAX;
  std::optional<std::int64_t> count = is_told ? number_of(entity, choice.count, reading) : INT32_MAX;
  if (!count) return;
  if (choice.list == SIZE_MAX) {
    const std::optional<std::int64_t> first = number_of(entity, choice.first, reading);
    if (!first) return;
    const std::int64_t many = choice.is_end ? *count - *first : *count;
    if (many == 0) return;
    const CType element = element_of(data_.objects()[choice.pool].type);
    if (*first < 0 || *first > INT32_MAX || many < 0 || many > INT32_MAX)
      return fail(reading, entity, "has a range of successors that ends before it begins");
    const auto bytes = static_cast<std::int64_t>(bytes_of(element));
    return read_list(entity, {choice.pool, *first * bytes}, many, true, element, reading);
  }
  if (is_told && (*count < 0 || *count > INT32_MAX))
    return fail(reading, entity, "has " + std::to_string(*count) + " successors");
  const Member& list = table_.members[choice.list];
  DataPlace place = table_.entities[entity].place;
  place.offset += list.offset;
  reading.read.push_back(place);
  if (!list.type.extents.empty()) {
    const auto room = static_cast<std::int64_t>(list.type.extents[0]);
    if (is_told && *count > room)
      return fail(
          reading, entity,
          "counts " + std::to_string(*count) + " successors, and " + list.name + " holds " + std::to_string(room));
    return read_list(entity, place, std::min(*count, room), is_told, element_of_list(list.type), reading);
  }
  if (*count == 0) return;
  const Cell* const cell = data_.find(place);
  const bool is_null = cell == nullptr || cell->kind == Cell::Kind::kNull;
  if (is_null && !is_told) return;
  if (is_null) return fail(reading, entity, "counts " + std::to_string(*count) + " successors and has no list of them");
  if (cell->kind != Cell::Kind::kAddress)
    return fail(reading, entity, "has a list of successors that is not known before the run");
  read_list(entity, {cell->object, cell->number}, *count, is_told, element_of_list(list.type), reading);
}

void EdgeFinder::check_indegrees(EdgeReading& reading) const {
  std::vector<std::int64_t> counted(table_.entities.size(), 0);
  for (const auto& list : reading.successors) {
    for (const std::uint32_t successor : list) ++counted[successor];
  }
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (counted[i] == reading.indegrees[i]) continue;
    const std::string how = reading.indegrees[i] > counted[i]
                                ? ": it would never start; correct the number, or add it to the list of a predecessor"
                                : ": it would start too early; correct the number, or take it from a list";
    fail(reading, i,
         "has an initial indegree of " + std::to_string(reading.indegrees[i]) + " (" +
             table_.members[reading.choice.indegree].name + "), but stands in " + std::to_string(counted[i]) +
             (counted[i] == 1 ? " list" : " lists") + " of successors" + how);
  }
}

EdgeReading EdgeFinder::read(const EdgeChoice& choice) const {
  EdgeReading reading;
  reading.choice = choice;
  reading.successors.resize(table_.entities.size());
  reading.indegrees.resize(table_.entities.size());
  for (std::size_t i = 0; i < table_.entities.size() && reading.faults == 0; ++i) read_entity(i, reading);
  if (reading.faults == 0) check_indegrees(reading);
  return reading;
}

EdgeReading EdgeFinder::find(const std::string& file) const {
  std::vector<EdgeChoice> all = choices();
  const std::string place = std::to_string(table_.line);
  if (all.empty()) {
    throw InputError(file, place,
                     table_.record +
                         " has no list of successors with a number of predecessors; entities are read from "
                         "records with an entry function, successors and an initial indegree");
  }
  std::stable_sort(all.begin(), all.end(), [](const EdgeChoice& a, const EdgeChoice& b) { return a.score > b.score; });
  constexpr int kTold = 8;   // the score of a list and an indegree whose names say so
  constexpr int kClear = 3;  // the difference by which names tell one reading from another
  std::optional<EdgeReading> best, refused;
  bool is_ambiguous = false;
  for (const EdgeChoice& choice : all) {
    const bool is_settled = best && (best->edge_count() > 0 || best->choice.score >= kTold);
    if (is_settled && choice.score + kClear <= best->choice.score) break;
    EdgeReading reading = read(choice);
    if (reading.faults != 0) {
      if (!refused) refused = std::move(reading);
      continue;
    }
    if (best && best->successors == reading.successors) continue;
    if (!best || (!is_settled && reading.edge_count() > best->edge_count())) {
      best = std::move(reading);
      is_ambiguous = false;
    } else if (reading.edge_count() >= best->edge_count()) {
      is_ambiguous = true;
    }
  }
  // Where names say what is what, a choice against them that happens to agree is none.
  const bool is_refused =
      refused && best && refused->choice.score >= kTold && refused->choice.score > best->choice.score;
  if (!best || is_refused) throw InputError(file, std::to_string(refused->fault_line), refused->fault);
  if (is_ambiguous) {
    throw InputError(file, place,
                     "the numbers of " + table_.record +
                         " agree with several readings of its members; name them like successors, successor_count and "
                         "indegree");
  }
  return std::move(*best);
}

}  // namespace detent::models::tvm::entities
